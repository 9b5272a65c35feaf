"""A union as shapes with places: boxes inside boxes for regions, wires between them.

Each graph is placed by itself, the innermost first; a control node is then one box of its graph.
All graphs of one depth, of all passes, are placed in one go, large ones together (together.py).
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from . import together
from .layout import TIME_LIMIT
from .sheets import HEADER, LANE, PAD, TITLE, measure, sheets
from .sides import ROLES

MARGIN = 14.0


class Shape(NamedTuple):
    """A node with its place; an echo is a constant drawn again beside another user."""

    node: int
    kind: str  # parameter, constant, call, control
    x: float
    y: float
    width: float
    height: float
    echo: bool = False


class Frame(NamedTuple):
    """The box of a region, or of a called graph (owner 0)."""

    owner: int
    title: str
    x: float
    y: float
    width: float
    height: float


class Wire(NamedTuple):
    """An arrow: Bezier points for an operand, corners of a line for a loop's way back."""

    source: int
    target: int
    state: str
    kind: str  # operand, enter, back
    slots: tuple
    points: tuple


class Port(NamedTuple):
    """A point on the top edge of a control node where an operand enters."""

    state: str
    name: str
    x: float
    y: float


@dataclass
class Scene:
    """Everything to draw, in pixels."""

    width: float = 0.0
    height: float = 0.0
    engine: str = ""
    shapes: list = field(default_factory=list)
    frames: list = field(default_factory=list)
    wires: list = field(default_factory=list)
    ports: list = field(default_factory=list)


def scenes(unions, shown, limit=TIME_LIMIT):
    """The scene of each union, of which only the nodes in ``shown[i]`` are drawn.

    None where no engine finds places within ``limit`` seconds.

    >>> from ms_ext.viz.drawing.union import union
    >>> scenes([union({}, {})], [frozenset()])[0].shapes
    []
    """
    books = [sheets(union, nodes) for union, nodes in zip(unions, shown, strict=True)]
    deepest = max((sheet.depth for book in books for sheet in book.values()), default=0)
    for depth in range(deepest, -1, -1):
        level = [(book, sheet) for book in books for sheet in book.values() if sheet.depth == depth]
        for book, sheet in level:
            measure(sheet, book)
        together.place([sheet for _, sheet in level], limit)
        for book, sheet in level:
            if sheet.placement is None:
                book.clear()
    pairs = zip(unions, books, shown, strict=True)
    return [_assemble(union, book) if book or not nodes else None for union, book, nodes in pairs]


def _assemble(union, book):
    """Put the sheets of one union together: the outermost graph, and called graphs beside it."""
    scene, x = Scene(), MARGIN
    for sheet in sorted(book.values(), key=lambda s: s.graph != union.root):
        if sheet.depth:
            continue
        scene.engine = scene.engine or sheet.placement.engine
        width, height = sheet.placement.width, sheet.placement.height
        if sheet.graph == union.root:
            _put(scene, sheet, x, MARGIN)
            scene.height = max(scene.height, height + 2 * MARGIN)
        else:
            scene.frames.append(
                Frame(
                    0, f"graph {sheet.graph}", x, MARGIN, width + 2 * PAD, height + TITLE + 2 * PAD
                )
            )
            _put(scene, sheet, x + PAD, MARGIN + TITLE + PAD)
            scene.height = max(scene.height, height + 2 * MARGIN + TITLE + 2 * PAD)
            width += 2 * PAD
        x += width + 2 * MARGIN
    scene.width = x - MARGIN if book else 0.0
    return scene


def _put(scene, sheet, x, y):
    """Add one sheet and everything inside it, its corner at (x, y)."""
    changes, seen = sheet.union.changes, set()
    for box in sheet.boxes:
        node = box.id[0] if isinstance(box.id, tuple) else box.id
        cx, cy = sheet.placement.centres[box.id]
        left, top = x + cx - box.width / 2, y + cy - box.height / 2
        kind = "control" if node in sheet.inner else changes[node].row.kind
        scene.shapes.append(Shape(node, kind, left, top, box.width, box.height, node in seen))
        seen.add(node)
        if node in sheet.inner:
            _put_inside(scene, sheet, node, left, top)
    for edge, route in zip(sheet.wired, sheet.placement.routes, strict=True):
        points = tuple((x + px, y + py) for px, py in route)
        scene.wires.append(
            Wire(edge.source, edge.target, edge.state, "operand", edge.slots, points)
        )


def _put_inside(scene, sheet, node, left, top):
    inside, union = sheet.inner[node], sheet.union
    row = union.changes[node].row
    for inner, dx, dy, width, height in inside.regions:
        lanes = sum(1 for back in union.backs if back.target in inner.placement.centres)
        reverse = "reverse=True" in row.attrs
        scene.frames.append(
            Frame(node, union.regions[inner.graph].role, left + dx, top + dy, width, height)
        )
        corner = (
            left + dx + PAD + (lanes * LANE if reverse else 0),
            top + dy + TITLE + PAD + lanes * LANE,
        )
        _put(scene, inner, *corner)
        edge = left + dx if reverse else left + dx + width
        _put_backs(scene, inner, corner, edge, reverse)
    ends = {shape.node: shape for shape in scene.shapes}
    for operand, dx in inside.ports:
        links = [k for k in union.links if k.source == operand and k.target in ends
                 and union.regions[union.changes[k.target].row.graph].owner == node]  # fmt: skip
        name = "" if links or row.op not in ROLES else ROLES[row.op].alone
        scene.ports.append(Port(union.changes[node].state, name, left + dx, top))
        for link in links:
            end = ends[link.target]
            points = _drop((left + dx, top), (end.x + end.width / 2, end.y))
            scene.wires.append(Wire(operand, link.target, link.state, "enter", link.slots, points))


def _drop(start, end):
    """Straight down past the header, then over to the parameter."""
    x, y = start
    low = y + HEADER - 6
    half = (end[1] - low) * 0.5
    return (
        start,
        (x, y + 10),
        (x, low - 10),
        (x, low),
        (x, low + half),
        (end[0], end[1] - half),
        end,
    )


def _put_backs(scene, sheet, corner, edge, reverse):
    """One line per carried value: from Return along the region's side into its parameter."""
    x, y = corner
    boxes = {box.id: box for box in sheet.boxes}
    mine = [back for back in sheet.union.backs if back.target in boxes and back.source in boxes]
    side = 1 if reverse else -1
    for lane, back in enumerate(mine, 1):
        (sx, sy), (tx, ty) = (sheet.placement.centres[node] for node in (back.source, back.target))
        start = (
            x + sx - side * (lane - (len(mine) + 1) / 2) * 8,
            y + sy + boxes[back.source].height / 2,
        )
        end = (
            x + tx - side * min(12, boxes[back.target].width / 4),
            y + ty - boxes[back.target].height / 2,
        )
        low, high = start[1] + 2 + lane * LANE, end[1] - 2 - lane * LANE
        along = edge + side * (PAD / 2 + (lane - 1) * LANE)
        points = (start, (start[0], low), (along, low), (along, high), (end[0], high), end)
        scene.wires.append(Wire(back.source, back.target, back.state, "back", back.slots, points))
