"""Which operations are there? Activation, RmsNorm, Rope, Softmax, Linear, SelfAttention."""

import numpy as np

from .. import bodies
from ..places import Form
from .declared import (
    INVALID_PARAM,
    TENSOR_DIM,
    TENSOR_SIZE,
    Refused,
    alike,
    counted,
    operation,
)
from .params import (
    ActivationParam,
    ActivationType,
    GeluMode,
    LinearParam,
    RmsNormParam,
    RmsNormType,
    RopeParam,
    SelfAttentionParam,
    SoftmaxParam,
)

_FORWARD = ActivationType.ACTIVATION_SWIGLU_FORWARD
_BACKWARD = ActivationType.ACTIVATION_SWIGLU_BACKWARD
_ACTIVATIONS = {
    ActivationType.ACTIVATION_RELU: lambda x, param: np.maximum(x, 0),
    ActivationType.ACTIVATION_GELU: lambda x, param: bodies.gelu(
        x, param.geluMode == GeluMode.TANH_MODE
    ),
    ActivationType.ACTIVATION_FAST_GELU: lambda x, param: bodies.swish(x, 1.702),
    ActivationType.ACTIVATION_FASTER_GELU_FORWARD: lambda x, param: bodies.swish(x, 1.702),
    ActivationType.ACTIVATION_SWISH: lambda x, param: bodies.swish(x, param.scale),
    ActivationType.ACTIVATION_LOG: lambda x, param: np.log(x),
    ActivationType.ACTIVATION_SIGMOID: lambda x, param: bodies.sigmoid(x),
}


@operation(ActivationParam)
class Activation:
    """One element at a time, or SwiGLU: of halves of an axis."""

    def check(param):
        if param.activationType not in (*_ACTIVATIONS, _FORWARD, _BACKWARD):
            raise Refused(INVALID_PARAM, f"there is no activationType {param.activationType}")

    def infer(param, *forms):
        if param.activationType == _BACKWARD:
            dout, x = counted(forms, 2)
            alike(dout, x)
            if dout.shape != _halved(x, param.dim).shape:
                raise Refused(TENSOR_DIM, f"the gradient of half of {x} is no {dout}")
            return (x,)
        (x,) = counted(forms, 1)
        return (_halved(x, param.dim) if param.activationType == _FORWARD else x,)

    def body(param, *arrays):
        if param.activationType == _FORWARD:
            return (bodies.swiglu(*arrays, param.dim),)
        if param.activationType == _BACKWARD:
            return (bodies.swiglu_backward(*arrays, param.dim),)
        return (_ACTIVATIONS[param.activationType](*arrays, param),)


def _halved(form, dim):
    if not -len(form.shape) <= dim < len(form.shape) or form.shape[dim] % 2:
        raise Refused(TENSOR_SIZE, f"axis {dim} of {form} cannot be halved")
    shape = list(form.shape)
    shape[dim] //= 2
    return Form(form.dtype, tuple(shape))


@operation(RmsNormParam)
class RmsNorm:
    """x over the root of its mean square, times gamma."""

    def check(param):
        if param.layerType not in (RmsNormType.RMS_NORM_NORM, RmsNormType.RMS_NORM_PRENORM):
            raise Refused(INVALID_PARAM, f"layerType {param.layerType} is not NORM or PRENORM")

    def infer(param, *forms):
        before = param.layerType == RmsNormType.RMS_NORM_PRENORM
        x, *residual, gamma = counted(forms, 3 if before else 2)
        own = len(gamma.shape)
        if not own or x.shape[len(x.shape) - own :] != gamma.shape:
            raise Refused(TENSOR_DIM, f"gamma {gamma} has not the last sizes of {x}")
        if before:
            return x, x
        ones = Form("float32", (*x.shape[: len(x.shape) - own], *[1] * own))
        return (x, ones) if param.normParam.rstd else (x,)

    def body(param, x, *others):
        *residual, gamma = others
        summed = x + residual[0] if residual else x
        part = param.preNormParam if residual else param.normParam
        found, rstd = bodies.rms_norm(summed, gamma, part.epsilon)
        if residual:
            return found, summed
        return (found, rstd) if param.normParam.rstd else (found,)


@operation(RopeParam)
class Rope:
    """Rotary position embedding of query and key; a fifth input, lengths, is not needed here."""

    def infer(param, *forms):
        query, key, cos, sin, *_ = counted(forms, 4, 5)
        size, coefficient = cos.shape[-1], param.rotaryCoeff
        if cos.shape != sin.shape or query.shape[-1] % size or key.shape[-1] % size:
            raise Refused(TENSOR_DIM, f"heads of {size} features do not fit {query} and {key}")
        if coefficient < 2 or (2 * size) % coefficient or (2 * size // coefficient) % 2:
            raise Refused(INVALID_PARAM, f"rotaryCoeff {coefficient} does not pair {size} features")
        return query, key

    def body(param, query, key, cos, sin, *_):
        return tuple([_turned(x, cos, sin, param.rotaryCoeff) for x in (query, key)])


def _turned(x, cos, sin, coefficient):
    size = cos.shape[-1]
    blocks = (-1, 2 * size // coefficient)
    parts = x.reshape(*x.shape[:-1], -1, *_count(size, blocks))
    tables = [t.reshape(*t.shape[:-1], 1, *_count(size, blocks)) for t in (cos, sin)]
    return bodies.rotary(parts, *tables).reshape(x.shape)


def _count(size, blocks):
    return size // blocks[1], blocks[1]


@operation(SoftmaxParam)
class Softmax:
    """exp(x) over its sum along axes."""

    def check(param):
        if not param.axes:
            raise Refused(INVALID_PARAM, "it has no axes")

    def infer(param, *forms):
        (x,) = counted(forms, 1)
        if any(not -len(x.shape) <= axis < len(x.shape) for axis in param.axes):
            raise Refused(INVALID_PARAM, f"{x} has not all of the axes {tuple(param.axes)}")
        return (x,)

    def body(param, x):
        return (bodies.softmax(x, tuple(param.axes)),)


@operation(LinearParam)
class Linear:
    """x @ weight, either of them transposed, plus a bias."""

    def infer(param, *forms):
        x, weight, *bias = counted(forms, 3 if param.hasBias else 2)
        alike(x, weight)
        shapes = x.shape, weight.shape
        if min(map(len, shapes)) < 2:
            raise Refused(TENSOR_DIM, f"{x} and {weight} are not both matrices")
        (*rows, inner), (*_, inner_too, columns) = [
            (*shape[:-2], shape[-1], shape[-2]) if turned else shape
            for shape, turned in zip(shapes, (param.transposeA, param.transposeB), strict=True)
        ]
        if inner != inner_too or bias and bias[0].shape[-1] != columns:
            raise Refused(TENSOR_DIM, f"{', '.join(map(str, forms))} cannot be multiplied")
        return (Form(x.dtype, (*rows, columns)),)

    def body(param, x, weight, *bias):
        x = np.swapaxes(x, -1, -2) if param.transposeA else x
        weight = np.swapaxes(weight, -1, -2) if param.transposeB else weight
        found = x @ weight
        return (found + bias[0] if bias else found,)


@operation(SelfAttentionParam)
class SelfAttention:
    """softmax(query @ key.T * qkScale + mask) @ value in heads, block by block."""

    def infer(param, *forms):
        query, key, value, *_ = counted(forms, 3, 4)
        alike(query, key, value)
        served = param.kvHeadNum or param.headNum
        if len(query.shape) != 3 or query.shape[-1] % param.headNum or param.headNum % served:
            raise Refused(TENSOR_DIM, f"{query} has no {param.headNum} heads, served by {served}")
        return (query,)

    def scratch(param, query, *_):
        batch, length, _ = query.shape
        wide = "float64" if query.dtype == "float64" else "float32"
        return [Form(wide, (batch, param.headNum, length, 128))]

    def body(param, query, key, value, *mask, scratch=()):
        served = param.kvHeadNum or param.headNum
        q = _heads(query, param.headNum)
        k, v = [np.repeat(_heads(x, served), param.headNum // served, 1) for x in (key, value)]
        hidden = bodies.causal(q.shape[-2], k.shape[-2]) if param.isTriuMask else None
        added = mask[0] if mask else None
        found, _, _ = bodies.attention(
            q, k, v, hidden, param.qkScale, added=added, scores=scratch[0]
        )
        return (np.moveaxis(found, 1, 2).reshape(query.shape),)


def _heads(x, heads):
    return np.moveaxis(x.reshape(*x.shape[:2], heads, -1), 2, 1)
