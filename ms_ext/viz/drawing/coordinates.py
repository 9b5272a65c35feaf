"""From ordered rows to x and y: boxes near their neighbours, long edges straight.

Each row is a least-squares problem: be near your neighbours, keep your order and your distance.
Pooling adjacent violators solves it exactly. Sweeping down and up settles the rows; then every long
edge is made of as few straight pieces as its neighbours leave room for.
"""

_GAP, _THIN = 22.0, 9.0  # between boxes, beside a passing edge
_ROW = 36.0  # between rows
_SWEEPS = 14


def spread(wanted, weights, gaps):
    """Places nearest to ``wanted`` (least squares) with at least ``gaps[i]`` between i and i + 1.

    >>> spread([0, 0], [1, 1], [10])
    [-5.0, 5.0]
    """
    offsets = [0.0]
    for gap in gaps:
        offsets.append(offsets[-1] + gap)
    pools = []  # [sum of weight * place, weight, how many]
    for want, weight, offset in zip(wanted, weights, offsets, strict=False):
        pools.append([(want - offset) * weight, weight, 1])
        while len(pools) > 1 and pools[-2][0] * pools[-1][1] > pools[-1][0] * pools[-2][1]:
            total, weight, many = pools.pop()
            pools[-1][0] += total
            pools[-1][1] += weight
            pools[-1][2] += many
    levels = [total / weight for total, weight, many in pools for _ in range(many)]
    return [level + offset for level, offset in zip(levels, offsets, strict=False)]


def horizontal(widths, real, rows, chains, shifts):
    """x of every vertex.

    The first ``real`` vertices are boxes, the others stand-ins where an edge passes a row.
    ``chains`` are the vertices of each edge; ``shifts`` say how far from the centre of its target
    it must end.
    """
    above, below = _pulls(len(widths), real, chains, shifts)
    gaps = [_gaps(row, widths, real) for row in rows]
    xs = [0.0] * len(widths)
    for row, gap in zip(rows, gaps, strict=True):
        for vertex, x in zip(row, spread([0.0] * len(row), [1] * len(row), gap), strict=True):
            xs[vertex] = x
    for sweep in range(_SWEEPS):
        both = sweep >= _SWEEPS - 4
        order = range(len(rows)) if sweep % 2 == 0 else range(len(rows) - 1, -1, -1)
        for at in order:
            near = (above, below) if both else (above,) if sweep % 2 == 0 else (below,)
            _settle(rows[at], gaps[at], near, xs)
    _straighten(chains, rows, gaps, xs, shifts)
    left = min(x - width / 2 for x, width in zip(xs, widths, strict=True))
    return [x - left for x in xs]


def _pulls(count, real, chains, shifts):
    """What pulls each vertex from the rows above and below: (vertex, how hard, how far beside)."""
    used = {chain[-1] for chain in chains}
    above, below = [[] for _ in range(count)], [[] for _ in range(count)]
    for chain, shift in zip(chains, shifts, strict=True):
        for upper, lower in zip(chain, chain[1:], strict=False):
            pull = (8, 3, 4)[(upper < real) + (lower < real)]
            if upper < real and upper not in used:
                pull = 0.3  # a parameter or constant follows, it does not lead
            beside = shift if lower < real else 0.0
            above[lower].append((upper, pull, -beside))
            below[upper].append((lower, pull, beside))
    return above, below


def _gaps(row, widths, real):
    found = []
    for one, two in zip(row, row[1:], strict=False):
        between = _GAP if one < real and two < real else _THIN
        found.append((widths[one] + widths[two]) / 2 + between)
    return found


def _settle(row, gaps, near, xs):
    """Move one row to where its neighbours in ``near`` pull it."""
    wanted, weights = [], []
    for vertex in row:
        total = weight = 0.0
        for side in near:
            for other, pull, shift in side[vertex]:
                total += (xs[other] + shift) * pull
                weight += pull
        wanted.append(total / weight if weight else xs[vertex])
        weights.append(weight or 0.1)
    for vertex, x in zip(row, spread(wanted, weights, gaps), strict=True):
        xs[vertex] = x


def _straighten(chains, rows, gaps, xs, shifts):
    """Give each long edge as few bends as the room between its neighbours allows."""
    left, right = {}, {}
    for row, gap in zip(rows, gaps, strict=True):
        for one, two, between in zip(row, row[1:], gap, strict=False):
            right[one], left[two] = (two, between), (one, between)

    def room(vertex):
        low, high = left.get(vertex), right.get(vertex)
        return (
            xs[low[0]] + low[1] if low else float("-inf"),
            xs[high[0]] - high[1] if high else float("inf"),
        )

    for _ in range(2):
        for chain, shift in sorted(
            zip(chains, shifts, strict=True), key=lambda pair: -len(pair[0])
        ):
            x = xs[chain[0]]
            for run, (low, high) in _runs(chain[1:-1], room):
                end = xs[chain[-1]] + shift
                if not low <= x <= high:
                    x = end if low <= end <= high else min(max(x, low), high)
                for vertex in run:
                    xs[vertex] = x


def _runs(vertices, room):
    """Longest stretches whose vertices can all stand at the same x, with the room for it."""
    run, bounds = [], (float("-inf"), float("inf"))
    for vertex in vertices:
        low, high = room(vertex)
        both = max(low, bounds[0]), min(high, bounds[1])
        if run and both[0] > both[1]:
            yield run, bounds
            run, both = [], (low, high)
        run.append(vertex)
        bounds = both
    if run:
        yield run, bounds


def vertical(heights, rows):
    """(top, bottom) of every row; ``heights`` of the boxes, stand-ins have none."""
    bands, y = [], 0.0
    for row in rows:
        height = max((heights[v] for v in row if v < len(heights)), default=0.0)
        bands.append((y, y + height))
        y += height + _ROW + min(24.0, 1.5 * len(row))
    return bands
