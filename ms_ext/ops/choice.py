"""Choosing elements by a condition, changing the dtype, and the identity that stops gradients."""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .sampling import unary
from .shapes import as_dtype, common_dtype, common_shape, like_first, needs_bool, settled, shaped


@op(names=("select", "where", "mint.where"), operands=("as given", "promote", "promote"))
class Select:
    """x where the condition is true, else y; all three broadcast.

    >>> ops.where(Tensor([True, False]), Tensor([1.0, 2.0]), 0.0)
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  0.00000000e+00])
    """

    kernel = "select"
    expr = "({0} ? {1} : {2})"

    def infer(condition, x, y):
        needs_bool(condition, "condition")
        dtype, weak = common_dtype(x, y)
        shape = common_shape(condition.shape, x.shape, y.shape)
        if weak and condition.weak:
            return AbstractTensor(dtype, (), True)
        return AbstractTensor(settled(dtype, weak), shape)

    def compute(condition, x, y):
        needs_bool(condition, "condition")
        return np.where(condition, x, y)

    def bprop(condition, _x, _y, _out, dout):
        return None, ops.where(condition, dout, 0), ops.where(condition, 0, dout)

    def samples(rng):
        yield rng.uniform(-1, 1, (2, 3)) > 0, rng.uniform(-2, 2, (2, 3)), rng.uniform(-2, 2, (2, 3))
        yield rng.uniform(-1, 1, (2, 1)) > 0, rng.uniform(-2, 2, (3,)), rng.uniform(-2, 2, ())
        yield rng.uniform(-1, 1, (3, 2)).T > 0, rng.uniform(-2, 2, (2, 3)), 0.5
        yield rng.uniform(-1, 1, (0, 3)) > 0, rng.uniform(-2, 2, (3,)), rng.uniform(-2, 2, (1, 3))


@op(names=("masked_fill", "Tensor.masked_fill", "mint.masked_fill"))
class MaskedFill:
    """x, but ``value`` where the mask is true; the dtype stays that of x.

    >>> ops.masked_fill(Tensor([1.0, 2.0]), Tensor([True, False]), 9.0)
    Tensor(shape=[2], dtype=Float32, value= [ 9.00000000e+00,  2.00000000e+00])
    """

    def infer(x, mask, value):
        _fills(mask, value)
        return shaped(x, common_shape(x.shape, mask.shape))

    def compute(x, mask, value):
        _fills(mask, value)
        return np.where(mask, value.astype(x.dtype), x)

    def bprop(_x, mask, _value, _out, dout):
        return ops.masked_fill(dout, mask, 0), None, ops.where(mask, dout, 0)

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)), rng.uniform(-1, 1, (2, 3)) > 0, -1.5
        yield rng.uniform(-2, 2, (3, 2)).T, rng.uniform(-1, 1, (3,)) > 0, rng.uniform(-2, 2, ())


def _fills(mask, value):
    needs_bool(mask, "mask")
    if value.shape != ():
        raise errors.InvalidValue(
            "the value must be one number.",
            given=str(value),
            hint="Use ops.where for a tensor of values.",
        )


@op(names=("cast", "Tensor.astype", "Tensor.to"))
class Cast:
    """The same numbers in another dtype; floats are cut towards zero to become integers.

    >>> ops.cast(Tensor([1.7, -1.7]), ms.int32)
    Tensor(shape=[2], dtype=Int32, value= [ 1, -1])
    """

    def infer(x, *, dtype):
        return AbstractTensor(as_dtype(dtype), x.shape)

    def compute(x, *, dtype):
        return x.astype(as_dtype(dtype).numpy)

    def bprop(x_, _out, dout):
        return (None if x_.dtype.kind == "bool" else ops.cast(dout, x_.dtype),)

    samples = unary(-2, 2, dtype="float32")


@op(names=("stop_gradient",))
class StopGradient:
    """x itself, but no gradient flows back through it.

    >>> ops.stop_gradient(Tensor([1.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """

    infer = like_first
    samples = unary(-2, 2)

    def compute(x):
        return x.view()

    def bprop(_x, _out, _dout):
        return (None,)


@op(names=("identity",))
class Identity:
    """x itself.

    >>> ops.identity(Tensor([1.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """

    infer = like_first
    samples = unary(-2, 2)

    def compute(x):
        return x.view()

    def bprop(_x, _out, dout):
        return (dout,)


def _matrix(x, *, diagonal):
    if x.ndim < 2:
        raise errors.InvalidValue(
            "the tensor must have two axes or more.",
            given=str(x),
            hint="Give it a row axis: x.expand_dims(0).",
        )
    return x


def _matrices(rng):
    yield (rng.uniform(-2, 2, (3, 3)),)
    yield rng.uniform(-2, 2, (4, 2, 3)), {"diagonal": 1}
    yield rng.uniform(-2, 2, (4, 3)).T, {"diagonal": -1}


@op(names=("tril", "Tensor.tril"))
class Tril:
    """The lower triangle of a matrix, zero above the diagonal; ``diagonal`` moves the border up.

    >>> ops.tril(Tensor([[1, 2], [3, 4]]))
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[1, 0],
     [3, 4]])
    """

    infer = _matrix
    samples = _matrices

    def compute(x, *, diagonal=0):
        return np.tril(_matrix(x, diagonal=diagonal), diagonal)

    def bprop(_x, _out, dout, *, diagonal):
        return (ops.tril(dout, diagonal),)


@op(names=("triu", "Tensor.triu", "mint.triu"))
class Triu:
    """The upper triangle of a matrix, zero below the diagonal; ``diagonal`` moves the border up.

    >>> ops.triu(Tensor([[1, 2], [3, 4]]))
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[1, 2],
     [0, 4]])
    """

    infer = _matrix
    samples = _matrices

    def compute(x, *, diagonal=0):
        return np.triu(_matrix(x, diagonal=diagonal), diagonal)

    def bprop(_x, _out, dout, *, diagonal):
        return (ops.triu(dout, diagonal),)
