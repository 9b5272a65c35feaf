"""The ways in which a program that takes gradients is run, and small functions to take them of."""

import ms_ext as ms
from ms_ext import Tensor

V, W = [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]
DIAGONAL = [[6.0, 0.0, 0.0], [0.0, 12.0, 0.0], [0.0, 0.0, 18.0]]


def eager(function):
    return function


def traced(function):
    return ms.jit(function, capture_mode="trace")


def strict(function):
    return ms.jit(function, fullgraph=True)


def on_reference(function):
    return ms.jit(function, backend="reference")


def in_graph_mode(function):
    def run(*args):
        ms.set_context(mode=ms.GRAPH_MODE)
        try:
            return function(*args)
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)

    return run


MODES = [eager, ms.jit, on_reference, strict, traced, in_graph_mode]


def numbers(value):
    if isinstance(value, Tensor):
        return value.asnumpy().tolist()
    return type(value)(map(numbers, value)) if isinstance(value, tuple | list) else value


def square(x):
    return x * x


def product(x, y):
    return x * y


def cube(x):
    return x**3 + 2 * x


def sum_of_cubes(x):
    return (x**3).sum()


def both(x, y):
    return x * y, x.sum()
