"""08.settle_back: repair a way back that walks forwards, asks the wrong value, forgets a sum."""

import numpy as np

from ms_ext.grading import recognise
from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.layers import gradients

EDGE = 1.0  # where the branch of `settle` turns
FAR = 1e-3  # from it: float32 and float64 go the same way


def forward(x, a, turns):
    """What each turn begins with, and the result."""
    values = [x]
    for _ in range(turns):
        y = values[-1]
        values.append(y * a if y.sum() > EDGE else np.tanh(y) + a)
    return values


def pulled(x, a, turns, dout, *, ahead=False, by="y", summed=(True, True), swapped=False):
    """The right gradients, or what they are with some of the mistakes.

    ``ahead``: the first turn first. ``by``: what chooses the branch, "y", "dy" or "out".
    ``summed``: whether the branches add to da. ``swapped``: each turn takes the other branch.
    """
    *kept, out = forward(x, a, turns)
    dy, da = dout, np.zeros_like(a)
    for y in kept if ahead else reversed(kept):
        asked = {"y": y, "dy": dy, "out": out}[by]
        large = (asked.sum() > EDGE) != swapped
        moved = dy * y if large else dy
        da = da + moved if summed[0 if large else 1] else moved
        dy = dy * a if large else dy * (1.0 - np.tanh(y) ** 2)
    return dy, da


def vectors(draw, n, turns=(2, 3, 4, 5)):
    """a few turns"""
    return _clear(draw, turns, n)


def matrices(draw, m, n, turns=(3, 2, 5, 4)):
    """a few turns, two axes"""
    return _clear(draw, turns, m, n)


def ends(draw, n, turns=(1, 9, 0, 12)):
    """no turn, one, and many"""
    return _clear(draw, turns, n)


def _clear(draw, turns, *shape):
    """x, a, turns, dout: none of the sums that choose a branch is near the edge."""
    while True:
        x, a, dout = draw(*shape), draw(*shape), draw(*shape)
        sums = [y.astype(np.float64).sum() for y in forward(x, a, turns)]
        if all(abs(each - EDGE) > FAR for each in sums):
            return x, a, turns, dout


def _is(*several):
    """The gradients are those of one of these wrong ways."""
    seen = [recognise.gradient_is(_wrong(each)) for each in several]
    return lambda failure: any(sees(failure) for sees in seen)


def _wrong(mistake):
    return lambda x, a, turns, dout: pulled(x, a, int(turns), dout, **mistake)


_SUMS = [(True, True), (True, False), (False, True), (False, False)]
_AHEAD = [
    {"ahead": True, "by": by, "summed": summed} for by in ("y", "dy", "out") for summed in _SUMS
]
_BRANCH = [{"by": by, "summed": summed} for by in ("dy", "out") for summed in _SUMS]
_BRANCH.append({"swapped": True})

mistakes = (
    Mistake(
        "sum-forgotten", _is(*({"summed": each} for each in _SUMS[1:])),
        "Only one turn counts for `a`, at least in one branch.",
        "Every turn has used `a`, so it gets something back from each of them, whichever branch it "
        "took.",
        "Where is da replaced instead of added to?",
    ),
    Mistake(
        "wrong-branch", _is(*_BRANCH), "A turn goes back through a branch that it did not take.",
        "Which branch ran was decided by y as the turn began. What comes back knows nothing of "
        "that.",
        "Which value did `settle` ask, and where is it kept?",
    ),
    Mistake(
        "walks-forwards", _is(*_AHEAD), "Your second loop begins with the first turn.",
        "The last turn was the last to change y, so what comes back passes it first.",
        "In which order do stacks give things back?",
    ),
)  # fmt: skip

hints = (
    "Three questions to the second loop: which turn comes first? Which value chooses the branch? "
    "What becomes of da from turn to turn?",
    "Backwards means: the last turn first, the same branch as on the way there, and a sum for what "
    "is the same in every turn. In both branches.",
    "A sibling, y = 2 * y where y < 0, else y + a:\n\n"
    "    for before in kept[::-1]:\n"
    "        if before < 0.0:\n"
    "            dy = dy * 2.0\n"
    "        else:\n"
    "            da += dy",
)

_FOR, _IF = "for y in reversed(kept):", "if ops.sum(y) > 1.0:"
_MUL, _ADD = "da = da + dy * y", "            da = da + dy\n"

mutants = (
    Mutant("walks-forwards", _FOR, "for y in kept:"),
    Mutant("wrong-branch", _IF, "if ops.sum(dy) > 1.0:"),
    Mutant("wrong-branch", _FOR, "end = ops.sum(y) > 1.0\n    for y in reversed(kept):",
           more=((_IF, "if end:"),)),
    Mutant("sum-forgotten", _MUL, "da = dy * y"),
    Mutant("sum-forgotten", _ADD, "            da = dy\n"),
    Mutant("sum-forgotten", _MUL, "da = dy * y", more=((_ADD, "            da = dy\n"),)),
    Mutant("wrong-branch", _IF, "if not ops.sum(y) > 1.0:"),
    Mutant("walks-forwards", _FOR, "for y in kept:",
           more=((_MUL, "da = dy * y"), (_ADD, "            da = dy\n"))),
    Mutant("gradient-values", _MUL, "da = da + dy * a"),
    Mutant("gradient-count", "return dy, da", "return dy"),
)  # fmt: skip

variants = {
    "what ran is kept": """
def settle_back(x, a, turns, dout):
    stack, y = [], x
    for _ in range(turns):
        large = y.sum() > 1.0
        stack.append((large, y))
        y = settle(y, a, 1)
    da = 0.0 * a
    while stack:
        large, y = stack.pop()
        if large:
            dout, da = dout * a, da + dout * y
        else:
            t = ops.tanh(y)
            dout, da = dout - dout * t * t, da + dout
    return dout, da
""",
    "both branches, chosen by where": """
def settle_back(x, a, turns, dout):
    ys = [x]
    for _ in range(turns):
        ys.append(settle(ys[-1], a, 1))
    dy, da = dout, ops.zeros_like(a)
    for k in range(turns - 1, -1, -1):
        y = ys[k]
        large = y.sum() > 1.0
        da = da + ops.where(large, dy * y, dy)
        dy = dy * ops.where(large, a, 1.0 - ops.tanh(y) * ops.tanh(y))
    return dy, da
""",
}

_ASKED = {"ask": "call", "judge": gradients.like(pulled), "inputs": "x a turns dout"}
exercise = Exercise(
    target="settle_back",
    contract="Return the gradients of x and a of `settle`, for any number of turns.",
    checks=(
        Check("gradients", "a few turns", 2, cases=drawn(vectors, matrices, dtypes="f32 f64"),
              **_ASKED),
        Check("ends", "no turn, one, and many", 1, cases=drawn(ends, dtypes="f64 f32"), **_ASKED),
    ),
    mistakes=mistakes, hints=hints, mutants=mutants, variants=variants,
)  # fmt: skip
