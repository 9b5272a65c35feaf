"""A function of the DSL as a library: compiled once for its text, called with arrays of any shape.

What goes wrong in C comes back as a number; here it becomes the error of Python's, with the line.
"""

import ctypes
import sys
import threading

import numpy as np

from ... import errors
from ..loading import compiling, library, sources
from .tree import Tensor
from .writing import written

#: Whole numbers wrap, and a product and a sum are rounded one after the other, as in NumPy.
FLAGS = ("-fwrapv", "-ffp-contract=off", "-fno-math-errno")
_MATHS = ("-lm",) if sys.platform == "darwin" else ("-Wl,--no-as-needed", "-lm")
_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_NUMBERS = {int: np.int64, float: np.float64, bool: np.bool_}
SYMBOL = "hybrid_call"


class NoMemory(errors.NotRunnable, MemoryError):
    """A buffer that the machine has no memory for."""


class DoesNotFit(errors.InvalidValue, OverflowError):
    """A number of Python's that is larger than the tensor's dtype can hold."""


class Program:
    """The C of one Tree. ``op`` is the name of the op in errors."""

    def __init__(self, op, tree):
        self.op, self.tree = op, tree
        self.text, self.places = written(tree)
        self._library = self._function = None
        self._lock = threading.Lock()
        self._shapes = (None, None)

    @property
    def compiled(self):
        """Whether it has been compiled."""
        return self._function is not None

    def compile(self, trace, where):
        """Have it compiled; NotRunnable with ``reason`` "no-compiler" where nothing can."""
        with self._lock:
            if self._function is None:
                source = sources.written(self.text, ".c", "hybrid")
                path = compiling.built(source, trace, where, (*FLAGS, *_MATHS))
                self._library, _ = library.library(path, origin=source)
                self._function = _CALL(self._library.address(SYMBOL))

    def call(self, inputs, storage):
        """Calculate: arrays and numbers in, results into the arrays of ``storage``."""
        given = list(map(_array, inputs, self.tree.inputs))
        for place, array in enumerate(given):
            if any(array is memory for memory in storage):  # a result takes this input's memory
                given[place] = array.copy()
        arrays = [*given, *storage]
        pointers = (ctypes.c_void_p * len(arrays))(*map(_address, arrays))
        fault = (ctypes.c_int64 * 4)(-1, 0, 0, 0)
        shapes, _rows = self._shapes_of(arrays)  # held until the call is over
        if self._function(pointers, shapes, fault):
            raise self._error(*fault)

    def _shapes_of(self, arrays):
        """Pointers to the sizes of each array, and these; those of the last call are kept."""
        key = tuple([array.shape for array in arrays])
        known, made = self._shapes
        if known != key:
            rows = [(ctypes.c_int64 * len(shape))(*shape) for shape in key]
            pointers = (ctypes.c_void_p * len(rows))(*map(ctypes.addressof, rows))
            made = (pointers, rows)
            self._shapes = (key, made)
        return made

    def _error(self, place, one, two, three):
        what, where = self.places[place]
        kind, text, given, hint = _FAULTS[what](one, two, three)
        return kind(text, given=given or f"'{self.op}'", hint=hint, where=where)


def _array(value, wanted):
    """An input as C reads it: elements one after the other, a number as an array of one."""
    if isinstance(wanted, Tensor):
        return np.asarray(value, order="C")
    return np.asarray(value, _NUMBERS[wanted.kind])


def _address(array):
    return array.__array_interface__["data"][0]


def _index(index, axis, size):
    return (
        errors.InvalidIndex,
        f"index {index} is out of bounds for axis {axis} with size {size}",
        None,
        f"Indices go from {-size} to {size - 1}: is the loop's end a size of this very tensor?"
        if size
        else "This axis is empty.",
    )


def _size(code, size, _width):
    if code == -2:
        return NoMemory, f"There is no memory for a buffer of {size} elements.", None, None
    return errors.InvalidValue, "negative dimensions are not allowed", f"size {size}", None


def _fits(number, low, high):
    hint = "Use a tensor of a wider dtype."
    if low <= high:
        fact = f"Python integer {number} is out of bounds: it must be from {low} to {high}"
        return DoesNotFit, fact, None, hint
    facts = ("cannot convert float NaN to integer", "cannot convert float infinity to integer")
    fact = (*facts, "Python int too large to convert to C long")[number]
    return DoesNotFit if number else errors.InvalidValue, fact, None, hint


def _result(size, axis, promised):
    return (
        errors.NotRunnable,
        "A result has another shape than out_shape promises.",
        f"size {size} along axis {axis}, promised {promised}",
        "Correct out_shape, or leave it and out_dtype away: they follow from output_tensor.",
    )


_FAULTS = {
    "index": _index,
    "size": _size,
    "result": _result,
    "fits": _fits,
    "step": lambda *_: (errors.InvalidValue, "range() arg 3 must not be zero", None, None),
    "zero": lambda *_: (errors.DivisionByZero, "division by zero", None, None),
    "power": lambda power, *_: (
        errors.InvalidValue,
        "Integers to negative integer powers are not allowed.",
        f"power {power}",
        "Make one of them a float: float32(x) ** y.",
    ),
}
