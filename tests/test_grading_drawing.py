"""Cases: every size, shape and dtype that finds mistakes is there, from every seed."""

import numpy as np
import pytest

from ms_ext import dtype as dtypes
from ms_ext.grading import drawing, exercise
from ms_ext.grading.drawing import TILE, Draw, Question, drawn, joined, kind_of, listed, seeded
from ms_ext.grading.graph_cases import Graphs

SEEDS = range(12)


def table(draw, m, n):
    """a table"""
    return (draw(m, n), draw(n, m))


def sided(draw, n, side=("left", "right", "both")):
    """a row"""
    return (draw(n), side)


def sizes(seed):
    return [tuple(case.sizes.values()) for case in drawn(table).cases(seed)]


@pytest.mark.parametrize("seed", SEEDS)
class TestEverySeed:
    def test_size_one_first(self, seed):
        assert sizes(seed)[0] == (1, 1)

    def test_a_tail_and_more_than_one_tile(self, seed):
        flat = [n for plan in sizes(seed) for n in plan]
        assert any(TILE < n < 2 * TILE for n in flat)
        assert any(n > 2 * TILE and n % TILE for n in flat)

    def test_not_square_both_ways(self, seed):
        assert {np.sign(m - n) for m, n in sizes(seed)} >= {-1, 1}

    def test_every_dtype_with_the_first_one_everywhere(self, seed):
        cases = drawn(table, dtypes="f32 f64 i8").cases(seed)
        assert {case.dtype for case in cases} == {"f32", "f64", "i8"}
        assert [case.dtype for case in cases[:5]] == ["f32"] * 5

    def test_every_choice(self, seed):
        cases = drawn(sided).cases(seed)
        assert {case.sizes["side"] for case in cases} == {"left", "right", "both"}

    def test_the_same_seed_gives_the_same_cases(self, seed):
        for one, other in zip(drawn(table).cases(seed), drawn(table).cases(seed), strict=True):
            np.testing.assert_array_equal(one.question().operands[0], other.question().operands[0])


def test_other_seeds_give_other_cases():
    values = {drawn(table).cases(seed)[0].question().operands[0].item() for seed in range(50)}
    assert len(values) == 50


@pytest.mark.parametrize("kind", [kind.short for kind in dtypes.DTYPES])
@pytest.mark.parametrize("simple", [False, True])
def test_elements(kind, simple):
    draw = Draw(kind, seed=3, simple=simple)
    one, other = draw(3, 4), draw(3, 4)
    assert one.shape == (3, 4) and one.dtype == drawing.SHORT[kind].numpy
    if kind == "bool":
        assert set(np.unique(one)) == {False, True}
        return
    assert np.unique(one).size == 12 and (one != 0).all()
    assert not np.array_equal(one, other)
    assert draw.positive(5).astype(float).min() > 0
    if kind != "u8":
        assert (one.astype(float) < 0).any()


def test_square_tables_are_never_symmetric():
    for seed in range(20):
        made = Draw("f32", seed)(4, 4)
        assert not np.array_equal(made, made.T)


def test_smaller_cases_are_smaller_and_end():
    case = drawn(table, dtypes="f32 f64").cases(0)[-1]
    seen = 0
    while True:
        smaller = next(case.smaller(), None)
        if smaller is None:
            break
        assert _measure(smaller) < _measure(case)
        case, seen = smaller, seen + 1
    assert tuple(case.sizes.values()) == (1, 1) and case.simple and seen < 10


def _measure(case):
    return (sum(case.sizes.values()), case.dtype != case.simplest, not case.simple)


def test_smaller_choices_are_earlier_ones():
    case = drawn(sided).cases(0)[2]
    assert case.sizes["side"] == "both"
    assert {each.sizes["side"] for each in case.smaller()} == {"left", "right", "both"}


def test_titles_name_the_types():
    assert drawn(table).cases(0)[0].question().title == "a table   (f32[1,1], f32[1,1])"
    assert kind_of((np.zeros(2, "i4"), [3, "a"])) == "(i32[2], (3, 'a'))"


def test_fixed_questions_and_groups():
    cases = joined(listed(Question("one", (1,))), drawn(table)).cases(0)
    assert cases[0].question().title == "one" and not list(cases[0].smaller())
    assert len(cases) == 1 + len(drawn(table).cases(0))


def test_graphs_get_drawn_sizes_and_dtypes():
    graphs = Graphs("f32 i32 f64")

    @graphs.on("T[m,n] T[n]", "i8[2] i8[2]")
    def total(x, y):
        """x + y"""
        return x + y

    cases = graphs.cases(0)
    kinds = {str(case.graph().parameters[0].abstract)[:3] for case in cases}
    assert {"f32", "i32", "f64", "i8["} <= kinds
    assert cases[-1].types == "i8[2] i8[2]" and len(cases) == 4
    for smaller in cases[2].smaller():
        assert sum(smaller.sizes.values()) < sum(cases[2].sizes.values())


def test_seeds_are_words():
    assert seeded("a", "b") != seeded("ab") and 0 <= seeded("a") < 2**64


@pytest.mark.parametrize("name", exercise.names())
def test_every_exercise_draws_on_sizes_that_matter(name):
    """Many shapes in the drawn operands or in the graphs' parameters, or many graphs."""
    for check in exercise.load(name).checks:
        shapes = {shape for case in check.cases.cases(5) for shape in _shapes(case.question())}
        assert check.cases.cases(5), check.name
        if shapes and not isinstance(check.cases, drawing.Listed):
            asked = {repr(case.question()[1:3]) for case in check.cases.cases(5)}
            assert len(shapes) > 2 or len(asked) > 3, check.name


def _shapes(question):
    graph = question.graph
    for parameter in graph.parameters if graph is not None else ():
        yield tuple(parameter.abstract.shape)
    waiting = [question.operands]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple | list):
            waiting += each
        elif isinstance(each, np.ndarray):
            yield each.shape
