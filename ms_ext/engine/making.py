"""What does making a graph need of Python? No collector, and room for what is nested deeply.

A graph, a syntax tree and a plan are many small objects that live on; looking through them again
and again would cost a third of compiling. And functions, branches and loops inside each other are
gone through by functions that call each other, a handful for each level: more than Python's usual
limit allows, and at FRAMES there is an end that is told in words.
"""

import contextlib
import gc
import sys
import threading

#: Calls that may wait for each other. More would risk the stack of 8 MB of who calls himself in C
#: without end; Windows' is smaller, and before 3.12 Python counts both kinds together.
FRAMES = 2_500 if sys.platform == "win32" and sys.version_info < (3, 12) else 10_000
#: Calls of functions inside each other that are read (``set_context(max_call_depth=...)`` sets it),
#: and turns of loops that are written out in one compilation.
limits = {"calls": 1000, "turns": 100_000}

#: Whether this process keeps objects frozen (``gc.freeze``), which are not to be thawed here. Said,
#: as asking ``gc.get_freeze_count`` goes through all of them.
keeps_frozen = False

_lock = threading.Lock()
_inside, _usual = 0, 0


@contextlib.contextmanager
def paused():
    """No automatic collection within this block, and none of what it made right after it.

    Blocks nest. The next full collection looks at everything again.

    >>> with paused():
    ...     gc.isenabled()
    False
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            if not keeps_frozen:
                gc.freeze()  # the young are old now, without being gone through
                gc.unfreeze()
            gc.enable()


@contextlib.contextmanager
def room():
    """Python's limit of calls is FRAMES within this block, if it is not higher anyway.

    >>> with room():
    ...     sys.getrecursionlimit() >= FRAMES
    True
    """
    _widen()
    try:
        yield
    finally:
        _narrow()


def _widen():
    global _inside, _usual
    with _lock:
        _inside += 1
        if _inside == 1:
            _usual = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_usual, FRAMES))


def _narrow():
    global _inside
    with _lock:
        _inside -= 1
        if _inside == 0:
            with contextlib.suppress(RecursionError):  # another thread's calls are still deeper
                sys.setrecursionlimit(_usual)


@contextlib.contextmanager
def making():
    """Around whatever makes, changes or goes through a graph; also a decorator."""
    with paused(), room():
        yield
