"""Large sheets of several passes placed as one graph, so that a node stays where it is.

Passes change little of a large graph: one layout of all their nodes costs about what one pass alone
costs, and the picture holds still from pass to pass. What a pass does not have stays empty in it.
"""

from .dot import ALONE
from .layout import layouts

MUCH = 1.25  # all nodes of the passes together, as a multiple of those of the largest pass


def place(sheets, limit):
    """Give every measured sheet its placement; None where no engine is done within ``limit``.

    >>> place([], 1.0)
    """
    parts = alike(sheets)
    graphs = [_joined(part) for part in parts]
    for part, (_, links), found in zip(parts, graphs, layouts(graphs, limit), strict=True):
        at = {link[:2]: number for number, link in enumerate(links)}
        for sheet in part:
            sheet.placement = found and found._replace(
                routes=[found.routes[at[link[:2]]] for link in sheet.links]
            )


def few_more(sets):
    """Whether several sets of nodes have few more in all than the largest of them.

    >>> few_more([{1, 2, 3, 4}, {2, 3, 4, 5}]), few_more([{1, 2}, {3, 4}]), few_more([])
    (True, False, True)
    """
    return len(set().union(*sets)) <= MUCH * max(map(len, sets), default=0)


def alike(sheets):
    """The sheets in lists of those that are placed as one graph; most are alone in their list."""
    found = {}
    for number, sheet in enumerate(sheets):
        shared = len(sheet.boxes) >= ALONE and sheet.union.whole is None
        found.setdefault(("graph", sheet.graph) if shared else number, []).append(sheet)
    parts = []
    for part in found.values():
        parts += [part] if _fit(part) else [[sheet] for sheet in part]
    return parts


def _fit(part):
    """Whether sheets have mostly the same boxes, and every box its arrows at the same points."""
    points = {}
    for sheet in part:
        ends = {box.id: (box.ports, box.top) for box in sheet.boxes}
        ends |= {link[:2]: link.port for link in sheet.links}
        if any(points.setdefault(key, each) != each for key, each in ends.items()):
            return False
    return few_more([{box.id for box in sheet.boxes} for sheet in part])


def _joined(part):
    """(boxes, links) of sheets as one graph; a box is as large as the largest pass needs it."""
    if len(part) == 1:
        return part[0].boxes, part[0].links
    boxes, links = {}, {}
    for sheet in part:
        for box in sheet.boxes:
            known = boxes.get(box.id, box)
            size = max(known.width, box.width), max(known.height, box.height)
            boxes[box.id] = box._replace(width=size[0], height=size[1])
        for link in sheet.links:
            known = links.get(link[:2], link)
            links[link[:2]] = link._replace(weight=max(known.weight, link.weight))
    for sheet in part:
        sheet.boxes = [boxes[box.id] for box in sheet.boxes]
    return [*boxes.values()], [*links.values()]
