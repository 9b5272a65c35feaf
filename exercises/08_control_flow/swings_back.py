"""08.swings_back: the way back of a loop, written by hand over what the loop kept."""

import numpy as np

from ms_ext.grading import recognise
from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.layers import gradients


def pulled(x, a, turns, dout, *, ahead=False, last=False, early=False, after=False, **without):
    """The right gradients, or what they are with a typical mistake.

    ``ahead``: from the first turn on; ``last``: da of one turn only, not the sum; ``early``: dy is
    already that of the turn before when da is formed; ``after``: the cosine of what a turn gave.
    ``cosine=False``, ``factor=False``, ``dout=False`` leave that out.
    """
    y, kept = x, []
    for _ in range(turns):
        kept.append((y, np.sin(y), np.sin(y) * a))
        y = np.sin(y) * a
    dy, da = dout if without.get("weighed", True) else np.ones_like(dout), np.zeros_like(a)
    for before, sine, given in kept if ahead else reversed(kept):
        arriving, dy = dy, _through(dy, given if after else before, a, without)
        moved = (dy if early else arriving) * sine
        da = moved if last else da + moved
    return dy, da


def _through(dy, y, a, without):
    dy = dy * a if without.get("factor", True) else dy
    return dy * np.cos(y) if without.get("cosine", True) else dy


def matrices(draw, m, n, turns=(1, 2, 3, 5)):
    """a few turns"""
    return draw(m, n), draw(m, n), turns, draw(m, n)


def vectors(draw, n, turns=(2, 1, 4)):
    """a few turns, one axis"""
    return draw(n), draw(n), turns, draw(n)


def ends(draw, n, turns=(0, 30)):
    """no turn, and many"""
    a = draw(n)
    return draw(n), (a / 2).astype(a.dtype), turns, draw(n)


def _is(**mistake):
    return recognise.gradient_is(
        lambda x, a, turns, dout: pulled(x, a, int(turns), dout, **mistake)
    )


mistakes = (
    Mistake(
        "returns-nothing",
        lambda failure: failure.code == "gradient-count" and failure.got is None,
        "Your function returns nothing.", "Without a `return`, a Python function gives `None`.",
        "End it with `return` and both gradients.",
    ),
    Mistake(
        "numpy-in-a-graph", recognise.needs_numbers,
        "It works op by op, but it cannot be compiled.",
        "While a graph is made there are no numbers yet: NumPy has nothing to work with.",
        "Say the same with tensors' own arithmetic, or with `ops`.",
    ),
    Mistake(
        "forgot-dout", _is(weighed=False), "`dout` is missing.",
        "The walk back begins with what arrives at the result, and that is dout, not ones.",
        "What is dy before the last turn is gone through?",
    ),
    Mistake(
        "walks-forwards", _is(ahead=True), "Your second loop begins with the first turn.",
        "The last turn was the last to change y, so what comes back passes it first.",
        "In which order do stacks give things back?",
    ),
    Mistake(
        "sum-forgotten", _is(last=True), "Only one turn counts for `a`.",
        "Every turn has used `a`, so it gets something back from each of them.",
        "What happens to da of an earlier turn when the next one is gone through?",
    ),
    Mistake(
        "too-early", _is(early=True), "`a` gets what belongs to the turn before.",
        "What arrives at a turn goes to both factors of its product. By the time da is formed, "
        "you have already replaced it by what leaves the turn.",
        "Which of your two lines must come first?",
    ),
    Mistake(
        "values-after", _is(after=True), "The slope is taken where the turn ended.",
        "The sine was taken of what y was as the turn began.",
        "Which of the two values that were kept is that?",
    ),
    Mistake(
        "no-cosine", _is(cosine=False), "The slope of the sine is missing.",
        "Going back through a sine multiplies with its slope.", "What is the derivative of sin?",
    ),
    Mistake(
        "no-factor", _is(factor=False), "The factor `a` is missing.",
        "Going back through the product to the sine multiplies with the other factor.",
        "Go back through one turn on paper: first the product, then the sine.",
    ),
)  # fmt: skip

hints = (
    "Take a single turn first: y = sin(before) * a. What arrives is dy. What goes to `a`, what to "
    "`before`?",
    "Begin with dy = dout and da = zeros. For each turn, the last one first: add to da what comes "
    "to it from this turn, then let dy become what arrives at the turn before.",
    "A sibling, y = y * y + a, of which y was kept:\n\n"
    "    back, share = dout, 0.0 * a\n"
    "    for y in kept[::-1]:\n"
    "        share = share + back\n"
    "        back = back * 2.0 * y\n"
    "    return back, share",
)

_BEGIN, _FOR = "to_y, to_a = dout,", "for before, sine in reversed(kept):"
_SUM, _BACK = "to_a = to_a + to_y * sine", "to_y = to_y * a * ops.cos(before)"
_BOTH = f"{_SUM}\n        {_BACK}"

mutants = (
    Mutant("walks-forwards", _FOR, "for before, sine in kept:"),
    Mutant("sum-forgotten", _SUM, "to_a = to_y * sine"),
    Mutant("too-early", _BOTH, f"{_BACK}\n        {_SUM}"),
    Mutant("values-after", "ops.cos(before)", "ops.cos(sine * a)"),
    Mutant("forgot-dout", _BEGIN, "to_y, to_a = ops.ones_like(dout),"),
    Mutant("no-cosine", _BACK, "to_y = to_y * a"),
    Mutant("no-factor", _BACK, "to_y = to_y * ops.cos(before)"),
    Mutant("gradient-values", _BACK, "to_y = to_y * a * ops.sin(before)"),
    Mutant("gradient-values", "return to_y, to_a", "return to_a, to_y"),
    Mutant("gradient-count", "return to_y, to_a", "return to_y"),
    Mutant("gradient-none", "return to_y, to_a", "return to_y, None"),
    Mutant("returns-nothing", "return to_y, to_a", "found = to_y, to_a"),
    Mutant("gradient-kind", "to_a = dout, ops.zeros_like(a)", "to_a = dout, 0.0"),
    Mutant("raises", _FOR, "for before, sine in reversed(keep):"),
    Mutant("numpy-in-a-graph", _BACK,
           "to_y = to_y * a * Tensor(np.cos(before.asnumpy()))"),
)  # fmt: skip

variants = {
    "places, a slice": """
def swings_back(x, a, turns, dout):
    ys = [x]
    for _ in range(turns):
        ys.append(ops.sin(ys[-1]) * a)
    da = ops.zeros_like(a)
    for k in range(turns - 1, -1, -1):
        sine = ops.sin(ys[k])
        da = da + sine * dout
        dout = dout * (a * ops.cos(ys[k]))
    return [dout, da]
""",
    "recursion": """
def swings_back(x, a, turns, dout):
    if turns == 0:
        return dout, ops.zeros_like(a)
    sine = ops.sin(x)
    dy, da = swings_back(sine * a, a, turns - 1, dout)
    return dy * a * ops.cos(x), da + dy * sine
""",
}

_ASKED = {"judge": gradients.like(pulled), "inputs": "x a turns dout"}
exercise = Exercise(
    target="swings_back",
    contract="Return the gradients of x and a of a loop y = sin(y) * a, for any number of turns.",
    checks=(
        Check("gradients", "a few turns", 2, "call",
              drawn(vectors, matrices, dtypes="f32 f64"), **_ASKED),
        Check("ends", "no turn, and many", 1, "call",
              drawn(ends, dtypes="f64 f32"), **_ASKED),
        Check("compiled", "the same as part of a graph", 1, "graph",
              drawn(vectors, dtypes="f32"), needs=("gradients",), **_ASKED),
    ),
    mistakes=mistakes, hints=hints, mutants=mutants, variants=variants,
)  # fmt: skip
