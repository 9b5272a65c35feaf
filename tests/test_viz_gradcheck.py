"""viz.gradcheck: three maps of one input, with the worst element, in text and as tables."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, ops, viz
from ms_ext.engine import errors
from ms_ext.viz import palette
from ms_ext.viz.assets import asset
from ms_ext.viz.widgets import gradcheck_words as words
from ms_ext.viz.widgets.gradcheck_maps import COLUMNS, LEVELS, ROWS, short

GRID = np.array([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]])


def checked(name, numeric, analytic, cause="", sentence="", tolerance=1e-3):
    """One input of a result, made by hand: what ms.gradcheck says is tested elsewhere."""
    numeric = np.asarray(numeric, np.float64)
    analytic = None if analytic is None else np.asarray(analytic, np.float64)
    same = analytic is not None and analytic.shape == numeric.shape
    difference = analytic - numeric if same else None
    worst = None
    if same and difference.size:
        worst = tuple(np.unravel_index(np.abs(difference).argmax(), difference.shape))
    return SimpleNamespace(
        name=name, numeric=numeric, analytic=analytic, difference=difference, worst=worst,
        passed=same and bool((np.abs(difference) <= tolerance).all()),
        tolerance=np.full(numeric.shape, tolerance),
        at_kink=np.zeros(numeric.shape, bool), cause=cause, sentence=sentence,
    )  # fmt: skip


def result(*inputs, name="div"):
    passed = all(each.passed for each in inputs)
    return SimpleNamespace(name=name, inputs=inputs, passed=passed, raised=None)


def seen(*inputs):
    return viz.gradcheck(result(*inputs))


def marked(sheet, mark):
    return [(r, c) for r, row in enumerate(sheet.rows) for c, at in enumerate(row) if mark(at)]


EVERY = (
    checked("x", GRID, GRID + 1e-6),
    checked("y", GRID, -GRID, "sign", "Every number has the wrong sign."),
    checked("bias", GRID[0], GRID, "missing-reduction", "It is not summed over axis 0."),
    checked("w", GRID[0], None, "none", "The bprop returned None."),
    checked("t", 1.5, np.nan, "not-finite", "It is not a number."),
    checked("e", np.zeros((0, 3)), np.zeros((0, 3))),
    checked("b", np.arange(12.0).reshape(2, 3, 2), np.arange(12.0).reshape(2, 3, 2)),
)


def test_the_text_and_the_page_say_the_same(golden):
    shown = seen(*EVERY)
    golden("viz/gradcheck.txt", shown.text())
    page = re.sub(r"<style>.*?</style>|<[^>]+>", "", shown.html(), flags=re.DOTALL)
    for each in shown.maps:
        assert all(said in page for said in (each.sentence, each.worst, each.name))
        for sheet in each.sheets:
            assert sheet.title in page and sheet.note in page
            cells = [cell for row in sheet.rows for cell in row]
            assert all(cell.said.replace("-", "−", 1) in page or "e" in cell.said
                       for cell in cells)  # fmt: skip
    assert not re.search(r'<[a-z]+[^>]* id="', shown.html()) and "<script>" not in shown.html()


def test_what_is_wrong_is_named():
    shown = seen(*EVERY)
    assert shown.wrong == ("y", "bias", "w", "t")
    assert shown.title == "gradcheck of div: 4 of 7 gradients are wrong"
    assert seen(EVERY[0]).title == "gradcheck of div: the gradient is right"
    assert seen(EVERY[1]).title == "gradcheck of div: the gradient is wrong"
    assert seen(EVERY[0], EVERY[6]).title == "gradcheck of div: all 2 gradients are right"
    assert seen().title == "gradcheck of div: no input to check"


def test_the_worst_element_is_marked_in_all_three_maps():
    _, wrong = seen(EVERY[0], EVERY[1]).maps
    assert [marked(s, lambda cell: cell.worst) for s in wrong.sheets] == [[(1, 1)]] * 3
    assert wrong.worst.startswith("furthest apart at [1, 1] by 6: measured 3, returned -3;")


def test_only_what_is_too_far_apart_is_marked_in_the_difference():
    returned = GRID.copy()
    returned[0, 2] += 1.0
    (each,) = seen(checked("x", GRID, returned)).maps
    assert marked(each.sheets[2], lambda cell: cell.off) == [(0, 2)]
    assert [cell.said for cell in each.sheets[2].rows[0]] == ["·", "·", "1"]
    assert not marked(each.sheets[0], lambda cell: cell.off)


def test_one_scale_for_the_three_maps():
    (each,) = seen(checked("x", GRID, 2.0 * GRID)).maps
    levels = [[cell.level for cell in sheet.rows[1]] for sheet in each.sheets]
    assert levels == [[1, 3, -1], [1, 5, -2], [1, 3, -1]]


def test_a_large_input_shows_what_is_around_the_worst():
    large = np.ones((40, 50))
    returned = large.copy()
    returned[30, 44] = 7.0
    (each,) = seen(checked("x", large, returned)).maps
    for sheet in each.sheets:
        assert (len(sheet.rows), len(sheet.rows[0])) == (ROWS, COLUMNS)
        assert sheet.note == "12 of 40 rows, 12 of 50 columns"
        (row, column) = marked(sheet, lambda cell: cell.worst)[0]
        assert (row + sheet.first[0], column + sheet.first[1]) == (30, 44)


def test_more_axes_are_rows():
    (each,) = seen(EVERY[6]).maps
    assert [[cell.said for cell in row] for row in each.sheets[0].rows][3] == ["6", "7"]
    assert each.sheets[0].note == "[2, 3, 2] as rows of the last axis"


def test_numbers_are_short():
    values = (0.0, -0.0001234, 123456.0, 9999.0, 1.0, -1e-30, np.inf)
    assert [short(value) for value in values] == [
        "0", "-0.00012", "1.2e+05", "9999", "1", "-1e-30", "inf",
    ]  # fmt: skip


def test_names_are_escaped():
    html = viz.gradcheck(result(checked("<b>", 1.0, 2.0, "<i>", "<u>"), name="<a>")).html()
    assert not {"<b>&", "<i>", "<u>", "<a>"} & set(re.findall(r"<\w>&?", html)) - {"<p>", "<b>"}
    assert "&lt;a&gt;" in html and "&lt;u&gt;" in html


@pytest.mark.parametrize("colours", [palette.LIGHT, palette.DARK], ids=["light", "dark"])
def test_numbers_can_be_read_on_every_colour(colours):
    for name, hue in (("high", "added"), ("low", "removed")):
        for level in range(1, LEVELS + 1):
            rule = rf"td\.{name}\.level-{level} \{{ .*--msx-{hue}\) (\d+)%"
            share = int(re.search(rule, asset("gradcheck.css"))[1]) / 100
            mixed = mix(colours[hue], colours["bg"], share)
            assert palette.contrast(colours["fg"], mixed) >= 4.5, (name, level)


def mix(one, other, share):
    parts = [(int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in parts)


def test_another_thing_is_refused():
    with pytest.raises(errors.InvalidType, match=r"what ms.gradcheck has found") as told:
        viz.gradcheck(3.0)
    assert told.value.hint == "viz.gradcheck(ms.gradcheck(op, x, y))"


def test_a_bprop_that_raises_is_told():
    raised = SimpleNamespace(name="f", inputs=(), passed=False, raised="KeyError: <no>")
    shown = viz.gradcheck(raised)
    assert shown.text() == "gradcheck of f: no gradient came back\nKeyError: <no>\n"
    assert "KeyError: &lt;no&gt;" in shown.html() and words.LEGEND not in shown.html()


# with ms.gradcheck itself -----------------------------------------------------------------------


def first(x, *others):
    return x


def test_a_real_check_is_drawn():
    def bprop(x, scale, out, dout):
        return dout * scale, -ops.sum(dout * x, 0)

    op = ops.Custom(lambda x, scale: x * scale, first, first, bprop=bprop)
    shown = viz.gradcheck(ms.gradcheck(op, Tensor(GRID), Tensor(GRID[0])))
    assert shown.wrong == ("scale",) and [each.name for each in shown.maps] == ["x", "scale"]
    assert "✗ scale [3]: wrong (sign)" in shown.text()


def test_a_missing_reduction_shows_both_shapes():
    def bprop(x, bias, out, dout):
        return dout, dout

    op = ops.Custom(lambda x, bias: x + bias, first, first, bprop=bprop)
    shown = viz.gradcheck(ms.gradcheck(op, Tensor(GRID), Tensor(GRID[0])))
    assert "bias [3]: wrong (missing-reduction)" in shown.text()
    assert [len(sheet.rows) for sheet in shown.maps[1].sheets] == [1, 2, 0]
    assert shown.maps[1].sheets[2].note == "none: [2, 3] beside [3]"


def test_a_kink_is_no_mistake():
    def bprop(x, out, dout):
        return (ops.where(x > 0.0, dout, 0.0 * dout),)

    op = ops.Custom(lambda x: np.maximum(x, 0), first, first, bprop=bprop)
    (each,) = viz.gradcheck(ms.gradcheck(op, Tensor([-1.0, 0.0, 2.0]))).maps
    assert each.passed and marked(each.sheets[2], lambda cell: cell.kink) == [(0, 1)]
    assert not marked(each.sheets[2], lambda cell: cell.off or cell.worst)
    assert words.lines(each)[-1].startswith("^ a kink of the function")


def test_a_kink_beside_a_mistake_is_told_apart():
    def bprop(x, out, dout):
        return (ops.where(x > 0.0, -dout, 0.0 * dout),)

    op = ops.Custom(lambda x: np.maximum(x, 0), first, first, bprop=bprop)
    (each,) = viz.gradcheck(ms.gradcheck(op, Tensor([-1.0, 0.0, 2.0]))).maps
    assert not each.passed and marked(each.sheets[2], lambda cell: cell.off) == [(0, 2)]
    assert marked(each.sheets[2], lambda cell: cell.kink) == [(0, 1)]


def test_none_and_a_bprop_that_raises():
    def nothing(x, y, out, dout):
        return dout * y, None

    def broken(x, y, out, dout):
        raise KeyError("no such thing")

    def seen_with(bprop):
        op = ops.Custom(lambda x, y: x * y, first, first, bprop=bprop)
        return viz.gradcheck(ms.gradcheck(op, Tensor(GRID), Tensor(GRID + 1.0)))

    shown = seen_with(nothing)
    assert shown.wrong == ("y",) and "None: nothing flows back" in shown.text()
    raised = seen_with(broken)
    assert "no such thing" in raised.text() and "no such thing" in raised.html()
