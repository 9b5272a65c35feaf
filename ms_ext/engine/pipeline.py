"""In which order do passes run, and what did each of them do?

The graph is verified before the first pass and after every one that changed it. A pass is not run
again on a graph whose version it has already seen. With ``watch`` every change, match and refusal
is on record.

>>> from ms_ext import ops
>>> from ms_ext.dtype import float32
>>> from ms_ext.engine.infer import AbstractTensor
>>> from ms_ext.engine.ir import FuncGraph
>>> graph = FuncGraph("f")
>>> x = graph.add_parameter(AbstractTensor(float32, (2,)), "x")
>>> graph.returns(graph.add(ops.Mul, [x, graph.constant(1)]))
>>> record = run(graph, watch=True)
>>> [(each.name, len(each.matches)) for each in record.passes if each.matches]
[('algebraic', 1)]
"""

import time
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from . import errors, passes
from .ir import FuncGraph, cost, listing, nbytes, replay, stacked, unwatch, verify, watch
from .making import making
from .patterns import Editor, Record, prune

DEFAULT = ("inline", "sink", "fold", "algebraic", "cse", "dce")
CLEANING = ("cse", "dce")  # what follows the passes that a user adds


class Cost(NamedTuple):
    """What a graph costs.

    ``nodes``: calls, those of regions and called graphs included, Return not. ``edges``: their
    operands. ``flops``, ``bytes``: what the calls compute and move, each operand read once, each
    result written once; a loop's body counts for one turn, a called graph at every call. ``peak``:
    the most bytes alive when the calls run in order: parameters and constants all the time, a
    result until its last user, and within a control node what its regions hold on top; of a Stack
    one turn. ``stacks``: what each loop puts on stacks.
    """

    nodes: int
    edges: int
    flops: int
    bytes: int
    peak: int
    stacks: tuple = ()


def measure(graph):
    """The Cost of ``graph``."""
    orders = [each.order() for each in graph.all_graphs()]
    nodes = sum(map(len, orders))
    edges = sum([len(node.inputs) for order in orders for node in order])
    held = sum([nbytes(p.abstract) for p in graph.parameters])
    return Cost(nodes, edges, *_spent(graph, {}), held + _peak(graph, {}), stacked(graph))


def _spent(graph, known):
    """FLOPs and bytes of one run of ``graph``; a call of a graph that is being counted adds
    nothing."""
    known[graph] = (0, 0)
    flops = moved = 0
    for node in graph.order():
        spent = cost(node)
        flops, moved = flops + spent[0], moved + spent[1]
        for inner in node.graphs:
            spent = known.get(inner) or _spent(inner, known)
            flops, moved = flops + spent[0], moved + spent[1]
    known[graph] = (flops, moved)
    return flops, moved


def _peak(graph, known):
    """The most bytes alive inside ``graph``, its parameters not counted."""
    known[graph] = 0
    order = graph.order()
    last = {used: at for at, node in enumerate([*order, graph.result]) for used in node.inputs}
    ends = {}
    for node, at in last.items():
        ends.setdefault(at, []).append(node)
    alive = peak = sum([nbytes(n.abstract) for n in graph.constants.values()])
    for at, node in enumerate(order):
        inner = max([known[g] if g in known else _peak(g, known) for g in node.graphs], default=0)
        alive += nbytes(node.abstract)
        peak = max(peak, alive + inner)
        alive -= sum([nbytes(n.abstract) for n in ends.get(at, ()) if n.kind == "call"])
    known[graph] = peak
    return peak


# records ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PassRecord:
    """What one pass did: journal lines, matches and refusals are made when they are looked at."""

    name: str
    doc: str
    journal: object
    seconds: float
    cost_before: Cost
    cost_after: Cost
    record: Record

    @cached_property
    def matches(self):
        """The rewritings, in order."""
        return self.record.matches()

    @cached_property
    def refusals(self):
        """The places that were left alone, each with a ``sentence()``."""
        return self.record.refusals()


@dataclass(frozen=True)
class PipelineRecord:
    """A graph's way through the passes: its ``listing`` before, what each pass did, the graph
    after."""

    name: str
    listing: dict
    passes: list
    graph: FuncGraph

    def listing_after(self, count):
        """The listing after the first ``count`` passes."""
        rows = self.listing
        for each in self.passes[:count]:
            rows = replay(rows, each.journal)
        return rows


# running ------------------------------------------------------------------------------------------


def names(more=None):
    """The order of the passes; ``more`` ones come before the last cleaning.

    >>> names(["add_neg_to_sub"])
    ('inline', 'sink', 'fold', 'algebraic', 'add_neg_to_sub', 'cse', 'dce')
    """
    return (*DEFAULT[: -len(CLEANING)], *(more or ()), *CLEANING)


def run(graph, passes=None, *, watch=False, after=None):
    """Optimise ``graph`` in place: the default pipeline with ``passes`` added; its record if
    watched. ``after(pass, graph)`` is called behind each."""
    return run_only(graph, names(_listed(passes)), watch=watch, after=after)


def run_only(graph, sequence, *, watch=False, after=None):
    """Run exactly these passes; their record if watched."""
    found = [passes.find(item) for item in _listed(sequence)]
    with making():
        prune(graph)
        verify(graph)
        return _watched(graph, found) if watch else _unwatched(graph, found, after)


def _listed(sequence):
    if sequence is None:
        return ()
    if isinstance(sequence, str) or not isinstance(sequence, list | tuple):
        raise errors.InvalidType(
            "`passes` is a list.",
            given=f"{sequence!r:.60}",
            hint=f"Write passes=[{sequence!r:.40}].",
        )
    return tuple(sequence)


def _unwatched(graph, found, after):
    seen = {}
    for each in found:
        _apply(each, graph, None, seen)
        if after is not None:
            after(each, graph)


def _watched(graph, found):
    seen, done, before = {}, [], measure(graph)
    rows, journal = listing(graph), watch(graph)
    try:
        for each in found:
            record, graphs, start = Record(), graph.all_graphs(), time.perf_counter()
            changed = _apply(each, graph, record, seen)
            seconds = time.perf_counter() - start
            after = measure(graph) if changed else before
            for gone in set(graphs) - set(graph.all_graphs()):
                gone.dissolve()
            done.append(
                PassRecord(each.name, each.doc, journal.take(), seconds, before, after, record)
            )
            before = after
    finally:
        unwatch(graph)
    return PipelineRecord(graph.name, rows, done, graph)


def _apply(each, graph, record, seen):
    """Run one pass on a graph, its regions and what it calls, outermost first; whether it changed
    any."""
    waiting, met, changed = [graph], set(), False
    while waiting:
        one = waiting.pop()
        if one in met:
            continue
        met.add(one)
        editor, version = Editor(one, each.name, record, seen), one.version
        if not editor.has_finished(one):
            _run(each, one, editor)
            editor.finished()
            changed = changed or one.version != version
        waiting.extend([region for node in one.order() for region in node.graphs])
    if changed:
        _verify(each, graph)
    return changed


def _run(each, graph, editor):
    try:
        each.run(graph, editor)
    except errors.MsExtError:
        raise
    except Exception as error:
        raise errors.NotRunnable(
            f"The pass {each.name!r} stopped: {error}",
            given=f"{type(error).__name__} while it worked on '{graph.name}'",
            hint="The traceback above this one shows the line.",
        ) from error


def _verify(each, graph):
    try:
        verify(graph)
    except errors.GraphError as error:
        raise errors.GraphError(
            f"The pass {each.name!r} left a broken graph: {error.message}",
            hint="Change a graph with editor.add, editor.replace and editor.sweep only.",
        ) from error
