"""What goes through the stages is graded by its steps: which calls, and where the caller waited."""

import numpy as np

from ms_ext import ops
from ms_ext.grading.routines import ROUTINES

X = np.array([1.0, 2.0], np.float32)


def asked(target):
    return ROUTINES["staged"](target, (X,), {})


def test_the_steps_are_calls_and_waits_in_their_order():
    def target(x):
        y = ops.exp(x) * 2.0
        y.asnumpy()
        return y + 1.0

    found = asked(target)
    assert np.allclose(found["answer"], np.exp(X) * 2 + 1)
    steps = [step for step in found["steps"] if step[0] != "shape"]  # asked for only if not known
    assert steps == [["Exp"], ["Mul"], ["data", 2], ["Add"]]


def test_reading_the_answer_is_nobodys_wait():
    assert asked(lambda x: (x * 2.0, [x + 1.0]))["steps"] == [["Mul"], ["Add"]]


def test_what_never_goes_through_the_stages_has_no_steps():
    assert asked(lambda x: x.asnumpy() * 2)["steps"] == []
