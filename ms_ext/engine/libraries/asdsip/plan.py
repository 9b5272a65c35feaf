"""What is a plan? How one transform is calculated, found out once; kept in a cache of plans.

A tensor holds no complex numbers here: two floats, the real and the imaginary part, are its last
axis (``as_pairs``, ``as_complex``). Arrays that are complex already are taken as well. As with
``np.fft``, the backward transform divides by the number of points.
"""

import threading
from collections import OrderedDict
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from ... import errors
from ..announcing import announced

CAPACITY = 64


class FftType(IntEnum):
    """Complex numbers or real ones, in and out."""

    ASCEND_FFT_C2C = 0x10
    ASCEND_FFT_C2R = 0x11
    ASCEND_FFT_R2C = 0x12


class FftDirection(IntEnum):
    """Forward is the transform, backward its inverse."""

    ASCEND_FFT_FORWARD = 0x10
    ASCEND_FFT_BACKWARD = 0x11


class FftDimType(IntEnum):
    """One transform per row, or per column."""

    ASCEND_FFT_HORIZONTAL = 0x10
    ASCEND_FFT_VERTICAL = 0x11


class FFTParam(NamedTuple):
    """``fftYSize`` 0 is a transform of ``fftXSize`` points, else of [fftXSize, fftYSize]."""

    fftXSize: int = 0
    fftYSize: int = 0
    fftType: int = FftType.ASCEND_FFT_C2C
    direction: int = FftDirection.ASCEND_FFT_FORWARD
    batchSize: int = 0
    dimType: int = FftDimType.ASCEND_FFT_HORIZONTAL


class Plan:
    """How a transform is calculated: shapes, axes, function, bytes of workspace."""

    def __init__(self, param):
        self.param = _checked(param)
        flat, vertical = param.fftYSize == 0, param.dimType == FftDimType.ASCEND_FFT_VERTICAL
        self.sizes = (param.fftXSize,) if flat else (param.fftXSize, param.fftYSize)
        self.axes = ((-2,) if vertical else (-1,)) if flat else (-2, -1)
        half = (*self.sizes[:-1], self.sizes[-1] // 2 + 1)
        kind, batch = param.fftType, param.batchSize
        given = half if kind == FftType.ASCEND_FFT_C2R else self.sizes
        made = half if kind == FftType.ASCEND_FFT_R2C else self.sizes
        self.given = (*given, batch) if flat and vertical else (batch, *given)
        self.made = (*made, batch) if flat and vertical else (batch, *made)
        self.workspace = 16 * int(np.prod(self.made))  # complex128

    def run(self, given, made, workspace):
        """Transform: from one array into another, in the workspace."""
        x = given
        if self.param.fftType != FftType.ASCEND_FFT_R2C:
            x = as_complex(given)
        found = _FUNCTIONS[self.param.fftType, self.param.direction](self, x.reshape(self.given))
        memory = workspace[: found.nbytes].view(found.dtype).reshape(found.shape)
        np.copyto(memory, found)
        if np.iscomplexobj(found) and not np.iscomplexobj(made):
            memory = as_pairs(memory)
        made[...] = memory.reshape(made.shape)

    def __repr__(self):
        kind, way = FftType(self.param.fftType).name[-3:], FftDirection(self.param.direction).name
        return f"Plan({'x'.join(map(str, self.sizes))} {kind} {way[11:].lower()}, {self.given})"


def _c2c_forward(plan, x):
    return np.fft.fftn(x, axes=plan.axes)


def _c2c_backward(plan, x):
    return np.fft.ifftn(x, axes=plan.axes)


def _r2c(plan, x):
    return np.fft.rfftn(x.astype(np.float64), axes=plan.axes)


def _c2r(plan, x):
    return np.fft.irfftn(x, plan.sizes, axes=plan.axes)


_FORWARD, _BACKWARD = FftDirection
_FUNCTIONS = {
    (FftType.ASCEND_FFT_C2C, _FORWARD): _c2c_forward,
    (FftType.ASCEND_FFT_C2C, _BACKWARD): _c2c_backward,
    (FftType.ASCEND_FFT_R2C, _FORWARD): _r2c,
    (FftType.ASCEND_FFT_C2R, _BACKWARD): _c2r,
}


def as_complex(pairs):
    """complex128 of pairs of floats on the last axis; complex numbers stay.

    >>> as_complex(np.float32([[1, 2], [3, 0]])).tolist()
    [(1+2j), (3+0j)]
    """
    if np.iscomplexobj(pairs):
        return pairs.astype(np.complex128)
    pairs = np.ascontiguousarray(pairs, np.float64)
    return pairs.view(np.complex128)[..., 0]


def as_pairs(numbers):
    """Complex numbers as pairs of floats on a new last axis.

    >>> as_pairs(np.array([1 + 2j])).tolist()
    [[1.0, 2.0]]
    """
    numbers = np.ascontiguousarray(numbers)
    return numbers.view(numbers.real.dtype).reshape(*numbers.shape, 2)


def _checked(param):
    wrong = None
    if param.fftXSize < 1 or param.fftYSize < 0 or param.batchSize < 1:
        wrong = "fftXSize and batchSize are at least 1, fftYSize at least 0 (0: one axis)"
    elif (param.fftType, param.direction) not in _FUNCTIONS:
        wrong = "C2C goes both ways, R2C forward, C2R backward"
    elif param.dimType not in tuple(FftDimType):
        wrong = "dimType is ASCEND_FFT_HORIZONTAL or ASCEND_FFT_VERTICAL"
    if wrong:
        raise errors.InvalidValue(
            "There is no plan for this FFTParam.", given=f"{param}", hint=f"{wrong}."
        )
    return param


class Counters(NamedTuple):
    """Plans found, made, dropped to make room, and kept now."""

    hits: int
    misses: int
    dropped: int
    size: int


class PlanCache:
    """Plans by FFTParam; the one that was not used for longest makes room for a new one."""

    def __init__(self, capacity=CAPACITY):
        self.capacity, self._lock = capacity, threading.Lock()
        self._plans = OrderedDict()
        self._hits = self._misses = self._dropped = 0

    def plan(self, param):
        """The plan of a param."""
        with announced(f"asdFftMakePlan{2 if param.fftYSize else 1}D", "create") as told:
            with self._lock:
                found = self._plans.get(param)
                told.cache = "miss" if found is None else "hit"
                if found is None:
                    found = self._plans[param] = Plan(param)
                    self._misses += 1
                else:
                    self._hits += 1
                self._plans.move_to_end(param)
                self._shrink()
                return found

    def set_size(self, capacity):
        """Keep at most so many plans from now on."""
        if type(capacity) is not int or capacity < 1:
            raise errors.InvalidValue(
                "A cache of plans holds at least one.", given=repr(capacity), hint="SetCacheSize(8)"
            )
        with self._lock:
            self.capacity = capacity
            self._shrink()

    def kept(self):
        """The params of the plans that are kept, the oldest first."""
        return list(self._plans)

    def counters(self):
        """How often it was asked, and how many it keeps.

        >>> PlanCache().counters()
        Counters(hits=0, misses=0, dropped=0, size=0)
        """
        return Counters(self._hits, self._misses, self._dropped, len(self._plans))

    def clear(self):
        """Forget everything, and count from 0."""
        with self._lock:
            self._plans.clear()
            self._hits = self._misses = self._dropped = 0

    def _shrink(self):
        while len(self._plans) > self.capacity:
            self._plans.popitem(last=False)
            self._dropped += 1
