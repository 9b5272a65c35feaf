"""Where is the largest or smallest element, and what is it?"""

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .axes import normal_axis, reduced_shape
from .reductions import largest_exists
from .shapes import as_dtype, shaped


def _found(dtype_of):
    """The type of an index along one axis; None: of an index into the flattened tensor."""

    def infer(x, *, axis=None, keep_dims=False, **attributes):
        shape = reduced_shape(x.shape, axis, keep_dims)
        largest_exists(x, axis, shape)
        return AbstractTensor(dtype_of(attributes), shape)

    return infer


def _int64(_attributes):
    return dtypes.int64


def _asked(attributes):
    return as_dtype(attributes["output_type"])


def _position(function, x, axis, keep_dims):
    return np.asarray(function(x, axis, keepdims=keep_dims), np.int64)


def _samples(rng):
    yield rng.uniform(-2, 2, (2, 3)), {"axis": 1}
    yield rng.uniform(-2, 2, (4, 3)).T, {"axis": 0, "keep_dims": True}
    yield rng.uniform(-2, 2, ()), {"axis": 0}
    yield rng.uniform(-2, 2, (3, 0)), {"axis": 0}


def _samples_of_positions(rng):
    yield (rng.uniform(-2, 2, (2, 3)),)
    yield rng.uniform(-2, 2, (4, 3)).T, {"axis": 0}
    yield (rng.uniform(-2, 2, (1,)),)


@op(names=("argmax", "Tensor.argmax", "mint.argmax"))
class ArgMaxExt:
    """Where the largest element is along an axis, or in the flattened tensor; the first of them.

    >>> ops.argmax(Tensor([1.0, 3.0, 3.0]))
    Tensor(shape=[], dtype=Int64, value= 1)
    """

    infer = _found(_int64)
    samples = _samples

    def compute(x, *, axis=None, keep_dims=False):
        return _position(np.argmax, x, axis, keep_dims)


@op(names=("mint.argmin",))
class ArgMinExt:
    """Where the smallest element is along an axis, or in the flattened tensor; the first of them.

    >>> mint.argmin(Tensor([3.0, 1.0, 1.0]))
    Tensor(shape=[], dtype=Int64, value= 1)
    """

    infer = _found(_int64)
    samples = _samples

    def compute(x, *, axis=None, keep_dims=False):
        return _position(np.argmin, x, axis, keep_dims)


@op()
class Argmax:
    """Where the largest element is along an axis, as ``output_type``.

    >>> ops.Argmax()(Tensor([1.0, 3.0]))
    Tensor(shape=[], dtype=Int32, value= 1)
    """

    infer = _found(_asked)
    samples = _samples_of_positions

    def compute(x, *, axis=-1, output_type=dtypes.int32):
        return np.argmax(x, axis).astype(as_dtype(output_type).numpy)


@op()
class Argmin:
    """Where the smallest element is along an axis, as ``output_type``.

    >>> ops.Argmin()(Tensor([1.0, 3.0]))
    Tensor(shape=[], dtype=Int32, value= 0)
    """

    infer = _found(_asked)
    samples = _samples_of_positions

    def compute(x, *, axis=-1, output_type=dtypes.int32):
        return np.argmin(x, axis).astype(as_dtype(output_type).numpy)


def _with_value(x, *, axis, keep_dims):
    shape = reduced_shape(x.shape, normal_axis(axis, x.ndim), keep_dims)
    largest_exists(x, axis, shape)
    return AbstractTensor(dtypes.int64, shape), shaped(x, shape)


def _index_and_value(function, x, axis, keep_dims):
    if x.ndim == 0:
        return np.zeros((), np.int64), x.copy()
    index = _position(function, x, axis, True)
    value = np.take_along_axis(x, index, axis)
    return (index, value) if keep_dims else (np.squeeze(index, axis), np.squeeze(value, axis))


def _to_found(x, out, dout, axis):
    """The value's gradient, at the found index; zero elsewhere."""
    if not x.shape:
        return dout[1]
    axis = normal_axis(axis, len(x.shape))
    kept = reduced_shape(x.shape, axis, True)
    line = tuple(n if i == axis else 1 for i, n in enumerate(x.shape))
    hit = ops.reshape(out[0], kept) == ops.reshape(ops.arange(x.shape[axis]), line)
    return ops.where(hit, ops.reshape(dout[1], kept), 0)


@op()
class ArgMaxWithValue:
    """The index of the largest element along an axis, and that element.

    >>> index, value = ops.ArgMaxWithValue(axis=0)(Tensor([1.0, 3.0]))
    >>> index, value
    (Tensor(shape=[], dtype=Int64, value= 1), Tensor(shape=[], dtype=Float32, value= 3))
    """

    infer = _with_value
    samples = _samples
    outputs = 2

    def compute(x, *, axis=0, keep_dims=False):
        return _index_and_value(np.argmax, x, axis, keep_dims)

    def bprop(x, out, dout, *, axis):
        return (_to_found(x, out, dout, axis),)


@op()
class ArgMinWithValue:
    """The index of the smallest element along an axis, and that element.

    >>> index, value = ops.ArgMinWithValue(axis=0)(Tensor([1.0, 3.0]))
    >>> index, value
    (Tensor(shape=[], dtype=Int64, value= 0), Tensor(shape=[], dtype=Float32, value= 1))
    """

    infer = _with_value
    samples = _samples
    outputs = 2

    def compute(x, *, axis=0, keep_dims=False):
        return _index_and_value(np.argmin, x, axis, keep_dims)

    def bprop(x, out, dout, *, axis):
        return (_to_found(x, out, dout, axis),)
