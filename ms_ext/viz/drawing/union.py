"""What changed between two listings: their union, in which every node has one of four states.

The union is laid out once and shown as Before, Diff and After, so a node that survives never moves.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..palette import STATES
from .scopes import Scopes
from .sides import side


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
        if self.before is self.after:
            return "unchanged"
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


@dataclass(frozen=True)
class Union:
    """Two listings as one graph. One that was folded knows the ``whole`` it was made from."""

    root: int  # id of the outermost graph
    changes: dict  # id -> Change, inputs before users, graph by graph
    edges: tuple  # operand edges, within a graph
    links: tuple  # edges from an operand of a control node to a parameter of its region
    backs: tuple  # edges from the result of a loop's body to the parameter of the next turn
    regions: dict  # id of a region's graph -> Region
    whole: object = None

    @cached_property
    def rows(self):
        """id -> the latest Row, of every node, folded ones too."""
        if self.whole:
            return self.whole.rows
        return {node: change.row for node, change in self.changes.items()}

    @cached_property
    def scopes(self):
        """The Scopes of its nodes, folded ones too."""
        if self.whole:
            return self.whole.scopes
        return Scopes(self.rows, self.states)

    @cached_property
    def states(self):
        """id -> state of every node, of groups in a folded union.

        >>> union({}, {}).states
        {}
        """
        return {node: change.state for node, change in self.changes.items()}

    @cached_property
    def users(self):
        """id -> ids of the nodes that use it after the pass (before it, if it is gone then).

        >>> union({}, {}).users
        {}
        """
        if self.whole:
            return self.whole.users
        found = {}
        for node, row in self.rows.items():
            for source in dict.fromkeys(row.inputs):
                found.setdefault(source, []).append(node)
        return found

    @cached_property
    def sinks(self):
        """id -> ids of the nodes that use it before or after, parameters of regions among them.

        >>> union({}, {}).sinks
        {}
        """
        found = {}
        for edge in (*self.edges, *self.links):
            found.setdefault(edge.source, []).append(edge.target)
        return found

    @cached_property
    def feeds(self):
        """id -> ids of the nodes that it uses before or after, in its own graph.

        >>> union({}, {}).feeds
        {}
        """
        found = {}
        for edge in self.edges:
            found.setdefault(edge.target, []).append(edge.source)
        return found

    @cached_property
    def values(self):
        """Ids of the constants, and of the Parameters that were read inside a scope.

        >>> union({}, {}).values
        set()
        """
        return {
            node
            for node, row in self.rows.items()
            if row.kind == "constant"
            or (row.kind == "parameter" and row.scope and row.graph not in self.regions)
        }

    @cached_property
    def members(self):
        """Ids of nodes by the graph they belong to.

        >>> union({}, {}).members
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
        found = Counter(self.states.values())
        return {state: found[state] for state in STATES}


def union(before, after, root=None):
    """The union of two listings (id -> Row); ``root`` is the id of the outermost graph.

    >>> union({}, {}).changes
    {}
    """
    if root is None:
        root = next((row.graph for rows in (before, after) for row in rows.values()), 0)
    one = side(before, root)
    return of_sides(one, one if after is before else side(after, root), root)


def of_sides(before, after, root):
    """The union of two sides; those of a pipeline are the same from pass to pass."""
    rows = {**before.rows, **after.rows}
    changes = {
        node: Change(before.rows.get(node), after.rows.get(node))
        for node in _ordered(rows, before.rows)
    }
    arrows = [_merged(*pair) for pair in list(zip(before, after, strict=True))[1:4]]
    return Union(root, changes, *arrows, {**before.regions, **after.regions})


def _ordered(rows, before):
    """Ids in reading order: parameters, then inputs before users, what Return needs last."""
    found, entered = {}, set()  # ids; of both sides together, arrows may go in a circle
    starts = [r.id for r in rows.values() if r.kind == "parameter"]
    for start in (*starts, *sorted(rows, key=lambda node: rows[node].op == "Return")):
        stack = [start]
        while stack:
            node = stack[-1]
            inputs = () if node in found else _used(rows[node], before.get(node))
            missing = [i for i in inputs if i not in found and i not in entered and i in rows]
            if missing:
                entered.add(node)
                stack += reversed(missing)
            else:
                found[stack.pop()] = None
    return [*found]


def _used(row, old):
    same = old is None or old.inputs == row.inputs
    return row.inputs if same else (*old.inputs, *row.inputs)


def _merged(before, after):
    """Each pair of two maps pair -> slots, with its state and the slots of the latest side."""
    found = []
    for pair, slots in {**before, **after}.items():
        kept = pair in before and pair in after
        state = "unchanged" if kept else "added" if pair in after else "removed"
        found.append(Edge(*pair, state, slots))
    return tuple(found)
