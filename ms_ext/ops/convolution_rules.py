"""What do a convolution and its two gradients take, and what comes out? For any number of axes.

``layout`` is "NCHW" or "NCDHW". ``columns`` calculates.

>>> infer, compute = forward_rules("NCHW")
>>> compute(np.ones((1, 1, 2, 2)), np.ones((1, 1, 2, 2)), out_channel=1, kernel_size=2).tolist()
[[[[4.0]]]]
"""

import math

import numpy as np  # noqa: F401  (the example uses it)

from ..engine import errors
from .axes import sized
from .columns import convolved, filter_gradient, input_gradient
from .precision import like, widened
from .shapes import shaped
from .windows import laid, needs_float, needs_layout, needs_rank, per_axis

ATTRIBUTES = (
    "out_channel", "kernel_size", "mode", "pad_mode", "pad", "stride", "dilation", "group",
    "data_format",
)  # fmt: skip


def _plan(known, other, x_shape, w_shape, how):
    """(axes, groups) of a convolution of ``x_shape`` with ``w_shape``; refuses what does not fit.

    ``known``, ``other``: the operands of the op, by their dtypes.
    """
    out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, groups, layout = how
    needs_float(known, other)
    count, spatial = len(x_shape) - 2, tuple(x_shape[2:])
    if mode != 1:
        raise errors.InvalidValue("the 'mode' must be 1.", given=repr(mode))
    if type(groups) is not int or groups < 1:
        raise errors.InvalidValue("the 'group' must be an int above 0.", given=repr(groups))
    said = (out_channel, x_shape[1] // groups, *per_axis("kernel_size", kernel_size, count))
    if said != tuple(w_shape) or x_shape[1] % groups or w_shape[0] % groups:
        raise errors.ShapeMismatch(
            f"the weight must be {list(said)}.",
            given=f"x {list(x_shape)}, weight {list(w_shape)}, group {groups}",
            hint="Its axes are out_channels, in_channels / group, *kernel_size; "
            "group divides both numbers of channels.",
        )
    return laid(spatial, said[2:], _fixed(stride), _fixed(dilation), pad_mode, _fixed(pad)), groups


def _fixed(value):
    return tuple(value) if isinstance(value, list) else value


def forward_rules(layout):
    """``infer`` and ``compute`` of a convolution."""

    def plan(x, w, how):
        needs_layout(how[-1], layout)
        needs_rank(x, len(layout))
        return _plan(x, w, x.shape, w.shape, how)

    def infer(x, w, **how):
        axes, _ = plan(x, w, tuple(how[k] for k in ATTRIBUTES))
        return shaped(x, (x.shape[0], w.shape[0], *(a.out for a in axes)))

    def compute(
        x, w, *, out_channel, kernel_size, mode=1, pad_mode="valid", pad=0, stride=1, dilation=1,
        group=1, data_format=layout,
    ):  # fmt: skip
        how = (out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format)
        return like(convolved(widened(x), widened(w), *plan(x, w, how)), x)

    return infer, compute


def input_rules(layout):
    """``infer`` and ``compute`` of the gradient for x, of shape ``input_size``."""

    def plan(dout, w, size, how):
        needs_layout(how[-1], layout)
        needs_rank(dout, len(layout))
        axes, groups = _plan(dout, w, sized(size), w.shape, how)
        _same_size(dout, (size[0], w.shape[0], *(a.out for a in axes)), size)
        return axes, groups

    def infer(dout, w, *, input_size, **how):
        plan(dout, w, input_size, tuple(how[k] for k in ATTRIBUTES))
        return shaped(dout, input_size)

    def compute(
        dout, w, *, input_size, out_channel, kernel_size, mode=1, pad_mode="valid", pad=0,
        stride=1, dilation=1, group=1, data_format=layout,
    ):  # fmt: skip
        how = (out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format)
        planned = plan(dout, w, input_size, how)
        return like(input_gradient(widened(dout), widened(w), tuple(input_size), *planned), dout)

    return infer, compute


def filter_rules(layout):
    """``infer`` and ``compute`` of the gradient for w, of shape ``filter_size``."""

    def plan(dout, x, size, how):
        needs_layout(how[-1], layout)
        needs_rank(x, len(layout))
        axes, groups = _plan(dout, x, x.shape, sized(size), how)
        _same_size(dout, (x.shape[0], size[0], *(a.out for a in axes)), x.shape)
        return axes, groups

    def infer(dout, x, *, filter_size, **how):
        plan(dout, x, filter_size, tuple(how[k] for k in ATTRIBUTES))
        return shaped(dout, filter_size)

    def compute(
        dout, x, *, filter_size, out_channel, kernel_size, mode=1, pad_mode="valid", pad=0,
        stride=1, dilation=1, group=1, data_format=layout,
    ):  # fmt: skip
        how = (out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format)
        planned = plan(dout, x, filter_size, how)
        return like(filter_gradient(widened(dout), widened(x), tuple(filter_size), *planned), dout)

    return infer, compute


def _same_size(dout, wanted, size):
    if tuple(dout.shape) != tuple(wanted):
        raise errors.InvalidValue(
            "dout has not the shape that the convolution gives.",
            given=f"dout {list(dout.shape)}, but {list(size)} gives {list(wanted)}",
        )


def work(y_shape, w_shape):
    """A product and a sum for each output and each element of its window."""
    return 2 * math.prod(y_shape) * math.prod(w_shape[1:])


def _sizes(axes):
    """Shapes of x and w, and attributes, that every convolution is tried on."""
    last = (1,) * (axes - 2)
    yield (2, 3, 5, 4, *last), (2, 3, 3, 2, *last), {}
    yield (1, 2, 5, 4, *last), (4, 1, 2, 3, *last), {"pad_mode": "same", "stride": 2, "group": 2}
    how = {"pad_mode": "pad", "pad": (1, 0, 2, 1) + (0, 0) * (axes - 2), "dilation": 2}
    yield (2, 1, 4, 6, *last), (1, 1, 2, 3, *last), how


def samples_of(axes):
    """Operands that a convolution is tried on."""

    def samples(rng):
        for x, w, how in _sizes(axes):
            how = {"out_channel": w[0], "kernel_size": w[2:], **how}
            yield rng.uniform(-1, 1, x), rng.uniform(-1, 1, w), how

    return samples


def gradient_samples_of(axes, of_input):
    """As ``_samples``; dout has the shape that the op of the convolution infers."""

    def samples(rng):
        for x, w, how in _sizes(axes):
            taken = {k: how.get(k, d) for k, d in _LAID.items()}
            out = [a.out for a in laid(x[2:], w[2:], *taken.values())]
            dout, how = (x[0], w[0], *out), {"out_channel": w[0], "kernel_size": w[2:], **how}
            size = {"input_size": x} if of_input else {"filter_size": w}
            other = w if of_input else x
            yield rng.uniform(-1, 1, dout), rng.uniform(-1, 1, other), {**size, **how}

    return samples


_LAID = {"stride": 1, "dilation": 1, "pad_mode": "valid", "pad": 0}
