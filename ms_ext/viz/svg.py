"""A scene as SVG text: shapes, classes and tooltips, never a colour.

The same input gives the same text. Every string that came from a program is escaped.
"""

import math
from html import escape

from . import labels
from .palette import GLYPHS, MATCHED

_TIP = 7.0  # length of an arrow's head
_CORNER = 8.0


def draw(scene, union, matched=None, *, title, view="", ids=False, style=""):
    """The picture of ``scene``. ``matched``: id of a node -> numbers of the matches it is part of.

    >>> from ms_ext.viz.scene import Scene
    >>> from ms_ext.viz.union import union
    >>> draw(Scene(), union({}, {}), title="nothing").startswith('<svg class="msx-graph"')
    True
    """
    matched = matched or {}
    rows = {node: change.row for node, change in union.changes.items()}
    width, height = math.ceil(scene.width), math.ceil(scene.height)
    wires = [_wire(wire, union, rows, ids) for wire in scene.wires]
    boxes = [s for s in scene.shapes if s.kind == "control"]
    boxes.sort(key=lambda s: -s.width * s.height)
    parts = (
        f'<svg class="{" ".join(filter(None, ("msx-graph", view)))}" xmlns="http://www.w3.org/2000/svg"'
        f' viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img"'
        f' aria-label="{escape(title)}">',
        f"<style>{style}</style>" if style else "",
        *_nested(scene, boxes, union, rows, matched, ids),
        *wires,
        *(_port(port) for port in scene.ports),
        *(_node(s, union, rows, matched, ids) for s in scene.shapes if s.kind != "control"),
        "</svg>",
    )
    return "\n".join(filter(None, parts))


def _nested(scene, boxes, union, rows, matched, ids):
    """Control nodes and the frames in them, outer ones first."""
    for frame in scene.frames:
        if not frame.owner:
            yield _frame(frame, "called")
    for box in boxes:
        yield _node(box, union, rows, matched, ids)
        for frame in scene.frames:
            if frame.owner == box.node:
                yield _frame(frame, union.changes[box.node].state)


def _frame(frame, state):
    return (
        f'<g class="region {state}"><rect x="{_n(frame.x)}" y="{_n(frame.y)}" width="{_n(frame.width)}"'
        f' height="{_n(frame.height)}" rx="6"/>'
        f'<text x="{_n(frame.x + 10)}" y="{_n(frame.y + 15)}">{escape(frame.title)}</text></g>'
    )


def _port(port):
    name = f'<text x="{_n(port.x + 6)}" y="{_n(port.y + 13)}">{escape(port.name)}</text>' if port.name else ""
    return f'<g class="port"><circle cx="{_n(port.x)}" cy="{_n(port.y)}" r="3"/>{name}</g>'


# nodes --------------------------------------------------------------------------------------------


def _node(shape, union, rows, matched, ids):
    change = union.changes[shape.node]
    numbers = matched.get(shape.node, ())
    classes = ["node", shape.kind, change.state]
    classes += ["matched"] * bool(numbers) + ["echo"] * shape.echo
    if change.row.graphs and shape.kind == "call":
        classes.append("composite")
    attributes = f' id="n{shape.node}"' if ids and not shape.echo else ""
    if numbers:
        attributes += f' data-match="{" ".join(map(str, numbers))}"'
    outline = _OUTLINES.get(shape.kind, _rectangle)
    glow = outline(shape, "glow", -4) if numbers else ""
    double = outline(shape, "inner", 3) if "composite" in classes else ""
    facts = escape("\n".join(f"{what}: {text}" for what, text in labels.facts(change, rows)))
    return (
        f'<g class="{" ".join(classes)}" data-id="{shape.node}"{attributes}><title>{facts}</title>'
        f"{glow}{outline(shape, 'body', 0)}{double}{_text(shape, change)}{_badge(shape, numbers)}</g>"
    )


def _rectangle(shape, name, inset):
    return (
        f'<rect class="{name}" x="{_n(shape.x + inset)}" y="{_n(shape.y + inset)}"'
        f' width="{_n(shape.width - 2 * inset)}" height="{_n(shape.height - 2 * inset)}" rx="{8 - inset / 2:g}"/>'
    )


def _hexagon(shape, name, inset):
    left, right = shape.x + inset * 1.3, shape.x + shape.width - inset * 1.3
    top, bottom = shape.y + inset, shape.y + shape.height - inset
    slant, middle = 13, (top + bottom) / 2
    corners = (
        (left, middle), (left + slant, top), (right - slant, top),
        (right, middle), (right - slant, bottom), (left + slant, bottom),
    )  # fmt: skip
    return f'<polygon class="{name}" points="{" ".join(f"{_n(x)},{_n(y)}" for x, y in corners)}"/>'


def _ellipse(shape, name, inset):
    return (
        f'<ellipse class="{name}" cx="{_n(shape.x + shape.width / 2)}" cy="{_n(shape.y + shape.height / 2)}"'
        f' rx="{_n(shape.width / 2 - inset)}" ry="{_n(shape.height / 2 - inset)}"/>'
    )


_OUTLINES = {"parameter": _hexagon, "constant": _ellipse}


def _text(shape, change):
    """The two lines of a node; where they changed, the old ones too, shown in Before."""
    diff, now = labels.latest(change), labels.label(change.row)
    if change.state != "rewritten" or diff == now:
        return _lines(shape, change, diff, "")
    views = ((labels.label(change.before), " was"), (diff, " both"), (now, " now"))
    return "".join(_lines(shape, change, text, view) for text, view in views)


def _lines(shape, change, text, view):
    x, y = shape.x + shape.width / 2, shape.y + shape.height / 2
    anchor = ""
    if shape.kind == "control":
        x, y, anchor = shape.x + 14, shape.y + 20, " start"
    glyph = GLYPHS[change.state]
    mark = f'<tspan class="glyph">{glyph} </tspan>' if glyph else ""
    first = y - 3 if text.kind else y + 4
    strike = _strike(shape, text, x, first) if change.state == "removed" else ""
    bold = " changed" if "→" in text.kind else ""
    found = f'<text class="op{anchor}{view}" x="{_n(x)}" y="{_n(first)}">{mark}{escape(text.title)}</text>{strike}'
    if text.kind:
        found += f'<text class="type{anchor}{bold}{view}" x="{_n(x)}" y="{_n(y + 11)}">{escape(text.kind)}</text>'
    return found


def _strike(shape, text, x, y):
    half = labels.width(text.title, labels.SIZE) / 2 + 2
    start, end = (x - half + 6, x + half + 6) if shape.kind != "control" else (x + 10, x + 14 + 2 * half)
    return f'<path class="strike" d="M{_n(start)} {_n(y - 4)}H{_n(end)}"/>'


def _badge(shape, numbers):
    if not numbers:
        return ""
    text = f"{MATCHED}{','.join(map(str, numbers[:2]))}{'…' if len(numbers) > 2 else ''}"
    wide = 10 + 7 * len(text)
    x, y = shape.x + shape.width - wide / 2 - 2, shape.y - 15
    return (
        f'<g class="badge"><rect x="{_n(x)}" y="{_n(y)}" width="{wide}" height="15" rx="7.5"/>'
        f'<text x="{_n(x + wide / 2)}" y="{_n(y + 11)}">{text}</text></g>'
    )


# wires --------------------------------------------------------------------------------------------


def _wire(wire, union, rows, ids):
    kind = [wire.kind] if wire.kind != "operand" else []
    if rows[wire.source].abstract == "State":
        kind.append("control")
    target = rows[wire.target]
    identity = f' id="e{wire.source}-{wire.target}"' if ids else ""
    title = ""
    if wire.kind == "operand" and len(target.inputs) > 1:
        slots = ", ".join(str(slot + 1) for slot in wire.slots)
        title = f"<title>operand {slots} of {escape(labels.named(target))}</title>"
    if wire.kind == "back":
        title = f"<title>carried value {wire.slots[0] + 1}: the next turn's {escape(labels.named(target))}</title>"
    path, tip = (_cornered if wire.kind == "back" else _curved)(wire.points)
    return (
        f'<g class="{" ".join(("edge", *kind, wire.state))}" data-from="{wire.source}" data-to="{wire.target}"{identity}>'
        f'{title}<path d="{path}"/><path class="tip" d="{tip}"/></g>'
    )


def _curved(points):
    """A Bezier curve that ends where its arrow's head begins."""
    *points, end = points
    before = next((p for p in reversed(points) if math.dist(p, end) > 1), (end[0], end[1] - 1))
    base, tip = _arrow(before, end)
    points = [*points[:-1], _nearer(points[-1], base, end), base]
    start, *rest = points
    return f"M{_pair(start)}C{' '.join(map(_pair, rest))}", tip


def _nearer(control, base, end):
    """A control point moved with the end it belongs to."""
    return control[0] + base[0] - end[0], control[1] + base[1] - end[1]


def _arrow(before, end):
    """(point where the head begins, path of the head)."""
    length = math.dist(before, end)
    ux, uy = (end[0] - before[0]) / length, (end[1] - before[1]) / length
    base = end[0] - ux * _TIP, end[1] - uy * _TIP
    wing = _TIP * 0.42
    left = base[0] - uy * wing, base[1] + ux * wing
    right = base[0] + uy * wing, base[1] - ux * wing
    return base, f"M{_pair(end)}L{_pair(left)}L{_pair(right)}Z"


def _cornered(points):
    """Straight lines with round corners."""
    base, tip = _arrow(points[-2], points[-1])
    corners = [*points[:-1], base]
    path = [f"M{_pair(corners[0])}"]
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        one, two = _towards(corner, before), _towards(corner, after)
        path.append(f"L{_pair(one)}Q{_pair(corner)} {_pair(two)}")
    return "".join((*path, f"L{_pair(base)}")), tip


def _towards(corner, other):
    length = math.dist(corner, other)
    part = min(_CORNER, length / 2) / length if length else 0
    return corner[0] + (other[0] - corner[0]) * part, corner[1] + (other[1] - corner[1]) * part


def _pair(point):
    return f"{_n(point[0])} {_n(point[1])}"


def _n(value):
    return f"{round(value, 1):g}"
