"""Gradients of random programs: the same in eager mode, in graphs, on every backend and on paper.

On paper: as the slope between two points near. What fails is shown as the smallest program that
still fails.
"""

import importlib.util

import numpy as np
import pytest
from differing import BACKENDS, smaller
from differing_gradients import (
    Program,
    duality,
    first_order,
    graphs,
    second_order,
    with_mindspore,
)
from differing_slopes import Unclear, numeric

QUICK, LONG, AT_ONCE = 100, 2000, 20
#: Of AT_ONCE programs: kinks and jumps, where there is no slope to compare with.
MOST_UNCLEAR = 2
FLOATS = (np.float64, np.float32)


def rotating(program):
    """The checks of a program: each next program has others."""
    seed = program.seed
    yield "numeric", numeric
    yield "first", lambda p: first_order(p, FLOATS[seed // 4 % 2], slice(seed % 4, seed % 4 + 1))
    if seed % 4 == 0:
        yield "second", lambda p: second_order(p, (BACKENDS[seed // 4 % len(BACKENDS)],))
    elif seed % 4 == 1:
        yield "graphs", graphs
    elif seed % 4 == 2:
        yield "numeric second", lambda p: numeric(p, 2)
    else:
        yield "duality", lambda p: duality(p, (BACKENDS[seed // 4 % len(BACKENDS)],))


def check(seed, checks=rotating):
    """Fail with the smallest program that fails; 1 if there is no slope, else 0."""
    program, unclear = Program(seed), 0
    for name, compare in checks(program):
        try:
            told = compare(program)
        except Unclear:
            unclear = 1
            continue
        if told:
            less = Program(seed, smaller(program.text, fails_as(seed, compare, told)))
            pytest.fail(f"program {seed}, {name}: {compare(less)}\n{less.text}{less.point()}")
    return unclear


def fails_as(seed, compare, told):
    """Whether a text fails in the same way: ``told`` begins with what differs."""

    def fails(text):
        try:
            found = compare(Program(seed, text))
        except Exception:
            return False
        return found is not None and found.split(":")[0] == told.split(":")[0]

    return fails


@pytest.mark.parametrize("first", range(0, QUICK, AT_ONCE))
def test_gradients_agree(first):
    unclear = sum(check(seed) for seed in range(first, first + AT_ONCE))
    assert unclear <= MOST_UNCLEAR


@pytest.mark.long
@pytest.mark.parametrize("first", range(QUICK, LONG, AT_ONCE))
def test_more_gradients_agree(first):
    unclear = sum(check(seed) for seed in range(first, first + AT_ONCE))
    assert unclear <= MOST_UNCLEAR


@pytest.mark.skipif(not importlib.util.find_spec("mindspore"), reason="MindSpore is not installed")
def test_gradients_agree_with_mindspore():
    import mindspore

    mindspore.runtime.launch_blocking()
    for seed in range(AT_ONCE):
        check(seed, lambda _: [("MindSpore", with_mindspore)])
