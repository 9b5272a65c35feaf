"""What a hidden check tries never reaches a learner's page, however the answer goes about it."""

import numpy as np
import pytest

from ms_ext.grading import exercise, judging
from ms_ext.grading.classroom import bundle, feedback, gradescope, rows
from ms_ext.grading.drawing import drawn
from ms_ext.grading.sandbox import Nursery

NAME = "05.mul_bprop"
NUMBER = 7654.25  # only the hidden check's inputs hold it
SECRETS = (str(NUMBER), "zq9")
#: Answers that are wrong in the open, remember all they see, and try to tell it.
ANSWERS = {
    "an error": "raise ValueError(' '.join(seen)[-1500:])",
    "a value": "return [Tensor(np.full(x.shape, last(), x.asnumpy().dtype))] * 2",
    "a print": "print(seen)\n    return dout * x, dout * y",
    "what is given": "return seen",
    "an error only in the hidden check": (
        "if '7654.25' in seen[-1]: raise ValueError(seen[-1])\n    return dout * y, dout * x"
    ),
    "the name of an error only in the hidden check": (
        "if '7654.25' in seen[-1]: raise type(seen[-1], (ValueError,), {})()\n"
        "    return dout * y, dout * x"
    ),
    "a wrong value only in the hidden check": (
        "return (x, y) if '7654.25' in seen[-1] else (dout * y, dout * x)"
    ),
}
TEXT = """
import numpy as np
from ms_ext import Tensor
seen = []
def last():
    return next((7654.25 for each in seen if "7654.25" in each), 0.0)
def mul_bprop(x, y, out, dout):
    seen.append(str(x.asnumpy()) if hasattr(x, "asnumpy") else "graph")
    ...
"""


def constant(draw, m):
    """zq9 inputs that are all the same"""
    x = np.full((m,), NUMBER)
    return x, x + 1, x * (x + 1), draw(m, dtype="f64")


@pytest.fixture(scope="module")
def nursery():
    """One clean process for all answers."""
    with Nursery() as made:
        yield made


@pytest.mark.parametrize("answer", ANSWERS)
def test_nothing_comes_out(nursery, answer):
    declared = exercise.load(NAME)
    extra = declared.checks[0]._replace(
        name="zq9", title="zq9 inputs", cases=drawn(constant, dtypes="f64"), open=False
    )
    declared = declared._replace(checks=(declared.checks[0], extra))
    text = TEXT.replace("...", ANSWERS[answer])
    with_key = bundle.drawing.seeded("a key", "ada", NAME)
    child = nursery.child()
    try:
        verdict = judging.judge(
            declared, [("In[1]", text)], child, seed=with_key, clean=nursery.child
        )
    finally:
        child.close()
    assert not verdict and verdict.checks[-1].total and not verdict.checks[-1].points
    row = rows.of_verdict(verdict) | {"learner": "ada", "exercise": NAME, "points": verdict.points}
    row |= {"bundle": "b", "version": "1"}
    result = feedback.Result(row, verdict)
    shown = feedback.render("ada", [result]), str(feedback.shared(verdict)), str(row)
    shown += (str(gradescope.results([row], {("ada", NAME): str(feedback.shared(verdict))})),)
    found = [secret for secret in SECRETS for text in shown if secret in text]
    assert found == []
    assert "{" not in verdict.headline
