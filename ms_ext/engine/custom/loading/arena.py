"""How is a buffer laid out so that stepping over its ends is noticed? Between pages nobody may use.

::

    | guard: no access | canary ... | elements | guard: no access |
                       ^ page                  ^ page: the first byte behind the end faults
                         0xA5 0xA5 ...: changed bytes show what was written before the first

The memory is shared with a child process, so what a kernel writes there is seen here.
"""

import ctypes
import mmap
from dataclasses import dataclass

PAGE = mmap.PAGESIZE
CANARY = 0xA5
LEAST_GUARD, MOST_GUARD = 1 << 20, 1 << 30
_NONE, _READ, _WRITE = 0, 1, 2
_SHARED, _ANONYMOUS, _NO_RESERVE = 0x01, 0x20, 0x4000


@dataclass(frozen=True)
class Buffer:
    """One buffer: its name and kind in errors, its elements, and where it lies."""

    name: str
    kind: str
    item_size: int
    count: int
    shape: tuple
    low: int  # the first byte of the guard before it
    page: int  # the first byte that may be touched
    begin: int  # the first element
    high: int  # behind the guard after it

    @property
    def end(self):
        """Behind the last element."""
        return self.begin + self.item_size * self.count

    def element(self, address):
        """Which element an address would be; negative before the first one."""
        return (address - self.begin) // max(self.item_size, 1)


class Arena:
    """Buffers in one shared mapping. ``wanted``: (name, kind, bytes per element, shape) of each."""

    def __init__(self, wanted):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.libc.mmap.restype = ctypes.c_void_p
        self.libc.mmap.argtypes = [
            ctypes.c_void_p,
            ctypes.c_size_t,
            *[ctypes.c_int] * 3,
            ctypes.c_long,
        ]
        self.libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        self.libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        self.size, places = _laid_out(wanted)
        flags = _SHARED | _ANONYMOUS | _NO_RESERVE
        self.start = self.libc.mmap(None, self.size, _NONE, flags, -1, 0)
        if self.start in (None, ctypes.c_void_p(-1).value):
            self.start = None
            raise MemoryError(f"{self.size} bytes of address space for guarded buffers")
        self.buffers = [_moved(place, self.start) for place in places]
        for buffer in self.buffers:
            self._protect(buffer, _READ | _WRITE)
            ctypes.memset(buffer.page, CANARY, buffer.begin - buffer.page)

    def memory(self, buffer):
        """The elements as something that NumPy makes an array of."""
        return (ctypes.c_char * (buffer.end - buffer.begin)).from_address(buffer.begin)

    def write(self, buffer, data):
        """Fill a buffer."""
        ctypes.memmove(buffer.begin, bytes(data), buffer.end - buffer.begin)

    def read_only(self, buffer):
        """From now on writing into it faults."""
        self._protect(buffer, _READ)

    def around(self, address):
        """The buffer whose elements or guards hold an address, or None."""
        return next((b for b in self.buffers if b.low <= address < b.high), None)

    def damaged(self):
        """(buffer, element) of the write before a buffer that is nearest to it, or None."""
        for buffer in self.buffers:
            slack = ctypes.string_at(buffer.page, buffer.begin - buffer.page)
            kept = slack.rstrip(bytes([CANARY]))
            if kept:
                return buffer, buffer.element(buffer.page + len(kept) - 1)
        return None

    def close(self):
        """Give the memory back; arrays made of it must not be used any more."""
        if self.start is not None:
            self.libc.munmap(self.start, self.size)
            self.start = None

    def _protect(self, buffer, access):
        length = buffer.end - buffer.page
        if length and self.libc.mprotect(buffer.page, length, access) != 0:
            raise OSError(ctypes.get_errno(), "mprotect")


def _laid_out(wanted):
    """(bytes in all, the buffers' places if the mapping began at 0)."""
    places, at = [], 0
    for name, kind, item_size, shape in wanted:
        count = 1
        for length in shape:
            count *= length
        size = count * item_size
        pages = max(-(-size // PAGE), 1) * PAGE
        guard = min(max(LEAST_GUARD, -(-size // PAGE) * PAGE), MOST_GUARD)
        page = at + guard
        end = page + pages
        places.append(
            Buffer(name, kind, item_size, count, tuple(shape), at, page, end - size, end + guard)
        )
        at = end + guard
    return max(at, PAGE), places


def _moved(place, start):
    fields = {name: getattr(place, name) + start for name in ("low", "page", "begin", "high")}
    return Buffer(place.name, place.kind, place.item_size, place.count, place.shape, **fields)
