"""The picture of a walk back: values go down, dout comes up, and every edge has its number."""

import math
from typing import NamedTuple

from ..assets import style
from ..drawing import labels
from ..drawing.layout import Box, Link, layout
from ..markup import classes, short, tag, text
from .backward_words import named, note, results, value

CALLS = 60  # drawn calls; more cannot be read
_MARGIN, _SMALL, _LONGEST = 16.0, 10.5, 34


class _Spot(NamedTuple):
    """A box of the picture: its lines of text, and the class and step it has."""

    whole: tuple  # lines of text
    kind: str
    step: int
    title: str
    number: int

    @property
    def lines(self):
        """The lines, cut where they are too long for a box."""
        return [labels.short(line, _LONGEST) for line in self.whole]


def chosen(walk, budget):
    """The calls to draw, nearest the result first, and a sentence about the others."""
    calls = [n for n in walk.nodes if n.kind == "call" and n.call is None]
    if len(calls) <= budget:
        return set(calls), ""
    last = max(len(walk.steps), 1) + len(calls)
    order = sorted(calls, key=lambda n: (n.step or last, -n.number))
    sentence = (
        f"Showing {budget} of {len(calls)} calls, because more are hard to read: those that the"
        f" walk meets first. text() has every step. To draw more, pass budget={len(calls)}."
    )
    return set(order[:budget]), sentence


def svg(walk, budget=CALLS):
    """The picture as SVG with its own style."""
    calls, _ = chosen(walk, budget)
    spots, links, wires = _spots(walk, calls)
    placed = layout([_box(key, spot) for key, spot in spots.items()], links)
    inner = [_wire(wire, routes) for wire, routes in _routes(wires, placed.routes)]
    inner += [_drawn(spot, placed.centres[key]) for key, spot in spots.items()]
    width, height = (math.ceil(side + 2 * _MARGIN) for side in (placed.width, placed.height))
    return tag(
        "svg",
        tag("style", style(".msx-backward", "backward.css")),
        *inner,
        class_="msx-backward",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_label=f"values go down, dout comes up: {len(walk.steps)} steps",
    )


# boxes --------------------------------------------------------------------------------------------


def _spots(walk, calls):
    """Boxes by key, links between them, and for each edge the links of its wire."""
    spots, links, wires = {}, [], []
    shown = [*(n for n in walk.nodes if n in calls), walk.end]
    for call in shown:
        spots[call.number] = _of_node(walk, call)
        for edge in call.edges:
            if _is_number(edge.source):
                continue  # written into the call
            source = (edge.source.call or edge.source).number
            if edge.source.kind != "call" and source not in spots:
                spots[source] = _of_node(walk, edge.source)
            wires.append((edge, len(links), _link(spots, links, edge, source)))
    return spots, links, wires


def _link(spots, links, edge, source):
    """Add the links of one edge, through a chip with the dout if there may be one."""
    target = edge.target.number
    if not edge.asked:
        links.append(Link(source, target))
        return len(links)
    chip = (source, target, edge.operand)
    spots[chip] = _of_edge(edge)
    if source in spots:
        links.append(Link(source, chip))
    links.append(Link(chip, target))
    return len(links)


def _of_node(walk, node):
    if node.kind == "end":
        return _Spot(("returned",), "end", 0, "what the function returned", 0)
    several = results(walk, node) if node.kind == "call" else [node]
    lines = [_name(node)] if node.kind != "constant" or node.label else []
    for each in several:
        which = f"{each.result}: " if len(several) > 1 else ""
        lines.append(f"↓ {which}{value(each.value, each.dtype)}")
        if each.dout is None and which and node.step:
            lines.append(f"↑ {which}zeros")
        elif each.dout is not None and len(walk.uses(each)) != 1:
            lines.append(f"↑ {which}sum {value(each.dout, each.dtype)}")
    facts = [named(node), node.source, note(node), f"step {node.step}" if node.step else ""]
    kind = classes(node.kind, "own" if node.custom else "")
    return _Spot(tuple(lines), kind, node.step, "\n".join(filter(None, facts)), node.number)


def _name(node):
    """What is written on a box: the op, with the Python numbers among its operands."""
    own = " (own bprop)" if node.custom else ""
    words = [value(e.source.value) if _is_number(e.source) else "·" for e in node.edges]
    numbers = (
        f"({', '.join(words)})" if any(map(_is_number, (e.source for e in node.edges))) else ""
    )
    return f"{labels.short(node.label)}{numbers}{own}"


def _is_number(node):
    return node.kind == "constant" and isinstance(node.value, int | float)


def _of_edge(edge):
    said = "None" if edge.dout is None else value(edge.dout, edge.source.dtype)
    lines = [f"↑ {said}"]
    if edge.raw is not None:
        word = "Σ" if edge.raw.shape != edge.dout.shape else "cast"
        lines.append(f"{word} of {value(edge.raw, str(edge.raw.dtype))}")
    step = edge.target.step
    title = f"dout of operand {edge.operand + 1} of {named(edge.target)}"
    title = f"dout of {named(edge.source)}" if edge.target.kind == "end" else title
    unwalked = edge.dout is None and not step
    if unwalked:
        lines = ["↑ no way back"]
    return _Spot(tuple(lines), classes("chip", "none" if edge.dout is None else ""), step, title, 0)


def _box(key, spot):
    first = labels.width(spot.lines[0], labels.SIZE) if spot.lines else 0
    rest = max((labels.mono(line, _SMALL) for line in spot.lines[1:]), default=0)
    if spot.kind.startswith(("chip", "constant")):
        first = labels.mono(spot.lines[0], _SMALL)
    return Box(key, round(max(first, rest, 34.0) + 22), 12.0 + 14.0 * len(spot.lines))


def _drawn(spot, centre):
    x, y = centre[0] + _MARGIN, centre[1] + _MARGIN
    box = _box(None, spot)
    left, top = x - box.width / 2, y - box.height / 2
    mono = spot.kind.startswith(("chip", "constant"))
    lines = [
        tag(
            "text",
            text(line),
            x=x,
            y=top + 16 + 14 * i,
            class_=_line_kind(line, i, mono),
        )
        for i, line in enumerate(spot.lines)
    ]
    return tag(
        "g",
        tag("title", text("\n".join((spot.title, *spot.whole)))),
        tag("rect", x=left, y=top, width=box.width, height=box.height, rx=_round(spot)),
        *lines,
        _badge(spot, left, top) if spot.step and not mono else "",
        class_=f"spot {spot.kind}",
        data_step=spot.step,
        data_node=spot.number or None,
    )


def _line_kind(line, index, mono):
    if index == 0 and not mono:
        return "op"
    return "type up" if line.startswith("↑") else "type"


def _round(spot):
    return 12 if spot.kind.startswith(("chip", "constant")) else 6


def _badge(spot, left, top):
    wide = 12 + 7 * len(str(spot.step))
    pill = tag("rect", x=left - 8, y=top - 9, width=wide, height=16, rx=8)
    number = tag("text", f"{spot.step}", x=left - 8 + wide / 2, y=top + 3)
    return tag("g", pill, number, class_="badge")


# wires --------------------------------------------------------------------------------------------


def _routes(wires, routes):
    return [(edge, routes[first:last]) for edge, first, last in wires]


def _wire(edge, routes):
    """The way of a value down into its call, and over it the way of the dout up."""
    routes = [[(x + _MARGIN, y + _MARGIN) for x, y in points] for points in routes]
    down = "L".join(_curve(points) for points in routes).replace("LM", "L")  # through the chip
    parts = [tag("path", d=down), tag("path", class_="tip", d=_tip(routes[-1][-1], 1))]
    back = edge.dout is not None
    if back:
        parts.append(tag("path", class_="back", d=down))
        parts.append(tag("path", class_="back tip", d=_tip(routes[0][0], -1)))
    return tag(
        "g",
        *parts,
        class_=classes("wire", "walked" * back),
        data_step=edge.target.step if edge.asked else None,
    )


def _curve(points):
    start, *rest = points
    return f"M{_pair(start)}C{' '.join(map(_pair, rest))}"


def _tip(end, way):
    """An arrow's head that points down (1) or up (-1)."""
    x, y = end
    return f"M{_pair((x, y))}l-3.5 {-7 * way}h7z"


def _pair(point):
    return f"{short(point[0])} {short(point[1])}"
