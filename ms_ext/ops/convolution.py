"""Convolution and its two gradients: three ops, whose gradients are one another.

Each is linear in both operands. With y = Conv2D(x, w), x gets Conv2DBackpropInput(dy, w) and w gets
Conv2DBackpropFilter(dy, x); so it goes on from there, to any order. ``columns`` calculates them.
"""

from .. import ops
from ..engine.primitive import op
from .convolution_rules import (
    ATTRIBUTES,
    filter_rules,
    forward_rules,
    gradient_samples_of,
    input_rules,
    samples_of,
    work,
)  # fmt: skip


@op()
class Conv2D:
    """Each output is a window of x, multiplied with the weight of its channel and added up.

    x is (N, in, H, W), w is (out, in / group, *kernel_size), both of one floating dtype.

    >>> x, w = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), ops.ones((1, 1, 2, 2))
    >>> ops.Conv2D(out_channel=1, kernel_size=2)(x, w)
    Tensor(shape=[1, 1, 1, 1], dtype=Float32, value=
    [[[[ 1.00000000e+01]]]])
    """

    infer, compute = forward_rules("NCHW")
    samples = samples_of(2)

    def bprop(x, w, _out, dout, **how):
        return (
            lambda: ops.Conv2DBackpropInput(dout, w, input_size=x.shape, **how),
            lambda: ops.Conv2DBackpropFilter(dout, x, filter_size=w.shape, **how),
        )

    def cost(out, _x, w, **_attributes):
        return work(out.shape, w.shape)


@op()
class Conv2DBackpropInput:
    """What dout adds to each element of x: the gradient of Conv2D for x, and its transposed.

    >>> dout, w = Tensor([[[[1.0]]]]), Tensor([[[[1.0, 2.0]]]])
    >>> ops.Conv2DBackpropInput(out_channel=1, kernel_size=(1, 2))(dout, w, (1, 1, 1, 2))
    Tensor(shape=[1, 1, 1, 2], dtype=Float32, value=
    [[[[ 1.00000000e+00,  2.00000000e+00]]]])
    """

    infer, compute = input_rules("NCHW")
    samples = gradient_samples_of(2, True)
    constructor = ATTRIBUTES

    def bprop(dout, w, _out, ddout, *, input_size, **how):
        return (
            lambda: ops.Conv2D(ddout, w, **how),
            lambda: ops.Conv2DBackpropFilter(dout, ddout, filter_size=w.shape, **how),
        )

    def cost(_out, dout, w, **_attributes):
        return work(dout.shape, w.shape)


@op()
class Conv2DTranspose:
    """Conv2DBackpropInput by its other name: a small dout spread to a larger image.

    >>> dout, w = Tensor([[[[1.0]]]]), Tensor([[[[1.0, 2.0]]]])
    >>> ops.Conv2DTranspose(out_channel=1, kernel_size=(1, 2))(dout, w, (1, 1, 1, 2)).shape
    (1, 1, 1, 2)
    """

    infer, compute = input_rules("NCHW")
    samples = gradient_samples_of(2, True)
    constructor = ATTRIBUTES
    bprop = Conv2DBackpropInput.bprop
    cost = Conv2DBackpropInput.cost


@op()
class Conv2DBackpropFilter:
    """What dout adds to each element of w: the gradient of Conv2D for its weight.

    >>> dout, x = Tensor([[[[1.0]]]]), Tensor([[[[1.0, 2.0]]]])
    >>> ops.Conv2DBackpropFilter(out_channel=1, kernel_size=(1, 2))(dout, x, (1, 1, 1, 2))
    Tensor(shape=[1, 1, 1, 2], dtype=Float32, value=
    [[[[ 1.00000000e+00,  2.00000000e+00]]]])
    """

    infer, compute = filter_rules("NCHW")
    samples = gradient_samples_of(2, False)
    constructor = ATTRIBUTES

    def bprop(dout, x, _out, ddout, *, filter_size, **how):
        return (
            lambda: ops.Conv2D(x, ddout, **how),
            lambda: ops.Conv2DBackpropInput(dout, ddout, input_size=x.shape, **how),
        )

    def cost(out, dout, _x, **_attributes):
        return work(dout.shape, out.shape)


@op()
class Conv3D:
    """Each output is a window of x, multiplied with the weight of its channel and added up.

    x is (N, in, D, H, W), w is (out, in / group, *kernel_size), of one floating dtype.

    >>> x, w = ops.ones((1, 2, 3, 3, 3)), ops.ones((4, 2, 2, 2, 2))
    >>> y = ops.Conv3D(out_channel=4, kernel_size=2)(x, w)
    >>> y.shape, float(y[0, 0, 0, 0, 0])
    ((1, 4, 2, 2, 2), 16.0)
    """

    infer, compute = forward_rules("NCDHW")
    samples = samples_of(3)

    def bprop(x, w, _out, dout, **how):
        return (
            lambda: ops.Conv3DBackpropInput(dout, w, input_size=x.shape, **how),
            lambda: ops.Conv3DBackpropFilter(dout, x, filter_size=w.shape, **how),
        )

    def cost(out, _x, w, **_attributes):
        return work(out.shape, w.shape)


@op()
class Conv3DBackpropInput:
    """What dout adds to each element of x: the gradient of Conv3D for x, and its transposed.

    >>> dout, w = ops.ones((1, 4, 2, 2, 2)), ops.ones((4, 2, 2, 2, 2))
    >>> ops.Conv3DBackpropInput(out_channel=4, kernel_size=2)(dout, w, (1, 2, 3, 3, 3)).shape
    (1, 2, 3, 3, 3)
    """

    infer, compute = input_rules("NCDHW")
    samples = gradient_samples_of(3, True)
    constructor = ATTRIBUTES

    def bprop(dout, w, _out, ddout, *, input_size, **how):
        return (
            lambda: ops.Conv3D(ddout, w, **how),
            lambda: ops.Conv3DBackpropFilter(dout, ddout, filter_size=w.shape, **how),
        )

    def cost(_out, dout, w, **_attributes):
        return work(dout.shape, w.shape)


@op()
class Conv3DBackpropFilter:
    """What dout adds to each element of w: the gradient of Conv3D for its weight.

    >>> dout, x = ops.ones((1, 4, 2, 2, 2)), ops.ones((1, 2, 3, 3, 3))
    >>> ops.Conv3DBackpropFilter(out_channel=4, kernel_size=2)(dout, x, (4, 2, 2, 2, 2)).shape
    (4, 2, 2, 2, 2)
    """

    infer, compute = filter_rules("NCDHW")
    samples = gradient_samples_of(3, False)
    constructor = ATTRIBUTES

    def bprop(dout, x, _out, ddout, *, filter_size, **how):
        return (
            lambda: ops.Conv3D(x, ddout, **how),
            lambda: ops.Conv3DBackpropInput(dout, ddout, input_size=x.shape, **how),
        )

    def cost(out, dout, _x, **_attributes):
        return work(dout.shape, out.shape)
