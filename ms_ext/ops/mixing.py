"""Between and beyond two tensors: lerp, addcmul, addcdiv; angles in degrees."""

import math

from ..engine import errors
from ..engine.primitive import op
from .composite import composite
from .precision import like, widened
from .shapes import broadcast, floating


@composite("lerp", "Tensor.lerp", "mint.lerp")
def lerp(input, end, weight):
    """input + weight * (end - input): ``input`` at weight 0, ``end`` at weight 1.

    >>> ops.lerp(Tensor([0.0, 10.0]), Tensor([1.0, 20.0]), 0.5)
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  1.50000000e+01])
    """
    for x in (input, end):
        if x.dtype.kind != "float":
            raise errors.InvalidType("the ends must be floating numbers.", given=str(x.dtype))
    return input + (end - input) * weight


@composite("addcmul", "Tensor.addcmul")
def addcmul(input, tensor1, tensor2, value=1):
    """input + value * tensor1 * tensor2.

    >>> ops.addcmul(Tensor([1.0]), Tensor([2.0]), Tensor([3.0]), 10)
    Tensor(shape=[1], dtype=Float32, value= [ 6.10000000e+01])
    """
    return input + tensor1 * tensor2 * value


@composite("addcdiv", "Tensor.addcdiv")
def addcdiv(input, tensor1, tensor2, value=1):
    """input + value * tensor1 / tensor2.

    >>> ops.addcdiv(Tensor([1.0]), Tensor([6.0]), Tensor([3.0]), 10)
    Tensor(shape=[1], dtype=Float32, value= [ 2.10000000e+01])
    """
    return input + tensor1 / tensor2 * value


def _three(shift):
    def samples(rng):
        for shapes in (((2, 3), (2, 3), (2, 3)), ((2, 3), (3,), (2, 1)), ((0, 3), (3,), (1,))):
            x, y, z = (rng.uniform(-1, 1, shape) for shape in shapes)
            yield x, y, z + shift, {"value": 0.5}
        yield rng.uniform(-1, 1, (2,)), rng.uniform(-1, 1, (2,)), rng.uniform(1, 2, (2,))

    return samples


@op(names=("mint.addcmul",), operands="promote")
class AddcmulExt:
    """x + value * y * z: the addcmul of mint, another primitive than that of ops.

    >>> mint.addcmul(Tensor([1.0]), Tensor([2.0]), Tensor([3.0]), value=10)
    Tensor(shape=[1], dtype=Float32, value= [ 6.10000000e+01])
    """

    samples = _three(0)

    def infer(x, y, z, *, value):
        return broadcast(x, y, z)

    def compute(x, y, z, *, value=1):
        return like(widened(x) + widened(y) * widened(z) * value, x)

    def bprop(_x, y, z, _out, dout, *, value):
        scaled = dout * value
        return dout, scaled * z, scaled * y


@op(names=("mint.addcdiv",), operands="float")
class AddcdivExt:
    """x + value * y / z: the addcdiv of mint, another primitive than that of ops.

    >>> mint.addcdiv(Tensor([1.0]), Tensor([6.0]), Tensor([3.0]), value=10)
    Tensor(shape=[1], dtype=Float32, value= [ 2.10000000e+01])
    """

    samples = _three(3)

    def infer(x, y, z, *, value):
        return floating(broadcast)(x, y, z)

    def compute(x, y, z, *, value=1):
        return like(widened(x) + widened(y) / widened(z) * value, x)

    def bprop(_x, y, z, _out, dout, *, value):
        dy = dout * value / z
        return dout, dy, -dy * y / z


@composite("rad2deg", "Tensor.rad2deg")
def rad2deg(x):
    """An angle in degrees: half a turn is 180.

    >>> ops.rad2deg(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """
    return x * (180 / math.pi)


@composite("deg2rad", "Tensor.deg2rad")
def deg2rad(x):
    """An angle in radians: half a turn is pi.

    >>> ops.deg2rad(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """
    return x * (math.pi / 180)
