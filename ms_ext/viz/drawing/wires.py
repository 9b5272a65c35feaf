"""Arrows as SVG: a curve for an operand, corners for a loop's way back, and a head."""

import math
import re

from ..markup import classes, short, tag, text
from .labels import named

_TIP = 7.0  # length of an arrow's head
_CORNER = 8.0


def wire(each, rows, ids=False):
    """One arrow of a scene, with a tooltip where it is not obvious which operand it is."""
    path, tip = (_cornered if each.kind == "back" else _curved)(each.points)
    kind = "" if each.kind == "operand" else each.kind
    state = "control" if rows[each.source].abstract == "State" else ""
    title = _title(each, rows[each.target])
    return tag(
        "g",
        tag("title", text(title)) if title else "",
        tag("path", d=path),
        tag("path", class_="tip", d=tip),
        class_=classes("edge", kind, state, each.state),
        data_from=each.source,
        data_to=each.target,
        id=f"e{_word(each.source)}-{_word(each.target)}" if ids else None,
    )


def _word(node):
    return re.sub(r"[^\w.-]", "_", str(node))


def _title(each, target):
    if each.kind == "back":
        return f"carried value {each.slots[0] + 1}: the next turn's {named(target)}"
    if each.kind == "operand" and len(target.inputs) > 1:
        return f"operand {', '.join(str(slot + 1) for slot in each.slots)} of {named(target)}"
    return ""


def _curved(points):
    """A Bezier curve that ends where its arrow's head begins."""
    *points, end = points
    before = next((p for p in reversed(points) if math.dist(p, end) > 1), (end[0], end[1] - 1))
    base, tip = _arrow(before, end)
    start, *rest = [*points[:-1], _moved(points[-1], base, end)]
    between = [f"{x:.0f} {y:.0f}" for x, y in rest]  # whole pixels: most of a picture is curves
    return f"M{_pair(start)}C{' '.join((*between, _pair(base)))}", tip


def _moved(control, base, end):
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
    return f"{short(point[0])} {short(point[1])}"
