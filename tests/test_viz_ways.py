"""The map of func_types and the loader's steps: text, boxes, and what failed."""

import re

import numpy as np
import pytest

from ms_ext import ops, viz
from ms_ext.engine import errors
from ms_ext.engine.custom.loading import Trace
from ms_ext.engine.custom.ways import WAYS
from ms_ext.viz.widgets import ways_rows


@pytest.fixture
def op():
    def halved(x):
        return x / 2

    return ops.Custom(halved, lambda x: x, lambda x: x, "pyfunc")


# the map --------------------------------------------------------------------------------------


def test_every_way_that_runs_is_a_leaf_and_a_row():
    leaves = [way for _, group in ways_rows.TREE for _, way in group if way]
    refused = [name for name in WAYS.names() if "refused" in WAYS.get(name).compiles]
    assert sorted([*leaves, *refused]) == sorted({*WAYS.names(), *leaves})
    assert all(name in ways_rows.REFUSED for name in refused)
    assert [row.func_type for row in ways_rows.rows()] == [n for n in leaves if n in WAYS]


def test_an_op_marks_its_way(op):
    shown = viz.ways(op)
    assert shown.title == "ways into ops.Custom: halved comes in by pyfunc"
    marked = [line for line in shown.text().splitlines() if "▶" in line]
    assert marked == ["  ▶ a function of NumPy arrays → pyfunc", "▶ pyfunc"]
    page = shown.html()
    assert page.count('aria-current="true"') == 1 and page.count('<tr class="on"') == 1


def test_a_name_marks_it_too_and_nothing_marks_nothing():
    assert "▶ pyfunc" in viz.ways("pyfunc").text() and "▶" not in viz.ways().text()
    assert 'class="on"' not in viz.ways().html()


def test_a_refused_way_is_marked_where_it_is_named():
    assert "▶ akg, aicpu and julia" in viz.ways("akg").text()


@pytest.mark.parametrize("asked, kind", [("aott", ValueError), (3, TypeError), (abs, TypeError)])
def test_what_is_no_way(asked, kind):
    with pytest.raises(kind, match="of an ops.Custom or of a func_type"):
        viz.ways(asked)


def test_costs_are_shown_only_where_they_were_measured(monkeypatch, tmp_path):
    monkeypatch.setattr(ways_rows, "COSTS", tmp_path / "none.json")
    assert "µs" not in viz.ways().text() and "a call, µs" not in viz.ways().html()
    made = '{"when": "2026-01-02", "machine": "a machine", "rows": {"pyfunc": {"call_us": 3.14}}}'
    (tmp_path / "some.json").write_text(made)
    monkeypatch.setattr(ways_rows, "COSTS", tmp_path / "some.json")
    text, page = viz.ways().text(), viz.ways().html()
    assert "a call costs: 3.14 µs" in text and "measured on 2026-01-02 (a machine)" in text
    assert '<td class="cost">3.14</td>' in page and '<td class="cost">–</td>' in page


def test_the_page_needs_no_script_and_says_the_same(op):
    page, text = viz.ways(op).html(), viz.ways(op).text()
    assert not re.search(r'<[a-z]+[^>]* id="|<script', page)
    for row in ways_rows.rows():
        assert row.found in text and row.found in page


# the loader -----------------------------------------------------------------------------------


def loaded(op, *steps, **found):
    """The op with these steps of a loader."""
    op.way.trace = trace = Trace("./half.cpp:half")
    for kind, what, outcome, words in steps:
        trace.remark(kind, what, outcome, words)
    for name, value in found.items():
        setattr(trace, name, value)
    return op


FOUND = ("look", "half.cpp", "found", "half.cpp is a file.")
MISSING = ("symbol", "half", "missing", "For 'Custom': Error info: undefined symbol: half")


def test_what_loads_nothing_says_so(op):
    assert viz.trace(op).title == "the way of halved into the process: pyfunc has nothing to load"
    assert "no compiler" in viz.trace(op).text() and "no compiler" in viz.trace(op).html()


def test_the_steps_in_order_with_what_came_of_them(op):
    found = {"library": "half.so", "symbol": "half", "address": 255, "exports": ("half", "other")}
    shown = viz.trace(loaded(op, FOUND, ("symbol", "half", "found", "half is there."), **found))
    assert shown.text().splitlines()[2:] == [
        "func: ./half.cpp:half",
        "  1. ✓ look    half.cpp is a file.",
        "  2. ✓ symbol  half is there.",
        "  library: half.so",
        "  symbol: half",
        "  address: 0xff",
        "  exports: half, other",
    ]
    page = shown.html()
    assert page.count("<li") == 2 and '<code class="export on">▶ half</code>' in page


def test_a_failure_ends_the_steps_and_names_what_is_there(op):
    shown = viz.trace(loaded(op, FOUND, MISSING, exports=("half_kernel",)))
    assert shown.title.endswith("it ends at symbol")
    assert "2. ✗ symbol  undefined symbol: half" in shown.text()
    assert '<li class="bad"' in shown.html() and "half_kernel" in shown.html()


def test_paths_are_told_from_the_current_folder(op, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = str(tmp_path / "half.cpp")
    shown = viz.trace(loaded(op, ("look", path, "found", f"{path} is a file.")))
    assert "./half.cpp is a file." in shown.text() and str(tmp_path) not in shown.html()


def test_many_exports_are_counted(op):
    names = tuple(f"kernel_{number}" for number in range(50))
    assert "kernel_39, and 10 more" in viz.trace(loaded(op, FOUND, exports=names)).text()


def test_words_of_a_library_are_no_markup(op):
    shown = viz.trace(loaded(op, FOUND, exports=("<b>",)))
    assert "<b></code>" not in shown.html() and "&lt;b&gt;" in shown.html()


def test_only_a_custom_op_has_a_way():
    with pytest.raises(errors.InvalidType, match="how an ops.Custom was loaded"):
        viz.trace(np.cbrt)


@pytest.mark.parametrize("ending", [".html", ".txt"])
def test_both_are_saved(op, tmp_path, ending):
    for shown in (viz.ways(op), viz.trace(op)):
        assert shown.save(tmp_path / f"a{ending}").stat().st_size > 100
