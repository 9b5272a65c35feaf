"""The picture of an adjoint: the graph on the left, downwards; the way back on the right, upwards.

A call and what its bprop wrote stand in one row. What goes from left to right has to be kept.
"""

import math
from typing import NamedTuple

from ..assets import style
from ..drawing import labels
from ..markup import classes, short, tag, text
from . import adjoint_words as words
from .adjoint_wires import HIGH, MARGIN, ROW, Wire, line, number

CALLS = 30  # of the graph, drawn; more cannot be read
_GAP, _SMALL = 30.0, 10.5
_LONGEST = 24  # characters of a line


class Spot(NamedTuple):
    """A box: its lines, where its centre is, what it is, which calls it is of, and its step."""

    title: str
    below: str
    x: float
    y: float
    wide: float
    kind: str
    nodes: tuple
    step: int | None
    told: str  # the tooltip
    whole: int | None = None  # the step that gives a slot its last part; before, no sum is shown


def svg(found, names, title):
    """The picture as SVG with its own style."""
    plan = _Plan(found, names)
    width = max(s.x + s.wide / 2 for s in plan.spots.values()) + MARGIN
    height = max(s.y for s in plan.spots.values()) + HIGH / 2 + MARGIN
    width, height = math.ceil(width), math.ceil(height)
    inner = [line(each) for each in plan.wires]
    inner += [_drawn(each) for each in plan.spots.values()]
    told = {(each.step, each.source, each.kind): each for each in reversed(plan.wires)}
    inner += [number(each) for each in told.values() if each.value and each.kind != "there"]
    return tag(
        "svg",
        tag("style", style(".msx-adjoint", "adjoint.css")),
        tag("text", "the way there ↓", x=MARGIN, y=14.0, class_="side"),
        tag("text", "the way back ↑", x=plan.right, y=14.0, class_="side"),
        *inner,
        class_="msx-adjoint",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_label=title,
    )


class _Plan:
    """Where everything is: spots by node of either graph, slots by forward node, wires."""

    def __init__(self, found, names):
        self.found, self.names = found, names
        self.spots, self.slots, self.wires = {}, {}, []
        self.copies = {copy: node for node, copy in found.copies.items()}
        self._left()
        self._right()
        self._connect()

    # places ---------------------------------------------------------------------------------------

    def _left(self):
        steps = {step.node: step.number for step in self.found.steps}
        end = self._line(self.found.graph.parameters, 0, MARGIN, "input there", steps)
        calls = self.found.graph.order()
        wide = max([_width(*self._lines(node)) for node in calls], default=60.0)
        self.lane = MARGIN + 26  # where edges pass that go over several rows
        for row, node in enumerate(calls, 1):
            self._place(node, row, self.lane + 14 + wide / 2, "call there", steps)
        self.right = max(end, self.lane + 14 + wide) + 80

    def _line(self, nodes, row, x, kind, steps):
        for node in nodes:
            wide = _width(*self._lines(node))
            self._place(node, row, x + wide / 2, kind, steps)
            x += wide + _GAP
        return x

    def _place(self, node, row, x, kind, steps=None):
        title, below = self._lines(node)
        step = (steps or {}).get(node)
        told = f"{self.names.made(node)}\n{words.kind(node)}"
        self.spots[node] = Spot(
            title, below, x, _y(row), _width(title, below), kind, (node.id,), step, told
        )

    def _right(self):
        rows = {node: row for row, node in enumerate(self.found.graph.order(), 1)}
        x = self.right
        for node in self.found.graph.parameters:
            x = self._slot(node, 0, x) if node in self._receivers() else x
        for node, row in rows.items():
            step = next((s for s in self.found.steps if s.node is node), None)
            if step is not None:
                self._added(step, row, self._slot(node, row, self.right))
        x = self.right
        for node in self.found.douts:
            self._place_back(node, len(rows) + 1, x, "input", (), 0)
            x += self.spots[node].wide + _GAP

    def _receivers(self):
        return {**self.found.slots(len(self.found.steps)), **dict(self.found.gradients)}

    def _slot(self, node, row, x):
        """The pill in which the douts of a forward node are added up."""
        gives = self.found.slots(len(self.found.steps)).get(node, [])
        several = len(gives) > 1 and gives[-1].added
        title = f"{'Σ ' if several else ''}dout of {labels.short(self.names.of(node), 14)}"
        totals = dict(self.found.gradients)
        total = gives[-1].total if gives else totals.get(node)
        value = words.worth(self.found, total)
        below = "" if total is None else labels.short(value or words.kind(node), _LONGEST)
        wide = _width(title, below)
        steps = [self._step_of(give) for give in gives] or [self.found.end.number]
        kind = classes("slot", "sum" * several, "gradient" * (node.kind == "parameter"))
        told = self._slot_told(node, gives)
        spot = Spot(
            title, below, x + wide / 2, _y(row), wide, kind, (node.id,), steps[0], told, steps[-1]
        )
        self.slots[node] = self.spots["slot", node] = spot
        return x + wide + _GAP

    def _step_of(self, give):
        steps = (self.found.start, *self.found.steps)
        return next(step.number for step in steps if give in step.gives)

    def _slot_told(self, node, gives):
        said = [f"{self.names.made(give.total)}" for give in gives if give.added]
        terms = " + ".join(self.names.of(give.dout) for give in gives) or "nothing: zeros"
        return "\n".join([f"what comes back to {self.names.of(node)}: {terms}", *said])

    def _added(self, step, row, x):
        for node in step.added:
            kind = "call" if node in self.found.alive else "call dead"
            self._place_back(node, row, x, kind, (step.node.id,), step.number)
            x += self.spots[node].wide + _GAP

    def _place_back(self, node, row, x, kind, nodes, step):
        title, below = self._lines(node)
        wide = _width(title, below)
        dead = "\nnobody needs it: dropped" if "dead" in kind else ""
        told = f"{self.names.made(node)}\n{words.kind(node)}{dead}"
        self.spots[node] = Spot(title, below, x + wide / 2, _y(row), wide, kind, nodes, step, told)

    def _lines(self, node):
        """What is written on a box: its name and op, and its value or type."""
        title = self.names.of(node)
        if node.kind == "call":
            title = f"{title} {node.primitive.name}{self._numbers(node)}"
        value = words.worth(self.found, node) or words.kind(node)
        return labels.short(title, _LONGEST), labels.short(value, _LONGEST)

    def _numbers(self, node):
        """The Python numbers among the operands, where there are some."""
        if all(used.kind != "constant" for used in node.inputs):
            return ""
        said = [self.names.of(u) if u.kind == "constant" else "·" for u in node.inputs]
        return f"({', '.join(said)})"

    # edges ----------------------------------------------------------------------------------------

    def _connect(self):
        for node in self.found.graph.order():
            for at, used in enumerate(node.inputs):
                self._wire(self.spots.get(used), self.spots[node], "there", None, used, at)
        for step in (self.found.start, *self.found.steps):
            for node in step.added:
                for at, used in enumerate(node.inputs):
                    kind = "kept" if used in self.copies else "back"
                    self._wire(self._source(used, step), self.spots[node], kind, step, used, at)
            for at, give in enumerate(step.gives):
                source, slot = self._source(give.dout, step), self.slots[give.receiver]
                self._wire(source, slot, "back", step, give.dout, at)

    def _source(self, node, step):
        if step.node is not None and self._is_dout(node, step.dout):
            return self.slots[step.node]
        return self.spots.get(self.copies.get(node, node))

    def _is_dout(self, node, dout):
        return any(node is part for part in dout) if isinstance(dout, list) else node is dout

    def _wire(self, source, target, kind, step, node, operand):
        if source is not None:
            value = labels.short(words.worth(self.found, node), _LONGEST)
            made = None if step is None else step.number
            self.wires.append(Wire(source, target, kind, made, value, operand))


def _y(row):
    return 30 + HIGH / 2 + row * ROW


def _width(title, below):
    wide = max(labels.width(title, labels.SIZE), labels.mono(below, _SMALL), 34.0)
    return float(round(wide + 20))


# drawing ------------------------------------------------------------------------------------------


def _drawn(spot):
    left, top = spot.x - spot.wide / 2, spot.y - HIGH / 2
    pill = "slot" in spot.kind
    return tag(
        "g",
        tag("title", text(f"{spot.told}\n{spot.below}")),
        tag("rect", x=left, y=top, width=spot.wide, height=HIGH, rx=16 if pill else 6),
        tag("text", text(spot.title), x=spot.x, y=top + 16, class_="op"),
        tag("text", text(spot.below), x=spot.x, y=top + 31, class_="type", data_step=spot.whole),
        tag(
            "path", class_="strike", d=f"M{short(left + 6)} {short(spot.y)}h{short(spot.wide - 12)}"
        )
        if "dead" in spot.kind
        else "",
        class_=f"spot {spot.kind}",
        data_step=spot.step,
        data_nodes=" ".join(map(str, spot.nodes)) or None,
    )
