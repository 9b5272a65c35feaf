"""How much of a graph is drawn: a budget that is applied before anything is laid out.

Too large a graph shows what changed and its surroundings, and says in a sentence what is hidden and
how to see it.
"""

from typing import NamedTuple

from ..panel.amounts import number

BUDGET = 300
HOPS = 2
TOP = 10  # changed neighbourhoods of a very large graph


class Options(NamedTuple):
    """What a caller asks for: nodes to draw, steps from a change, scopes to open, all at any
    price."""

    budget: int = BUDGET
    hops: int = HOPS
    expand: tuple = ()
    force: bool = False


DEFAULT = Options()


class Choice(NamedTuple):
    """The nodes to draw and, where some are left out, a sentence about it."""

    shown: frozenset
    sentence: str


def choose(union, budget=BUDGET, hops=HOPS):
    """What to draw of ``union`` within ``budget`` nodes: all, or what is near a change.

    >>> from ms_ext.viz.drawing.union import union
    >>> choose(union({}, {})).sentence
    ''
    """
    if len(union.changes) <= budget:
        return Choice(frozenset(union.changes), "")
    return near(union, Options(budget, hops))


def near(union, options, top=None):
    """The changed nodes of ``union`` and what is a few steps from them, within the budget.

    ``top``: only the neighbourhoods of so many, those that move the most bytes. Of a union that was
    folded, groups are drawn like nodes.
    """
    changes = union.changes
    changed = [node for node, state in union.states.items() if state != "unchanged"]
    starts = changed or [node for node, change in changes.items() if change.row.op == "Return"][-1:]
    if top is not None and changed:
        starts = sorted(changed, key=lambda node: -changes[node].row.cost[1])[:top]
    reach = options.hops if changed else len(changes)
    shown = _around(union, starts, options.budget, reach)
    return Choice(frozenset(shown), _near(union, shown, changed, options.hops, top))


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
                family = {node, *owners(union, node)} - shown
                if len(shown) + len(family) > budget:
                    return shown
                shown |= family
            ring = [
                n for node in ring for n in beside.get(node, ()) if not (n in near or near.add(n))
            ]
    return shown


def owners(union, node):
    """The control nodes around a node, the nearest first."""
    region = union.regions.get(union.changes[node].row.graph)
    while region:
        yield region.owner
        region = union.regions.get(union.changes[region.owner].row.graph)


# sentences ----------------------------------------------------------------------------------------


def sentence(union, shown, why, more):
    """What is shown of the whole of ``union``, why, and how to see more.

    >>> from ms_ext.viz.drawing.union import union
    >>> sentence(union({}, {}), (), "there is nothing", "add a node")
    'Showing 0 of 0 nodes, because there is nothing. To see more, add a node.'
    """
    whole = union.whole or union
    groups = [node for node in shown if node not in whole.changes]
    folded = sum(len(union.changes[group].members) for group in groups)
    verb = "stand" if len(groups) > 1 else "stands"
    standing = f"; {counted(len(groups), 'group')} {verb} for {number(folded)} more"
    standing *= bool(groups)
    return (
        f"Showing {number(len(shown) - len(groups))} of {number(len(whole.changes))} nodes, "
        f"because {why}{standing}. To see more, {more}."
    )


def counted(many, word):
    """A number and what it counts.

    >>> counted(1, "group"), counted(2914, "node")
    ('1 group', '2\u2009914 nodes')
    """
    return f"{number(many)} {word}{'s' * (many != 1)}"


def _near(union, shown, changed, hops, top):
    total = len((union.whole or union).changes)
    drawn = sum(node in shown for node in changed)
    what = "what is nearest to the result"
    if changed and top is not None:
        what = f"the {min(top, len(changed))} changed places that move the most bytes, each with"
        what += f" what is at most {counted(hops, 'step')} from it"
    elif changed:
        what = f"{number(drawn)} of {number(len(changed))} changed nodes and what is at most"
        what += f" {counted(hops, 'step')} from them"
    more = f"pass budget={total}" if total <= 1000 else "pass force=True"
    why = f"more are hard to read: {what}"
    return sentence(union, shown, why, f"{more} (the table lists every change)")
