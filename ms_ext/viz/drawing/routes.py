"""Curves for our own layout: down from a box, an S between rows, straight through passed rows."""

from . import coordinates

_EDGE = 13.0  # how far from the corner of a box an edge ends
_STEP = 12.0  # between two edges that end at one box


def curves(boxes, chains, xs, bands, row_of, shifts):
    """The Bezier points of each edge; ``shifts[i]`` is None where it may end anywhere."""
    entries = _entries(boxes, chains, xs, shifts)
    found = []
    for number, chain in enumerate(chains):
        source, target = boxes[chain[0]], boxes[chain[-1]]
        exit_x = _exit(source, xs, chain, entries[number])
        points = [(exit_x, sum(bands[row_of[chain[0]]]) / 2 + source.height / 2)]
        _straight(points, bands[row_of[chain[0]]][1])
        for vertex in chain[1:-1]:
            top, bottom = bands[row_of[vertex]]
            _bend(points, (xs[vertex], top))
            _straight(points, bottom)
        band = bands[row_of[chain[-1]]]
        _bend(points, (entries[number], band[0]))
        _straight(points, sum(band) / 2 - target.height / 2)
        found.append(points)
    return found


def _entries(boxes, chains, xs, shifts):
    """Where each edge meets its target: straight below where it comes from if there is room."""
    arriving = {}
    for number, chain in enumerate(chains):
        arriving.setdefault(chain[-1], []).append(number)
    found = {}
    for target, numbers in arriving.items():
        half = max(boxes[target].width / 2 - _EDGE, 0.0)
        numbers.sort(key=lambda n: (xs[chains[n][-2]], n))
        wanted = [min(max(xs[chains[n][-2]] - xs[target], -half), half) for n in numbers]
        step = min(_STEP, 2 * half / len(numbers))
        places = coordinates.spread(wanted, [1] * len(wanted), [step] * (len(wanted) - 1))
        over = max(places[-1] - half, 0.0) or min(places[0] + half, 0.0)
        for number, place in zip(numbers, places, strict=True):
            beside = place - over if shifts[number] is None else shifts[number]
            found[number] = xs[target] + beside
    return found


def _exit(source, xs, chain, entry):
    """Where an edge leaves its source: on the lower side, towards where it goes."""
    aim = xs[chain[1]] if len(chain) > 2 else entry
    half = max(source.width / 2 - _EDGE, 0.0) if source.shape == "box" else 0.0
    return xs[chain[0]] + min(max(aim - xs[chain[0]], -half), half)


def _straight(points, y):
    x, last = points[-1]
    if y - last > 0.5:
        points += [(x, last + (y - last) / 3), (x, y - (y - last) / 3), (x, y)]


def _bend(points, to):
    x, y = points[-1]
    half = (to[1] - y) * 0.5
    points += [(x, y + half), (to[0], to[1] - half), to]
