"""Where boxes go: nothing overlaps, arrows go down and meet their boxes, with dot and without."""

import itertools
import random

import pytest
from viz_records import control, transformer

from ms_ext import viz
from ms_ext.viz.drawing import dot, labels, layout, sheets, sugiyama, together
from ms_ext.viz.drawing.layout import Box, Link


def layered(count, seed=0):
    """A random graph without cycles in which every box but the first uses earlier ones."""
    chance = random.Random(seed)
    boxes = [Box(i, chance.randint(50, 160), chance.choice((28, 38)), "box") for i in range(count)]
    links = {
        (chance.randrange(max(i - 8, 0), i), i)
        for i in range(1, count)
        for _ in range(chance.choice((1, 1, 2)))
    }
    return boxes, [Link(*pair) for pair in sorted(links)]


DOT = layout.engine()
ENGINES = [
    pytest.param((), id="own"),
    pytest.param((DOT,), id="dot", marks=[] if DOT else pytest.mark.skip(reason="no dot")),
]


def placed(programs, boxes, links, limit=20):
    return layout._place(programs, [(boxes, links)], limit)[0]


def rectangle(box, centres):
    x, y = centres[box.id]
    return x - box.width / 2, y - box.height / 2, x + box.width / 2, y + box.height / 2


@pytest.mark.parametrize("program", ENGINES)
@pytest.mark.parametrize("count", [1, 2, 24, 90])
def test_boxes_do_not_overlap_and_fit(program, count):
    boxes, links = layered(count)
    found = placed(program, boxes, links)
    shapes = [rectangle(box, found.centres) for box in boxes]
    for one, two in itertools.combinations(shapes, 2):
        assert one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]
    assert min(s[0] for s in shapes) >= -1 and max(s[2] for s in shapes) <= found.width + 1
    assert min(s[1] for s in shapes) >= -1 and max(s[3] for s in shapes) <= found.height + 1


@pytest.mark.parametrize("program", ENGINES)
def test_arrows_go_down_from_box_to_box(program):
    boxes, links = layered(60, 3)
    found = placed(program, boxes, links)
    known = {box.id: rectangle(box, found.centres) for box in boxes}
    for link, route in zip(links, found.routes, strict=True):
        assert len(route) % 3 == 1
        assert known[link.source][3] <= known[link.target][1] + 1
        for (x, y), box in ((route[0], known[link.source]), (route[-1], known[link.target])):
            assert box[0] - 2 <= x <= box[2] + 2 and box[1] - 2 <= y <= box[3] + 2


@pytest.mark.parametrize("program", ENGINES)
def test_ports_and_the_first_row(program):
    boxes = [Box("b", 60, 30, top=True), Box("a", 60, 30, top=True), Box("c", 60, 30)]
    boxes += [Box("loop", 300, 200, "box", (50, 150, 250))]
    links = [Link("a", "loop", 2), Link("b", "loop", 0), Link("a", "c"), Link("c", "loop", 1)]
    found = placed(program, boxes, links)
    x, y = found.centres["loop"]
    for link, route in zip(links, found.routes, strict=True):
        if link.port is not None:
            port = boxes[3].ports[link.port]
            assert route[-1] == pytest.approx((x - 150 + port, y - 100), abs=0.5)
    assert found.centres["a"][1] == pytest.approx(found.centres["b"][1])
    assert found.centres["b"][0] < found.centres["a"][0]  # in the order given


def test_our_own_layout_takes_a_cycle():
    boxes = [Box(i, 50, 30) for i in range(3)]
    found = placed((), boxes, [Link(0, 1), Link(1, 2), Link(2, 0)])
    assert len(set(found.centres.values())) == 3


def test_a_chain_is_straight():
    boxes = [Box(i, 40 + 10 * i, 30) for i in range(8)]
    found = placed((), boxes, [Link(i, i + 1) for i in range(7)])
    xs = {round(x, 3) for x, _ in found.centres.values()}
    assert len(xs) == 1


@pytest.mark.parametrize(
    "script", ["exit 1", "echo nonsense", "exec sleep 5", "echo graph 1 1 1; echo stop"]
)
def test_a_dot_that_fails_is_replaced(script, tmp_path):
    program = tmp_path / "dot"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    boxes, links = layered(5)
    assert placed((str(program),), boxes, links, 0.3) == placed((), boxes, links)


@pytest.mark.skipif(not DOT, reason="no dot")
@pytest.mark.parametrize(("script", "engine"), [("exit 1", "dot"), ("exec sleep 5", "own")])
def test_a_dot_that_fails_gives_way_to_the_next_and_a_slow_one_to_our_own(script, engine, tmp_path):
    program = tmp_path / "dot"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    boxes, links = layered(5)
    limit = 0.5 if engine == "own" else 20
    assert placed((str(program), DOT), boxes, links, limit).engine == engine


def test_what_no_engine_can_place_in_time_has_no_places():
    boxes, links = layered(60)
    assert placed((), boxes, links, -1) is None
    assert layout.layouts([(boxes, links)], -1) == [None]


def test_the_same_graph_is_placed_once_whatever_its_boxes_are_called(monkeypatch):
    boxes, links = layered(6, 9)
    first = layout.layout(boxes, links)
    monkeypatch.setattr(layout, "_place", lambda programs, graphs, limit: [1 / 0 for _ in graphs])
    assert layout.layout(boxes, links) == first
    renamed = [box._replace(id=f"s:{box.id}") for box in boxes]
    again = layout.layout(
        renamed, [link._replace(source=f"s:{link.source}", target=f"s:{link.target}")
                  for link in links]
    )  # fmt: skip
    assert again.routes == first.routes and again.centres["s:0"] == first.centres[0]


def test_nothing_to_place():
    assert sugiyama.place([], [])[2] == {}
    assert dot.text([], []).startswith("digraph")


@pytest.mark.parametrize("title", ["矩阵乘法", "行列の積", "행렬 곱셈"])
def test_wide_characters_are_twice_as_wide(title):
    letters = sum(c != " " for c in title)
    assert labels.width(title, 10) >= 10 * letters
    assert labels.mono(title, 10) >= 1.9 * labels.mono("x" * letters, 10)


# passes together ----------------------------------------------------------------------------------


def places(panel, index):
    """id of a node -> the corner of its box, in the picture of every node of one step."""
    scene = panel.drawings.scene(index, panel.drawings.named(index, "whole"))
    return {shape.node: (shape.x, shape.y, shape.width) for shape in scene.shapes if not shape.echo}


def test_the_passes_of_a_large_graph_are_placed_once_and_no_node_moves(monkeypatch):
    graphs, place = [], layout._place
    monkeypatch.setattr(
        layout, "_place", lambda programs, these, limit: graphs.extend(these) or
        place(programs, these, limit)
    )  # fmt: skip
    layout._seen.clear()
    panel = viz.passes(transformer(7))
    found = [places(panel, index) for index in (1, 2, 3)]
    assert len(graphs) == 1 and len(graphs[0][0]) >= together.ALONE
    for one, other in itertools.combinations(found, 2):
        both = one.keys() & other.keys()
        assert len(both) > 80 and all(one[node] == other[node] for node in both)
    assert found[1].keys() - found[0].keys() and found[0].keys() - found[2].keys()
    assert {wire.target for wire in panel.drawings.scene(2, panel.steps[2].first).wires} <= {
        *panel.steps[2].union.changes
    }


def test_small_graphs_are_placed_by_themselves():
    unions = [
        step.union for record in (transformer(1), control()) for step in viz.passes(record).steps
    ]
    books = [sheets.sheets(union, frozenset(union.changes)) for union in unions]
    found = [sheet for book in books for sheet in book.values()]
    assert [len(part) for part in together.alike(found)] == [1] * len(found)
