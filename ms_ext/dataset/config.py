"""What holds for all pipelines: the seed of their random numbers, and how far they work ahead.

>>> from ms_ext import dataset as ds
>>> ds.config.set_seed(3)
>>> order = [int(x) for (x,) in ds.NumpySlicesDataset([1, 2, 3, 4], ["x"])]
>>> order == [int(x) for (x,) in ds.NumpySlicesDataset([1, 2, 3, 4], ["x"])]
True

A new iterator begins with the seed; its epochs differ from each other. The order that a seed gives
is another one than MindSpore's for that seed: the generators differ.
"""

from ..engine import errors
from ..engine.data import settings as _settings

UINT32, INT32 = 2**32 - 1, 2**31 - 1


def _number(value, low, high, name):
    if not isinstance(value, int) or isinstance(value, bool):
        raise errors.InvalidType(f"{name} isn't of type int.", given=f"{value!r:.60}")
    if not low <= value <= high:
        raise errors.InvalidValue(
            f"{name} given is not within the required range [{low}, {high}].", given=value
        )
    return value


def set_seed(seed):
    """The seed of every order and of every random transform from now on.

    >>> set_seed(3)
    >>> get_seed()
    3
    """
    _settings.set_seed(_number(seed, 0, UINT32, "seed"))


def get_seed():
    """The seed; 5489 if none was set, and then each iterator draws its own.

    >>> set_seed(3)
    >>> get_seed()
    3
    """
    return _settings.shared_seed()


def set_prefetch_size(size):
    """How many rows each worker, or ``prefetch``, may be ahead of the loop.

    >>> set_prefetch_size(16)
    """
    _settings.settings.prefetch_size = _number(size, 1, INT32, "size")


def get_prefetch_size():
    """How many rows each worker may be ahead.

    >>> get_prefetch_size()
    16
    """
    return _settings.settings.prefetch_size


def set_num_parallel_workers(num):
    """How many threads share the rows of a map that does not say it itself.

    >>> set_num_parallel_workers(1)
    """
    _settings.settings.workers = _number(num, 1, INT32, "num_parallel_workers")


def get_num_parallel_workers():
    """How many threads share the rows of a map that does not say it itself.

    >>> get_num_parallel_workers()
    1
    """
    return _settings.settings.workers


def get_monitor_sampling_interval():
    """Milliseconds between two looks of MindSpore's monitor; there is none here.

    >>> get_monitor_sampling_interval()
    1000
    """
    return 1000


def get_auto_num_workers():
    """Whether the numbers of workers are chosen by themselves; never here.

    >>> get_auto_num_workers()
    False
    """
    return False


def get_debug_mode():
    """Whether everything runs one row at a time in the caller's thread.

    >>> get_debug_mode()
    False
    """
    return _settings.settings.debug


def set_debug_mode(debug_mode_flag):
    """With True no worker is started: breakpoints and prints come one after the other.

    >>> set_debug_mode(False)
    """
    if not isinstance(debug_mode_flag, bool):
        raise errors.InvalidType(
            "debug_mode_flag isn't of type boolean.", given=f"{debug_mode_flag!r:.60}"
        )
    _settings.settings.debug = debug_mode_flag
