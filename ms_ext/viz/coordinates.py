"""From ordered rows to x, y and curves.

Each row is a least-squares problem: be near your neighbours, keep your order and your distance. Pooling
adjacent violators solves it exactly; sweeping down and up a few times straightens the long edges.
"""

_GAP, _THIN = 22.0, 10.0  # between boxes, beside a passing edge
_ROW = 34.0  # between rows
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
    for want, weight, offset in zip(wanted, weights, offsets, strict=True):
        pools.append([(want - offset) * weight, weight, 1])
        while len(pools) > 1 and pools[-2][0] * pools[-1][1] > pools[-1][0] * pools[-2][1]:
            total, weight, many = pools.pop()
            pools[-1][0] += total
            pools[-1][1] += weight
            pools[-1][2] += many
    levels = [total / weight for total, weight, many in pools for _ in range(many)]
    return [level + offset for level, offset in zip(levels, offsets, strict=True)]


def assign(boxes, links, rows, segments, chains):
    """(width, height, centre of each box, curve of each link)."""
    widths = [box.width for box in boxes]
    widths += [_THIN] * (sum(map(len, rows)) - len(boxes))
    ports = _ports(boxes, links, chains)
    xs = _horizontal(widths, len(boxes), rows, segments, ports)
    left = min(x - w / 2 for x, w in zip(xs, widths, strict=True))
    xs = [x - left for x in xs]
    tops, bottoms, middles = _vertical(boxes, rows)
    row_of = {vertex: at for at, row in enumerate(rows) for vertex in row}
    spots = {i: (xs[i], middles[row_of[i]]) for i in range(len(boxes))}
    entries = _entries(boxes, chains, xs, ports)
    routes = []
    for number, chain in enumerate(chains):
        first, last = boxes[chain[0]], boxes[chain[-1]]
        start = (xs[chain[0]], spots[chain[0]][1] + first.height / 2)
        end = (xs[chain[-1]] + entries[number], spots[chain[-1]][1] - last.height / 2)
        through = [(xs[v], tops[row_of[v]], bottoms[row_of[v]]) for v in chain[1:-1]]
        edge_rows = bottoms[row_of[chain[0]]], tops[row_of[chain[-1]]]
        routes.append(_curve(start, end, through, *edge_rows))
    width = max(x + w / 2 for x, w in zip(xs, widths, strict=True))
    return width, bottoms[-1], spots, routes


def _ports(boxes, links, chains):
    """Where on its target, from the centre, the last segment of a chain must end."""
    found = {}
    for link, chain in zip(links, chains, strict=True):
        if link.port is not None:
            box = boxes[chain[-1]]
            found[tuple(chain[-2:])] = box.ports[link.port] - box.width / 2
    return found


def _horizontal(widths, real, rows, segments, ports):
    """x of every vertex; a segment between two stand-ins pulls hardest."""
    above, below = [[] for _ in widths], [[] for _ in widths]
    for upper, lower in segments:
        pull = (8, 3, 1)[(upper < real) + (lower < real)]
        shift = ports.get((upper, lower), 0.0)
        above[lower].append((upper, pull, -shift))
        below[upper].append((lower, pull, shift))
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
    return xs


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
        pulls = [pull for side in near for pull in side[vertex]]
        weight = sum(pull for _, pull, _ in pulls)
        total = sum((xs[other] + shift) * pull for other, pull, shift in pulls)
        wanted.append(total / weight if weight else xs[vertex])
        weights.append(weight or 0.1)
    for vertex, x in zip(row, spread(wanted, weights, gaps), strict=True):
        xs[vertex] = x


def _vertical(boxes, rows):
    """Top, bottom and middle of every row."""
    tops, bottoms, y = [], [], 0.0
    for row in rows:
        height = max((boxes[v].height for v in row if v < len(boxes)), default=0.0)
        tops.append(y)
        bottoms.append(y + height)
        y += height + _ROW + min(30.0, 1.5 * len(row))
    return tops, bottoms, [(a + b) / 2 for a, b in zip(tops, bottoms, strict=True)]


def _entries(boxes, chains, xs, ports):
    """Where each chain enters its target: spread over the top edge in the order they come."""
    arriving = {}
    for number, chain in enumerate(chains):
        arriving.setdefault(chain[-1], []).append(number)
    found = {}
    for target, numbers in arriving.items():
        numbers.sort(key=lambda n: (xs[chains[n][-2]], n))
        step = min(boxes[target].width * 0.5 / len(numbers), 14.0)
        for i, number in enumerate(numbers):
            even = (i - (len(numbers) - 1) / 2) * step
            found[number] = ports.get(tuple(chains[number][-2:]), even)
    return found


def _curve(start, end, through, below_start, above_end):
    """Bezier points: down to the row's edge, an S between rows, straight through the rows it passes."""
    points = [start]
    _straight(points, (start[0], below_start))
    for x, top, bottom in through:
        _bend(points, (x, top))
        _straight(points, (x, bottom))
    _bend(points, (end[0], above_end))
    _straight(points, end)
    return points


def _straight(points, to):
    last = points[-1]
    if abs(last[1] - to[1]) > 0.5:
        points += [(last[0], last[1] + (to[1] - last[1]) / 3), (to[0], to[1] - (to[1] - last[1]) / 3), to]


def _bend(points, to):
    last = points[-1]
    half = (to[1] - last[1]) * 0.55
    points += [(last[0], last[1] + half), (to[0], to[1] - half), to]
