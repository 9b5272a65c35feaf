"""What changed between two listings: their union, in which every node has one of four states.

The union is laid out once and shown as Before, Diff and After, so a node that survives never moves.
"""

import re
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from .palette import STATES


class Roles(NamedTuple):
    """How operands of a control node become parameters of its regions."""

    names: tuple
    operand: int
    parameter: int
    alone: str  # what an operand before the first that enters is called


ROLES = {
    "If": Roles(("then", "else"), 1, 0, "cond"),
    "While": Roles(("cond", "body"), 0, 0, ""),
    "For": Roles(("body",), 1, 1, "n"),
}


class Change(NamedTuple):
    """A node before and after; None where it does not exist."""

    before: object
    after: object

    @property
    def row(self):
        """The latest Row of the node."""
        return self.after or self.before

    @property
    def id(self):
        """The id, the same on both sides."""
        return self.row.id

    @property
    def state(self):
        """One of added, removed, rewritten, unchanged."""
        if self.before is None:
            return "added"
        if self.after is None:
            return "removed"
        return "unchanged" if _same(self.before, self.after) else "rewritten"


def _same(one, other):
    return one[1:5] == other[1:5] and one.attrs == other.attrs and one.graphs == other.graphs


class Edge(NamedTuple):
    """A value used by a node (``target``); ``slots`` are the operand positions."""

    source: int
    target: int
    state: str
    slots: tuple


class Region(NamedTuple):
    """A graph drawn inside the box of the control node ``owner``."""

    owner: int
    role: str


@dataclass(frozen=True)
class Union:
    """Two listings as one graph."""

    root: int  # id of the outermost graph
    changes: dict  # id -> Change, inputs before users, graph by graph
    edges: tuple  # operand edges, within a graph
    links: tuple  # edges from an operand of a control node to a parameter of its region
    backs: tuple  # edges from the result of a loop's body to the parameter of the next turn
    regions: dict  # id of a region's graph -> Region

    def members(self):
        """Ids of nodes by the graph they belong to.

        >>> union({}, {}).members()
        {}
        """
        found = {}
        for node, change in self.changes.items():
            found.setdefault(change.row.graph, []).append(node)
        return found

    def counts(self):
        """How many nodes are in each state.

        >>> union({}, {}).counts()
        {'unchanged': 0, 'added': 0, 'removed': 0, 'rewritten': 0}
        """
        found = Counter(change.state for change in self.changes.values())
        return {state: found[state] for state in STATES}


def union(before, after, root=None):
    """The union of two listings (id -> Row); ``root`` is the id of the outermost graph.

    >>> union({}, {}).changes
    {}
    """
    if root is None:
        root = next((row.graph for rows in (before, after) for row in rows.values()), 0)
    before, after = live(before, root), live(after, root)
    rows = {**before, **after}
    changes = {node: Change(before.get(node), after.get(node)) for node in _ordered(rows, before)}
    sides = (before, after)
    return Union(
        root,
        changes,
        tuple(Edge(*pair, state, slots) for pair, state, slots in _merged(map(_edges, sides))),
        tuple(Edge(*pair, state, slots) for pair, state, slots in _merged(map(_links, sides))),
        tuple(Edge(*pair, state, slots) for pair, state, slots in _merged(map(_backs, sides))),
        {**_regions(before), **_regions(after)},
    )


def live(rows, root):
    """The part of a listing that exists: what Return reaches, and the parameters.

    >>> live({}, 0)
    {}
    """
    returns = {row.graph: row.id for row in rows.values() if row.op == "Return"}
    parameters = _parameters(rows)
    found, graphs, waiting = set(), set(), []

    def enter(graph):
        if graph not in graphs:
            graphs.add(graph)
            waiting.extend(parameters.get(graph, ()))
            if graph in returns:
                waiting.append(returns[graph])

    enter(root)
    while waiting:
        node = waiting.pop()
        if node in rows and node not in found:
            found.add(node)
            waiting.extend(rows[node].inputs)
            for graph in rows[node].graphs:
                enter(graph)
    return {node: row for node, row in rows.items() if node in found}


def _parameters(rows):
    found = {}
    for row in rows.values():
        if row.kind == "parameter":
            found.setdefault(row.graph, []).append(row.id)
    return found


def _ordered(rows, before):
    """Ids in reading order: parameters, then inputs before users, what Return needs last."""
    found, done = [], set()
    starts = [r.id for r in rows.values() if r.kind == "parameter"]
    for start in (*starts, *sorted(rows, key=lambda node: rows[node].op == "Return")):
        if start in done:
            continue
        stack, seen = [(start, iter(_used(start, rows, before)))], {start}
        while stack:
            node, inputs = stack[-1]
            following = next((i for i in inputs if i not in done and i not in seen), None)
            if following is None:
                stack.pop()
                done.add(node)
                found.append(node)
            else:
                seen.add(following)
                stack.append((following, iter(_used(following, rows, before))))
    return found


def _used(node, rows, before):
    old = before[node].inputs if node in before else ()
    return [i for i in dict.fromkeys((*old, *rows[node].inputs)) if i in rows]


def _merged(sides):
    """Each pair of two maps pair -> slots, with its state and the slots of the latest side."""
    before, after = sides
    for pair, slots in {**before, **after}.items():
        kept = pair in before and pair in after
        yield pair, "unchanged" if kept else "added" if pair in after else "removed", slots


def _edges(rows):
    found = {}
    for row in rows.values():
        for slot, source in enumerate(row.inputs):
            if source in rows:
                pair = (source, row.id)
                found[pair] = (*found.get(pair, ()), slot)
    return found


def _links(rows):
    parameters, found = _parameters(rows), {}
    for row in rows.values():
        roles = ROLES.get(row.op)
        for graph in row.graphs if roles else ():
            inner = parameters.get(graph, [])[roles.parameter :]
            for slot, pair in enumerate(zip(row.inputs[roles.operand :], inner, strict=False)):
                found[pair] = (slot + roles.operand,)
    return found


def _backs(rows):
    parameters, found = _parameters(rows), {}
    returns = {row.graph: row.id for row in rows.values() if row.op == "Return"}
    for row in rows.values():
        carried = re.search(r"\bcarried=(\d+)", row.attrs)
        if carried and row.graphs and row.op in ROLES:
            body = row.graphs[-1]
            inner = parameters.get(body, [])[ROLES[row.op].parameter :][: int(carried[1])]
            for slot, parameter in enumerate(inner):
                found[(returns.get(body), parameter)] = (slot,)
    return found


def _regions(rows):
    found = {}
    for row in rows.values():
        roles = ROLES.get(row.op)
        for role, graph in zip(roles.names if roles else (), row.graphs, strict=False):
            found[graph] = Region(row.id, role)
    return found
