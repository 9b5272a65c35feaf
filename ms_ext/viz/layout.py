"""Where boxes go: one function, three engines, the best that is there.

``dot`` on the PATH, then the ``dot`` of graphviz-pure, then our own layering (sugiyama.py), which
needs nothing. An engine gives places and routes only; svg.py draws, so the pictures look alike.
"""

import shutil
import sys
from pathlib import Path
from typing import NamedTuple

from . import dot, sugiyama

PROGRAMS = ("dot", "graphviz-pure")
TIME_LIMIT = 5.0  # seconds for a dot process; then our own engine places the graph


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


def layouts(graphs):
    """Place several graphs that do not depend on each other; graphs seen before cost nothing.

    >>> layouts([])
    []
    """
    program = engine()
    keys = [(program, tuple(boxes), tuple(links)) for boxes, links in graphs]
    new = [key for key in dict.fromkeys(keys) if key not in _seen]
    while len(_seen) > _REMEMBERED:
        _seen.pop(next(iter(_seen)))
    found = dict(zip(new, _place(program, [key[1:] for key in new]), strict=True))
    _seen.update(found)
    return [found.get(key) or _seen[key] for key in keys]


def engine():
    """Path of the dot program, or None where our own engine works.

    >>> isinstance(engine(), str | None)
    True
    """
    beside = str(Path(sys.executable).parent)  # of an environment that was not activated
    found = (shutil.which(name, path=where) for name in PROGRAMS for where in (None, beside))
    return next(filter(None, found), None)


def _place(program, graphs):
    placed = dot.place(program, graphs, TIME_LIMIT) if program and graphs else None
    if placed is None:
        placed = [sugiyama.place(boxes, links) for boxes, links in graphs]
    return [Placement(*each) for each in placed]
