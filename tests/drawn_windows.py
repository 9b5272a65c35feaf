"""Draws for convolution, pooling, columns and batch normalization: windows of every kind."""

import numpy as np
from drawn_operands import coin, draw, numbers

from ms_ext import ops


def _untied(rng, shape):
    """Numbers that are far from one another, so that the largest stays the largest."""
    return rng.permutation(np.arange(1.0, np.prod(shape) + 1)).reshape(shape) / 8


def _windows(rng, axes, dilated=True):
    """(sizes, kernel, stride, dilation) of windows that fit."""
    kernel = tuple(map(int, rng.integers(1, 4 if axes == 2 else 3, axes)))
    dilation = tuple(map(int, rng.integers(1, 3, axes))) if dilated else (1,) * axes
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True)]
    sizes = tuple(int(s + rng.integers(0, 3)) for s in spans)
    return sizes, kernel, tuple(map(int, rng.integers(1, 3, axes))), dilation


def _convolution(rng, axes):
    """Shapes of x and w, and attributes."""
    sizes, kernel, stride, dilation = _windows(rng, axes)
    groups, inner, outer, batch = map(int, rng.integers(1, 3, 4))
    how = {"stride": stride, "dilation": dilation, "group": groups, "pad_mode": "valid", "pad": 0}
    kind = rng.integers(3)
    if kind == 1:
        how["pad_mode"] = "same"
    if kind == 2:
        how |= {"pad_mode": "pad", "pad": tuple(map(int, rng.integers(0, 3, 2 * axes)))}
    x, w = (batch, groups * inner, *sizes), (groups * outer, inner, *kernel)
    return x, w, {"out_channel": w[0], "kernel_size": kernel, **how}


def _outputs(x, w, how):
    primitive = ops.Conv2D if len(x) == 4 else ops.Conv3D
    return primitive(ops.zeros(x), ops.zeros(w), **how).shape


@draw("Conv2D")
def _convolve(rng):
    x, w, how = _convolution(rng, 2)
    return numbers(rng, x), numbers(rng, w), how


@draw("Conv3D")
def _convolve_volumes(rng):
    x, w, how = _convolution(rng, 3)
    return numbers(rng, x), numbers(rng, w), how


def _of_input(axes):
    def drawn(rng):
        x, w, how = _convolution(rng, axes)
        return numbers(rng, _outputs(x, w, how)), numbers(rng, w), {"input_size": x, **how}

    return drawn


def _of_filter(axes):
    def drawn(rng):
        x, w, how = _convolution(rng, axes)
        return numbers(rng, _outputs(x, w, how)), numbers(rng, x), {"filter_size": w, **how}

    return drawn


draw("Conv2DBackpropInput", "Conv2DTranspose")(_of_input(2))
draw("Conv3DBackpropInput")(_of_input(3))
draw("Conv2DBackpropFilter")(_of_filter(2))
draw("Conv3DBackpropFilter")(_of_filter(3))


@draw("BiasAdd")
def _bias(rng):
    shape = tuple(map(int, rng.integers(1, 4, rng.integers(2, 6))))
    return numbers(rng, shape), numbers(rng, shape[1:2])


def _pooling(axes, gradient=None):
    """Draws for a pooling; ``gradient``: its operands beside x are "pooled" or "x"."""

    def drawn(rng):
        sizes, kernel, stride, _ = _windows(rng, axes, dilated=False)
        shape = (int(rng.integers(1, 3)), int(rng.integers(1, 3)), *sizes)
        how = {"kernel_size": kernel, "strides": stride}
        how["pad_mode"] = "same" if coin(rng) else "valid"
        x = _untied(rng, shape)
        if gradient is None:
            return x, how
        pooled = (ops.MaxPool if axes == 2 else ops.MaxPool3D)(ops.zeros(shape), **how).shape
        return x, numbers(rng, pooled if gradient == "pooled" else shape), how

    return drawn


for _axes, _name in ((2, "MaxPool"), (3, "MaxPool3D")):
    draw(_name)(_pooling(_axes))
    draw(f"{_name}Grad")(_pooling(_axes, "pooled"))
    draw(f"{_name}GradGrad")(_pooling(_axes, "x"))
draw("AvgPool")(_pooling(2))


@draw("AvgPool3D")
def _mean_of_volumes(rng):
    x, how = _pooling(3)(rng)
    how |= {"ceil_mode": coin(rng), "count_include_pad": coin(rng)}
    if coin(rng):
        how |= {"pad_mode": "pad", "pad": tuple(map(int, rng.integers(0, 2, 6)))}
    return x, how | ({"divisor_override": 3} if coin(rng) else {})


@draw("AvgPoolGrad")
def _mean_back(rng):
    x, how = _pooling(2)(rng)
    return numbers(rng, ops.AvgPool(ops.zeros(x.shape), **how).shape), {"x_shape": x.shape, **how}


@draw("AvgPool3DGrad")
def _mean_of_volumes_back(rng):
    x, how = _mean_of_volumes(rng)
    pooled = ops.AvgPool3D(ops.zeros(x.shape), **how).shape
    return numbers(rng, pooled), {"x_shape": x.shape, **how}


def _with_places(axes, words):
    def drawn(rng):
        sizes, kernel, stride, dilation = _windows(rng, axes)
        shape = (int(rng.integers(1, 3)), int(rng.integers(1, 3)), *sizes)
        pads = tuple(int(rng.integers(0, k // 2 + 1)) for k in kernel)
        how = dict(zip(words, (kernel, stride, pads), strict=True))
        return _untied(rng, shape), {**how, "dilation": dilation, "ceil_mode": coin(rng)}

    return drawn


draw("MaxPoolWithArgmaxV2")(_with_places(2, ("kernel_size", "strides", "pads")))
draw("MaxPool3DWithArgmax")(_with_places(3, ("ksize", "strides", "pads")))


def _to_a_size(axes):
    def drawn(rng):
        shape = tuple(map(int, rng.integers(1, 5, axes + 2)))
        return _untied(rng, shape), {"output_size": tuple(map(int, rng.integers(1, 4, axes)))}

    return drawn


draw("AdaptiveMaxPool2D")(_to_a_size(2))
draw("AdaptiveMaxPool3D")(_to_a_size(3))


@draw("Im2Col")
def _columns(rng):
    sizes, kernel, stride, dilation = _windows(rng, 2)
    shape = (int(rng.integers(1, 3)), int(rng.integers(1, 3)), *sizes)
    pads = tuple(map(int, rng.integers(0, 2, 2)))
    how = {"ksizes": kernel, "strides": stride, "dilations": dilation, "pads": pads}
    return numbers(rng, shape), how


@draw("Col2Im")
def _image(rng):
    x, how = _columns(rng)
    columns = ops.Im2Col(ops.zeros(x.shape), **how).shape
    return numbers(rng, columns), {"output_size": x.shape[2:], **how}


@draw("BatchNorm")
def _batch_norm(rng):
    shape = (int(rng.integers(2, 4)), *map(int, rng.integers(1, 4, rng.integers(1, 4))))
    parameters = [numbers(rng, shape[1:2], 0.5, 1.5) for _ in range(4)]
    return numbers(rng, shape), *parameters, {"is_training": coin(rng), "epsilon": 1e-2}
