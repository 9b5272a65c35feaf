"""What a check looks at: values, gradients, structure, cost, order; each way to be wrong."""

import numpy as np
import pytest

from ms_ext import Tensor, ops
from ms_ext.engine import ir, jit
from ms_ext.grading.drawing import Question
from ms_ext.grading.graph_cases import built
from ms_ext.grading.layers import costs, gradients, structure, values
from ms_ext.grading.wire import Other

ONE = np.array([1.0, -2.0, 3.0], "f4")


def code(failure):
    return failure and failure.code


# values -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer, expected",
    [
        (ONE * 2, None),
        (ONE * 2 + np.float32(1e-6), None),
        (ONE * 2 + np.float32(1e-3), "values"),
        ((ONE * 2).astype("f8"), "dtype"),
        ((ONE * 2).reshape(3, 1), "shape"),
        ((ONE * 2,), None),
        ((ONE * 2, ONE), "count"),
        ((), "count"),
        (None, "kind"),
        ("twice", "kind"),
        (Other("Cell"), "kind"),
        ({"a": 1}, "kind"),
        (7, "kind"),
    ],
)
def test_values_like_a_reference(answer, expected):
    judge = values.like(lambda x: x * 2)
    assert code(judge(Question("", (ONE,)), answer)) == expected


def test_the_first_index_that_differs_is_told():
    wrong = ONE * 2
    wrong[1:] = 0
    failure = values.like(lambda x: x * 2)(Question("", (ONE,)), wrong)
    assert failure.place == "at [1]" and failure.words == "2 of 3 elements differ."


def test_several_results():
    judge = values.like(lambda x: (x, x * 2))
    assert judge(Question("", (ONE,)), (ONE, ONE * 2)) is None
    failure = judge(Question("", (ONE,)), (ONE, ONE))
    assert failure.name == "second output" and "of the second output" in failure.place
    assert code(judge(Question("", (ONE,)), ONE)) == "count"


@pytest.mark.parametrize("special", [np.inf, -np.inf, np.nan])
def test_infinities_and_nans_must_agree(special):
    x = np.array([special, 1.0], "f4")
    judge = values.like(lambda x: x)
    assert judge(Question("", (x,)), x) is None
    assert code(judge(Question("", (x,)), np.zeros(2, "f4"))) == "values"
    assert code(judge(Question("", (ONE,)), np.full(3, special, "f4"))) == "values"
    assert code(judge(Question("", (x,)), np.array([99.0, 1.0], "f4"))) == "values"


def test_numbers_stand_for_arrays_without_dimensions():
    judge = values.like(lambda x: x.sum())
    assert judge(Question("", (ONE,)), 2.0) is None
    assert code(judge(Question("", (ONE,)), 3.0)) == "values"


def test_half_precision_has_room_and_not_too_much():
    x = np.linspace(-3, 3, 50).astype("f2")
    judge = values.like(np.tanh)
    assert judge(Question("", (x,)), np.tanh(x)) is None
    assert code(judge(Question("", (x,)), np.tanh(x * np.float16(1.05)))) == "values"


@pytest.mark.parametrize(
    "wanted, got, expected",
    [
        ([1, 2], [1, 2], None),
        ([1, 2], (1, 2), None),
        ([1, 2], [1, 3], "values"),
        ([1, 2], [1], "count"),
        (3, 3, None),
        (3, True, "values"),
        ("a", "b", "values"),
        ([ONE], [ONE], None),
        ([ONE], [ONE * 2], "values"),
        ([ONE], [[1]], "values"),
        (True, 1, "values"),
    ],
)
def test_plain_data(wanted, got, expected):
    assert code(values.exactly(lambda: wanted)(Question(""), got)) == expected


# gradients ----------------------------------------------------------------------------------------


def product(x, y):
    return x * y


def asked(dtype="f4"):
    rng = np.random.default_rng(0)
    x, y, dout = (rng.normal(size=s).astype(dtype) for s in ((2, 3), (3,), (2, 3)))
    return Question("", (x, y, x * y, dout))


def right(question):
    x, y, _, dout = question.operands
    return dout * y, (dout * x).sum(0)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_gradients_that_are_right(dtype):
    question = asked(dtype)
    assert gradients.of(product)(question, right(question)) is None
    assert gradients.of(product)(question, list(right(question))) is None


@pytest.mark.parametrize(
    "change, expected",
    [
        (lambda dx, dy: (dx,), "gradient-count"),
        (lambda dx, dy: (dx, dy, dy), "gradient-count"),
        (lambda dx, dy: dx, "gradient-count"),
        (lambda dx, dy: (dx, None), "gradient-none"),
        (lambda dx, dy: (dx, 0), "gradient-kind"),
        (lambda dx, dy: (dx, dx), "gradient-shape"),
        (lambda dx, dy: (dx.astype("f8"), dy), "gradient-dtype"),
        (lambda dx, dy: (-dx, dy), "gradient-values"),
        (lambda dx, dy: (dx, dy * np.float32(1.001)), "gradient-values"),
        (lambda dx, dy: (np.full_like(dx, np.nan), dy), "gradient-values"),
    ],
)
def test_gradients_that_are_wrong(change, expected):
    question = asked()
    assert code(gradients.of(product)(question, change(*right(question)))) == expected


def test_differences_of_functions_with_known_gradients():
    x, dout = np.array([0.3, -1.2, 2.0]), np.array([1.0, 2.0, -0.5])
    (slope,) = gradients.differences(np.sin, (x,), dout)
    np.testing.assert_allclose(slope, np.cos(x) * dout, rtol=1e-8)
    slopes = gradients.differences(lambda a, b: (a @ b, a), (np.eye(2), np.ones((2, 1))), (
        np.ones((2, 1)), np.zeros((2, 2)),
    ))  # fmt: skip
    np.testing.assert_allclose(slopes[0], np.ones((2, 2)), rtol=1e-8)


def test_whole_numbers_have_no_gradient():
    x, ids, dout = ONE.astype("f8"), np.array([0, 2]), np.array([1.0, 5.0])
    question = Question("", (x, ids, dout))
    judge = gradients.of(lambda x, ids: x[ids])
    assert judge(question, (np.array([1.0, 0.0, 5.0]), np.zeros(2, int))) is None
    assert code(judge(question, (np.array([0.0, 0.0, 5.0]), np.zeros(2, int)))) == "gradient-values"


# structure and cost -------------------------------------------------------------------------------


def text(function, *kinds):
    return ir.dump(built(function, kinds))


def square(x):
    return x * x + x


WANTED = Question("", (), {}, built(square, ["f32[2]"]))


def swapped(x):
    return x + x * x


def computed_twice(x):
    return x * x + x * 1.0


@pytest.mark.parametrize(
    "answer, expected",
    [
        (text(square, "f32[2]"), None),
        ({"graph": text(square, "f32[2]")}, None),
        (text(swapped, "f32[2]"), "other-graph"),
        (text(square, "f32[3]"), "interface"),
        (text(lambda x: (x * x + x).sum(), "f32[2]"), "interface"),
        (text(lambda x: x * x - x, "f32[2]"), "other-values"),
        ("nonsense", "invalid"),
        ("", "invalid"),
        (None, "invalid"),
        ({"graph": 3}, "invalid"),
        ("x" * (structure.LONGEST + 1), "invalid"),
    ],
)
def test_the_same_graph(answer, expected):
    assert code(structure.same_graph()(WANTED, answer)) == expected


def test_form_tells_apart_what_is_shared():
    def shared(x):
        y = x * x
        return y + y

    def twice(x):
        return x * x + x * x

    one, other = built(shared, ["f32[2]"]), built(twice, ["f32[2]"])
    assert structure.form(one) == structure.form(ir.load(ir.dump(one)))
    assert structure.form(one) != structure.form(other)


def loop(x):
    while x.sum() < 10.0:
        x = x * 2.0
    return x


def test_form_of_regions():
    one = jit.trace(loop, Tensor([1.0, 2.0]))
    assert structure.form(one) == structure.form(ir.load(ir.dump(one)))
    changed = ir.dump(one).replace("2.0: float", "3.0: float")
    assert structure.form(one) != structure.form(ir.load(changed))


def test_counts_and_costs():
    graph = WANTED.graph
    assert structure.size(graph) == 2
    assert structure.kernels(graph) == structure.allocations(graph) == 1
    assert structure.counts(nodes=2, kernels=1)(WANTED, ir.dump(graph)) is None
    longer = text(computed_twice, "f32[2]")
    failure = structure.counts(nodes=lambda q: structure.size(q.graph))(WANTED, longer)
    assert (failure.code, failure.got) == ("too-many", 3)
    assert costs.bound(flops=4, bytes=100, peak=100)(WANTED, ir.dump(graph)) is None
    assert code(costs.bound(flops=lambda q: 4)(WANTED, longer)) == "too-costly"
    assert code(costs.bound(nodes=1)(WANTED, "nonsense")) == "invalid"


def test_a_graph_that_cannot_be_fused_needs_more():
    matrix = built(lambda x: (x @ x) * 2.0 + 1.0, ["f32[3,3]"])
    assert structure.kernels(matrix) == 2 and structure.allocations(matrix) == 2


def test_a_huge_graph_is_not_run():
    bomb = text(lambda x: (x + 1.0) @ (x + 1.0), "f32[8000,8000]")
    wanted = Question("", (), {}, ir.load(bomb))
    other = text(lambda x: (x + 2.0) @ (x + 1.0), "f32[8000,8000]")
    small = np.zeros(2, "f4")
    failure = structure.evaluation.run(ir.load(other), (small,))
    assert failure.code == "too-costly" and wanted.graph is not None


def test_a_graph_that_cannot_run_is_no_crash():
    graph = built(lambda x, ids: ops.gather(x, ids, 0), ["f32[3]", "i64[2]"])
    failure = structure.evaluation.run(graph, (ONE, np.array([0, 99])))
    assert failure.code == "invalid" and "Running it raises" in failure.words


# compilations -------------------------------------------------------------------------------------

CALLS = Question("", tuple((np.arange(2, dtype="f4") + k,) for k in range(3)))
once = structure.compiled(1, lambda x: x / 2, values.compare)


def test_one_graph_answers_all_calls():
    halves = text(lambda x: x / 2, "f32[2]")
    assert once(CALLS, {"graphs": [halves], "answers": []}) is None


@pytest.mark.parametrize(
    "graphs, expected",
    [
        ([text(lambda x: x / 2, "f32[2]")] * 2, "compiled-again"),
        ([text(lambda x: x / 3, "f32[2]")], "values"),
        ([text(lambda x: x / 2, "f32[3]")], "interface"),
        ([], "interface"),
        (["nonsense"], "invalid"),
        (7, "kind"),
    ],
)
def test_a_graph_that_is_not_sent_cannot_answer(graphs, expected):
    assert code(once(CALLS, {"graphs": graphs, "answers": []})) == expected
