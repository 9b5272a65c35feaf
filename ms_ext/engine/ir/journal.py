"""What happened to a graph, line by line: listings, journals, and replay forwards and backwards.

A state is a listing (id -> Row) plus journal lines. Nothing here draws; viewers read Rows. A node
that did not change between two states has the same id and the same Row.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .. import errors
from ..infer import remembered
from .control import ControlPrimitive


class Row(NamedTuple):
    """One node as a viewer sees it: plain data, no reference to the graph."""

    id: int
    kind: str  # "parameter", "constant", "call"
    op: str
    inputs: tuple
    abstract: str
    name: str | None
    where: object
    graph: int
    attrs: str
    origin: int
    graphs: tuple  # ids of the regions (or the called graph)
    cost: tuple  # FLOPs, bytes moved
    scope: str = ""  # the calls of functions and Cells that led here, joined by "/"

    @property
    def label(self):
        """What to write on the node."""
        return self.op if self.kind != "parameter" else (self.name or "parameter")


def snapshot(node):
    """What of ``node`` can change, beside the node: cheap to keep, a Row when looked at."""
    return node, node.inputs, node.attrs, node.abstract


def row(node):
    """The Row of ``node`` as it is now."""
    return _row(*snapshot(node))


def _row(node, inputs, attrs, abstract):
    kind, spent = node.kind, (0, 0)
    if kind == "call":
        op, shown = node.primitive.name, _attrs(attrs)
        way = getattr(node.primitive, "func_type", None)  # of an op of the learner's own
        shown = ", ".join(filter(None, (way and f"func_type={way}", shown)))
        spent = _cost(node, inputs, attrs, abstract)
    elif kind == "constant":
        op, shown = _shown(node.value), ""
    else:
        op, shown = "Parameter", ""
    return Row(
        node.id, kind, op, tuple([n.id for n in inputs]), str(abstract), node.name, node.where,
        node.graph.id, shown, node.origin, tuple([g.id for g in node.graphs]), spent, node.scope,
    )  # fmt: skip


def _attrs(attrs):
    return ", ".join(f"{k}={_shown(v)}" for k, v in attrs.items()) if attrs else ""


def _shown(value):
    size = getattr(value, "size", 1)
    if hasattr(value, "shape") and isinstance(size, int) and size > 4:
        return f"const[{','.join(map(str, value.shape))}]"
    text = str(value).replace("\n", " ")
    return text if len(text) <= 24 else text[:21] + "..."


def cost(node):
    """FLOPs and bytes moved by one call of ``node``: every operand read once, every result written
    once.

    (0, 0) where nothing is calculated. A control node costs nothing itself: its regions' nodes do
    (those of a loop one turn), so a sum over all rows counts each once.
    """
    return _cost(*snapshot(node))


def _cost(node, inputs, attrs, abstract):
    if node.kind != "call" or isinstance(node.primitive, ControlPrimitive):
        return (0, 0)
    types = tuple([n.abstract for n in inputs])
    known = None if attrs or len({*inputs}) < len(inputs) else (node.primitive, abstract, types)
    if known in _COSTS:
        return _COSTS[known]
    spent = node.primitive.cost(abstract, *types, **(attrs or {}))
    if type(spent) is not tuple:  # a tuple says the bytes, too
        spent = (int(spent), nbytes(abstract) + sum([nbytes(n.abstract) for n in {*inputs}]))
    return spent if known is None else remembered(_COSTS, known, spent)


_COSTS: dict = {}  # of calls without attributes


def nbytes(abstract):
    """Bytes a value occupies."""
    items = getattr(abstract, "items", None)
    if items is not None:
        return sum(map(nbytes, items))
    return getattr(abstract, "nbytes", 0)


def listing(graph):
    """Every node of ``graph``, its regions and the graphs it calls: id -> Row."""
    rows = {}
    for each in graph.all_graphs():
        for node in (*each.parameters, *each.constants.values(), *each.order(), each.result):
            rows[node.id] = row(node)
    return rows


class Journal:
    """The changes since watching began. Lines: (verb, Row) or ("rewired", old Row, new Row).

    Verbs are "add" and "erase". What is kept is cheap; Rows are made when lines are looked at.
    """

    def __init__(self):
        self._raw = []

    def line(self, verb, node):
        """Note that ``node`` was added or is about to be erased."""
        self._raw.append((verb, (node, node.inputs, node.attrs, node.abstract)))

    def rewired(self, old, node):
        """Note that ``node``, of which ``old`` is a snapshot, got other inputs, attributes or
        type."""
        self._raw.append(("rewired", old, (node, node.inputs, node.attrs, node.abstract)))

    def announce(self, graph):
        """Note a graph that came with its nodes already in it."""
        for node in (*graph.parameters, *graph.constants.values(), *graph.order(), graph.result):
            self.line("add", node)

    @property
    def lines(self):
        """The lines so far."""
        return Lines(self._raw)

    def take(self):
        """The lines so far; the journal starts again empty."""
        raw, self._raw = self._raw, []
        return Lines(raw)


class Lines(Sequence):
    """Journal lines, made into Rows at the first look."""

    def __init__(self, raw):
        self._raw, self._made = raw, None

    def __len__(self):
        return len(self._raw)

    def __getitem__(self, index):
        if self._made is None:
            self._made = [(verb, *[_row(*s) for s in snapshots]) for verb, *snapshots in self._raw]
            self._raw = self._made
        return self._made[index]

    def __repr__(self):
        return f"<{len(self)} journal lines>"


def watch(graph):
    """Start a journal for ``graph`` and everything in it.

    >>> from ms_ext.engine.ir import FuncGraph
    >>> journal = watch(FuncGraph("empty"))
    >>> list(journal.lines)
    []
    """
    journal = Journal()
    for each in graph.all_graphs():
        each.watched_by(journal)
    return journal


def unwatch(graph):
    """Stop writing journals for ``graph``."""
    for each in graph.all_graphs():
        each.journal = None


def replay(rows, lines):
    """The listing after ``lines``; the given one is left alone."""
    rows = dict(rows)
    for line in lines:
        if line[0] == "add":
            rows[line[1].id] = line[1]
        elif line[0] == "erase":
            rows.pop(line[1].id, None)
        elif line[0] == "rewired":
            rows[line[2].id] = line[2]
        else:
            raise errors.GraphError(f"A journal has no line {line[0]!r}.")
    return rows


def rewind(rows, lines):
    """The listing before ``lines``: ``rewind(replay(rows, lines), lines) == rows``."""
    rows = dict(rows)
    for line in reversed(lines):
        if line[0] == "add":
            rows.pop(line[1].id, None)
        else:
            rows[line[1].id] = line[1]
    return rows
