"""Our own layered layout: rows from top to bottom, few crossings, straight long edges.

Sugiyama's method in four steps, each a function: rows (longest path, then everything pulled towards what
uses it), stand-ins for edges that pass a row, order within rows (barycentres and swaps), and coordinates
(coordinates.py). No dependency; deterministic.
"""

from . import coordinates

_SWEEPS = 10


def place(boxes, links):
    """(width, height, centres, routes, engine) of a graph.

    >>> from ms_ext.viz.layout import Box, Link
    >>> _, _, centres, _, _ = place([Box(1, 60, 30), Box(2, 60, 30)], [Link(1, 2)])
    >>> centres[1][0] == centres[2][0]
    True
    """
    if not boxes:
        return 0.0, 0.0, {}, [], "own"
    index = {box.id: i for i, box in enumerate(boxes)}
    arcs = [(index[link.source], index[link.target]) for link in links]
    down = _acyclic(len(boxes), arcs)
    ranks = _ranks(len(boxes), down, [box.top for box in boxes])
    vertices, segments, chains = _stand_ins(ranks, down)
    rows = _order(vertices, segments)
    width, height, spots, routes = coordinates.assign(boxes, links, rows, segments, chains)
    for i, (arc, turned) in enumerate(zip(arcs, down, strict=True)):
        if arc != turned:
            routes[i].reverse()
    centres = {box.id: spots[i] for i, box in enumerate(boxes)}
    return width, height, centres, routes, "own"


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
    """(rank of every vertex, segments of one row's step, vertices each arc runs through)."""
    vertices, segments, chains = list(ranks), [], []
    for source, target in arcs:
        chain = [source]
        for rank in range(ranks[source] + 1, ranks[target]):
            vertices.append(rank)
            chain.append(len(vertices) - 1)
        chain.append(target)
        segments.extend(zip(chain, chain[1:], strict=False))
        chains.append(chain)
    return vertices, segments, chains


def _order(vertices, segments):
    """The rows, ordered so that few segments cross."""
    above, below = [[] for _ in vertices], [[] for _ in vertices]
    for upper, lower in segments:
        above[lower].append(upper)
        below[upper].append(lower)
    rows = _first_order(vertices, above, below)
    best, fewest = [list(row) for row in rows], _crossings(rows, below)
    for sweep in range(_SWEEPS):
        if not fewest:
            break
        downwards = sweep % 2 == 0
        for at in range(1, len(rows)) if downwards else range(len(rows) - 2, -1, -1):
            fixed, beside = (rows[at - 1], above) if downwards else (rows[at + 1], below)
            _by_barycentre(rows[at], fixed, beside)
        _swap(rows, above, below)
        crossings = _crossings(rows, below)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    return best


def _first_order(vertices, above, below):
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
                stack.extend(reversed(below[vertex]))
                stack.extend(reversed(above[vertex]))
    return rows


def _by_barycentre(row, fixed, beside):
    """Sort ``row`` by the mean place of its neighbours in ``fixed``; those without keep their place."""
    place = {vertex: i for i, vertex in enumerate(fixed)}
    scale = len(fixed) / max(len(row), 1)

    def centre(at):
        neighbours = beside[row[at]]
        if not neighbours:
            return at * scale
        return sum(place[n] for n in neighbours) / len(neighbours)

    row[:] = [row[at] for at in sorted(range(len(row)), key=centre)]


def _swap(rows, above, below):
    """Exchange neighbours in a row while that removes crossings."""
    for at, row in enumerate(rows):
        upper = {v: i for i, v in enumerate(rows[at - 1])} if at else {}
        lower = {v: i for i, v in enumerate(rows[at + 1])} if at + 1 < len(rows) else {}
        for i in range(len(row) - 1):
            one, two = row[i], row[i + 1]
            gain = _inversions(above[one], above[two], upper) - _inversions(above[two], above[one], upper)
            gain += _inversions(below[one], below[two], lower) - _inversions(below[two], below[one], lower)
            if gain > 0:
                row[i], row[i + 1] = two, one


def _inversions(left, right, place):
    return sum(place[a] > place[b] for a in left for b in right)


def _crossings(rows, below):
    """How many pairs of segments cross, over all rows (Fenwick tree, as in Barth, Junger and Mutzel)."""
    total = 0
    for upper, lower in zip(rows, rows[1:], strict=False):
        place = {vertex: i + 1 for i, vertex in enumerate(lower)}
        tree, seen = [0] * (len(lower) + 1), 0
        for vertex in upper:
            spots = [place[b] for b in below[vertex]]
            for spot in spots:
                total += seen
                while spot:
                    total -= tree[spot]
                    spot &= spot - 1
            for spot in spots:
                seen += 1
                while spot < len(tree):
                    tree[spot] += 1
                    spot += spot & -spot
    return total
