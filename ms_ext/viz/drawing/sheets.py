"""How large everything is before it has a place: one sheet per graph, boxes for its nodes.

A control node's box is as large as the sheets of its regions, which were placed before it.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from . import coordinates, labels
from .layout import Box, Link

HEADER, FALL, PAD, TITLE, LANE = 40.0, 30.0, 12.0, 20.0, 7.0


@dataclass
class Sheet:
    """One graph of one union on its own sheet, before it is put where it belongs."""

    union: object
    graph: int
    nodes: list
    depth: int
    edges: list = field(default_factory=list)
    inner: dict = field(default_factory=dict)  # id of a control node -> Inside
    boxes: list = field(default_factory=list)
    links: list = field(default_factory=list)
    wired: list = field(default_factory=list)  # the edge of each link
    placement: object = None


class Inside(NamedTuple):
    """The inside of a control node: size, regions with their offset, ports."""

    width: float
    height: float
    regions: tuple  # (sheet, x, y, width, height)
    ports: tuple  # (id of the operand, x)


def sheets(union, shown):
    """A sheet for each graph of ``union`` that has nodes in ``shown``: id of the graph -> Sheet."""
    members = {g: [n for n in nodes if n in shown] for g, nodes in union.members.items()}
    sheets = {g: Sheet(union, g, nodes, _depth(union, g)) for g, nodes in members.items() if nodes}
    for edge in union.edges:
        if edge.source in shown and edge.target in shown:
            sheets[union.changes[edge.target].row.graph].edges.append(edge)
    return sheets


def _depth(union, graph):
    depth = 0
    while region := union.regions.get(graph):
        graph, depth = union.changes[region.owner].row.graph, depth + 1
    return depth


def measure(sheet, book):
    """Fill the boxes and links of a sheet; the sheets inside it are already placed."""
    union, changes = sheet.union, sheet.union.changes
    for node in sheet.nodes:
        held = [
            (book[g], r.role) for g, r in union.regions.items() if r.owner == node and g in book
        ]
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
        ports = (
            [operand for operand, _ in sheet.inner[edge.target].ports]
            if edge.target in sheet.inner
            else ()
        )
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
    padding, shape = {"parameter": (40, "hexagon"), "constant": (30, "ellipse")}.get(
        kind, (22, "box")
    )
    height = 38.0 if text.kind else 28.0
    in_region = sheet.graph in sheet.union.regions
    return Box(
        key, round(max(wide + padding, 48.0)), height, shape, (), kind == "parameter" and in_region
    )


def _inside(union, node, held):
    """Regions side by side under a header; ports above the parameters they lead to."""
    row = union.changes[node].row
    text = labels.latest(union.changes[node])
    head = 24 + max(
        labels.width(text.title, labels.SIZE) + 14, labels.mono(text.kind, labels.SMALL)
    )
    regions, x, tallest, columns = [], PAD, 0.0, {}
    for sheet, _ in held:
        lanes = sum(1 for back in union.backs if back.target in sheet.placement.centres)
        left, right = PAD, PAD
        if "reverse=True" in row.attrs:
            left += lanes * LANE
        else:
            right += lanes * LANE
        width = max(sheet.placement.width + left + right, 70.0)
        height = TITLE + PAD + sheet.placement.height + PAD + 2 * lanes * LANE
        regions.append((sheet, x, HEADER + FALL, width, height))
        for parameter, (px, _) in sheet.placement.centres.items():
            columns[parameter] = x + left + px
        x, tallest = x + width + PAD, max(tallest, height)
    ports = _port_places(union, node, columns, head)
    width = max(x, head + PAD, (ports[-1][1] if ports else 0) + 2 * PAD)
    return Inside(width, HEADER + FALL + tallest + PAD, tuple(regions), ports)


def _port_places(union, node, columns, head):
    """Each operand's x on the top edge, in order: near its parameters, beside the header's text."""
    change = union.changes[node]
    wanted = {}
    for row in filter(None, (change.before, change.after)):
        for operand in row.inputs:
            lands = [
                columns[k.target]
                for k in union.links
                if k.source == operand and k.target in columns
            ]
            wanted[operand] = sum(lands) / len(lands) if lands else head
    xs = coordinates.spread(
        [max(x, head) for x in wanted.values()], [1] * len(wanted), [26.0] * len(wanted)
    )
    shift = max(head - xs[0], 0.0) if xs else 0.0
    return tuple((operand, round(x + shift)) for operand, x in zip(wanted, xs, strict=True))
