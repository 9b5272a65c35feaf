"""Primitives of mint that differ from those of ops by their name, so that patterns tell them apart.

>>> mint.bmm.name, ops.bmm.name
('BatchMatMulExt', 'BatchMatMul')
"""

from ..engine.primitive import op
from .activation import LogSoftmax
from .choice import Tril
from .creation import OnesLike, ZerosLike
from .joining import Unstack
from .matrix import BatchMatMul
from .normalize import LayerNorm


@op(names=("mint.bmm",), operands="promote", same_as=BatchMatMul)
class BatchMatMulExt:
    """The products of two stacks of matrices, in mint.

    >>> mint.bmm(ops.ones((2, 1, 3)), ops.ones((2, 3, 1))).shape
    (2, 1, 1)
    """


@op(names=("mint.tril",), same_as=Tril)
class TrilExt:
    """The lower triangle of a matrix, in mint.

    >>> mint.tril(Tensor([[1, 2], [3, 4]]))
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[1, 0],
     [3, 4]])
    """


@op(names=("mint.unbind",), same_as=Unstack)
class UnstackExtView:
    """The slices along an axis, without that axis, in mint.

    >>> mint.unbind(Tensor([1, 2]))
    (Tensor(shape=[], dtype=Int64, value= 1), Tensor(shape=[], dtype=Int64, value= 2))
    """


@op(names=("mint.ones_like",), same_as=OnesLike)
class OnesLikeExt:
    """Ones with the shape and the dtype of x, or another dtype, in mint.

    >>> mint.ones_like(Tensor([5, 6]))
    Tensor(shape=[2], dtype=Int64, value= [1, 1])
    """


@op(names=("mint.zeros_like",), same_as=ZerosLike)
class ZerosLikeExt:
    """Zeros with the shape and the dtype of x, or another dtype, in mint.

    >>> mint.zeros_like(Tensor([5, 6]))
    Tensor(shape=[2], dtype=Int64, value= [0, 0])
    """


@op(operands="float", same_as=LayerNorm)
class LayerNormExt:
    """The layer normalization behind mint.nn.functional.layer_norm.

    >>> x, ones, zeros = Tensor([[1.0, 3.0]]), Tensor([1.0, 1.0]), Tensor([0.0, 0.0])
    >>> ops.LayerNormExt(-1, -1)(x, ones, zeros)[0]
    Tensor(shape=[1, 2], dtype=Float32, value=
    [[-1.00000000e+00,  1.00000000e+00]])
    """


@op(operands="float", same_as=LogSoftmax)
class LogSoftmaxExt:
    """The logarithm of softmax behind mint.nn.functional.log_softmax.

    >>> ops.LogSoftmaxExt(Tensor([0.0]), 0)
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """
