"""A scene as SVG text: shapes, classes and tooltips, never a colour. Same input, same text."""

import math

from ..markup import classes, short, tag, text
from ..palette import GLYPHS, MATCHED
from . import labels
from .wires import wire


def draw(scene, union, matched=None, *, title, view=None, ids=False, style=""):
    """The picture of ``scene``. ``matched``: id of a node -> numbers of the matches it is part of.

    >>> from ms_ext.viz.drawing.scene import Scene
    >>> from ms_ext.viz.drawing.union import union
    >>> draw(Scene(), union({}, {}), title="nothing").startswith('<svg class="msx-graph"')
    True
    """
    matched = matched or {}
    rows = {**union.rows, **{node: change.row for node, change in union.changes.items()}}
    width, height = math.ceil(scene.width), math.ceil(scene.height)
    inner = (
        tag("style", style) if style else "",
        *_nested(scene, union, rows, matched, ids),
        *(wire(each, rows, ids) for each in scene.wires),
        *_cuts(scene, union),
        *map(_port, scene.ports),
        *(_node(s, union, rows, matched, ids) for s in scene.shapes if s.kind != "control"),
    )
    return tag(
        "svg",
        "\n",
        *(f"{part}\n" for part in inner if part),
        class_=classes("msx-graph", view),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_label=title,
    )


def _nested(scene, union, rows, matched, ids):
    """Control nodes and the frames in them, outer ones first."""
    boxes = [shape for shape in scene.shapes if shape.kind == "control"]
    boxes.sort(key=lambda shape: -shape.width * shape.height)
    yield from (_frame(frame, "called") for frame in scene.frames if not frame.owner)
    for box in boxes:
        yield _node(box, union, rows, matched, ids)
        for frame in scene.frames:
            if frame.owner == box.node:
                yield _frame(frame, union.changes[box.node].state)


def _frame(frame, state):
    box = tag("rect", x=frame.x, y=frame.y, width=frame.width, height=frame.height, rx=6)
    name = tag("text", text(frame.title), x=frame.x + 10, y=frame.y + 15)
    return tag("g", box, name, class_=f"region {state}")


def _port(port):
    name = tag("text", text(port.name), x=port.x + 6, y=port.y + 13) if port.name else ""
    return tag("g", tag("circle", cx=port.x, cy=port.y, r=3), name, class_=f"port {port.state}")


def _cuts(scene, union):
    """Short dotted ends where an edge leads to a node that is not drawn."""
    places = {shape.node: shape for shape in scene.shapes}
    if len(places) == len(union.changes):
        return
    above = {e.target for e in union.edges if e.target in places and e.source not in places}
    below = {e.source for e in union.edges if e.source in places and e.target not in places}
    for nodes, side, word in ((above, -1, "inputs"), (below, 1, "users")):
        for shape in (places[node] for node in union.changes if node in nodes):
            x, y = shape.x + shape.width / 2, shape.y + shape.height * (side > 0)
            line = f"M{short(x)} {short(y)}v{11 * side}"
            yield tag("path", tag("title", f"{word} that are not drawn"), class_="cut", d=line)


# nodes --------------------------------------------------------------------------------------------


def _node(shape, union, rows, matched, ids):
    change = union.changes[shape.node]
    if shape.kind == "group":
        return _group(shape, change, rows, matched, ids)
    numbers = matched.get(shape.node, ())
    composite = bool(change.row.graphs) and shape.kind == "call"
    outline = _OUTLINES.get(shape.kind, _rectangle)
    known = (union.whole or union).changes[shape.node]
    facts = labels.facts(known, union.rows, union.users.get(shape.node, ()))
    return tag(
        "g",
        tag("title", text(_listed(facts))),
        outline(shape, "glow", -4) if numbers else "",
        outline(shape, "body", 0),
        outline(shape, "inner", 3) if composite else "",
        _text(shape, change),
        _badge(shape, numbers) if numbers else "",
        class_=classes(
            "node",
            shape.kind,
            change.state,
            "matched" * bool(numbers),
            "echo" * shape.echo,
            "composite" * composite,
        ),
        data_id=shape.node,
        id=f"n{shape.node}" if ids and not shape.echo else None,
        data_match=" ".join(map(str, numbers)) or None,
    )


def _group(shape, group, rows, matched, ids):
    """Several nodes as one: a box with another one behind it."""
    numbers = sorted({number for node in group.members for number in matched.get(node, ())})
    behind = shape._replace(x=shape.x + 4, y=shape.y + 4)
    return tag(
        "g",
        tag("title", text(_listed(labels.group_facts(group, rows)))),
        _rectangle(shape, "glow", -4) if numbers else "",
        _rectangle(behind, "body behind", 0),
        _rectangle(shape, "body", 0),
        _text(shape, group),
        _badge(shape, numbers) if numbers else "",
        class_=classes("node", "group", group.state, "matched" * bool(numbers)),
        data_id=shape.node,
        data_scope=group.scope,
        data_members=" ".join(map(str, group.members)),
        data_calls=group.calls,
        id=f"g{group.members[0]}" if ids else None,
        data_match=" ".join(map(str, numbers)) or None,
    )


def _listed(facts):
    return "\n".join(f"{what}: {said}" for what, said in facts)


def _rectangle(shape, name, inset):
    x, y, width, height = shape[2:6]
    wide, high, round_ = width - 2 * inset, height - 2 * inset, 8 - inset / 2
    return tag("rect", class_=name, x=x + inset, y=y + inset, width=wide, height=high, rx=round_)


def _hexagon(shape, name, inset):
    left, right = shape.x + inset * 1.3, shape.x + shape.width - inset * 1.3
    top, bottom = shape.y + inset, shape.y + shape.height - inset
    slant, middle = 13, (top + bottom) / 2
    corners = (
        (left, middle), (left + slant, top), (right - slant, top),
        (right, middle), (right - slant, bottom), (left + slant, bottom),
    )  # fmt: skip
    points = " ".join(f"{short(x)},{short(y)}" for x, y in corners)
    return tag("polygon", class_=name, points=points)


def _ellipse(shape, name, inset):
    half, tall = shape.width / 2, shape.height / 2
    return tag(
        "ellipse",
        class_=name,
        cx=shape.x + half,
        cy=shape.y + tall,
        rx=half - inset,
        ry=tall - inset,
    )


_OUTLINES = {"parameter": _hexagon, "constant": _ellipse}


def _text(shape, change):
    """The two lines of a node; where they changed, the old ones too, shown in Before."""
    diff, now = labels.latest(change), labels.label(change.row)
    if change.state != "rewritten" or diff == now:
        return _lines(shape, change, diff, "")
    views = ((labels.label(change.before), "was"), (diff, "both"), (now, "now"))
    return "".join(_lines(shape, change, lines, view) for lines, view in views)


def _lines(shape, change, lines, view):
    x, y, start = shape.x + shape.width / 2, shape.y + shape.height / 2, ""
    if shape.kind == "control":
        x, y, start = shape.x + 14, shape.y + 20, "start"
    first = y - 3 if lines.kind else y + 4
    glyph = GLYPHS.get(change.state)
    apart = bool(glyph) and shape.kind == "constant"  # "− 1.0" reads as a number
    mark = tag("tspan", f"{glyph} ", class_="glyph") if glyph and not apart else ""
    title = tag("text", mark, text(lines.title), class_=classes("op", start, view), x=x, y=first)
    if apart:
        beside = classes("op", "glyph", view)
        title += tag("text", glyph, class_=beside, x=shape.x + 11, y=y + 4)
    strike = ""
    if change.state == "removed":
        strike = _strike(lines, x + 14 if start else x + 7 * (not apart), first, bool(start))
    if not lines.kind:
        return title + strike
    name = classes("type", start, "changed" * ("→" in lines.kind), view)
    return title + strike + tag("text", text(lines.kind), class_=name, x=x, y=y + 11)


def _strike(lines, x, y, from_start):
    """A line through a title that begins at x, or has its middle there; across a minus sign."""
    wide = labels.width(lines.title, labels.SIZE) + 2
    left = x if from_start else x - wide / 2
    if "-" in lines.title or "−" in lines.title:
        return tag("path", class_="strike", d=_slanted(left, y, wide))
    return tag("path", class_="strike", d=f"M{short(left)} {short(y - 4)}h{short(wide)}")


def _slanted(left, y, wide):
    return f"M{short(left)} {short(y + 2)}L{short(left + wide)} {short(y - 10)}"


def _badge(shape, numbers):
    said = f"{MATCHED}{','.join(map(str, numbers[:2]))}{'…' if len(numbers) > 2 else ''}"
    wide = 10 + 7 * len(said)
    x, y = shape.x + shape.width - wide / 3, shape.y - 13
    pill = tag("rect", x=x, y=y, width=wide, height=15, rx=7.5)
    return tag("g", pill, tag("text", said, x=x + wide / 2, y=y + 11), class_="badge")
