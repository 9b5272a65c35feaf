"""What a panel says of nodes, matches and refusals, and that it says the same each time."""

import json
import re
import sys
from xml.etree import ElementTree

import pytest
from test_viz_passes import SVG, arguments, f, nodes
from viz_records import control, transformer

import ms_ext as ms
from ms_ext import ops, viz
from ms_ext.engine import jit, passes, patterns
from ms_ext.engine.patterns.records import Match, NodeId
from ms_ext.viz.drawing import labels
from ms_ext.viz.drawing.union import Change, union
from ms_ext.viz.panel import report
from ms_ext.viz.panel.matches import said_matches


def drawn(svg):
    """(class, id) of every node and edge of a picture; ids count from 1 as they appear."""
    numbers, found = {}, []
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        ends = [group.get(name) for name in ("data-id", "data-from", "data-to")]
        ids = [numbers.setdefault(end, len(numbers) + 1) for end in ends if end]
        if ids:
            found.append((group.get("class"), *ids))
    return found


def test_the_same_function_gives_the_same_picture_but_for_the_numbers_of_nodes():
    pictures = [viz.passes(f, *arguments(), passes=["add_neg_to_sub"]).svg() for _ in range(2)]
    assert pictures[0] != pictures[1] and drawn(pictures[0]) == drawn(pictures[1])
    assert drawn(pictures[0]) == [
        ("edge removed", 1, 2), ("edge removed", 3, 4), ("edge removed", 2, 4),
        ("edge removed", 4, 5), ("edge unchanged", 3, 5), ("edge unchanged", 5, 6),
        ("edge added", 7, 5), ("edge added", 3, 7), ("edge added", 1, 7),
        ("node parameter unchanged", 3), ("node parameter unchanged", 1),
        ("node call removed matched", 2), ("node call removed matched", 4),
        ("node call added", 7), ("node call rewritten", 5), ("node call unchanged", 6),
    ]  # fmt: skip


def test_a_node_of_the_panel_is_a_node_of_the_graph():
    panel = viz.passes(f, *arguments(), passes=["add_neg_to_sub"])
    said = next(n for n in panel.report[-1]["nodes"] if n["op"] == "Sub")
    node = panel.node(said["id"])
    assert node.primitive.name == "Sub" and node in panel.record.graph.order()
    assert panel.node(0) is None
    graph = jit.trace(f, *arguments())
    assert viz.graph(graph).node(graph.parameters[0].id) is graph.parameters[0]


def test_a_value_names_its_users():
    graph = jit.trace(lambda x: (x + 1.0) * x - x, *arguments()[:1])
    panel = viz.graph(graph)
    titles = {g.get("data-id"): g.find(f"{SVG}title").text for g in nodes(panel.svg()).values()}
    said = titles[str(graph.parameters[0].id)]
    assert re.search(r"^used by: %\d+ Add, %\d+ Mul, %\d+ Sub$", said, re.M)


def test_many_users_are_counted():
    rows = dict(transformer(10).listing)
    everywhere = next(row for row in rows.values() if row.op == "0.125")
    users = [row.id for row in rows.values() if row.op == "Mul"]
    found = dict(labels.facts(Change(None, everywhere), rows, users))
    assert found["used by"].endswith(" and 12 more") and found["used by"].count("%") == 8


def test_a_refusal_says_which_operand_and_whose():
    panel = viz.passes(f, *arguments(), passes=["add_neg_to_sub"])
    said = next(said for said in panel.report if said["name"] == "add_neg_to_sub")
    (refusal,) = [each for each in said["refusals"] if each["code"] == "operand"]
    by_id = {node["id"]: node for node in said["nodes"]}
    (root,), (operand,), (user,) = refusal["nodes"], refusal["at"], refusal["users"]
    assert user == root and refusal["operand"] == 2
    assert operand in by_id[root]["inputs"] and by_id[operand]["kind"] == "parameter"


def test_numbers_are_not_mistaken_for_nodes():
    listing = transformer(1).listing
    found = said_matches(
        [Match(4, {"axis": 4, "x": NodeId(4)}, (), (), "")], union(listing, listing)
    )
    assert found[0]["bound"] == [4] and "axis = 4, x = %4 LayerNorm" in found[0]["text"]


def test_the_export_is_complete():
    panel = viz.passes(control())
    data = json.loads(panel.json())
    assert data["version"] == report.VERSION and data["panes"] == []
    (said,) = data["passes"]
    assert len(said["nodes"]) == len(panel.steps[0].union.changes)
    assert len(said["enters"]) == 10 and len(said["backs"]) == 3
    assert {"op": "Square", "before": 0, "after": 1} in said["ops"]
    assert "calls of each op: Mul 3 → 2, Square 0 → 1" in panel.text()


# where a panel opens, and what its headings say ---------------------------------------------------


def less(name=None):
    """A pass of x + (-y) -> x - y; without a name it is called by its equation."""
    rule = (lambda x, y: ops.Add(x, ops.Neg(y))), (lambda x, y: ops.Sub(x, y))
    return passes.of_rules([patterns.rule(*rule, name=name)], name) if name else rule


X = ms.Tensor([1.0, 2.0])


@pytest.mark.parametrize("name", ["yours", None])
def test_where_nothing_changed_a_panel_opens_at_the_near_misses(name, monkeypatch):
    panel = viz.passes(lambda x, y: x * y + x, X, X, passes=[less(name)])
    assert not any(map(report.changed, panel.report))
    assert panel.start == 5 and panel.report[4]["refusals"]
    assert 'data-start="5"' in panel.html()
    assert re.findall(r'data-pass="(\d)"[^>]* open', panel.html()) == ["5"]
    assert re.findall(r"<details class=\"step\"[^>]* data-changed", panel.html()) == []
    monkeypatch.setitem(sys.modules, "anywidget", None)
    pytest.importorskip("ipywidgets")
    assert panel.widget().children[1].value == 5


def test_a_change_comes_before_a_near_miss():
    panel = viz.passes(lambda x, y: (x * y) + (x * y), X, X, passes=[less("yours")])
    assert panel.report[panel.start - 1]["name"] == "cse" and panel.report[4]["refusals"]


def test_a_near_miss_of_what_was_asked_for_comes_before_others():
    said = [{"number": n, "name": name, "counts": {}, "refusals": ["no"]}
            for n, name in enumerate(("fold", "mine"), 1)]  # fmt: skip
    assert report.opening(said) == 1 and report.opening(said, {"mine"}) == 2
    assert report.opening([each | {"refusals": []} for each in said], {"mine"}) == 1


def test_a_heading_says_the_name_once():
    equation = "Add(x, Neg(y)) -> Sub(x, y)"
    named, plain = (
        viz.passes(lambda x, y: x + (-y), X, X, passes=[less(name)]) for name in ("yours", None)
    )
    assert (named.report[4]["name"], named.report[4]["doc"]) == ("yours", equation)
    assert (plain.report[4]["name"], plain.report[4]["doc"]) == (equation, "")
    assert f"5. yours    {equation}\n" in named.text()
    assert f"\n5. {equation}\n" in plain.text()
