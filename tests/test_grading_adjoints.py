"""A graph that comes back as an adjoint is judged by what it takes, gives, calculates and costs."""

import pytest

from ms_ext import ops
from ms_ext.engine import ir
from ms_ext.engine.autodiff import vjp
from ms_ext.grading.drawing import Draw
from ms_ext.grading.layers import adjoints


@pytest.fixture
def question():
    """(x - y) ** 2 with x broadcast over rows."""
    graph, (x, y) = adjoints.begun(Draw("f32", 1), x=(3,), y=(2, 3))
    d = graph.add(ops.Sub, (x, y), name="d")
    return adjoints.question("squares", graph, graph.add(ops.Mul, (d, d)))


def written(question, *, double=1.0, swapped=False, more=0):
    """The text of an adjoint with faults."""
    graph = vjp(question.graph)
    dx, dy = graph.outputs
    for _ in range(more):
        dx = graph.add(ops.Neg, (graph.add(ops.Neg, (dx,)),))
    if double != 1.0:
        dy = graph.add(ops.Mul, (dy, graph.constant(double)))
    graph.returns(*((dy, dx) if swapped else (dx, dy)))
    return ir.dump(graph)


def test_the_question_has_small_numbers_the_same_in_every_run(question):
    assert question.operands == (
        "ms_ext graph 1\n"
        "graph f@0(%1 x: f32[3], %2 y: f32[2,3]) {\n"
        "  %3 d = Sub(%1, %2) : f32[2,3]\n"
        "  %4 = Mul(%3, %3) : f32[2,3]\n"
        "  return %4\n"
        "}\n",
    )
    assert question.title == "squares   (x f32[3], y f32[2,3])"


def test_the_engines_own_adjoint_is_right(question):
    assert adjoints.right(question, written(question)) is None
    assert adjoints.sparing(lambda graph: 0)(question, written(question)) is None


@pytest.mark.parametrize(
    "faults, code, says",
    [
        ({"double": 2.0}, "gradient-values", "second input"),
        ({"swapped": True}, "interface", "It gives f32[2,3], f32[3]; it should give f32[3]"),
    ],
)
def test_what_is_wrong_is_named(question, faults, code, says):
    failure = adjoints.right(question, written(question, **faults))
    assert failure.code == code and says in failure.words
    assert failure.wanted is not None and failure.yours is not None


def test_a_wrong_gradient_comes_with_the_graph_and_the_numbers(question):
    failure = adjoints.right(question, written(question, double=2.0))
    assert [name for name, _, _ in failure.inputs] == ["text", "x", "y", "dout"]
    assert failure.inputs[0][2].startswith("ms_ext graph 1")
    number = failure.inputs[1][2].strip("[]").split(", ")[0]
    assert len(number) <= 5  # two digits behind the point: easy to follow by hand


def test_more_calls_than_allowed_are_counted(question):
    judge = adjoints.sparing(lambda graph: 1)
    failure = judge(question, written(question, more=1))
    assert failure.code == "too-many" and repr(failure.got) == f"{failure.expected + 1} calls"
    assert adjoints.sparing(lambda graph: 2)(question, written(question, more=1)) is None


@pytest.mark.parametrize("answer", [None, 7, "no graph", {"graph": "ms_ext graph 9"}])
def test_what_is_no_graph_is_said(question, answer):
    assert adjoints.right(question, answer).code == "invalid"
    assert adjoints.sparing(lambda graph: 0)(question, answer).code == "invalid"


def test_a_mistake_is_known_by_the_gradient_it_gives(question):
    failure = adjoints.right(question, written(question, double=2.0))
    failure = failure.__class__(**{**failure.__dict__, "question": question})

    def doubled(graph, x, y, dout):
        return None, -4 * (x - y) * dout

    assert adjoints.gradient_as(doubled)(failure)
    assert not adjoints.gradient_as(lambda graph, x, y, dout: (None, x - y))(failure)
    assert not adjoints.gradient_as(lambda graph, *values: None)(failure)
