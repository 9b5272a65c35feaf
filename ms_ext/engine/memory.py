"""Where does the memory of results come from? Blocks that are used again when nobody holds them.

Memory fresh from the system costs a page fault per 4 KiB, often more than filling it. A block
is free when the pool holds the only reference to it: each array on it, and each view, holds one.

>>> pool = Pool(limit=1 << 20)
>>> first = pool.empty((300, 100), "float32")
>>> place = first.ctypes.data
>>> del first
>>> second = pool.empty((100, 300), "int32")
>>> second.ctypes.data == place, pool.allocated() == pool.reserved() == 131072
(True, True)
"""

import math
import sys
import threading

import numpy as np

SMALLEST = 1 << 16  # below this malloc is as fast
LIMIT = 256 << 20


def _references(blocks, index):
    return sys.getrefcount(blocks[index])


_FREE = _references([np.empty(0)], 0)  # references to a block that only the pool's list holds


class Pool:
    """Blocks of memory, at most ``limit`` bytes of them; what does not fit comes from malloc."""

    def __init__(self, limit=LIMIT):
        self.limit = limit
        self._blocks = {}  # size -> blocks of that size, in use or free
        self._lock = threading.Lock()

    def empty(self, shape, dtype):
        """An array whose elements are not set, as ``numpy.empty``."""
        dtype = np.dtype(dtype)
        size = math.prod(shape) * dtype.itemsize
        block = self._take(size) if size >= SMALLEST else None
        if block is None:
            return np.empty(shape, dtype)
        return block[:size].view(dtype).reshape(shape)

    def copy(self, array):
        """A C-ordered copy of an array."""
        made = self.empty(array.shape, array.dtype)
        np.copyto(made, array)
        return made

    def allocated(self):
        """Bytes of the blocks that somebody uses."""
        with self._lock:
            return sum(size * len(_used(blocks)) for size, blocks in self._blocks.items())

    def reserved(self):
        """Bytes of all blocks."""
        with self._lock:
            return sum(size * len(blocks) for size, blocks in self._blocks.items())

    def release(self):
        """Give the blocks that nobody uses back to the system."""
        with self._lock:
            self._blocks = {size: _used(blocks) for size, blocks in self._blocks.items()}

    def _take(self, size):
        size = -(-size // SMALLEST) * SMALLEST
        with self._lock:
            blocks = self._blocks.get(size, ())
            for index in range(len(blocks)):
                if _references(blocks, index) == _FREE:
                    return blocks[index]
        if self.reserved() + size > self.limit:
            self.release()
            if self.reserved() + size > self.limit:
                return None
        block = np.empty(size, np.uint8)
        with self._lock:
            self._blocks.setdefault(size, []).append(block)
        return block


def _used(blocks):
    return [blocks[i] for i in range(len(blocks)) if _references(blocks, i) > _FREE]


POOL = Pool()
