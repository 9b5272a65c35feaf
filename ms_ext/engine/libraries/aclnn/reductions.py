"""Kernels that make fewer elements of many, along axes."""

import numpy as np

from ....dtype import named
from ..places import Form
from .declared import KERNELS, axis_of, kernel


def _reduced(shape, axes, keeps):
    sizes = [1 if i in axes else size for i, size in enumerate(shape)]
    return tuple(sizes if keeps else [s for i, s in enumerate(shape) if i not in axes])


def _place(name, x, dim, keepdim):
    axis = axis_of(name, dim, x)
    if not x.shape or 0 in x.shape:
        raise KERNELS[name].refused("needs elements to choose from", given=str(x))
    return (Form("int64", _reduced(x.shape, (axis,), keepdim)),)


@kernel
class ArgMin:
    """Where the smallest element along an axis is; of equal ones the first."""

    def infer(x, dim, keepdim=False):
        return _place("ArgMin", x, dim, keepdim)

    def body(x, dim, keepdim):
        return np.argmin(x, dim, keepdims=keepdim)


@kernel
class ArgMax:
    """Where the largest element along an axis is; of equal ones the first."""

    def infer(x, dim, keepdim=False):
        return _place("ArgMax", x, dim, keepdim)

    def body(x, dim, keepdim):
        return np.argmax(x, dim, keepdims=keepdim)


def _axes(dims, x):
    dims = (dims,) if isinstance(dims, int) else tuple(dims or range(len(x.shape)))
    return tuple([axis_of("ReduceSum", dim, x) for dim in dims])


@kernel
class ReduceSum:
    """The sum along axes, all of them where ``dims`` is empty."""

    def infer(x, dims=(), keepDims=False, dtype=None):
        summed = x.dtype if named(x.dtype).kind == "float" else "int64"
        return (Form(dtype or summed, _reduced(x.shape, _axes(dims, x), keepDims)),)

    def scratch(x, dims=(), keepDims=False, dtype=None):
        if named(x.dtype).kind == "float":  # float32 is summed in float64
            return [Form("float64", _reduced(x.shape, _axes(dims, x), True))]
        return []

    def body(x, dims, keepDims, dtype, scratch=()):
        axes = (dims,) if isinstance(dims, int) else tuple(dims or range(x.ndim))
        if not scratch:
            return np.sum(x, axes, dtype=np.int64, keepdims=keepDims)
        np.sum(x, axes, dtype=np.float64, keepdims=True, out=scratch[0])
        return scratch[0] if keepDims else np.squeeze(scratch[0], axes)
