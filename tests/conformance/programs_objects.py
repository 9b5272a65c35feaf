"""Modules, objects and jit_class in graph mode."""

import math

import mindspore as ms
from arguments import nothing, scalar, vector
from cases import case

# modules and objects ------------------------------------------------------------------------------


@case(vector)
def functions_of_math(x):
    return x * math.sqrt(4), math.pi, math.floor(2.5)


@case(vector)
def math_of_a_tensor(x):
    return math.sqrt(x.sum())


class Point:
    kind = "point"

    def __init__(self, x, y):
        self.x, self.y = x, y

    def moved(self, by):
        return Point(self.x + by, self.y + by)

    def sum(self):
        return self.x + self.y

    @property
    def double(self):
        return self.x * 2

    @staticmethod
    def fixed(v):
        return v + 1


point = Point(1, 2)


@case(nothing)
def attributes_of_objects():
    return point.x, point.kind, Point.kind


@case(nothing)
def methods_of_objects():
    return point.sum(), Point.fixed(3), point.double


@case(nothing)
def objects_made_inside():
    return Point(3, 4).sum()


@case(vector)
def objects_of_tensors(x):
    return Point(x, 2).sum()


@case(nothing)
def methods_in_a_row():
    return point.moved(1).sum()


@case(nothing)
def attribute_that_an_object_lacks():
    return point.nosuch


@case(lambda: (*vector(), Point(1, 2)))
def object_as_argument(x, p):
    return x * p.x


@case(nothing)
def object_as_result():
    return point


@case(vector, strict=False)
def tolist_and_item(x):
    return x.tolist(), x[0].item()


@case(vector)
def numbers_decide(x):
    n = int(x.sum())
    if n > 3:
        return x * n
    return x


@case(scalar)
def number_of_turns_from_a_tensor(t):
    s = 0
    for i in range(int(t)):
        s = s + i + 1
    return s


@case(scalar)
def list_as_long_as_a_tensor_says(t):
    return [0] * int(t)


@ms.jit_class
class Scaled:
    factor = 3

    def __init__(self, by):
        self.by = by

    def of(self, x):
        return x * self.by

    def __call__(self, x):
        return x + self.by

    def __enter__(self):
        return self.by

    def __exit__(self, *error):
        return None


scaled = Scaled(4)


@case(vector)
def jit_class_read(x):
    return scaled.by, scaled.of(x), scaled(x), Scaled.factor


@case(vector)
def jit_class_made_inside(x):
    return Scaled(5).of(x)


@case(vector)
def jit_class_made_of_a_tensor(x):
    return Scaled(x).of(x)


@case(vector)
def jit_class_with(x):
    with scaled as by:
        x = x * by
    return x


@ms.jit_class
class NoCall:
    def __init__(self):
        self.value = 1


@case(vector)
def jit_class_without_call(x):
    return NoCall()(x)


@case(vector)
def jit_class_without_the_attribute(x):
    return scaled.nosuch


@case(vector, eager=True)
def jit_class_of_a_cell(x):
    @ms.jit_class
    class Wrong(ms.nn.Cell):
        pass

    return x
