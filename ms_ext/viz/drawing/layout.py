"""Where boxes go: one function, three engines, the best that is there.

``dot`` on the PATH, then the ``dot`` of graphviz-pure, then our own layering (sugiyama.py), which
needs nothing. A program that fails gives way to the next, one that takes too long to our own. An
engine gives places and routes only; svg.py draws, so the pictures look alike.
"""

import shutil
import sys
import time
from pathlib import Path
from typing import NamedTuple

from . import dot, sugiyama

PROGRAMS = ("dot", "graphviz-pure")
TIME_LIMIT = 4.0  # seconds for the programs; then our own engine places the graph


class Box(NamedTuple):
    """Something to place. ``ports``: x of the points on the top edge where links may enter."""

    id: object
    width: float
    height: float
    shape: str = "box"  # box, hexagon or ellipse
    ports: tuple = ()
    top: bool = False  # must stand in the first row


class Link(NamedTuple):
    """An arrow from one box down to another; ``port`` is an index into the target's ports."""

    source: object
    target: object
    port: int | None = None
    weight: int = 1


class Placement(NamedTuple):
    """The answer: size, centre of each box, and for each link the points of a Bezier curve."""

    width: float
    height: float
    centres: dict
    routes: list
    engine: str


def layout(boxes, links):
    """Place one graph.

    >>> placed = layout([Box("a", 60, 30), Box("b", 60, 30)], [Link("a", "b")])
    >>> placed.centres["a"][1] < placed.centres["b"][1]
    True
    """
    return layouts([(boxes, links)])[0]


_seen: dict = {}
_REMEMBERED = 200


def layouts(graphs, limit=None):
    """Place several graphs that do not depend on each other; None where no engine is done in time.

    Graphs seen before cost nothing, whatever their boxes are called.

    >>> layouts([])
    []
    """
    limit = TIME_LIMIT if limit is None else limit
    programs, forms = engines(), [_plain(*graph) for graph in graphs]
    keys = [(programs, form) for form in forms]
    new = [key for key in dict.fromkeys(keys) if key not in _seen]
    found = dict(zip(new, _place(programs, [form for _, form in new], limit), strict=True))
    placed = [found.get(key) or _seen.get(key) for key in keys]
    while len(_seen) > _REMEMBERED:
        _seen.pop(next(iter(_seen)))
    _seen.update((key, each) for key, each in found.items() if each is not None)
    return [
        each and each._replace(centres=_called(each.centres, boxes))
        for each, (boxes, _) in zip(placed, graphs, strict=True)
    ]


def _plain(boxes, links):
    """The graph with numbers for ids: what of it decides about places."""
    numbers = {box.id: number for number, box in enumerate(boxes)}
    return (
        tuple([box._replace(id=number) for number, box in enumerate(boxes)]),
        tuple([link._replace(source=numbers[link.source], target=numbers[link.target])
               for link in links]),
    )  # fmt: skip


def _called(centres, boxes):
    return {box.id: centres[number] for number, box in enumerate(boxes)}


def engine():
    """Path of the first dot program, or None where only our own engine works.

    >>> isinstance(engine(), str | None)
    True
    """
    return next(iter(engines()), None)


def engines():
    """Paths of the dot programs there are, in the order in which they are tried."""
    beside = str(Path(sys.executable).parent)  # of an environment that was not activated
    found = (shutil.which(name, path=where) for name in PROGRAMS for where in (None, beside))
    return tuple(dict.fromkeys(filter(None, found)))


def _place(programs, graphs, limit):
    """Places for every graph, by the first engine that is done; our own has ``limit`` for itself.

    The programs have ``limit`` seconds together: one that took all of it leaves none for the next.
    """
    placed, until = [None] * len(graphs), time.monotonic() + limit
    for program in programs:
        left = [at for at, each in enumerate(placed) if each is None]
        rest = until - time.monotonic()
        if left and rest > 0:
            found = dot.place(program, [graphs[at] for at in left], rest)
            placed = [*map(dict(zip(left, found, strict=True)).get, range(len(graphs)), placed)]
    placed = [
        sugiyama.place(*graph, time.monotonic() + limit) if each is None else each
        for graph, each in zip(graphs, placed, strict=True)
    ]
    return [each and Placement(*each) for each in placed]
