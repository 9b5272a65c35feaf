"""Two members of the grad family on top of each other, and the gradient of that: in numbers."""

import itertools

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, ops

A, B, WEIGHTS = np.array([0.4, 1.2]), np.array([0.9, 0.7]), Tensor(np.array([1.0, 2.0]))
STEP = 1e-5


def smooth(a, b):
    return ops.sin(a) * b


def counted(a, b):
    s = a * 1
    for _ in range(20):
        s = s + ops.tanh(s * b) * 0.1
    return s


def until(a, b):
    s = a * 1
    while s.sum() < 20:
        s = s * 1.5 + b * a
    return s * b


def chosen(a, b):
    if (a * b).sum() > 0:
        return a * a * b
    return a - b * b


def with_grad(g):
    return lambda a, b: ms.grad(g, 0)(a, b)


def with_vjp(g):
    return lambda a, b: ms.vjp(g, a, b)[1](g(a, b) * 0.5 + 1)[1] * a


def with_jvp(g):
    return lambda a, b: ms.jvp(g, (a, b), (b, a))[1]


def with_jacrev(g):
    return lambda a, b: ms.jacrev(g, 0)(a, b).sum(0)


def with_jacfwd(g):
    return lambda a, b: ms.jacfwd(g, 1)(a, b).sum(1)


FAMILY = (with_grad, with_vjp, with_jvp, with_jacrev, with_jacfwd)
PAIRS = list(itertools.product(FAMILY, FAMILY))


def central_differences(function):
    found = []
    for place in range(4):
        step = np.zeros(4)
        step[place] = STEP
        high, low = [float(function(Tensor(A + d[:2]), Tensor(B + d[2:]))) for d in (step, -step)]
        found.append((high - low) / (2 * STEP))
    return np.array(found)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "graph"])
@pytest.mark.parametrize("program", [smooth, counted, until, chosen], ids=lambda f: f.__name__)
@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: " of ".join(f.__name__[5:] for f in p))
def test_gradients_of_two_on_top_of_each_other(pair, program, compiled):
    outer, inner = pair
    function = outer(inner(program))

    def total(a, b):
        return (function(a, b) * WEIGHTS).sum()

    gradient = ms.grad(total, (0, 1))
    found = (ms.jit(gradient) if compiled else gradient)(Tensor(A), Tensor(B))
    wanted = central_differences(total)
    scale = max(1.0, np.abs(wanted).max())
    found = np.concatenate([each.asnumpy() for each in found])
    np.testing.assert_allclose(found, wanted, rtol=2e-4, atol=1e-4 * scale)
