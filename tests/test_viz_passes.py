"""The pass explorer: states and counts, one place per node, the same content everywhere."""

import json
import re
from xml.etree import ElementTree

import pytest
from viz_records import control, transformer

import ms_ext as ms
from ms_ext import Tensor, ops, viz
from ms_ext.engine import errors, jit, passes
from ms_ext.viz import palette
from ms_ext.viz.drawing import layout
from ms_ext.viz.panel import report, text
from ms_ext.viz.passes import Panel

SVG = "{http://www.w3.org/2000/svg}"
VIEWS = ("before", "diff", "after")


@pytest.fixture(params=["dot", "own"])
def engine(request, monkeypatch, tmp_path):
    """Both ways to place boxes: the dot program, and none on the PATH."""
    layout._seen.clear()
    if request.param == "own":
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setattr(layout.sys, "executable", str(tmp_path / "python"))
        assert layout.engine() is None
    elif not layout.engine():
        pytest.skip("no dot program on the PATH")
    return request.param


def nodes(svg):
    """id of a node (text of a group of nodes) -> its element, echoes left out."""
    groups = ElementTree.fromstring(svg).iter(f"{SVG}g")
    found = [g for g in groups if "node" in g.get("class").split()]
    ids = {g: g.get("data-id") for g in found if "echo" not in g.get("class").split()}
    return {int(i) if i.isdigit() else i: g for g, i in ids.items()}


def states(svg):
    """How many nodes are drawn in each state."""
    names = [g.get("class").split() for g in nodes(svg).values()]
    return {state: sum(state in name for name in names) for state in palette.STATES}


def places(svg):
    """id of a node -> the numbers its outline is drawn with."""
    found = {}
    for node, group in nodes(svg).items():
        body = next(e for e in group.iter() if e.get("class") == "body")
        found[node] = {k: v for k, v in body.items() if k != "class"}
    return found


# pictures -----------------------------------------------------------------------------------------


def test_the_picture_has_a_node_per_node_of_the_union(engine):
    panel = viz.passes(transformer(1))
    for said, each in zip(panel.report[1:4], panel.steps[1:4], strict=True):
        svg = panel.svg(number=said["number"])
        assert states(svg) == said["counts"]
        assert len(nodes(svg)) == len(each.union.changes)
    assert panel.report[2]["counts"] == {"unchanged": 14, "added": 1, "removed": 3, "rewritten": 1}


@pytest.mark.parametrize("record", [transformer(1), control()], ids=["flat", "nested"])
def test_what_survives_never_moves(engine, record):
    panel = viz.passes(record)
    before, diff, after = (places(panel.svg(view)) for view in VIEWS)
    assert before == diff == after and len(diff) > 15


def test_a_pass_without_changes_shows_the_graph_beside_it():
    panel = viz.passes(transformer(1))
    svg = panel.svg(number=5)
    assert 'class="msx-graph after plain"' in svg
    assert places(svg) == places(panel.svg(number=4))
    found = [panel.pictures(index) for index in range(5)]
    assert [(len(f.views), f.source, f.view) for f in found] == [
        (0, 2, "before"), (1, 2, "diff"), (1, 3, "diff"), (1, 4, "diff"), (0, 4, "after"),
    ]  # fmt: skip


def test_regions_are_boxes_inside_boxes(engine):
    panel = viz.passes(control())
    root = ElementTree.fromstring(panel.svg())
    titles = [g.find(f"{SVG}text").text for g in root.iter(f"{SVG}g") if "region" in g.get("class")]
    assert sorted(titles) == ["body", "body", "cond", "else", "then"]
    boxes = {}
    for node, group in nodes(panel.svg()).items():
        rect = group.find(f"{SVG}rect[@class='body']")
        if rect is not None:
            boxes[node] = [float(rect.get(k)) for k in ("x", "y", "width", "height")]
    loop, branch, inside = 23, 20, 15
    assert within(boxes[branch], boxes[loop]) and within(boxes[inside], boxes[branch])
    assert "control" in nodes(panel.svg())[loop].get("class").split()


def within(inner, outer):
    x, y, width, height = inner
    left, top, wide, high = outer
    return left < x and top < y and x + width < left + wide and y + height < top + high


def test_operands_enter_by_name_and_loops_come_back(engine):
    root = ElementTree.fromstring(viz.passes(control()).svg())
    edges = [g for g in root.iter(f"{SVG}g") if "edge" in g.get("class").split()]
    kinds = [g.get("class").split()[1] for g in edges]
    assert kinds.count("back") == 3  # two values of the While, one of the For
    assert kinds.count("enter") == 10
    backs = [g.find(f"{SVG}title").text for g in edges if "back" in g.get("class").split()]
    assert "carried value 2: the next turn's %10 i" in backs


def test_matches_carry_their_number():
    panel = viz.passes(transformer(2))
    marked = {n: g.get("data-match") for n, g in nodes(panel.svg(number=3)).items()}
    assert sorted(filter(None, marked.values())) == ["1", "1", "1", "2", "2", "2"]


def test_no_colour_is_written_into_a_picture():
    pictures = viz.passes(transformer(1)).pictures(2).views
    assert pictures and not re.search(r"#[0-9a-f]{3}|rgb|style=|fill=|stroke=", pictures["whole"])


# the same content everywhere ----------------------------------------------------------------------


@pytest.mark.parametrize("record", [transformer(1), control()], ids=["flat", "nested"])
def test_text_page_and_export_say_the_same(record):
    panel = viz.passes(record)
    written, page = panel.text(), panel.html()
    for said in json.loads(panel.json())["passes"]:
        assert said["summary"] in written
        for stat in said["stats"] if report.changed(said) else ():
            assert text.stat(stat) in written and stat["meaning"] in written
            assert stat["shown"] in page and stat["meaning"] in page
        for node in said["nodes"] if report.changed(said) else ():
            assert node["call"] in written
        for match in said["matches"]:
            assert match["text"] in written and match["text"] in page
        for refusal in said["refusals"]:
            assert refusal["why"] in written and refusal["why"] in page


def test_text_has_the_marks_of_the_picture():
    panel = viz.passes(transformer(1))
    lines = (
        panel.text().split("3. fuse_matmul_bias_gelu")[2].split("4. add_neg_to_sub")[0].splitlines()
    )
    marks = [line[2] for line in lines if re.match(r"  [-+−~ ] +%", line)]
    assert {m: marks.count(m) for m in "+−~"} == {"+": 1, "−": 3, "~": 1}


def test_the_same_record_gives_the_same_page():
    first, second = (viz.passes(transformer(1)) for _ in range(2))
    assert first.html() == second.html() and first.json() == second.json()


def test_saving_by_the_name_of_the_file(tmp_path):
    panel = viz.passes(transformer(1))
    for ending in (".html", ".svg", ".txt", ".json", ".dot"):
        path = panel.save(tmp_path / f"panel{ending}")
        assert path.stat().st_size > 500
    ElementTree.parse(tmp_path / "panel.svg")
    with pytest.raises(errors.InvalidValue, match="saved as .html"):
        panel.save(tmp_path / "panel.doc")
    with pytest.raises(errors.InvalidValue, match="three views"):
        panel.svg("diffs")
    with pytest.raises(errors.InvalidIndex, match="5 passes"):
        panel.svg(number=6)


# budgets ------------------------------------------------------------------------------------------


def test_a_large_graph_shows_what_changed_and_says_so():
    record = transformer(5)
    panel = viz.passes(record, budget=40)
    said = panel.report[2]
    assert len(said["nodes"]) == 87 and len(nodes(panel.svg(number=3))) <= 40
    assert re.match("Showing [34]. of 87 nodes, because .* of 25 changed nodes", said["hidden"])
    assert "pass budget=87" in said["hidden"] and said["hidden"] in panel.text()
    assert 'class="cut"' in panel.svg(number=3)
    whole = viz.passes(record)
    assert len(nodes(whole.svg(number=3))) == 87 and not whole.report[2]["hidden"]


def test_a_node_deep_inside_brings_its_boxes():
    panel = viz.passes(control(), budget=12)
    drawn = nodes(panel.svg())
    assert {23, 20, 15} <= set(drawn) and len(drawn) <= 12


# on the engine itself -----------------------------------------------------------------------------


def f(x, y):
    return (x + (-y)) * 1.0 + x


def arguments():
    return ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 5.0])


def test_a_function_and_a_pass_asked_for():
    panel = viz.passes(f, *arguments(), passes=["add_neg_to_sub"])
    said = next(said for said in panel.report if said["number"] == panel.start)
    assert said["name"] == "add_neg_to_sub"
    assert (said["counts"]["added"], said["counts"]["removed"]) == (1, 2)
    assert any("not Neg" in refusal["why"] for refusal in said["refusals"])
    assert "test_viz_passes.py" in panel.text()


def test_one_graph():
    panel = viz.graph(f, *arguments())
    assert isinstance(panel, Panel) and isinstance(viz.graph(jit.trace(f, *arguments())), Panel)
    assert [node["op"] for node in panel.report[0]["nodes"] if node["kind"] == "call"] == [
        "Neg", "Add", "Mul", "Add", "Return",
    ]  # fmt: skip
    assert 'type="radio"' not in panel.html() and states(panel.svg())["added"] == 0


def test_views_are_functions_however_they_are_imported():
    import importlib

    importlib.import_module("ms_ext.viz.passes")
    assert callable(viz.passes) and callable(viz.graph)
    with pytest.raises(AttributeError, match="no view"):
        _ = viz.paintings


@pytest.mark.parametrize("order", [["minus_one", "less"], ["less", "minus_one"]])
def test_a_panel_opens_at_the_first_asked_pass_that_changed_something(order):
    ms.graph.pattern_pass(lambda x: ops.Mul(x, -1), lambda x: ops.Neg(x), name="minus_one")
    ms.graph.pattern_pass(
        lambda x, y: ops.Add(x, ops.Neg(y)), lambda x, y: ops.Sub(x, y), name="less"
    )
    try:
        panel = viz.passes(lambda x, y: x + y * -1, Tensor([1.0]), Tensor([2.0]), passes=order)
        assert panel.report[panel.start - 1]["name"] == "minus_one"  # less alone finds no Neg
        changed = [said["name"] for said in panel.report if report.changed(said)]
        assert changed == (order if order[0] == "minus_one" else ["minus_one"])
    finally:
        for name in order:
            passes.REGISTRY.discard(name)
