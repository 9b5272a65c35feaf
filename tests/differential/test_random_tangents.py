"""Tangents of random programs: what forward mode gives is what reverse mode gives, weighed.

Both in eager mode and in graphs, to second order. What fails is shown as the smallest program that
still fails.
"""

import numpy as np
import pytest
from differing import BACKENDS, answer, compiled_text, leaves, smaller
from differing_gradients import HEAD, NAMES, Program, direction, place, refused

import ms_ext as ms

QUICK, LONG, AT_ONCE = 60, 1500, 20
#: Of AT_ONCE programs: those whose numbers are too large to compare, or which cannot be run.
MOST_UNCLEAR = 5
TAIL = f"""
weights = ms.ParameterTuple([w, u])
def summed(found):
    if not isinstance(found, tuple):
        return found.sum()
    total = 0.0
    for part in found:
        total = total + summed(part)
    return total
def forward({NAMES}, da, db, ds):
    _, found = ms.jvp(lambda a, b, s: program({NAMES}), (a, b, s), (da, db, ds))
    return summed(found[0] if HAS_AUX else found)
def gradients({NAMES}):
    found = ms.grad(program, (0, 1, 2), None, HAS_AUX)({NAMES})
    return found[0] if HAS_AUX else found
def reverse({NAMES}, da, db, ds):
    ga, gb, gs = gradients({NAMES})
    return (ga * da).sum() + (gb * db).sum() + gs * ds
def forward_over_reverse({NAMES}, da, db, ds):
    return ms.jvp(lambda a, b, s: gradients({NAMES}), (a, b, s), (da, db, ds))[1]
def reverse_over_reverse({NAMES}, da, db, ds):
    return ms.grad(reverse, (0, 1, 2))({NAMES}, da, db, ds)
def reverse_over_forward({NAMES}, da, db, ds):
    return ms.grad(forward, (0, 1, 2))({NAMES}, da, db, ds)
"""


def module_of(program):
    text = HEAD + program.text + TAIL.replace("HAS_AUX", str(program.has_aux))
    return compiled_text(text.replace("FLOAT", "ms.float64"), f"<tangent {program.seed}>", ms)


def compared(program, names, backend):
    """How the functions of these names differ in words, each also compiled; None if they agree,
    or there is nothing to compare."""
    module = module_of(program).__globals__
    values, weights = program.point()
    place(module, weights)
    given = [*values, *direction(program.seed)[:3]]
    base = answer(ms.jit(module[names[0]], backend=backend), given)
    if isinstance(base, tuple) or not all(np.all(abs(x) < 1e6) for x in leaves(base)):
        return None
    for name in names:
        for way in (ms.jit(module[name], backend=backend), module[name]):
            found = answer(way, given)
            if not refused(found) and (told := unlike(base, found)):
                return f"{name}: {told}"
    return ""


def unlike(one, other):
    """Where two answers differ by more than rounding, in words."""
    if isinstance(other, tuple) and isinstance(other[1], Exception):
        return f"{other[1]!r}"
    for a, b in zip(leaves(one), leaves(other), strict=True):
        room = 1e-7 * (1 + np.max(abs(a), initial=0))
        if a.shape != b.shape or not np.allclose(a, b, rtol=0, atol=room):
            return f"{a} is not {b}"
    return None


ORDERS = {
    1: ("reverse", "forward"),
    2: ("reverse_over_reverse", "forward_over_reverse", "reverse_over_forward"),
}


def check(seed, orders):
    """Fail with the smallest program that fails; of how many orders there is nothing to say."""
    program, backend, unclear = Program(seed), BACKENDS[seed % len(BACKENDS)], 0
    for order in orders:
        told = compared(program, ORDERS[order], backend)
        unclear += told is None
        if told:
            less = smaller(program.text, fails_as(seed, ORDERS[order], backend, told))
            pytest.fail(f"program {seed}, order {order}, {told}\n{less}{program.point()}")
    return unclear


def fails_as(seed, names, backend, told):
    """Whether a text fails in the same way: ``told`` begins with what differs."""

    def fails(text):
        try:
            found = compared(Program(seed, text), names, backend)
        except Exception:
            return False
        return bool(found) and found.split(":")[0] == told.split(":")[0]

    return fails


@pytest.mark.parametrize("first", range(0, QUICK, AT_ONCE))
def test_forwards_and_in_reverse(first):
    unclear = sum(check(seed, (1 + seed % 2,)) for seed in range(first, first + AT_ONCE))
    assert unclear <= MOST_UNCLEAR


@pytest.mark.long
@pytest.mark.parametrize("first", range(QUICK, LONG, AT_ONCE))
def test_more_forwards_and_in_reverse(first):
    unclear = sum(check(seed, ORDERS) for seed in range(first, first + AT_ONCE))
    assert unclear <= 2 * MOST_UNCLEAR
