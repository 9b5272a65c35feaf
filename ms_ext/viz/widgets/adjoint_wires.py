"""The edges in the picture of an adjoint: their curves, and the numbers that go along them."""

import math
from typing import NamedTuple

from ..markup import short, tag, text

ROW, HIGH, MARGIN = 76.0, 38.0, 16.0  # from row to row, of a box, around the picture


class Wire(NamedTuple):
    """An edge between two spots; ``step`` in which it is made, None on the way there."""

    source: object  # a Spot
    target: object
    kind: str  # there, back, kept
    step: int | None
    value: str
    operand: int


def line(wire):
    """The curve of an edge with its arrow's head."""
    points = _points(wire)
    start, *rest = points
    return tag(
        "g",
        tag("path", d=f"M{_pair(start)}C{' '.join(map(_pair, rest))}"),
        tag("path", class_="tip", d=_tip(points[-2], points[-1])),
        class_=f"wire {wire.kind}",
        data_step=wire.step,
    )


def number(wire):
    """What goes along the edges from a spot in a step, written once, beside the first of them."""
    part = {"kept": 0.15}.get(wire.kind, 0.3 if "slot" in wire.target.kind else 0.5)
    x, y = _along(_points(wire), part)
    return tag("text", text(wire.value), x=x, y=y + 4, class_="value", data_step=wire.step)


def _points(wire):
    """Start, two controls and end of the curve of an edge."""
    source, target, shift = wire.source, wire.target, 12.0 * (2 * (wire.operand % 2) - 1)
    half = HIGH / 2
    if wire.kind == "there":
        start, end = (source.x, source.y + half), (target.x + shift, target.y - half)
        over = target.y - source.y > 1.5 * ROW
        lane = MARGIN if over else (start[0] + end[0]) / 2
        return start, (lane if over else start[0], start[1] + 34), (lane, end[1] - 30), end
    if source.y == target.y:  # within a row: through the space below it
        start = (source.x + source.wide / 2 - 8, source.y + half)
        end = (target.x + shift, target.y + half)
        return start, (start[0] + 12, start[1] + 26), (end[0] - 4, end[1] + 26), end
    if wire.kind == "kept":
        start, end = (source.x + source.wide / 2, source.y), (target.x + shift, target.y + half)
        return start, (start[0] + 60, start[1]), (end[0], end[1] + 50), end
    start, end = (source.x + shift / 2, source.y - half), (target.x + shift, target.y + half)
    return start, (start[0], start[1] - 34), (end[0], end[1] + 34), end


def _along(points, part):
    """The place on a curve, 0 at its start and 1 at its end."""
    rest = 1 - part
    weights = rest**3, 3 * rest**2 * part, 3 * rest * part**2, part**3
    return [sum(w * p[i] for w, p in zip(weights, points, strict=True)) for i in (0, 1)]


def _tip(before, end):
    """An arrow's head at ``end``, seen from ``before``."""
    angle = math.atan2(end[1] - before[1], end[0] - before[0])
    left, right = (
        (end[0] - 7 * math.cos(angle + turn), end[1] - 7 * math.sin(angle + turn))
        for turn in (0.45, -0.45)
    )
    return f"M{_pair(end)}L{_pair(left)}L{_pair(right)}z"


def _pair(point):
    return f"{short(point[0])} {short(point[1])}"
