"""What does a loop keep of every turn, what does it not keep, and why? As data, without a picture.

``survey(graph)`` differentiates a graph, runs the gradient once and tells of each of its loops.
"""

from typing import NamedTuple

import numpy as np

from ...engine import pipeline
from ...engine.autodiff import differentiable, vjp
from ...engine.ir import FOR, nbytes
from ...engine.ir.layout import layout
from . import python_words
from .loop_finding import Flow, is_partial, is_stack, makers, ways
from .loop_running import Run, watched
from .loop_unkept import counts, unkept


class Column(NamedTuple):
    """A value that is kept of every turn. ``readers``: places in the Keeper's ``backs``."""

    code: str
    line: int
    kind: str  # its type
    nbytes: int  # of one turn; 0 where it is a stack of an inner loop, which counts itself
    place: int  # among the results of the body
    begins: bool  # it is what a turn begins with
    inner: bool  # it is a stack
    partial: bool  # zeros stand for it in turns whose branch did not make it
    readers: tuple


class Lane(NamedTuple):
    """One loop in its direction: what its turns carry, by name, and the turns of each run."""

    backwards: bool
    names: tuple
    places: tuple  # of the names among the operands of the body
    first: int  # the place of the first result of the body among the operands
    runs: list  # one list of Turns for each run of the keeper


class Keeper(NamedTuple):
    """A loop with its stacks, and the loops that read them."""

    code: str  # the line of Python
    where: str
    depth: int
    columns: tuple
    unkept: tuple
    lane: Lane
    backs: tuple

    @property
    def turns(self):
        """How many turns each run had."""
        return [len(run) for run in self.lane.runs]

    @property
    def nbytes(self):
        """Bytes on all its stacks after all runs."""
        return sum(self.turns) * self.each

    @property
    def each(self):
        """Bytes of one turn."""
        return sum(column.nbytes for column in self.columns)


class Survey(NamedTuple):
    """The loops of a gradient, what they keep in all, and what one run computes."""

    keepers: list
    nbytes: int
    flops: int
    run: Run


def survey(graph, values, passes=None):
    """The Survey of the gradient of ``graph`` at ``values``, each dout being ones."""
    gradient = vjp(graph)
    pipeline.run(gradient, passes)
    found, flow = ways(gradient), Flow(gradient)
    run = watched(gradient, [*values, *_ones(gradient, len(values))], [w.body for w in found])
    read = {(way, k): flow.scans(way.node, k) for way in found for k, _ in way.stacks()}
    known = {way.node: way for way in found}
    keys = [way.key for way in found]
    derived = {w for at, w in enumerate(found) if w.backwards or w.key in keys[:at]}
    kept = {way: any(read[way, k] for k, _ in way.stacks()) for way in found}
    keepers = [_keeper(way, read, known, run, way in derived) for way in found if kept[way]]
    keepers += _keeping_nothing(graph, values, [way for way in found if not kept[way]], read, run)
    return Survey(keepers, sum(keeper.nbytes for keeper in keepers), run.flops(), run)


def _ones(gradient, count):
    for parameter in gradient.parameters[count:]:
        kind = parameter.abstract
        yield np.ones(kind.shape, kind.dtype.numpy)


def _keeping_nothing(graph, values, found, read, run):
    """The loops of the function whose way back reads no stack, with that way back."""
    reading = {each for scanning in read.values() for each in scanning}
    unread = [way for way in found if way.node.primitive is FOR and way.node not in reading]
    pairs = []
    for way in ways(graph):
        backs = [b for b in unread if b.key == way.key and b.backwards != way.backwards]
        if backs:  # of the same line twice, the last one comes back first
            pairs.append((way, backs[-1]))
            unread.remove(backs[-1])
    forwards = watched(graph, values, [way.body for way, _ in pairs]) if pairs else None
    return [_told(way, [back], (), forwards, run, False) for way, back in pairs]


# one loop -----------------------------------------------------------------------------------------


def _keeper(way, read, known, run, derived):
    order = list(known)
    backs = {reader for k, _ in way.stacks() for reader in read[way, k]}
    backs = sorted(backs, key=order.index)
    columns = [
        _column(k, node, read[way, k], backs, derived) for k, node in way.stacks() if read[way, k]
    ]
    return _told(way, [known[each] for each in backs], columns, run, run, derived)


def _told(way, backs, columns, forwards, run, derived):
    return Keeper(
        python_words.line(way.node), python_words.at(way.node), way.depth, tuple(columns),
        unkept(way, backs, columns, derived), _lane(way, way, forwards, forwards),
        tuple([_lane(each, way, run, forwards) for each in backs]),
    )  # fmt: skip


def _column(place, node, readers, backs, derived):
    made, kind = makers(node), node.abstract
    said = dict.fromkeys(python_words.said(each, derived) for each in made)
    return Column(
        code=" or ".join(said),
        line=python_words.number(made[0]),
        kind=str(kind),
        nbytes=0 if is_stack(kind) else nbytes(kind),
        place=place,
        begins=made[0].kind == "parameter",
        inner=is_stack(kind),
        partial=is_partial(node),
        readers=tuple([backs.index(each) for each in dict.fromkeys(readers)]),
    )


def _lane(way, keeper, run, forwards):
    first, parameters = layout(way.node).first, way.body.parameters
    places = tuple([p for p in layout(way.node).feedback if not counts(way, parameters[p])])
    wanted, mine = forwards.turns.get(keeper.body, {}), run.turns.get(way.body, {})
    if way.node.graph is keeper.node.graph:
        runs = [mine.get(frame, []) for frame in wanted]
    else:
        runs = list(mine.values())
        runs = runs[::-1] if way.backwards != keeper.backwards else runs
    return Lane(way.backwards, _names(way, keeper, places), places, first, runs)


def _names(way, keeper, places):
    """What a loop carries, by name: ``dy`` for what comes back to y, or for the sum of it."""
    names = [way.body.parameters[p].name or f"value {p}" for p in places]
    if way.key != keeper.key or way.backwards == keeper.backwards:
        return tuple(names)

    plan, parameters = layout(keeper.node), keeper.body.parameters
    groups = {
        "dout": [parameters[p] for p in plan.feedback],
        "sum": parameters[plan.invariant :],
    }
    for word, group in groups.items():
        moving = [f"d{each.name}" for each in group if _moves(each.abstract)]
        if names.count(word) == len(moving):
            found = iter(moving)
            names = [next(found) if name == word else name for name in names]
    return tuple(names)


def _moves(abstract):
    """Whether a gradient of this type is worth a name: an integer's is zero, and left out."""
    return differentiable(abstract) and getattr(abstract.dtype, "kind", "") == "float"
