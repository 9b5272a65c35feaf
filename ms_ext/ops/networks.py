"""What networks are built of, as functions: linear, gelu, layer norm."""

from .. import ops
from ..engine import errors
from .axes import as_shape
from .composite import composite


@composite("gelu", "mint.nn.functional.gelu")
def gelu(input, approximate="none"):
    """x times the share of a bell curve below x: exactly ("none"), or by a formula with tanh.

    >>> ops.gelu(Tensor([0.0, 100.0]), "tanh")
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  1.00000000e+02])
    """
    if approximate not in ("none", "tanh"):
        raise errors.InvalidValue("approximate must be 'none' or 'tanh'.", given=repr(approximate))
    return ops.GeLU(input) if approximate == "tanh" else ops.GeluExt(input)


@composite("linear", "dense", "mint.nn.functional.linear")
def linear(input, weight, bias=None):
    """x @ weight.T + bias: weight has one row per output.

    >>> ops.linear(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]]), Tensor([0.5]))
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 1.15000000e+01]])
    """
    out = (
        ops.MatMul(input, weight, transpose_b=True)
        if input.ndim == 2
        else ops.matmul(input, weight.T)
    )
    return out if bias is None else out + bias


@composite("layer_norm", "mint.nn.functional.layer_norm")
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """The last axes shifted to mean 0 and scaled to variance 1; then times weight, plus bias.

    >>> ops.layer_norm(Tensor([[1.0, 3.0]]), (2,), eps=0.0)
    Tensor(shape=[1, 2], dtype=Float32, value=
    [[-1.00000000e+00,  1.00000000e+00]])
    """
    shape = as_shape(normalized_shape)
    weight = ops.ones(shape, input.dtype) if weight is None else weight
    bias = ops.zeros(shape, input.dtype) if bias is None else bias
    begin = -len(shape)
    return ops.LayerNormExt(
        input, weight, bias, begin_norm_axis=begin, begin_params_axis=begin, epsilon=eps
    )[0]
