"""Our own layered layout: rows from top to bottom, few crossings, straight long edges.

Sugiyama's method in four steps, each a function: rows (longest path, then everything pulled towards
what uses it), stand-ins for edges that pass a row, order within rows (barycentres and swaps), and
coordinates (coordinates.py). No dependency; deterministic.
"""

import bisect
import time

from . import coordinates, routes

_SWEEPS = 10
_THIN = 6.0  # what a passing edge takes of a row


def place(boxes, links, until=float("inf")):
    """(width, height, centres, routes, engine) of a graph; None if it is not done ``until`` then.

    ``until``: by the clock ``time.monotonic``.

    >>> from ms_ext.viz.drawing.layout import Box, Link
    >>> _, _, centres, _, _ = place([Box(1, 60, 30), Box(2, 60, 30)], [Link(1, 2)])
    >>> centres[1][0] == centres[2][0]
    True
    """
    if not boxes:
        return 0.0, 0.0, {}, [], "own"
    index = {box.id: i for i, box in enumerate(boxes)}
    arcs = [(index[link.source], index[link.target]) for link in links]
    down = _acyclic(len(boxes), arcs)
    top = [box.top for box in boxes]
    vertices, chains = _stand_ins(_ranks(len(boxes), down, top), down)
    shifts = _shifts(boxes, links, down)
    rows = _order(vertices, chains, shifts, top, until)
    if time.monotonic() > until:
        return None
    centres, width, height, curves = _drawn(boxes, rows, chains, shifts)
    for curve, arc, turned in zip(curves, arcs, down, strict=True):
        if arc != turned:
            curve.reverse()
    return width, height, centres, curves, "own"


def _shifts(boxes, links, arcs):
    """How far from its target's centre each link must end; None where that is free."""
    return [
        None if link.port is None else boxes[target].ports[link.port] - boxes[target].width / 2
        for link, (_, target) in zip(links, arcs, strict=True)
    ]


def _drawn(boxes, rows, chains, shifts):
    """(centre of each box, width, height, curve of each link)."""
    widths = [box.width for box in boxes] + [_THIN] * (sum(map(len, rows)) - len(boxes))
    xs = coordinates.horizontal(
        widths, len(boxes), rows, chains, [shift or 0.0 for shift in shifts]
    )
    bands = coordinates.vertical([box.height for box in boxes], rows)
    row_of = {vertex: at for at, row in enumerate(rows) for vertex in row}
    curves = routes.curves(boxes, chains, xs, bands, row_of, shifts)
    centres = {box.id: (xs[i], sum(bands[row_of[i]]) / 2) for i, box in enumerate(boxes)}
    width = max(x + wide / 2 for x, wide in zip(xs, widths, strict=True))
    return centres, width, bands[-1][1], curves


def _acyclic(count, arcs):
    """The arcs, those that close a cycle turned round."""
    following = [[] for _ in range(count)]
    for source, target in arcs:
        following[source].append(target)
    state, turned = [0] * count, set()
    for start in range(count):
        stack = [(start, iter(following[start]))] if not state[start] else []
        state[start] = state[start] or 1
        while stack:
            node, targets = stack[-1]
            for target in targets:
                if state[target] == 1:
                    turned.add((node, target))
                elif not state[target]:
                    state[target] = 1
                    stack.append((target, iter(following[target])))
                    break
            else:
                state[node] = 2
                stack.pop()
    return [(t, s) if (s, t) in turned else (s, t) for s, t in arcs]


def _ranks(count, arcs, top):
    """The row of each box: below what it uses, and as near to what uses it as makes edges short."""
    into, out = [[] for _ in range(count)], [[] for _ in range(count)]
    for source, target in arcs:
        into[target].append(source)
        out[source].append(target)
    order = _topological(count, into, out)
    ranks = [0] * count
    for node in order:
        ranks[node] = max((ranks[i] + 1 for i in into[node]), default=0)
    for _ in range(4):
        for node in reversed(order):
            if out[node] and not top[node] and len(out[node]) > len(into[node]):
                ranks[node] = min(ranks[o] for o in out[node]) - 1
        for node in order:
            if into[node] and len(into[node]) > len(out[node]):
                ranks[node] = max(ranks[i] for i in into[node]) + 1
    return ranks


def _topological(count, into, out):
    waiting = [len(i) for i in into]
    found = [node for node in range(count) if not waiting[node]]
    for node in found:
        for target in out[node]:
            waiting[target] -= 1
            if not waiting[target]:
                found.append(target)
    return found


def _stand_ins(ranks, arcs):
    """(rank of every vertex, vertices each arc runs through)."""
    vertices, chains = list(ranks), []
    for source, target in arcs:
        chain = [source]
        for rank in range(ranks[source] + 1, ranks[target]):
            vertices.append(rank)
            chain.append(len(vertices) - 1)
        chain.append(target)
        chains.append(chain)
    return vertices, chains


class _Beside:
    """Neighbours of each vertex in the row above and below: (vertex, where on it the edge ends)."""

    def __init__(self, count, chains, shifts):
        self.above, self.below = [[] for _ in range(count)], [[] for _ in range(count)]
        for chain, shift in zip(chains, shifts, strict=True):
            for upper, lower in zip(chain, chain[1:], strict=False):
                ends = (shift or 0.0) / 1e5 if lower == chain[-1] else 0.0
                self.above[lower].append((upper, 0.0))
                self.below[upper].append((lower, ends))


def _order(vertices, chains, shifts, top, until):
    """The rows, ordered so that few edges cross; boxes that must be on top keep their order."""
    beside = _Beside(len(vertices), chains, shifts)
    rows = _first_order(vertices, beside)
    _keep(rows[0], top)
    best, fewest = [list(row) for row in rows], _crossings(rows, beside)
    for sweep in range(_SWEEPS):
        if not fewest or time.monotonic() > until:
            break
        if sweep % 2 == 0:
            for upper, row in zip(rows, rows[1:], strict=False):
                _by_barycentre(row, upper, beside.above)
        else:
            for row, lower in zip(rows[-2::-1], rows[:0:-1], strict=True):
                _by_barycentre(row, lower, beside.below)
        _swap(rows, beside)
        _keep(rows[0], top)
        crossings = _crossings(rows, beside)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    return best


def _keep(row, top):
    """Put the boxes that must be on top back into their own order."""
    at = [i for i, vertex in enumerate(row) if vertex < len(top) and top[vertex]]
    for i, vertex in zip(at, sorted(row[i] for i in at), strict=True):
        row[i] = vertex


def _first_order(vertices, beside):
    """Rows in the order of a walk upwards from the last row: neighbours start near each other."""
    rows = [[] for _ in range(max(vertices) + 1)]
    seen = [False] * len(vertices)
    for start in sorted(range(len(vertices)), key=lambda v: -vertices[v]):
        stack = [start]
        while stack:
            vertex = stack.pop()
            if not seen[vertex]:
                seen[vertex] = True
                rows[vertices[vertex]].append(vertex)
                stack.extend(v for v, _ in reversed(beside.below[vertex]))
                stack.extend(v for v, _ in reversed(beside.above[vertex]))
    return rows


def _by_barycentre(row, fixed, beside):
    """Sort ``row`` by the mean place of its neighbours in ``fixed``; others keep their place."""
    place = {vertex: i for i, vertex in enumerate(fixed)}
    scale = len(fixed) / max(len(row), 1)

    def centre(at):
        spots = [place[v] + ends for v, ends in beside[row[at]]]
        return sum(spots) / len(spots) if spots else at * scale

    row[:] = [row[at] for at in sorted(range(len(row)), key=centre)]


def _swap(rows, beside):
    """Exchange neighbours in a row while that removes crossings."""
    for at, row in enumerate(rows):
        sides = []
        if at:
            sides.append((beside.above, {v: i for i, v in enumerate(rows[at - 1])}))
        if at + 1 < len(rows):
            sides.append((beside.below, {v: i for i, v in enumerate(rows[at + 1])}))
        spots = {
            v: [[place[n] + ends for n, ends in near[v]] for near, place in sides] for v in row
        }
        for i in range(len(row) - 1):
            one, two = spots[row[i]], spots[row[i + 1]]
            gain = sum(_inversions(a, b) - _inversions(b, a) for a, b in zip(one, two, strict=True))
            if gain > 0:
                row[i], row[i + 1] = row[i + 1], row[i]


def _inversions(left, right):
    return sum(a > b for a in left for b in right)


def _crossings(rows, beside):
    """How many edges cross: inversions of where they end, in the order they start."""
    total = 0
    for upper, lower in zip(rows, rows[1:], strict=False):
        place = {vertex: i for i, vertex in enumerate(lower)}
        seen = []
        for vertex in upper:
            spots = [place[v] + ends for v, ends in beside.below[vertex]]
            total += sum(len(seen) - bisect.bisect_right(seen, spot) for spot in spots)
            for spot in spots:
                bisect.insort(seen, spot)
    return total
