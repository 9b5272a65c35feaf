"""How much may a learner's process use, and how much did it use?"""

from typing import NamedTuple


class Limits(NamedTuple):
    """What one child may use. Sizes are in bytes, times in seconds.

    >>> Limits(wall=2.0).processor
    3
    """

    wall: float = 10.0  # while the parent waits for replies, all of them together
    processor: int = 3
    memory: int = 1 << 30  # on top of what a fresh child has
    file: int = 4 << 20
    disk: int = 32 << 20
    files: int = 64  # open at a time
    output: int = 32 << 20  # arrays of one reply
    words: int = 2 << 20  # the rest of one reply


class Usage(NamedTuple):
    """What one child used, and the protections it ran under.

    ``missing``: (name, why) of each protection that this system does not allow.
    """

    wall: float = 0.0
    cpu: float = 0.0
    memory: int = 0
    protections: tuple = ()
    missing: tuple = ()
