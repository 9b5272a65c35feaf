"""Graphs of all sizes: what is drawn, what is left out, and the sentence that says so."""

import json
import re
import subprocess
from html import unescape

import pytest
from viz_chains import replaced
from viz_records import scoped, transformer

from ms_ext import viz
from ms_ext.engine import errors
from ms_ext.viz.drawing import budget, drawings, layout, views
from ms_ext.viz.drawing.union import union
from ms_ext.viz.palette import STATES

SENTENCE = re.compile(r"Showing [\d\u2009]+ of [\d\u2009]+ nodes, because .+\. To see more, .+\.$")


def union_of(record, number=1):
    """The union of one pass of an invented record."""
    before = record.listing_after(number - 1)
    return union(before, record.listing_after(number), 1)


def names(found):
    return [view.name for view in found]


def views_of(union, options=budget.DEFAULT):
    return list(views.views(union, options))


@pytest.fixture
def small_limits(monkeypatch):
    """The table of sizes, a tenth as large."""
    monkeypatch.setattr(views, "LARGE", 100)
    monkeypatch.setattr(views, "HUGE", 200)
    return budget.Options(budget=40)


# which pictures there are -------------------------------------------------------------------------


def test_a_small_graph_is_drawn_whole():
    found = views_of(union_of(transformer(1), 2))
    assert names(found) == ["whole"] and found[0].about == ""
    assert names(views_of(union_of(scoped(2)))) == ["whole", "scopes"]


def test_above_the_budget_what_changed_leads(small_limits):
    both = union_of(scoped(8))
    assert 40 < len(both.changes) <= 100
    found = views_of(both, small_limits)
    assert names(found) == ["changes", "scopes"]
    assert all(SENTENCE.match(view.about) for view in found)
    assert all(len(view.shown) <= 40 for view in found)
    changed = [n for n, change in both.changes.items() if change.state != "unchanged"]
    assert set(changed[:6]) <= found[0].shown


def test_a_large_graph_leads_with_its_scopes(small_limits):
    both = union_of(scoped(18))
    assert 100 < len(both.changes) <= 200
    found = views_of(both, small_limits)
    assert names(found) == ["scopes", "changes"]
    assert "force=True" in found[0].about and "18 groups" not in found[1].about


def test_a_huge_graph_leads_with_what_moves_most(small_limits):
    both = union_of(scoped(30))
    assert len(both.changes) > 200
    found = views_of(both, small_limits)
    assert names(found) == ["changes", "scopes"]
    assert "10 changed places that move the most bytes" in found[0].about
    assert len(found[0].shown) <= 40


def test_a_graph_without_passes_leads_with_its_scopes():
    record = scoped(8)
    both = union(record.listing, record.listing, 1)
    assert names(views_of(both, budget.Options(budget=40))) == ["scopes", "around the result"]
    flat = transformer(4).listing
    around = views_of(union(flat, flat, 1), budget.Options(budget=40))
    assert names(around) == ["around the result"]
    assert "nearest to the result" in around[0].about


def test_steps_from_a_change():
    both = union_of(transformer(6), 2)
    shown = [len(views.changes(both, budget.Options(hops=hops)).shown) for hops in (0, 1, 3)]
    assert shown == sorted(set(shown))
    assert "at most 1 step from" in views.changes(both, budget.Options(hops=1)).about


def test_scopes_can_be_opened():
    panel = viz.passes(scoped(8), budget=60, expand="layers.2")
    drawn = panel.picture(1, "scopes")
    assert 'data-scope="layers.2"' not in drawn and 'data-scope="layers.3"' in drawn
    with pytest.raises(errors.InvalidValue, match=r"no scope 'layer\.2'"):
        viz.passes(scoped(8), expand=["layer.2"])


def test_the_inside_of_a_scope_is_drawn_as_it_is_where_it_can_be_read(monkeypatch):
    both = union_of(scoped(8), 2)
    monkeypatch.setattr(views, "FEW", 3)
    found = views.inside(both, "layers.1")
    runs = [c for n, c in found.union.changes.items() if n in found.shown and "r:" in str(n)]
    assert len(found.shown) < 40 and not runs
    monkeypatch.setattr(views.collapse, "ROOMY", 2)
    assert len(views.inside(both, "layers.1").shown) < len(found.shown)


# every node, if one insists -----------------------------------------------------------------------


def test_the_whole_on_demand():
    panel = viz.passes(transformer(4), budget=40)
    assert panel.pictures(2).default == "changes" and "whole" in panel.names(2)
    many = len(panel.steps[2].union.changes)
    assert panel.picture(3, "whole").count('<g class="node') >= many
    assert "whole" not in panel.pictures(2).views  # a page stays as it is
    assert viz.passes(transformer(4), budget=many).pictures(2).default == "whole"


def test_the_whole_of_a_large_graph_must_be_forced(small_limits):
    record = scoped(18)
    panel = viz.passes(record, budget=1000)
    assert panel.pictures(0).default == "scopes" and "whole" not in panel.names(0)
    with pytest.raises(errors.NotRunnable, match="not drawn as a whole"):
        panel.svg(picture="whole")
    forced = viz.passes(record, force=True)
    assert forced.pictures(0).default == "whole"
    assert forced.steps[0].views[0].limit == views.FORCED == 15


def test_what_cannot_be_laid_out_in_time_is_said(small_limits, monkeypatch):
    place = drawings.scenes

    def slow(unions, shown, limit):
        large = any(len(nodes) > 100 for nodes in shown)
        return [None] * len(unions) if large else place(unions, shown, limit)

    monkeypatch.setattr(drawings, "scenes", slow)
    panel = viz.passes(scoped(18), force=True)
    monkeypatch.setattr(drawings, "SMALL", 100)
    found = panel.pictures(0)
    assert "whole" not in found.views and found.default == "scopes"
    assert "Could not be laid out in time: the pictures whole, changes;" in found.left_out
    with pytest.raises(errors.NotRunnable, match="could not be laid out in 15 s"):
        panel.svg(picture="whole")


def test_large_passes_with_little_in_common_are_not_all_laid_out_for_a_page(monkeypatch):
    monkeypatch.setattr(drawings, "WAITED", 20)
    panel = viz.passes(replaced(20, 3))
    found = [panel.pictures(index) for index in range(3)]
    assert [each.default for each in found] == ["whole", "changes", "changes"]
    assert [list(each.views) for each in found[1:]] == [["changes"], ["changes"]]
    said = 'the picture whole; panel.svg(picture="whole", number=2) draws it.'
    assert found[1].left_out == f"Not in this page, which would take long to make: {said}"
    assert found[0].left_out == "" and found[1].left_out in unescape(panel.html())
    assert panel.picture(2, "whole").count('<g class="node') == len(panel.steps[1].union.changes)
    assert panel.names(1) == ["whole"]
    monkeypatch.setattr(drawings, "WAITED", 100)
    assert viz.passes(replaced(20, 3)).pictures(1).default == "whole"


def test_without_any_layout_the_tables_stay(monkeypatch):
    monkeypatch.setattr(layout, "_place", lambda programs, graphs, limit: [None for _ in graphs])
    layout._seen.clear()
    panel = viz.passes(transformer(2))
    found = panel.pictures(2)
    assert not found.views and found.left_out.startswith("Could not be laid out in time: ")
    assert "FusedMatMulBiasGelu" in panel.text()
    assert panel.picture(3, "whole") == ""
    assert "FusedMatMulBiasGelu" in panel.html()


# a page -------------------------------------------------------------------------------------------


def test_a_page_keeps_its_room(monkeypatch):
    panel = viz.passes(transformer(3))
    sizes = [len(panel.picture(n, "whole")) for n in (2, 3, 4)]
    monkeypatch.setattr(drawings, "ROOM", sum(sizes) - 1)
    again = viz.passes(transformer(3), number=4)
    found = [again.pictures(index) for index in range(5)]
    assert [list(each.views) for each in found] == [[], ["whole"], [], ["whole"], []]
    assert "Not in this page, which would be larger than 2 MB: the picture" in found[2].left_out
    assert 'panel.svg(picture="whole", number=3) draws' in found[2].left_out
    assert again.svg(number=3, picture="whole").startswith("<svg")


@pytest.mark.parametrize("blocks", [52, pytest.param(180, marks=pytest.mark.long)])
def test_a_page_of_a_large_graph_is_two_megabytes_at_most(blocks):
    page = viz.passes(transformer(blocks)).html()
    assert 200_000 < len(page.encode()) <= 2_000_000


def test_a_page_has_what_changed_of_a_large_graph_and_the_export_has_all():
    panel = viz.passes(transformer(20))
    page, whole = panel.told()["passes"][2], json.loads(panel.json())["passes"][2]
    assert len(page["nodes"]) + page["left_out"] == len(whole["nodes"]) > 300
    said = {node["id"] for node in page["nodes"]}
    assert {n["id"] for n in whole["nodes"] if n["state"] != "unchanged"} <= said
    assert all(edge["source"] in said and edge["target"] in said for edge in page["edges"])
    assert "left_out" not in viz.passes(transformer(1)).told()["passes"][2]


def test_passes_without_a_change_cost_no_layout(monkeypatch):
    placed = []
    place = layout._place

    def counted(programs, graphs, limit):
        placed.extend(graphs)
        return place(programs, graphs, limit)

    monkeypatch.setattr(layout, "_place", counted)
    layout._seen.clear()
    viz.passes(transformer(2)).html()
    assert len(placed) == 3
    viz.passes(transformer(2)).html()
    assert len(placed) == 3  # seen before


@pytest.mark.parametrize("blocks", [190, pytest.param(600, marks=pytest.mark.long)])
def test_a_huge_graph_is_told(blocks):
    panel = viz.passes(transformer(blocks))
    said = panel.report[2]
    assert len(said["nodes"]) > max(views.HUGE, 17 * blocks - 1)
    assert {"op": "FusedMatMulBiasGelu", "before": 0, "after": blocks} in said["ops"][:4]
    assert SENTENCE.match(said["hidden"])
    assert len(panel.pictures(2).views["changes"]) < 200_000
    assert f"FusedMatMulBiasGelu 0 → {blocks}" in panel.text()
    assert "has no panes" in panel.panes[0].about


def test_the_whole_graph_as_a_file(tmp_path):
    panel = viz.passes(scoped(3))
    text = panel.save(tmp_path / "graph.dot").read_text()
    assert 'subgraph "cluster layers.1" {' in text and 'label="layers.1"' in text
    assert text.count(" -> ") == len(panel.report[0]["edges"])
    counts = panel.report[0]["counts"]
    nodes = [line for line in text.splitlines() if re.match(r"\s*n\d+ \[", line)]
    assert {s: sum(f'class="{s}"' in n for n in nodes) for s in STATES} == counts
    if layout.engine():
        subprocess.run([layout.engine(), "-Tplain"], input=text, text=True, check=True, timeout=20,
                       capture_output=True)  # fmt: skip


def test_of_a_huge_graph_only_the_pass_where_it_opens_is_folded_by_scope(small_limits, monkeypatch):
    """Each folding walks the whole graph, and a page has no room for the pictures anyway."""
    asked, overview = [], views.overview

    def noting(both, options):
        asked.append(both)
        return overview(both, options)

    monkeypatch.setattr(views, "overview", noting)
    panel = viz.passes(transformer(20), budget=40)
    panel.html()
    assert len(panel.drawings.own) > 1
    assert asked == [panel.steps[panel.drawings.start].union]
