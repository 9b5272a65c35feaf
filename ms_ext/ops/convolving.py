"""Convolutions as functions: of lines, images and volumes, and transposed; MindSpore's and mint's.

>>> x, w = ops.ones((1, 1, 4, 4)), ops.ones((2, 1, 3, 3))
>>> ops.conv2d(x, w).shape, ops.conv2d(x, w, stride=2, pad_mode="same").shape
((1, 2, 2, 2), (1, 2, 2, 2))
"""

from .. import ops
from ..engine import errors
from ..engine.primitive import op
from .composite import composite
from .shapes import shaped
from .windows import per_axis, sides


@op(names=("bias_add",), operands="promote")
class BiasAdd:
    """x with one number of ``bias`` added per channel; the channels are axis 1.

    >>> ops.bias_add(Tensor([[1.0, 2.0]]), Tensor([10.0, 20.0]))
    Tensor(shape=[1, 2], dtype=Float32, value=
    [[ 1.10000000e+01,  2.20000000e+01]])
    """

    def infer(x, bias, *, data_format):
        _fits(x, bias)
        return shaped(x, x.shape)

    def compute(x, bias, *, data_format="NCHW"):
        _fits(x, bias)
        return x + bias.reshape(-1, *(1,) * (x.ndim - 2))

    def bprop(x_, _bias, _out, dout):
        rest = tuple(i for i in range(len(x_.shape)) if i != 1)
        return dout, ops.ReduceSum(dout, axis=rest)

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)), rng.uniform(-2, 2, (3,))
        yield rng.uniform(-2, 2, (2, 3, 2, 2)), rng.uniform(-2, 2, (3,))


def _fits(x, bias):
    if x.ndim < 2 or bias.shape != (x.shape[1],):
        raise errors.InvalidValue(
            "the bias must have one number per channel, on axis 1 of x.",
            given=f"x {list(x.shape)}, bias {list(bias.shape)}",
        )


def _with_bias(y, bias):
    return y if bias is None else ops.bias_add(y, bias)


def _how(weight, stride, pad_mode, padding, dilation, groups):
    """The attributes of the primitives."""
    return {
        "out_channel": weight.shape[0], "kernel_size": weight.shape[2:], "stride": stride,
        "pad_mode": pad_mode, "pad": padding, "dilation": dilation, "group": groups,
    }  # fmt: skip


@composite("conv2d")
def conv2d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """Windows of ``input`` (N, C, H, W) times ``weight`` (out, C / groups, kH, kW).

    ``pad_mode``: "valid" (none), "same" (as many outputs as strides fit), or "pad", by ``padding``,
    one number or (height, width).

    >>> ops.conv2d(ops.ones((1, 1, 3, 3)), ops.ones((1, 1, 3, 3)), pad_mode="pad", padding=1)[0, 0]
    Tensor(shape=[3, 3], dtype=Float32, value=
    [[ 4.00000000e+00,  6.00000000e+00,  4.00000000e+00],
     [ 6.00000000e+00,  9.00000000e+00,  6.00000000e+00],
     [ 4.00000000e+00,  6.00000000e+00,  4.00000000e+00]])
    """
    per_axis("padding", padding, 2, 0)
    how = _how(weight, stride, pad_mode, padding, dilation, groups)
    return _with_bias(ops.Conv2D(input, weight, **how), bias)


@composite("conv1d")
def conv1d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """Windows of ``input`` (N, C, L) times ``weight`` (out, C / groups, k): conv2d of height 1.

    >>> ops.conv1d(Tensor([[[1.0, 2.0, 3.0]]]), Tensor([[[1.0, 10.0]]]))
    Tensor(shape=[1, 1, 2], dtype=Float32, value=
    [[[ 2.10000000e+01,  3.20000000e+01]]])
    """
    _has_axes(input, 3)
    flat = [(1, *per_axis(n, v, 1)) for n, v in (("stride", stride), ("dilation", dilation))]
    padding = (0, 0, *(n for pair in sides_of_line(padding) for n in pair))
    weight = ops.expand_dims(weight, 2)
    how = _how(weight, flat[0], pad_mode, padding, flat[1], groups)
    y = ops.Conv2D(ops.expand_dims(input, 2), weight, **how)
    return ops.squeeze(_with_bias(y, bias), 2)


def sides_of_line(padding):
    """(before, after) of one axis, as the only item: from one number or two.

    >>> sides_of_line(1), sides_of_line((1, 2))
    (((1, 1),), ((1, 2),))
    """
    if isinstance(padding, tuple | list) and len(padding) == 2:
        return (per_axis("padding", padding, 2, 0),)
    return sides("padding", padding, 1)


def _has_axes(x, count):
    if x.ndim != count:
        raise errors.InvalidValue(
            f"the input must have {count} axes.", given=f"shape {list(x.shape)}"
        )


@composite("conv3d")
def conv3d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """Windows of ``input`` (N, C, D, H, W) times ``weight`` (out, C / groups, kD, kH, kW).

    >>> ops.conv3d(ops.ones((1, 2, 3, 3, 3)), ops.ones((4, 2, 2, 2, 2))).shape
    (1, 4, 2, 2, 2)
    """
    how = _how(weight, stride, pad_mode, padding, dilation, groups)
    return _with_bias(ops.Conv3D(input, weight, **how), bias)


@composite("conv_transpose2d", "mint.nn.functional.conv_transpose2d")
def conv_transpose2d(
    input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1
):
    """Each element of ``input`` times ``weight`` (C, out / groups, kH, kW), added up where it lies.

    It is the gradient of a convolution for its input; ``padding`` is cut off, ``output_padding``
    rows and columns are added at the end.

    >>> ops.conv_transpose2d(Tensor([[[[1.0, 2.0]]]]), Tensor([[[[1.0, 10.0]]]]))
    Tensor(shape=[1, 1, 1, 3], dtype=Float32, value=
    [[[[ 1.00000000e+00,  1.20000000e+01,  2.00000000e+01]]]])
    """
    _has_axes(input, 4)
    return _with_bias(
        transposed(ops.Conv2DBackpropInput, input, weight, stride, padding, output_padding,
                   groups, dilation),
        bias,
    )  # fmt: skip


def transposed(primitive, x, weight, stride, padding, output_padding, groups, dilation):
    """The transposed convolution of any number of axes, by the primitive of an input's gradient."""
    count, kernel = len(x.shape) - 2, weight.shape[2:]
    strides, dilations = per_axis("stride", stride, count), per_axis("dilation", dilation, count)
    more = per_axis("output_padding", output_padding, count, 0)
    ends = sides("padding", padding, count)
    if any(m >= max(s, d) for m, s, d in zip(more, strides, dilations, strict=True)):
        raise errors.InvalidValue(
            "the output_padding must be smaller than the stride or the dilation.",
            given=f"output_padding {output_padding}, stride {stride}, dilation {dilation}",
        )
    after = [max(e - m, 0) for (_, e), m in zip(ends, more, strict=True)]
    beyond = [max(m - e, 0) for (_, e), m in zip(ends, more, strict=True)]
    lines = zip(x.shape[2:], strides, kernel, dilations, strict=True)
    spans = [(n - 1) * s + (k - 1) * d + 1 for n, s, k, d in lines]
    sizes = [n - b - a for n, (b, _), a in zip(spans, ends, after, strict=True)]
    pad = tuple(n for (b, _), a in zip(ends, after, strict=True) for n in (b, a))
    how = _how(weight, strides, "pad", pad, dilations, groups)
    size = (x.shape[0], weight.shape[1] * groups, *sizes)
    y = primitive(x, weight, input_size=size, **how)
    return ops.pad_with(y, ((0, 0), (0, 0), *((0, b) for b in beyond))) if any(beyond) else y


# mint ---------------------------------------------------------------------------------------------


def _ext(function, axes):
    """mint's form: padding by numbers, or "same" and "valid"; and one sample without its batch."""

    def ext(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        mode = padding if isinstance(padding, str) else "pad"
        if mode == "same" and any(s != 1 for s in per_axis("stride", stride, axes)):
            raise errors.InvalidValue("padding='same' needs stride 1.", given=f"stride {stride}")
        padding = 0 if isinstance(padding, str) else padding
        alone = input.ndim == axes + 1
        x = ops.expand_dims(input, 0) if alone else input
        y = function(x, weight, bias, stride, mode, padding, dilation, groups)
        return ops.squeeze(y, 0) if alone else y

    return ext


def _enter_ext(function, axes):
    name = f"mint.nn.functional.conv{axes}d"
    ext = _ext(function, axes)
    ext.__name__ = ext.__qualname__ = f"conv{axes}d"
    ext.__doc__ = f"""Windows of ``input`` times ``weight``: ``ops.conv{axes}d`` padded by numbers.

    >>> x, w = ops.ones((1, 1, {", ".join("4" * axes)})), ops.ones((1, 1, {", ".join("3" * axes)}))
    >>> {name}(x, w, padding=1).shape
    (1, 1, {", ".join("4" * axes)})
    """
    composite(name)(ext)


for _axes, _function in ((1, conv1d), (2, conv2d), (3, conv3d)):
    _enter_ext(_function, _axes)
