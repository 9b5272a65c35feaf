"""A union as shapes with places: boxes inside boxes for regions, wires between them.

Each graph is placed by itself, the innermost first; a control node is then one box of its graph, as large as the
regions inside it. All graphs of one depth, of all passes, are placed in one go.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from . import coordinates, labels
from .layout import Box, Link, layouts
from .union import ROLES

MARGIN = 14.0
_HEADER, _FALL, _PAD, _TITLE, _LANE = 40.0, 30.0, 12.0, 20.0, 7.0


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

    node: int
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


@dataclass
class _Sheet:
    """One graph of one union on its own sheet, before it is put where it belongs."""

    union: object
    graph: int
    nodes: list
    depth: int
    edges: list = field(default_factory=list)
    inner: dict = field(default_factory=dict)  # id of a control node -> _Inside
    boxes: list = field(default_factory=list)
    links: list = field(default_factory=list)
    wired: list = field(default_factory=list)  # the edge of each link
    placement: object = None


class _Inside(NamedTuple):
    """The inside of a control node: size, regions with their offset, ports."""

    width: float
    height: float
    regions: tuple  # (sheet, x, y, width, height)
    ports: tuple  # (id of the operand, x)


def scenes(unions, shown):
    """The scene of each union, of which only the nodes in ``shown[i]`` are drawn.

    >>> from ms_ext.viz.union import union
    >>> scenes([union({}, {})], [frozenset()])[0].shapes
    []
    """
    books = [_sheets(union, nodes) for union, nodes in zip(unions, shown, strict=True)]
    deepest = max((sheet.depth for book in books for sheet in book.values()), default=0)
    for depth in range(deepest, -1, -1):
        level = [(book, sheet) for book in books for sheet in book.values() if sheet.depth == depth]
        for book, sheet in level:
            _measure(sheet, book)
        for (_, sheet), placed in zip(level, layouts([(s.boxes, s.links) for _, s in level]), strict=True):
            sheet.placement = placed
    return [_assemble(union, book) for union, book in zip(unions, books, strict=True)]


def _sheets(union, shown):
    members = {g: [n for n in nodes if n in shown] for g, nodes in union.members().items()}
    sheets = {g: _Sheet(union, g, nodes, _depth(union, g)) for g, nodes in members.items() if nodes}
    for edge in union.edges:
        if edge.source in shown and edge.target in shown:
            sheets[union.changes[edge.target].row.graph].edges.append(edge)
    return sheets


def _depth(union, graph):
    depth = 0
    while region := union.regions.get(graph):
        graph, depth = union.changes[region.owner].row.graph, depth + 1
    return depth


# sizes --------------------------------------------------------------------------------------------


def _measure(sheet, book):
    """Fill the boxes and links of a sheet; the sheets inside it are already placed."""
    union, changes = sheet.union, sheet.union.changes
    for node in sheet.nodes:
        held = [(book[g], r.role) for g, r in union.regions.items() if r.owner == node and g in book]
        if held:
            sheet.inner[node] = _inside(union, node, held)
    users = {}
    for edge in sheet.edges:
        users.setdefault(edge.source, []).append(edge)
    for node in sheet.nodes:
        if changes[node].row.kind == "constant" and len(users.get(node, ())) > 1:
            for edge in users[node]:
                sheet.boxes.append(_box(sheet, node, (node, edge.target)))
        else:
            sheet.boxes.append(_box(sheet, node, node))
    known = {box.id for box in sheet.boxes}
    for edge in sheet.edges:
        source = edge.source if edge.source in known else (edge.source, edge.target)
        ports = [operand for operand, _ in sheet.inner[edge.target].ports] if edge.target in sheet.inner else ()
        port = ports.index(edge.source) if edge.source in ports else None
        sheet.links.append(Link(source, edge.target, port, 1 if edge.state == "removed" else 2))
        sheet.wired.append(edge)


def _box(sheet, node, key):
    change = sheet.union.changes[node]
    if node in sheet.inner:
        inside = sheet.inner[node]
        return Box(key, inside.width, inside.height, "box", tuple(x for _, x in inside.ports))
    text = labels.latest(change)
    wide = max(labels.width(text.title, labels.SIZE) + 14 * (change.state != "unchanged"),
               labels.mono(text.kind, labels.SMALL))  # fmt: skip
    kind = change.row.kind
    padding, shape = {"parameter": (40, "hexagon"), "constant": (30, "ellipse")}.get(kind, (22, "box"))
    height = 38.0 if text.kind else 28.0
    in_region = sheet.graph in sheet.union.regions
    return Box(key, round(max(wide + padding, 48.0)), height, shape, (), kind == "parameter" and in_region)


def _inside(union, node, held):
    """Regions side by side under a header; ports above the parameters they lead to."""
    row = union.changes[node].row
    text = labels.latest(union.changes[node])
    head = 24 + max(labels.width(text.title, labels.SIZE) + 14, labels.mono(text.kind, labels.SMALL))
    regions, x, tallest, columns = [], _PAD, 0.0, {}
    for sheet, _ in held:
        lanes = sum(1 for back in union.backs if back.target in sheet.placement.centres)
        left, right = _PAD, _PAD
        if "reverse=True" in row.attrs:
            left += lanes * _LANE
        else:
            right += lanes * _LANE
        width = max(sheet.placement.width + left + right, 70.0)
        height = _TITLE + _PAD + sheet.placement.height + _PAD + 2 * lanes * _LANE
        regions.append((sheet, x, _HEADER + _FALL, width, height))
        for parameter, (px, _) in sheet.placement.centres.items():
            columns[parameter] = x + left + px
        x, tallest = x + width + _PAD, max(tallest, height)
    ports = _port_places(union, node, columns, head)
    width = max(x, head + _PAD, (ports[-1][1] if ports else 0) + 2 * _PAD)
    return _Inside(width, _HEADER + _FALL + tallest + _PAD, tuple(regions), ports)


def _port_places(union, node, columns, head):
    """Each operand's x on the top edge: over the middle of its parameters, right of the header's text."""
    change = union.changes[node]
    wanted = {}
    for row in filter(None, (change.before, change.after)):
        for operand in row.inputs:
            lands = [columns[k.target] for k in union.links if k.source == operand and k.target in columns]
            wanted[operand] = sum(lands) / len(lands) if lands else head
    order = sorted(wanted, key=lambda operand: max(wanted[operand], head))
    xs = coordinates.spread([max(wanted[o], head) for o in order], [1] * len(order), [26.0] * (len(order) - 1))
    shift = max(head - xs[0], 0.0) if xs else 0.0
    return tuple((operand, round(x + shift)) for operand, x in zip(order, xs, strict=True))


# places -------------------------------------------------------------------------------------------


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
            scene.frames.append(Frame(0, f"graph {sheet.graph}", x, MARGIN, width + 2 * _PAD, height + _TITLE + 2 * _PAD))
            _put(scene, sheet, x + _PAD, MARGIN + _TITLE + _PAD)
            scene.height = max(scene.height, height + 2 * MARGIN + _TITLE + 2 * _PAD)
            width += 2 * _PAD
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
        scene.wires.append(Wire(edge.source, edge.target, edge.state, "operand", edge.slots, points))


def _put_inside(scene, sheet, node, left, top):
    inside, union = sheet.inner[node], sheet.union
    row = union.changes[node].row
    for inner, dx, dy, width, height in inside.regions:
        lanes = sum(1 for back in union.backs if back.target in inner.placement.centres)
        reverse = "reverse=True" in row.attrs
        scene.frames.append(Frame(node, union.regions[inner.graph].role, left + dx, top + dy, width, height))
        corner = (left + dx + _PAD + (lanes * _LANE if reverse else 0), top + dy + _TITLE + _PAD + lanes * _LANE)
        _put(scene, inner, *corner)
        edge = left + dx if reverse else left + dx + width
        _put_backs(scene, inner, corner, edge, reverse)
    ends = {shape.node: shape for shape in scene.shapes}
    for operand, dx in inside.ports:
        links = [k for k in union.links if k.source == operand and k.target in ends
                 and union.regions[union.changes[k.target].row.graph].owner == node]  # fmt: skip
        name = "" if links or row.op not in ROLES else ROLES[row.op].alone
        scene.ports.append(Port(node, name, left + dx, top))
        for link in links:
            end = ends[link.target]
            points = _drop((left + dx, top), (end.x + end.width / 2, end.y))
            scene.wires.append(Wire(operand, link.target, link.state, "enter", link.slots, points))


def _drop(start, end):
    half = (end[1] - start[1]) * 0.5
    return start, (start[0], start[1] + half), (end[0], end[1] - half), end


def _put_backs(scene, sheet, corner, edge, reverse):
    """One line per carried value: from Return down, along the region's side, up and into its parameter."""
    x, y = corner
    boxes = {box.id: box for box in sheet.boxes}
    mine = [back for back in sheet.union.backs if back.target in boxes and back.source in boxes]
    side = 1 if reverse else -1
    for lane, back in enumerate(mine, 1):
        (sx, sy), (tx, ty) = (sheet.placement.centres[node] for node in (back.source, back.target))
        start = (x + sx - side * (lane - (len(mine) + 1) / 2) * 8, y + sy + boxes[back.source].height / 2)
        end = (x + tx - side * min(12, boxes[back.target].width / 4), y + ty - boxes[back.target].height / 2)
        low, high = start[1] + 2 + lane * _LANE, end[1] - 2 - lane * _LANE
        along = edge + side * (_PAD / 2 + (lane - 1) * _LANE)
        points = (start, (start[0], low), (along, low), (along, high), (end[0], high), end)
        scene.wires.append(Wire(back.source, back.target, back.state, "back", back.slots, points))
