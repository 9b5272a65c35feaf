"""How is a graph too large to be read made small? Some of its nodes become one node: a group.

A group is a scope (a function's or Cell's calls) or a run of nodes nothing happened to. Its label
keeps the difference, ``12 calls  +2 −6 ~2``. What comes out is again a union that can be drawn: a
survivor of a folded union has one place, too. No arrow of it goes in a circle: where calls of a
scope feed others through nodes outside it, as forward and backward do, they are several groups.
"""

from collections import Counter
from typing import NamedTuple

from ...engine.ir.journal import Row
from ..palette import GLYPHS, STATES
from . import circles
from .union import Edge, Union

LEAST = 2  # calls that a scope must have to become a group
LONG = 4  # calls that a run must have
ROOMY = 40  # boxes: a picture with fewer has no need to fold runs
_LONGEST = 20  # characters of a path on a group


class Group(NamedTuple):
    """Several nodes drawn as one; ``before`` and ``after`` are None where none of them exists."""

    row: Row
    state: str  # added or removed if all are, unchanged, else changed
    scope: str  # "" of a run
    members: tuple
    calls: int
    counts: dict  # state -> how many members

    @property
    def before(self):
        """What stands there before the pass."""
        return None if self.state == "added" else self.row

    @property
    def after(self):
        """What stands there after the pass."""
        return None if self.state == "removed" else self.row


def folded(union, assigned):
    """``union`` with the nodes of ``assigned`` (id -> scope) in groups.

    Where more than ROOMY boxes are left, long runs are folded too.

    >>> from ms_ext.viz.drawing.union import union
    >>> folded(union({}, {}), {}).changes
    {}
    """
    keys = _scopes(union, assigned)
    if len(union.changes) - len(keys) + len(set(keys.values())) >= ROOMY:
        keys |= _runs(union, keys)
    return _folded(union, _with_values(union, keys))


def grouped(union, assigned):
    """The same, but runs stay as they are.

    >>> from ms_ext.viz.drawing.union import union
    >>> grouped(union({}, {}), {}).changes
    {}
    """
    return _folded(union, _with_values(union, _scopes(union, assigned)))


def _scopes(union, assigned):
    keys = _large_enough(circles.without(union, _of_graphs(union, assigned)))
    return _with_regions(union, keys)


def marks(counts):
    """The difference inside a group: ``+2 −6 ~2``, or that there is none.

    >>> marks({"unchanged": 3, "added": 2, "removed": 0, "rewritten": 1})
    '+2 ~1'
    """
    changed = [state for state in STATES if GLYPHS[state] and counts.get(state)]
    return " ".join(f"{GLYPHS[state]}{counts[state]}" for state in changed) or "unchanged"


# which nodes go together --------------------------------------------------------------------------


def _of_graphs(union, assigned):
    """The calls of ``assigned``: groups keep within one graph, id -> (graph, scope)."""
    rows = union.rows
    return {
        node: (rows[node].graph, scope)
        for node, scope in assigned.items()
        if rows[node].kind == "call" and rows[node].op != "Return"
    }


def _with_values(union, keys):
    """Constants and weights that only groups use are not drawn: they go with the first of these."""
    found, users = dict(keys), union.sinks
    for node in union.changes:
        if node in union.values and node in users:
            using = [keys.get(user) for user in users[node]]
            if None not in using:
                found[node] = using[0]
    return found


def _large_enough(keys):
    calls = Counter(keys.values())
    return {node: key for node, key in keys.items() if calls[key] >= LEAST}


def _with_regions(union, keys):
    """What is inside a control node goes with it; outer graphs come before their regions."""
    found, owners = dict(keys), {}
    for graph, region in union.regions.items():
        owners.setdefault(region.owner, []).append(graph)
    inside = union.members
    waiting = [node for node in owners if node in found]
    while waiting:
        owner = waiting.pop()
        for graph in owners[owner]:
            for node in inside.get(graph, ()):
                found[node] = found[owner]
                if node in owners:
                    waiting.append(node)
    return found


def _runs(union, keys):
    """Unchanged calls whose result only the next one uses: id -> (graph, last call), if long."""
    users, changes, states, ends = union.sinks, union.changes, union.states, {}

    def quiet(node):
        if states[node] != "unchanged" or node in keys:
            return False
        row = changes[node].row
        return row.kind == "call" and row.op != "Return" and not row.graphs

    for node in reversed(changes):
        if quiet(node):
            (user, *more) = users.get(node, (None,))
            joins = user is not None and not more and quiet(user)
            ends[node] = ends.get(user, user) if joins else node
    many = Counter(ends.values())
    found = {
        node: (changes[node].row.graph, ("run", end))
        for node, end in ends.items()
        if many[end] >= LONG
    }
    return found


# the union of groups ------------------------------------------------------------------------------


def _folded(union, keys):
    """The union in which all nodes of one key are one group."""
    members = {}
    for node in union.changes:
        if node in keys:
            members.setdefault(keys[node], []).append(node)
    groups = _named(union, members)
    names = {node: groups[key].row.id for node, key in keys.items()}
    changes = {}
    for node, change in union.changes.items():
        if node in keys:
            changes.setdefault(names[node], groups[keys[node]])
        else:
            changes[node] = _entered(change, names) if change.row.graphs else change
    return Union(
        union.root,
        changes,
        _merged(union, names),
        tuple(
            link._replace(source=names.get(link.source, link.source))
            for link in union.links
            if link.target not in names
        ),
        tuple(back for back in union.backs if back.target not in names),
        {graph: region for graph, region in union.regions.items() if region.owner not in names},
        union.whole or union,
    )


def _entered(change, names):
    """A control node names its operands as they are drawn: its ports are found by them."""

    def renamed(row):
        return row and row._replace(inputs=tuple([names.get(i, i) for i in row.inputs]))

    return change._replace(before=renamed(change.before), after=renamed(change.after))


def _merged(union, names):
    """Edges between what is drawn; several that became one have the state they share.

    A group holds its constants and weights, wherever else they are drawn.
    """
    found, values = {}, union.values
    for edge in union.edges:
        if edge.target in names and edge.source in values:
            continue
        pair = names.get(edge.source, edge.source), names.get(edge.target, edge.target)
        if pair[0] != pair[1]:
            found.setdefault(pair, []).append(edge)
    return tuple(Edge(*pair, _shared(several), _slots(several)) for pair, several in found.items())


def _shared(edges):
    states = {edge.state for edge in edges}
    return states.pop() if len(states) == 1 else "changed"


def _slots(edges):
    """Operand positions at a node; at a group they say only how many values flow."""
    return tuple(sorted({slot for edge in edges for slot in edge.slots}))


# what a group is called ---------------------------------------------------------------------------


def _named(union, members):
    """key -> Group. Scopes whose last names are alike go by what tells their paths apart."""
    parts, found = {}, {}
    for key in members:
        if isinstance(key[1], str):
            parts.setdefault(key[1], []).append(key)
        else:
            found[key] = _group(union, key[0], f"r:{members[key][0]}", members[key], "", "")
    titles = _titles(parts)
    for scope, keys in parts.items():
        kinds = [_way(union, members[key]) if len(keys) > 1 else "" for key in keys]
        for at, (key, kind) in enumerate(zip(keys, kinds, strict=True)):
            alike, again = kinds.count(kind), f"#{at + 1}" if at else ""
            which = f" ({kinds[: at + 1].count(kind)} of {alike})" if alike > 1 else ""
            title = f"{titles[scope]}{kind}{which}"
            name = f"s:{scope}{again}"
            found[key] = _group(union, key[0], name, members[key], scope, title)
    return found


def _titles(scopes):
    """scope -> its last name, or as many as tell it from the others.

    >>> _titles(["net/one/norm", "net/two/norm", "net/head"])
    {'net/one/norm': 'one/norm', 'net/two/norm': 'two/norm', 'net/head': 'head'}
    """
    found, alike = {}, {}
    for scope in scopes:
        alike.setdefault(scope.rpartition("/")[2], []).append(scope)
    for scope in scopes:
        names = scope.split("/")
        others = [each.split("/") for each in alike[names[-1]] if each != scope]
        many = next(
            (n for n in range(1, len(names)) if all(each[-n:] != names[-n:] for each in others)),
            len(names),
        )
        title = "/".join(names[-many:])
        found[scope] = title if len(title) <= _LONGEST else f"…{title[-_LONGEST:]}"
    return found


def _way(union, nodes):
    """Of a scope in parts, the part whose calls were made from others is the way back."""
    calls = [union.rows[node] for node in nodes if union.rows[node].kind == "call"]
    return " backward" if 2 * sum(row.origin > 0 for row in calls) > len(calls) else ""


def _group(union, graph, name, nodes, scope, title):
    changes = [union.changes[node] for node in nodes]
    counts = Counter([union.states[node] for node in nodes])
    rows = [change.row for change in changes]
    calls = sum(row.kind == "call" and row.op != "Return" for row in rows)
    state = next(iter(counts)) if len(counts) == 1 else "changed"
    state = "changed" if state == "rewritten" else state
    spent = tuple(map(sum, zip(*(row.cost for row in rows), strict=True)))
    said = f"{calls} call{'s' * (calls != 1)}  {marks(counts)}" if scope else ""
    title = title or f"{calls} unchanged"
    row = Row(
        name, "group", title, (), said, None, None, graph, "", 0, (), spent, scope
    )  # fmt: skip
    return Group(row, state, scope, tuple(nodes), calls, dict(counts))
