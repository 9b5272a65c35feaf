"""How is a kernel called where ``kernels/border`` is not compiled? By Python's own ctypes.

The same classes with the same meaning as in border.pyx, as far as ctypes reaches: a C++ exception
would end the process, and there is no AotExtra, so ``extra`` is NULL.
"""

import ctypes
import time

from . import refusals

_KERNEL = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_int,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_int),
    ctypes.POINTER(ctypes.POINTER(ctypes.c_int64)),
    ctypes.POINTER(ctypes.c_char_p),
    ctypes.c_void_p,
    ctypes.c_void_p,
)


class Layout:
    """Shapes and dtypes of operands and results, as a kernel reads them."""

    def __init__(self, shapes, dtypes):
        self.count = count = len(shapes)
        self._sizes = [(ctypes.c_int64 * max(1, len(s)))(*s) for s in shapes]
        pointer = ctypes.POINTER(ctypes.c_int64)
        self.ndims = (ctypes.c_int * max(1, count))(*map(len, shapes))
        self.shapes = (pointer * max(1, count))(*[ctypes.cast(s, pointer) for s in self._sizes])
        self.dtypes = (ctypes.c_char_p * max(1, count))(*[d.encode() for d in dtypes])


class Extra:
    """No AotExtra: an op with attributes, an Init or inference in C is refused."""

    workspaces, address = (), None

    def __init__(self, library, attributes, failed):
        self.library, self.failed = library, failed
        if attributes:
            raise self._missing("an attribute that the kernel reads")

    def init(self, _address, _layout):
        """Refused."""
        raise self._missing("a kernel with an Init function")

    def infer_shape(self, _address, _layout):
        """Refused."""
        raise self._missing("InferShape")

    def infer_type(self, _address, _ids, _several):
        """Refused."""
        raise self._missing("InferType")

    def _missing(self, what):
        return refusals.needs_border(what, self.library.path, None)


class Call:
    """A kernel for operands and results of one kind."""

    def __init__(self, address, layout, extra):
        self.layout, self.extra, self.took = layout, extra, 0.0
        self._kernel = _KERNEL(address)

    def run(self, arrays):
        """Call it with C-contiguous arrays, and bytes for texts: operands, then results."""
        layout = self.layout
        params = (ctypes.c_void_p * max(1, layout.count))(*map(_address_of, arrays))
        begin = time.perf_counter()
        code = self._kernel(
            layout.count, params, layout.ndims, layout.shapes, layout.dtypes, None, None
        )
        self.took = time.perf_counter() - begin
        if code:
            raise self.extra.failed(code, None)


class Shortcut:
    """No short way: every call is looked at."""

    def __init__(self, otherwise):
        pass

    def hurry(self, _inputs):
        """NotImplemented: the call goes the ordinary way."""
        return NotImplemented

    def learn(self, call, kinds, operands, several):
        """Nothing to learn."""

    def forget(self):
        """Nothing to forget."""


def resting():
    """Whether an eager call may be made at once: here they all go the ordinary way."""
    return False


def _address_of(value):
    if isinstance(value, bytes):
        return ctypes.cast(ctypes.c_char_p(value), ctypes.c_void_p).value
    return value.ctypes.data
