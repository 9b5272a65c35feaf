"""Scopes: the front end writes them, passes and gradients keep them, pictures fold by them."""

from xml.etree import ElementTree

import numpy as np
import pytest
from viz_records import scoped

import ms_ext as ms
from ms_ext import nn, viz
from ms_ext.engine import errors, jit
from ms_ext.engine.ir import journal
from ms_ext.engine.ir.text import dump
from ms_ext.viz.drawing import collapse
from ms_ext.viz.drawing.scopes import Scopes
from ms_ext.viz.drawing.union import union
from ms_ext.viz.panel import report

SVG = "{http://www.w3.org/2000/svg}"
x = ms.Tensor(np.ones((4, 4), np.float32))


def centred(value):
    return value - value.mean()


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 4)

    def norm(self, value):
        return centred(value) / 2.0

    def construct(self, value):
        return self.norm(value) + (-self.dense(self.norm(value)))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([Block(), Block()])
        self.head = nn.SequentialCell(nn.Dense(4, 4), nn.ReLU())

    def construct(self, value):
        for layer in self.layers:
            value = layer(value)
        return self.head(value)


def scopes(graph):
    """Each scope of the calls of a graph and its regions, in order of appearance."""
    nodes = [node for each in graph.all_graphs() for node in each.order()]
    return list(dict.fromkeys(node.scope for node in nodes))


# the front end ------------------------------------------------------------------------------------


def test_functions_go_by_their_names_and_calls_are_told_apart():
    def twice(value):
        return centred(centred(value)) + (lambda v: v * v)(value)

    assert scopes(jit.trace(twice, x)) == ["centred", "centred.1", "lambda", ""]


def test_cells_go_by_their_attributes():
    assert scopes(jit.trace(Net(), x)) == [
        "layers.0/norm/centred", "layers.0/norm", "layers.0/norm.1/centred", "layers.0/norm.1",
        "layers.0/dense/linear", "layers.0",
        "layers.1/norm/centred", "layers.1/norm", "layers.1/norm.1/centred", "layers.1/norm.1",
        "layers.1/dense/linear", "layers.1",
        "head/0/linear", "head/1",
    ]  # fmt: skip


def test_a_cell_that_no_cell_owns_goes_by_its_class():
    net = Block()
    assert "Block/dense/linear" in scopes(jit.trace(lambda value: net(value), x))


def test_a_parameter_is_read_where_it_is_used_first():
    found = {p.name: p.scope for p in jit.trace(Net(), x).parameters}
    assert found["value"] == "" and found["head.0.weight"] == "head/0/linear"


def test_a_body_that_is_read_again_has_the_same_scope():
    def loop(value):
        total = value
        for _ in range(30):
            total = centred(total)
        if value.sum() > 0:
            total = centred(total)
        return total

    assert scopes(jit.trace(loop, x)) == ["", "centred"]


def test_recursion_is_one_scope():
    def down(value, n):
        return value if n <= 0 else centred(down(value, n - 1))

    graph = jit.trace(lambda value: down(value, 3), x)
    assert scopes(graph)[-1].endswith("centred")


def test_a_gradient_stays_where_its_forward_call_is():
    graph = jit.trace(ms.grad(lambda value: Net()(value).sum()), x)
    made = [node for node in graph.order() if node.origin]
    assert len(made) > 20
    inside = [node for node in made if node.scope.startswith("Net/")]
    assert len(inside) > 0.9 * len(made)


def test_a_pass_keeps_the_scope():
    record = jit.explain(Net(), x, passes=["add_neg_to_sub"])
    added = [line[1] for each in record.passes for line in each.journal if line[0] == "add"]
    assert {row.scope for row in added if row.op == "Sub"} == {"layers.0", "layers.1"}


def test_the_text_form_knows_no_scopes():
    assert "layers.0/" not in dump(jit.trace(Net(), x))


# folding ------------------------------------------------------------------------------------------


def both(blocks=3):
    """The union of a record with scopes around its one changing pass."""
    record = scoped(blocks)
    return union(record.listing, record.listing_after(1), 1)


def of(folded, scope):
    """The groups of a scope."""
    return [c for c in folded.changes.values() if getattr(c, "scope", None) == scope]


def test_a_group_keeps_the_difference():
    folded = collapse.folded(both(), both().scopes.overview())
    (block,) = of(folded, "layers.1")
    assert block.state == "changed" and block.row.abstract == "8 calls  +1 −2 ~1"
    assert block.counts == {"unchanged": 5, "rewritten": 1, "removed": 2, "added": 1}
    assert of(folded, "head")[0].row.abstract == "2 calls  ~1"


def test_every_node_is_drawn_or_in_one_group():
    whole = both()
    folded = collapse.folded(whole, whole.scopes.overview())
    members = [node for c in folded.changes.values() for node in getattr(c, "members", ())]
    alone = [node for node in folded.changes if node in whole.changes]
    assert sorted([*members, *alone]) == sorted(whole.changes)
    assert folded.counts() != whole.counts() and folded.whole is whole


def test_merged_edges_have_the_state_they_share():
    folded = collapse.folded(both(), both().scopes.overview())
    states = {(str(e.source), str(e.target)): e.state for e in folded.edges}
    assert states["s:layers.0", "s:layers.1"] == "changed"  # one went, one came
    graph = _two_ways()
    (group,) = of(graph, "f")
    assert {e.state for e in graph.edges if e.target == group.row.id} == {"removed"}


def _two_ways():
    from viz_records import Rows

    rows = Rows()
    a = rows.parameter("a")
    one = rows.call("Neg", a, scope="f")
    two = rows.call("Mul", one, a, scope="f")
    rows.call("Return", rows.call("Add", two, a))
    before = dict(rows.rows)
    rows.replace(two, a)
    return collapse.folded(union(before, rows.rows, 1), union(before, {}, 1).scopes.overview())


def test_a_group_of_what_came_is_added_and_of_what_went_removed():
    assert of(_two_ways(), "f")[0].state == "removed"


def test_a_run_of_nothing_new_is_one_box():
    few, many = (union(listing, listing, 1) for listing in (scoped(3).listing, scoped(8).listing))
    assert len(few.changes) < collapse.ROOMY < len(many.changes)
    assert list(collapse.folded(few, {}).changes) == list(few.changes)  # it can be read as it is
    folded = collapse.folded(many, {})
    (run,) = [c for c in folded.changes.values() if hasattr(c, "members")][-1:]
    assert run.scope == "" and run.row.op == f"{run.calls} unchanged" and run.calls >= 4


def test_groups_make_no_circle():
    graph = jit.trace(ms.grad(lambda value: Net()(value).sum()), x)
    rows = journal.listing(graph)
    whole = union(rows, rows)
    folded = collapse.folded(whole, whole.scopes.overview())
    assert _sorted(folded)
    titles = [c.row.op for c in folded.changes.values() if hasattr(c, "members")]
    assert any(title.endswith(" backward") for title in titles)


def _sorted(folded):
    """Whether the arrows lead nowhere in a circle."""
    left, edges = set(folded.changes), folded.edges
    while left:
        free = left - {edge.target for edge in edges if edge.source in left}
        if not free:
            return False
        left -= free
    return True


def test_the_inside_of_a_folded_scope_disappears_in_it():
    def loop(value):
        def inner(v):
            for _ in range(30):
                v = v * v + 1.0
            return v - 1.0

        return inner(value) * 2.0

    rows = journal.listing(jit.trace(loop, x))
    whole = union(rows, rows)
    folded = collapse.folded(whole, whole.scopes.overview())
    (group,) = of(folded, "inner")
    assert not folded.regions and not folded.backs and len(whole.regions) == 1
    assert {row.graph for row in rows.values()} - {folded.root} == set(whole.regions)
    assert len(group.members) > 6


def test_a_fold_leaves_survivors_where_they_are():
    panel = viz.passes(scoped(3))
    before, after = (_places(panel.svg(view, picture="scopes")) for view in ("before", "after"))
    assert before == after and len(before) > 4


def _places(svg):
    found = {}
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        if "node" in group.get("class").split():
            body = next(e for e in group.iter() if e.get("class") == "body")
            found[group.get("data-id")] = {k: v for k, v in body.items() if k != "class"}
    return found


# which are folded ---------------------------------------------------------------------------------


def test_a_depth_that_can_be_read_is_chosen():
    deep = Scopes(
        {i: _row(i, f"net/layers.{i % 40}/f/g") for i in range(400)},
        dict.fromkeys(range(400), "unchanged"),
    )
    assert deep.depth() == 2  # one box says nothing, 40 are many but can be read
    assert set(deep.overview().values()) == {f"net/layers.{i}" for i in range(40)}
    opened = set(deep.overview(["net/layers.3"]).values())
    assert "net/layers.3/f" in opened and "net/layers.3" not in opened
    with pytest.raises(errors.InvalidValue, match="no scope 'net/layer.3'"):
        deep.check(["net/layer.3"])


def _row(number, scope):
    return journal.Row(number, "call", "Add", (), "f32[2]", None, None, 1, "", 0, (), (2, 8), scope)


def test_pictures_of_scopes_and_of_the_inside_of_one():
    panel = viz.passes(scoped(3))
    groups = ElementTree.fromstring(panel.picture(1, "scopes")).iter(f"{SVG}g")
    found = {g.get("data-scope"): g for g in groups if "group" in g.get("class").split()}
    assert list(found) == ["layers.0", "layers.1", "layers.2", "head"]
    assert found["layers.1"].get("data-id") == "s:layers.1"
    assert len(found["layers.1"].get("data-members").split()) == 9
    lines = [t.text for t in found["layers.1"].iter(f"{SVG}text")]
    assert lines[:2] == ["layers.1", "8 calls +1 −2 ~1"]
    inside = ElementTree.fromstring(panel.picture(1, "inside layers.1")).iter(f"{SVG}g")
    ids = [g.get("data-id") for g in inside if "node" in g.get("class").split()]
    assert {"s:layers.0", "s:layers.2"} < set(ids) and len(ids) >= 9
    with pytest.raises(errors.InvalidValue, match="no such picture"):
        panel.picture(1, "hole")
    with pytest.raises(errors.InvalidValue, match="no scope"):
        panel.picture(1, "inside layers.9")


def test_names_of_all_pictures():
    panel = viz.passes(scoped(2))
    assert panel.names(0)[:2] == ["whole", "scopes"] and "inside layers.1" in panel.names(0)


def test_scopes_are_in_what_is_said():
    said = viz.passes(scoped(2)).report[0]
    assert said["scopes"][-1] == {"scope": "layers.1", "calls": 8, "changed": 4}
    assert {node["scope"] for node in said["nodes"]} == {"", "layers.0", "layers.1", "head"}
    assert report.VERSION == 2


def test_a_compiled_network_folds_by_its_cells():
    panel = viz.passes(Net(), x, passes=["add_neg_to_sub"], number=5)
    assert panel.start == 5 and panel.report[4]["name"] == "add_neg_to_sub"
    assert panel.names(4)[:2] == ["whole", "scopes"]
    drawn = panel.picture(5, "scopes")
    assert 'data-scope="layers.0/' in drawn and 'data-scope="layers.1/' in drawn
