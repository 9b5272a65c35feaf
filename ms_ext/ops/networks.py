"""What networks are built of, as functions: linear, gelu, layer norm, and the losses."""

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
    return ops.LayerNorm(
        input, weight, bias, begin_norm_axis=begin, begin_params_axis=begin, epsilon=eps
    )[0]


_REDUCTIONS = ("mean", "sum", "none")


def _reduced(loss, reduction, count=None):
    if reduction not in _REDUCTIONS:
        raise errors.InvalidValue(
            f"the reduction must be one of {', '.join(_REDUCTIONS)}.", given=repr(reduction)
        )
    if reduction == "none":
        return loss
    total = ops.sum(loss)
    if reduction == "sum":
        return total
    return total / count if count is not None else ops.mean(loss)


@composite("mse_loss", "mint.nn.functional.mse_loss")
def mse_loss(input, target, reduction="mean"):
    """The squared difference, averaged.

    >>> ops.mse_loss(Tensor([1.0, 2.0]), Tensor([1.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """
    return _reduced(ops.square(input - target), reduction)


@composite("nll_loss", "mint.nn.functional.nll_loss")
def nll_loss(inputs, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Minus the log-probability of the right class; the classes are on axis 1 of ``inputs``.

    >>> ops.nll_loss(Tensor([[-1.0, -2.0]]), Tensor([1]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """
    axis = 0 if inputs.ndim == 1 else 1
    counted = target != ignore_index
    known = ops.where(counted, target, 0)
    share = ops.cast(counted, inputs.dtype)
    if weight is not None:
        share = share * ops.gather(weight, known, 0)
    picked = ops.squeeze(ops.GatherD(inputs, ops.expand_dims(known, axis), dim=axis), axis)
    loss = -picked * share
    if label_smoothing:
        per_class = inputs if weight is None else inputs * _on_axis(weight, inputs, axis)
        spread = ops.ReduceSum(per_class, axis=axis) * ops.cast(counted, inputs.dtype)
        loss = loss * (1 - label_smoothing) - spread * (label_smoothing / inputs.shape[axis])
    return _reduced(loss, reduction, ops.sum(share))


def _on_axis(weight, x, axis):
    """``weight``, one number per class, shaped to multiply ``x``."""
    return ops.reshape(weight, tuple(n if i == axis else 1 for i, n in enumerate(x.shape)))


@composite("cross_entropy", "mint.nn.functional.cross_entropy")
def cross_entropy(
    input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0
):
    """How surprised the scores are by the right class: class numbers, or a probability per class.

    >>> ops.cross_entropy(Tensor([[100.0, 0.0]]), Tensor([1]))
    Tensor(shape=[], dtype=Float32, value= 100)
    """
    axis = 0 if input.ndim == 1 else 1
    scores = ops.log_softmax(input, axis)
    if target.dtype.kind == "int":
        return nll_loss(scores, target, weight, ignore_index, reduction, label_smoothing)
    classes = input.shape[axis]
    target = (
        target * (1 - label_smoothing) + label_smoothing / classes if label_smoothing else target
    )
    scores = scores if weight is None else scores * _on_axis(weight, scores, axis)
    loss = -ops.ReduceSum(scores * target, axis=axis)
    return _reduced(loss, reduction, max(input.size // max(classes, 1), 1))
