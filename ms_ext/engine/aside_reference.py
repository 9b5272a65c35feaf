"""How does a recorded call wait for its walk back off the tape, in plain Python?

The twin of ``kernels_pyx/tensor_aside.pxi``; the tape itself is ``tape_reference``.
"""

from .storage_reference import thread
from .tape_reference import close_tape


class Aside:
    """The entries of a level that has ended, to be taken up again.

    ``moved``: they are held here; under another ``grad`` they stay on its tape.
    """

    def __init__(self, level):
        self.level, self.generation, self.moved = level, thread.generation, not level.outer
        self.end = len(thread.tape)
        self.entries = thread.tape[level.start :] if self.moved else None
        self.watched = dict(thread.watched)
        self.hooks = {slot: c for slot, c in thread.hooks.items() if slot >= level.start}


def set_aside(level):
    """End a level, and keep what it recorded for ``take_up``."""
    aside = Aside(level)
    close_tape(level)
    return aside


def take_up(aside):
    """Whether what was set aside is on the tape again, where it was, to be walked back once.

    What was moved is to be closed then; it has to find its place free, and nobody recording.
    """
    if not aside.moved:
        return thread.generation == aside.generation and len(thread.tape) >= aside.end
    level = aside.level
    if aside.entries is None or thread.recording or len(thread.tape) != level.start:
        return False
    thread.tape += aside.entries
    aside.entries = None
    level.depth, level.generation, level.around = thread.depth, thread.generation, thread.watched
    thread.generation, thread.watched = aside.generation, aside.watched
    thread.hooks = {**thread.hooks, **aside.hooks}
    return True
