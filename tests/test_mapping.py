"""MultitypeFuncGraph, HyperMap, Map and constexpr: eagerly, compiled, and in gradients.

The values are those of MindSpore 2.10.
"""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, nn, ops

X, Y = Tensor([1.0, -2.0]), Tensor([3.0])
add = ops.MultitypeFuncGraph("add")
over, along = ops.HyperMap(), ops.Map()


@add.register("Number", "Number")
def add_numbers(a, b):
    return a + b * 10


@add.register("Tensor", "Tensor")
def add_tensors(a, b):
    return a + b


@add.register("Number", "Tensor")
def scale(a, b):
    return a * b


@ops.constexpr
def places(n):
    try:
        return tuple(int(v) for v in np.arange(n))
    except ValueError:
        return ()


def of_types(x, y):
    return add(1, 2), add(x, x), add(2, y)


def nested(x, y):
    return over(add, (1, (x, y)), (2, (x, y)))


def partial(x, y):
    return over(ops.partial(add, 3), (x, (y, x)))


def flat(x, y):
    return along(add, (1, x), (2, x))


def of_an_op(x, y):
    return over(ops.square, (x, y))


def constants(x, y):
    return x.sum() * places(x.shape[0])[1], places(3)


GIVEN = {
    of_types: (21, [2.0, -4.0], [6.0]),
    nested: (21, ([2.0, -4.0], [6.0])),
    partial: ([3.0, -6.0], ([9.0], [3.0, -6.0])),
    flat: (21, [2.0, -4.0]),
    of_an_op: ([1.0, 4.0], [9.0]),
    constants: (-1.0, (0, 1, 2)),
}


def plain(value):
    """Tensors as lists."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return value.asnumpy().tolist() if isinstance(value, Tensor) else value


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("function", GIVEN)
def test_as_on_mindspore(function, compiled):
    run = ms.jit(function) if compiled else function
    assert plain(run(X, Y)) == GIVEN[function]


@pytest.mark.parametrize("compiled", [False, True])
def test_gradients(compiled):
    def loss(x):
        a, b = over(ops.partial(add, 3), (x, x))
        return a.sum() + b.sum()

    gradient = ms.grad(loss)
    run = ms.jit(lambda x: gradient(x)) if compiled else gradient
    assert plain(run(X)) == [6.0, 6.0]


def test_in_a_cell():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.over = ops.HyperMap(add)

        def construct(self, x):
            return self.over((x, 1), (x, 2))

    assert plain(Net()(X)) == plain(ms.jit(Net())(X)) == ([2.0, -4.0], 21)


def test_types_that_are_not_there():
    with pytest.raises(ValueError, match="cannot find fn match given args"):
        add("a", 2)
    with pytest.raises(ValueError, match="cannot find fn match given args"):
        ms.jit(lambda x: add("a", x))(X)
    with pytest.raises(TypeError, match="no type 'Numbers'"):
        add.register("Numbers")


def test_tuples_of_other_lengths_end_with_the_shortest():
    assert over(add, (1, 2), (3,)) == (31,)
