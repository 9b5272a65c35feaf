"""How much of a graph is drawn: a budget that is applied before anything is laid out.

Too large a graph shows what changed and its surroundings, and says in a sentence what is hidden and
how to see it.
"""

from typing import NamedTuple

from .stats import number

BUDGET = 300
HOPS = 2


class Choice(NamedTuple):
    """The nodes to draw and, where some are left out, a sentence about it."""

    shown: frozenset
    sentence: str


def choose(union, budget=BUDGET, hops=HOPS):
    """What to draw of ``union`` within ``budget`` nodes.

    >>> from ms_ext.viz.union import union
    >>> choose(union({}, {})).sentence
    ''
    """
    changes = union.changes
    if len(changes) <= budget:
        return Choice(frozenset(changes), "")
    changed = [node for node, change in changes.items() if change.state != "unchanged"]
    starts = changed or [node for node, change in changes.items() if change.row.op == "Return"][-1:]
    shown = _around(union, starts, budget, hops if changed else len(changes))
    return Choice(
        frozenset(shown), _sentence(len(shown), len(changes), len(changed), shown, changes, hops)
    )


def _around(union, starts, budget, hops):
    """Start after start with the rings around it, until the budget is spent.

    A node in a region brings the control nodes around it along.
    """
    beside = {}
    for edge in (*union.edges, *union.links):
        beside.setdefault(edge.source, []).append(edge.target)
        beside.setdefault(edge.target, []).append(edge.source)
    shown = set()
    for start in starts:
        ring, near = [start], {start}
        for _ in range(hops + 1):
            for node in ring:
                family = {node, *_owners(union, node)} - shown
                if len(shown) + len(family) > budget:
                    return shown
                shown |= family
            ring = [
                n for node in ring for n in beside.get(node, ()) if not (n in near or near.add(n))
            ]
    return shown


def _owners(union, node):
    region = union.regions.get(union.changes[node].row.graph)
    while region:
        yield region.owner
        region = union.regions.get(union.changes[region.owner].row.graph)


def _sentence(shown, total, changed, nodes, changes, hops):
    left = sum(1 for node in changes if node not in nodes and changes[node].state != "unchanged")
    why = (
        f"{number(changed - left)} of {number(changed)} changed nodes and what is at most"
        f" {hops} steps from them"
        if changed
        else "what is nearest to the result"
    )
    return (
        f"Showing {number(shown)} of {number(total)} nodes, because more are hard to read: {why}. "
        f"The table lists every change. To draw more, pass budget={total}."
    )
