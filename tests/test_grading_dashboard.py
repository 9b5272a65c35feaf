"""The dashboard counts right, draws for one learner and for a class, and runs as a notebook."""

import json
import os
import random
import re
import warnings
from pathlib import Path

import pytest

from ms_ext.engine import errors
from ms_ext.grading.classroom import dashboard, dashboard_drawing, gradebook
from ms_ext.viz import palette

ROOT = Path(__file__).parents[1]
CODES = ["values", "shape", "dtype", "raises", "missing", "too-long", "gradient-count", "kind"]
CODES += ["count", "memory", "ended", "output", "garbled", "no-gain", "nothing-rewritten"]
CHARTS = (
    dashboard.summary,
    dashboard.heat_map,
    dashboard.meanings,
    dashboard.hardest,
    dashboard.hint_use,
    dashboard.scores,
    dashboard.to_talk_to,
)


def row(learner, exercise, status="passed", points=2.0, **more):
    code = {"passed": "passed", "not attempted": "missing", "not graded": "grader-error"}
    made = {"learner": learner, "exercise": exercise, "status": status, "points": points, "of": 2.0}
    made |= {"code": code.get(status, "values"), "hints used": "", "bundle": "b", "version": "1"}
    return made | more


SMALL = [
    row("ada", "05.mul", **{"hints used": "0"}),
    row("ada", "05.sub", "partly", 1.0, **{"hints used": "2"}),
    row("bob", "05.mul", "failed", 0.0, code="shape", **{"hints used": "1"}),
    row("bob", "05.sub", "not attempted", 0.0),
    row("cyd", "05.mul", "failed", 0.0, code="too-long"),
    row("cyd", "05.sub", "not graded", 0.0),
]


def class_of(number, exercises=13):
    chance = random.Random(number)
    rows = []
    for learner in range(number):
        for at in range(exercises):
            status = chance.choice(["passed", "partly", "failed", "not attempted"])
            points = {"passed": 2.0, "partly": 1.0}.get(status, 0.0)
            hints = chance.choice(["", "0", "1", "3"])
            made = row(f"learner {learner:03d}", f"05.task_{at:02d}", status, points)
            made |= {"hints used": hints}
            made |= {"code": chance.choice(CODES)} if status in ("failed", "partly") else {}
            rows.append(made)
    return rows


def cells(chart):
    return {name: rest for name, *rest in chart.table[1:]}


def test_heat_map_counts():
    chart = dashboard.heat_map(SMALL)
    assert chart.table[0] == ("exercise", "values", "shape", "missing", "too-long", "grader-error")
    assert cells(chart) == {"05.mul": [0, 1, 0, 1, 0], "05.sub": [1, 0, 1, 0, 1]}
    numbers = re.findall(r">(\d+)</text>", chart.svg)
    assert numbers == ["1"] * 5


def test_heat_map_joins_rare_codes():
    chart = dashboard.heat_map(class_of(60))
    assert len(chart.table[0]) == 1 + dashboard.MOST_CODES and chart.table[0][-1] == "others"
    wrong = sum(each["status"] != "passed" for each in class_of(60))
    assert sum(sum(line) for line in cells(chart).values()) == wrong
    assert "others in" not in chart.sentence


def test_hardest_first():
    chart = dashboard.hardest(SMALL)
    assert chart.table[1:] == [("05.sub", "25", "67"), ("05.mul", "33", "100")]
    assert "05.sub earned 25 %" in chart.sentence


def test_hints_by_level_and_only_where_they_are_known():
    chart = dashboard.hint_use(SMALL)
    assert cells(chart) == {"05.mul": [1, 1, 0, 0], "05.sub": [0, 0, 1, 0]}
    assert "Nobody" in dashboard.hint_use([row("ada", "05.mul")]).sentence


def test_scores_leave_out_what_could_not_be_graded():
    chart = dashboard.scores(SMALL)
    assert [name for name, number in chart.table[1:] if number] == ["0-10 %", "70-80 %"]
    assert sum(number for _, number in chart.table[1:]) == 3


def test_learners_to_talk_to():
    told = cells(dashboard.to_talk_to([*SMALL, row("dan", "05.mul", "not attempted", 0.0)]))
    assert set(told) == {"bob", "cyd", "dan"}
    assert told["bob"] == ["not attempted: 05.sub"] and told["dan"] == ["nothing attempted"]
    assert "stopped by a limit: 05.mul" in told["cyd"][0] and "grader failed" in told["cyd"][0]
    many = dashboard.to_talk_to(class_of(200), most=10)
    assert len(many.table) == 11 and "who lost most" in many.sentence


def test_meanings_are_in_plain_words():
    told = cells(dashboard.meanings(SMALL))
    assert told["shape"] == [1, "A result has the wrong shape."]
    assert not any("{" in words for _, words in told.values())


def test_rows_graded_in_two_ways_are_told():
    mixed = [*SMALL, row("ada", "05.new", bundle="another")]
    assert "differ in bundle" in dashboard.summary(mixed).sentence
    assert "differ" not in dashboard.summary(SMALL).sentence


@pytest.mark.parametrize("number", [0, 1, 200])
def test_every_chart_for_nobody_one_and_many(number):
    rows = class_of(number)
    for make in CHARTS:
        chart = make(rows)
        page = chart._repr_html_()
        assert chart.sentence and repr(chart).startswith(chart.sentence)
        assert page.count("<svg") == page.count('role="img"') == bool(chart.svg)
        assert "<?xml" not in page and len(page) < 400_000


def test_a_class_without_a_fault():
    rows = [row("ada", "05.mul"), row("bob", "05.mul")]
    assert [make(rows).svg for make in (dashboard.heat_map, dashboard.to_talk_to)] == ["", ""]


def test_hostile_names_are_text():
    rows = [row("<script>", "<script>", "failed", 0.0, code="<script>")]
    assert not any("<script>" in make(rows)._repr_html_() for make in CHARTS)


def test_pictures_take_their_colours_from_the_page():
    shown = "".join(make(class_of(2, 3)).svg for make in CHARTS)
    used = set(re.findall(r"#[0-9a-f]{6}\b", re.sub(r"var\([^)]*\)", "", shown)))
    assert used == set() and "currentColor" in shown and ' id="figure' not in shown


@pytest.mark.parametrize("colours", [palette.LIGHT, palette.DARK], ids=["light", "dark"])
@pytest.mark.parametrize("strength", [*dashboard_drawing.LEVELS, dashboard_drawing.FAINT])
def test_numbers_are_read_well_on_every_strength(colours, strength):
    def channels(colour):
        return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]

    pairs = zip(channels(colours["added"]), channels(colours["bg"]), strict=True)
    mixed = "#" + "".join(
        f"{round(hue * strength + page * (1 - strength)):02x}" for hue, page in pairs
    )
    assert palette.contrast(colours["fg"], mixed) >= 4.5


def test_the_notebook_runs(tmp_path):
    import nbformat
    from nbclient import NotebookClient

    grades = tmp_path / "grades.csv"
    gradebook.write(grades, class_of(3, exercises=4))
    path = dashboard.notebook(grades)
    node = nbformat.read(path, as_version=4)
    nbformat.validate(node)
    client = NotebookClient(
        node, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}},
        ipython_hist_file=":memory:", extra_arguments=["--log-level=ERROR"],
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pyzmq and tornado speak of the event loop they run in
        client.execute(env={**os.environ, "PYTHONPATH": str(ROOT)})
    outputs = [cell.outputs for cell in node.cells if cell.cell_type == "code"]
    shown = ["text/html" in each.data for cell in outputs for each in cell]
    assert shown == [True] * len(CHARTS)


def test_a_dashboard_with_notes_is_kept_and_no_other_takes_its_place(tmp_path):
    grades, others = tmp_path / "grades.csv", tmp_path / "others.csv"
    for path in (grades, others):
        gradebook.write(path, class_of(1))
    path = dashboard.notebook(grades)
    path.write_text(path.read_text().replace("# How the class", "# My note. How the class"))
    assert dashboard.notebook(grades) == path and "My note" in path.read_text()
    with pytest.raises(errors.InvalidValue, match="--out"):
        dashboard.notebook(others)
    (tmp_path / "inner").mkdir()
    apart = dashboard.notebook(others, tmp_path / "inner" / "it's.ipynb")
    assert "'../others.csv'" in apart.read_text() and dashboard.notebook(others, apart) == apart


def test_the_notebook_of_something_else_is_refused(tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="no gradebook"):
        dashboard.notebook(other)
    assert not (tmp_path / "dashboard.ipynb").exists()


def test_the_notebook_calls_nothing_but_the_dashboard():
    code = "\n".join(text for text in dashboard.CELLS if not text.startswith("#"))
    called = set(re.findall(r"dashboard\.(\w+)\(", code))
    assert called == {make.__name__ for make in CHARTS} | {"read"}
    assert json.dumps(code)  # plain text


def test_a_damaged_file_is_not_called_nothing():
    damaged = [row("dan", name, "not attempted", 0.0, code="file-not-json") for name in ("a", "b")]
    blank = [row("eve", name, "not attempted", 0.0) for name in ("a", "b")]
    found = cells(dashboard.to_talk_to(damaged + blank))
    assert found["dan"] == ["the work could not be read (file-not-json)"]
    assert found["eve"] == ["nothing attempted"]
    some = [damaged[0], row("dan", "b", "not attempted", 0.0), row("dan", "c")]
    told = "could not be read (file-not-json): a; not attempted: b"
    assert cells(dashboard.to_talk_to(some)) == {"dan": [told]}
