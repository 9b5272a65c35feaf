"""What an op promises before its body runs: read from its graph, compared with the real type."""

import numpy as np
import pytest

from ms_ext import dtype, ops
from ms_ext.grading import routines
from ms_ext.grading.drawing import Draw, Question
from ms_ext.grading.layers import promises


def never(*_arrays):
    """A body that must not run."""
    raise AssertionError("the body ran")


def op(shape, kind):
    return ops.Custom(never, shape, kind)


def asked(*types):
    return Question("", (), {"types": list(types)})


def judged(target, *types, parts=()):
    question = asked(*types)
    text = routines.trace(target, (), question.options)
    return promises.of(np.maximum, *parts)(question, text)


def test_a_true_promise_passes_and_no_body_runs():
    right = op(lambda x, y: np.broadcast_shapes(x, y), lambda x, y: y)
    assert judged(right, "f32[2,1]", "f64[3]") is None


@pytest.mark.parametrize(
    "shape, kind, code", [((2, 3), dtype.float32, "dtype"), ((2, 1), dtype.float64, "shape")]
)
def test_a_false_promise_says_which_part_is_wrong(shape, kind, code):
    failure = judged(ops.Custom(lambda x, y: x, shape, kind), "f32[2,1]", "f64[3]")
    assert failure.code == code and repr(failure.expected) == "f64[2,3]"
    other = {"dtype": "shape", "shape": "dtype"}[code]
    assert (
        judged(ops.Custom(lambda x, y: x, shape, kind), "f32[2,1]", "f64[3]", parts=(other,))
        is None
    )


@pytest.mark.parametrize(
    "text", [None, 3, "", "return %1", "%1 = f(%0) : (f32[2], f32[2])\n  return %1"]
)
def test_what_is_no_graph_of_one_tensor_promises_nothing(text):
    failure = promises.of(np.maximum)(asked("f32[1]", "f32[1]"), text)
    assert failure.code == "kind"


def test_a_family_of_which_only_types_are_shown():
    def pair(draw, m, n):
        """two"""
        return draw(m, n), draw(n, dtype="i8")

    question = promises.types_of(pair)(Draw("f16", 1), m=2, n=3)
    assert question.operands == () and question.options == {"types": ["f16[2,3]", "i8[3]"]}
    assert [each.dtype.name for each in promises.arrays(question)] == ["float16", "int8"]


def test_a_refusal_is_told_in_its_own_words():
    def shape(x):
        raise ValueError(f"not {x}")

    assert (
        routines.refused(op(shape, dtype.float32), (), {"types": ["f32[2]"]})
        == "ValueError: not [2]"
    )
    assert routines.refused(op((2,), dtype.float32), (), {"types": ["f32[2]"]}) is None
