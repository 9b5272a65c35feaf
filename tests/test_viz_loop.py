"""What viz.loop says a loop keeps is what the gradient's graph stacks, and what it reads again."""

import re

import numpy as np
import pytest
from loop_programs import LOOPS
from viz_programs import settled

import ms_ext as ms
from ms_ext import Tensor, ops, viz
from ms_ext.engine import errors
from ms_ext.engine.infer import AbstractTensor
from ms_ext.grading import exercise
from ms_ext.viz.widgets import loop_words

x, a = Tensor(0.5), Tensor(0.9)


def waves(x, a):
    y = x
    for _ in range(20):
        y = ops.sin(y) * a + 0.5
    return y


def twice(x, a):
    y = x
    while y < 3.0:
        left = ops.ceil(2.0 * y)
        while left > 0.0:
            y = y + ops.sin(y) * a
            left = left - 1.0
    return y


def powered(x, turns):
    power, k = x, 0
    while k < turns:
        power = power * x
        k = k + 1
    return power


def codes(keeper):
    return [column.code for column in keeper.columns]


def reasons(keeper):
    return {each.code: each.why for each in keeper.unkept}


def arrays(keeper, place):
    """What a stack has, run by run."""
    column = keeper.columns[place]
    return [
        np.array([turn.outputs[column.place] for turn in run], np.float64)
        for run in keeper.lane.runs
    ]


# what is kept ---------------------------------------------------------------------------------


def test_the_stacks_hold_what_the_bprops_read():
    shown = viz.loop(waves, x, a)
    [keeper] = shown.survey.keepers
    assert (keeper.code, keeper.turns, keeper.each) == ("for _ in range(20)", [20], 8)
    assert codes(keeper) == ["ops.sin(y)", "y"] and shown.survey.nbytes == 160
    [y] = arrays(keeper, 1)
    followed = [0.5]
    for _ in range(19):
        followed.append(np.sin(followed[-1]) * 0.9 + 0.5)
    np.testing.assert_allclose(y, followed, rtol=1e-5)
    np.testing.assert_allclose(arrays(keeper, 0)[0], np.sin(y), rtol=1e-5)


def test_what_is_not_kept_has_its_reason():
    [keeper] = viz.loop(waves, x, a).survey.keepers
    found = reasons(keeper)
    assert found.keys() == {"i", "a", "0.5", "ops.sin(y) * a", "ops.sin(y) * a + 0.5"}
    assert "the same in every turn" in found["a"] and "a number of the program" in found["0.5"]
    assert found["ops.sin(y) * a"] == "no bprop reads it" and "counts down" in found["i"]


EXERCISE = exercise.imported(exercise.find("08.kept_bytes"), "kept_bytes_exercise")
BODIES = {
    "drift": lambda y, a: y + a,
    "halve": lambda y, a: 0.5 * y + a,
    "scale": lambda y, a: y * a,
    "swing": lambda y, a: ops.sin(y) * a,
    "swell": lambda y, a: ops.exp(y) * a,
}


@pytest.mark.parametrize("name", BODIES)
def test_the_exercise_asks_for_what_the_engine_keeps(name):
    body = BODIES[name]

    def repeated(y, a):
        for _ in range(20):
            y = body(y, a)
        return y

    row = Tensor(np.float32([0.1, 0.2, 0.3]))
    assert viz.loop(repeated, row, row).survey.nbytes == EXERCISE.kept_bytes(20, 3)[name]


def test_nothing_is_kept_where_nothing_is_read():
    def added(x, a):
        for _ in range(20):
            x = 0.5 * x + a
        return x

    shown = viz.loop(added, x, a)
    [keeper] = shown.survey.keepers
    assert shown.title == "added: 1 loop with a way back, nothing kept" and not keeper.columns
    assert len(keeper.lane.runs[0]) == len(keeper.backs[0].runs[0]) == 20
    assert "Nothing is kept" in shown.text() and "turn 19: dx 1 → 0.5" in shown.text()


def test_a_branch_keeps_its_truth_and_zeros_for_what_it_did_not_make():
    [keeper] = viz.loop(settled, x, Tensor(1.9)).survey.keepers
    assert codes(keeper) == ["y > 4.0", "y", "ops.exp(y)"]
    assert [column.partial for column in keeper.columns] == [False, False, True]
    truth, y, grown = (arrays(keeper, place)[0] for place in range(3))
    np.testing.assert_array_equal(truth, y > 4.0)
    np.testing.assert_allclose(grown, np.where(y > 4.0, 0.0, np.exp(y)), rtol=1e-5)
    assert "or zeros where its branch did not run" in viz.loop(settled, x, Tensor(1.9)).text()


# who goes back --------------------------------------------------------------------------------

PROGRAMS = [(waves, x, a), (settled, x, Tensor(1.9)), (twice, x, a), (powered, x, Tensor(3))]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each[0].__name__)
def test_the_loop_backwards_ends_with_the_gradients(program):
    f, *args = program
    keeper = viz.loop(f, *args).survey.keepers[0]
    end = dict(loop_words.begin_and_end(keeper.backs[0], 0)[1])
    found = sum(float(each) for name, each in end.items() if name in ("dy", "dx", "dpower"))
    np.testing.assert_allclose(found, float(ms.grad(f)(*args)), rtol=5e-3)
    if "da" in end:
        np.testing.assert_allclose(float(end["da"]), float(ms.grad(f, 1)(*args)), rtol=5e-3)


def test_a_turn_is_read_from_the_last_to_the_first():
    [keeper] = viz.loop(waves, x, a).survey.keepers
    forwards, backwards = keeper.lane, keeper.backs[0]
    assert (forwards.backwards, backwards.backwards) == (False, True)
    for turn in (0, 7, 19):
        there, back = (loop_words.turn_of(lane, 0, turn) for lane in (forwards, backwards))
        assert float(back.inputs[0]) == turn
        for column in keeper.columns:
            assert any(each is there.outputs[column.place] for each in back.inputs)


def test_a_loop_in_a_loop_is_a_stack_of_stacks():
    outer, inner = viz.loop(twice, x, a).survey.keepers
    assert (outer.depth, inner.depth) == (0, 1) and inner.turns == [1, 2, 6]
    stacks = [column for column in outer.columns if column.inner]
    assert [column.kind for column in stacks] == ["Stack(f32[])"] * 2
    assert [column.code for column in stacks] == [
        "ops.sin(y), each turn of while left > 0.0", "y, each turn of while left > 0.0",
    ]  # fmt: skip
    lengths = [len(turn.outputs[stacks[0].place]) for turn in outer.lane.runs[0]]
    assert lengths == inner.turns == [len(run) for run in inner.backs[0].runs]
    assert outer.each == 8 and inner.nbytes == 9 * 8  # how long each inner loop was


def test_a_gradient_of_a_gradient_goes_there_and_back_twice():
    shown = viz.loop(ms.grad(powered), Tensor(2.0), Tensor(2))
    first = shown.survey.keepers[0]
    ways = [each.lane.backwards for each in shown.survey.keepers]
    assert ways == [False, True, False] and first.backs[-1].backwards
    assert float(shown.survey.run.results[0]) == 12.0  # the second derivative of x**3 at 2
    assert any("back through power * x" in each.code for k in shown.survey.keepers for each in
               (*k.columns, *k.unkept))  # fmt: skip


def test_a_loop_in_a_function_that_calls_itself_is_found():
    def inner(x, a):
        y = x
        while y < 2.0:
            y = y + ops.sin(y) * a
        return y

    def outer(x, a, depth):
        if depth == 0:
            return x
        return outer(inner(0.1 * x, a), a, depth - 1)

    shown = viz.loop(outer, x, a, Tensor(3))
    [keeper] = shown.survey.keepers
    assert len(keeper.turns) == 3 and keeper.turns == [len(r) for r in keeper.backs[0].runs]
    for run, turns in enumerate(keeper.turns):
        there, back = (loop_words.turn_of(w, run, 0) for w in (keeper.lane, keeper.backs[0]))
        kept = there.outputs[keeper.columns[0].place]
        assert turns and any(each is kept for each in back.inputs)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("program", LOOPS, ids=lambda each: each[0].__name__)
def test_who_reads_a_stack_is_given_what_was_put_there(program, order):
    """The very array that a turn stacked is an operand of the same turn of each loop that reads."""
    f, args = program
    f = f if order == 1 else ms.grad(f)
    shown = viz.loop(f, *[Tensor(np.float32(each)) for each in args])
    for keeper in shown.survey.keepers:
        for place, back in enumerate(keeper.backs):
            assert [len(run) for run in back.runs] == keeper.turns
            read = [column for column in keeper.columns if place in column.readers]
            for run, turns in enumerate(keeper.turns):
                for turn in range(turns):
                    check_read(keeper.lane, back, read, run, turn)


def check_read(lane, back, columns, run, turn):
    there, here = (loop_words.turn_of(each, run, turn) for each in (lane, back))
    for column in columns:
        kept = there.outputs[column.place]
        assert any(each is kept for each in here.inputs)


# edges ----------------------------------------------------------------------------------------


def test_no_turn_and_no_loop():
    none = viz.loop(powered, x, Tensor(0))
    assert "while k < turns: no turn" in none.text() and "It made no turn." in none.html()
    assert none.survey.nbytes == 0

    def straight(x):
        return ops.sin(x)

    assert viz.loop(straight, x).title == "straight: its gradient goes through no loop"


def test_a_type_is_no_value():
    from ms_ext import dtype

    with pytest.raises(errors.InvalidType, match="every argument needs a value"):
        viz.loop(waves, AbstractTensor(dtype.float32), a)


def test_ten_thousand_turns_are_told_in_short():
    shown = viz.loop(powered, Tensor(1.0), Tensor(10_000))
    assert shown.title.endswith("1 stack, 40\u2009000 bytes")
    text, page = shown.text(), shown.html()
    assert "(9994 turns between are left out)" in text and len(text) < 4000 and len(page) < 80_000
    rows = re.findall(r'<th scope="row">([^<]*)</th>', page)
    assert rows[:2] == ["0", "1"] and rows[-1] == "9999" and rows.count("⋯") == 1


def test_large_values_are_told_by_type_and_size():
    wide = Tensor(np.linspace(0.0, 1.0, 300).astype(np.float32))
    shown = viz.loop(waves, wide, wide)
    assert shown.survey.nbytes == 20 * 2 * 1200 and "float32[300] |" in shown.text()


def test_what_is_calculated_again_is_told_with_its_price():
    kept, again = viz.loop(waves, x, a), viz.loop(waves, x, a, passes=["recompute"])
    [keeper] = again.survey.keepers
    assert codes(keeper) == ["y"] and again.survey.nbytes == kept.recomputed.nbytes == 80
    assert "calculated again on the way back" in reasons(keeper)["ops.sin(y)"]
    assert again.survey.flops == kept.recomputed.flops == kept.survey.flops + 20  # a sine a turn
    assert "160 bytes  80 bytes" in kept.text() and '<table class="trade">' in kept.html()
    assert again.recomputed is None and "the trade" not in again.html()
    nothing_less = viz.loop(powered, x, Tensor(3))  # a turn keeps what it started from, and no more
    assert nothing_less.recomputed.nbytes == 12 and "the trade" not in nothing_less.html()
    for one, other in zip(kept.survey.run.results, again.survey.run.results, strict=True):
        np.testing.assert_array_equal(one, other)


def test_names_from_outside_stay_text_and_no_ids():
    def 波(输入):
        for _ in range(20):
            输入 = ops.sin(输入)
        return 输入

    波.__name__ = "<script>alert(1)</script>"
    page = viz.loop(波, x).html()
    assert "<script>alert" not in page and "输入" in page
    assert not re.search(r'<[a-z]+[^>]* id="', page)


def test_the_text_is_as_it_was_read(golden):
    text = viz.loop(settled, x, Tensor(1.9)).text()
    golden("viz/loop.txt", re.sub(r"(line |py:)\d+", r"\1n", text))
