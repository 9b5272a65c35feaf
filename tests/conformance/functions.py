"""Functions and Cells that several programs take gradients of, or hang hooks on."""

from mindspore import Parameter, Tensor, nn


def f2(x, y):
    return x * x * y + y


def cube(x):
    return x**3 + 2 * x


def product(x, y):
    return x * y


def square(x):
    return x * x


def both(x, y):
    return x * y, x + y


def aux(v, w):
    return (v * w).sum(), v + w, w


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0]), name="w")
        self.b = Parameter(Tensor(1.0), name="b")

    def construct(self, x):
        return (x * self.w + self.b / 2).sum()


def double(gradient):
    return gradient * 2


def triple(gradient):
    return gradient * 3


def large_or_small(gradient):
    if gradient.sum() > 100.0:
        return gradient * 2
    return gradient * 3


def failing(gradient):
    raise ValueError("from the hook")


class Twice(nn.Cell):
    def construct(self, x):
        return x * 2


class Product(nn.Cell):
    def construct(self, x, y):
        return x * y


class Both(nn.Cell):
    def construct(self, x, y):
        return x * y, x + y


class Scaled(nn.Cell):
    def construct(self, x, k=None, *, by=1.0):
        return x * 2 * by if k is None else x * k * by


def ten_times(cell, args, output):
    return output * 10


def made(kind, **hooks):
    cell = kind()
    for name, hook in hooks.items():
        getattr(cell, f"register_{name}")(hook)
    return cell
