"""Verdicts of every kind, made by hand, for the tests of how they look."""

import json

from ms_ext import ops, viz  # noqa: F401 - graphs in text form name ops
from ms_ext.engine.ir import load
from ms_ext.grading.notebook.hints import Hint
from ms_ext.grading.verdict import CheckResult, Picture, Verdict, Witness

HOSTILE = '<script>alert("x")</script>'
HEAD = "ms_ext graph 1\ngraph g@1(%1 x: f32[2], %2 y: f32[2]) {\n"


def graph(*lines, result):
    """A graph of x and y from the lines of its text form."""
    return load(f"{HEAD}{''.join(f'  {line}{chr(10)}' for line in lines)}  return {result}\n}}\n")


def wanted():
    """x - y, made positive."""
    return graph("%3 = Sub(%1, %2) : f32[2]", "%4 = Abs(%3) : f32[2]", result="%4")


def yours():
    """y - x and a needless step."""
    return graph("%3 = Sub(%2, %1) : f32[2]", "%4 = Neg(%3) : f32[2]", result="%4")


WANTED = [("load", "copy", 0, 3), ("add", "vector", 3, 5), ("store", "out", 5, 8)]
YOURS = [("load", "copy", 0, 3), ("add", "vector", 2, 4), ("store", "out", 4, 7)]


def timeline():
    """A task that begins too early."""
    return viz.schedule(WANTED, YOURS, [("load", "add")], " µs")


RIGHT = CheckResult("values", "two gradients with the right values", 2, 2, 9, 9)
WRONG = CheckResult("shapes", "also where `x` and `y` have different shapes", 0, 1, 2, 6, "shape")
WAITS = CheckResult("quiet", "other graphs stay as they are", 0, 1, 4, 4, "not-earned")
UNASKED = CheckResult("jit", "inside a compiled function", 0, 1)
HIDDEN = CheckResult("more", "large shapes", 1, 1, 5, 5, open=False)
WITNESS = Witness(
    "a row with a column (f32)",
    inputs=(("x", "f32[1,2]", "[[2., 3.]]"), ("y", "f32[2,1]", "[[5.], [7.]]"), ("n", "", "3")),
    expected="f32[1,2]",
    got="f32[2,2]",
    place="gradient 1 of 2, shape",
    more=(("your line", "return dout * y, dout * x"),),
)
PARTLY = Verdict(
    "05.mul_bprop", "partly", "gradient-shape",
    "Your first gradient has the shape of the result, not of `x`.",
    "Where an operand was broadcast, one of its elements went into several elements of the result."
    " Its gradient is what comes back from all of them.\n    dx.shape == x.shape",
    WITNESS, "Which elements of the result did one element of `x` go into?",
    printed=HOSTILE, checks=(RIGHT, WRONG, WAITS, UNASKED), points=2, of=5, seconds=0.4,
)  # fmt: skip
PASSED = Verdict(
    "05.mul_bprop", "passed", "passed", "Passed: both gradients are right.",
    checks=(RIGHT, HIDDEN), points=3, of=3, sha="0123456789abcdef", seconds=0.4,
    warnings=("not saved yet when this was checked: save the notebook",),
)  # fmt: skip
MISSING = Verdict(
    "12.fold", "not attempted", "missing", "Nothing here defines `fold`.",
    next="Run (or save) the cell that makes `fold`, then check again.", of=4, seconds=0.2,
)  # fmt: skip


def with_graphs():
    """A failed verdict with a graph."""
    picture = Picture.of(viz.compare(wanted(), yours()))
    headline = "Your graph computes other values."
    return Verdict("10.graph_of", "failed", "values", headline, picture=picture, of=2, seconds=0.5)


def with_timeline():
    """A failed verdict with a schedule."""
    picture = Picture.of(timeline())
    headline = "A task starts before what it needs is done."
    return Verdict("09.plan", "failed", "order", headline, picture=picture, of=2, seconds=0.5)


def every():
    """A verdict of every kind by name."""
    return {
        "partly": PARTLY,
        "passed": PASSED,
        "not attempted": MISSING,
        "a graph": with_graphs(),
        "a schedule": with_timeline(),
    }


NUDGE = Hint("05.mul_bprop", 1, "Write the product rule for one element.\n\nThen look at shapes.")
SIBLING = Hint(
    "05.mul_bprop",
    3,
    "Its sibling, `x + y`:\n\n```python\ndef f(a < b):\n    return dout, dout\n```\n",
)


def notebook(path, *texts, outputs=()):
    """Write a notebook with these code cells."""
    cells = [
        {"cell_type": "code", "source": text, "outputs": [], "metadata": {}, "execution_count": 1}
        for text in texts
    ]
    cells[-1]["outputs"] = list(outputs)
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    return path
