"""How does the library tell who records what it was asked for? One event per function called.

``library``: the function's name; numbers: phase, bytes of workspace, what the cache did.
"""

from .. import events

#: What a function of a library does, in the order in which a call of it is made.
PHASES = ("create", "workspace", "bind", "launch", "free")
#: What a cache did: it was not asked; it had nothing; it had it; it had only busy ones.
CACHE = ("", "miss", "hit", "busy")


class announced:
    """Within the block a function of a library runs; ``bytes`` and ``cache`` may be set."""

    __slots__ = ("begin", "bytes", "cache", "name", "phase")

    def __init__(self, name, phase):
        self.name, self.phase, self.bytes, self.cache = name, phase, 0, ""

    def __enter__(self):
        self.begin = events.now() if events.on else 0
        return self

    def __exit__(self, *_error):
        if events.on and self.begin:
            phase, cache = PHASES.index(self.phase), CACHE.index(self.cache)
            events.emit("library", self.name, self.begin, events.now(), phase, self.bytes, cache)
