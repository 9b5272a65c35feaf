"""A gradient has O(N) nodes: as many for each node of a long program as of a short one."""

import linecache

import pytest

from benchmarks.w12_gradient_size import SIZES, deep, nodes, written
from ms_ext import Tensor
from ms_ext.engine import jit
from ms_ext.engine.autodiff import split, vjp


def of_one(program, count):
    """Nodes of the gradient, of both forms, for one node of the program."""
    before = nodes(written("program", program, count))
    whole = vjp(written("program", program, count))
    halves = split(written("program", program, count))
    return nodes(whole) / before, (nodes(halves.forward) + nodes(halves.backward)) / before


@pytest.mark.parametrize("program", [p for p in SIZES if p is not deep], ids=lambda p: p.__name__)
def test_the_gradient_grows_as_the_program(program):
    short, long = of_one(program, 200), of_one(program, 1000)
    assert max(long) < 10
    for one, other in zip(short, long, strict=True):
        assert other == pytest.approx(one, rel=0.05)


def test_a_nest_costs_what_its_levels_pass_on():
    """What an inner loop keeps goes through every loop around it: levels times values."""
    counts = [of_one(deep, 3 * levels)[0] * 3 * levels for levels in (4, 8, 16)]
    assert counts[2] / counts[1] < 4 and counts[1] / counts[0] < 4


def early(count):
    """``count`` returns one after the other: each is a branch that holds the rest."""
    lines = ["def f(x):", *[f"    if x > {9 + k}:\n        return x * {k}.5" for k in range(count)]]
    text, name = "\n".join([*lines, "    return x * x", ""]), f"<{count} returns>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names = {}
    exec(compile(text, name, "exec"), names)
    return names["f"]


def test_returns_one_after_the_other():
    """Each is a branch that holds the rest, so a hundred are branches a hundred deep."""
    ratios = []
    for count in (20, 40, 100):
        graph = jit.trace(early(count), Tensor(1.2))
        ratios.append(nodes(vjp(graph)) / nodes(graph))
    assert max(ratios) < 1.2 * ratios[0]
