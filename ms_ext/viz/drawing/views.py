"""Which pictures are there of one step? By its size, before anything is laid out.

| nodes | first | and |
|---|---|---|
| up to the budget (300) | whole | scopes |
| up to 1000 | changes | scopes, inside a scope; whole with a larger budget |
| up to 3000 | scopes | changes, inside a scope; whole with force=True, within 15 s |
| more | changes: the places that move the most bytes | scopes; whole as above |

"changes" is what changed and what is near it, where scopes and runs without a change are folded; of
a graph in which nothing changed it is "around the result".
"""

from dataclasses import replace
from typing import NamedTuple

from ...engine import errors
from ..panel.amounts import number
from . import collapse
from .budget import DEFAULT, TOP, near, owners, sentence

LARGE, HUGE = 1000, 3000  # nodes above which a graph is never laid out unasked, and hardly at all
FEW = 60  # calls up to which the inside of a scope is drawn as it is
FEWER = 150  # boxes that are drawn of a large graph
PATIENCE, FORCED = 4.0, 15.0  # seconds for a layout


class View(NamedTuple):
    """One picture before it is drawn: what of which union, and a sentence about what is left
    out."""

    name: str
    union: object
    shown: frozenset
    about: str
    limit: float = PATIENCE


def views(union, options=DEFAULT):
    """The pictures of ``union`` one by one, the one to show first leading.

    >>> from ms_ext.viz.drawing.union import union
    >>> [view.name for view in views(union({}, {}))]
    ['whole']
    """
    total, options = len(union.changes), _within(union, options)
    union.scopes.check(options.expand)
    if total <= min(options.budget, LARGE):
        makers = [whole, overview]
    else:
        scopes_first = LARGE < total <= HUGE or not _changed(union)
        makers = [overview, changes] if scopes_first else [changes, overview]
        makers = [whole] * options.force + makers
    yield from filter(None, (make(union, options) for make in makers))


def _changed(union):
    return any(state != "unchanged" for state in union.states.values())


def _within(union, options):
    """The options, with fewer boxes for a large graph: they would take too long."""
    most = FEWER if len(union.changes) > LARGE else options.budget
    return options._replace(budget=min(options.budget, most))


def whole(union, options=DEFAULT):
    """Every node; of a graph that is too large for that only if it is forced."""
    total = len(union.changes)
    if total > LARGE and not options.force:
        raise errors.NotRunnable(
            f"A graph of {total} nodes is not drawn as a whole.",
            given=f"more than {LARGE} nodes",
            hint=f"Pass force=True: it may take {FORCED:.0f} s, and be slow to look at.",
        )
    limit = FORCED if total > LARGE else PATIENCE
    return View("whole", union, frozenset(union.changes), "", limit)


def changes(union, options=DEFAULT):
    """What changed and what is near it."""
    top = TOP if len(union.changes) > HUGE else None
    folded = collapse.folded(union, union.scopes.unchanged())
    choice = near(folded, options, top)
    return View("changes" if _changed(union) else "around the result", folded, *choice)


def overview(union, options=DEFAULT):
    """The scopes of a graph; None where folding them says nothing."""
    scopes = union.scopes
    if not scopes.inner:
        return None
    folded = collapse.folded(union, scopes.overview(options.expand))
    if not worth_it(folded) and not options.expand:
        return None
    shown, about = frozenset(folded.changes), ""
    if len(shown) > options.budget:
        shown, about = near(folded, options)
    else:
        about = sentence(folded, shown, "calls of a scope are one box here", _how(union, options))
    return View("scopes", folded, shown, about)


def worth_it(folded):
    """Whether scopes were folded, and enough of them."""
    groups = [each for each in folded.changes.values() if getattr(each, "scope", "")]
    return bool(groups) and (len(groups) > 1 or len(folded.changes) > 2)


def _how(union, options):
    total = len(union.changes)
    if total <= options.budget:
        return 'open one with expand=["..."], or choose the picture of the whole'
    if total <= LARGE:
        return f'open one with expand=["..."], or pass budget={total}'
    return f'open one with expand=["..."], or pass force=True for all {number(total)} nodes'


def inside(union, scope, options=DEFAULT):
    """One scope alone, with what enters and leaves it."""
    scopes, options = union.scopes, _within(union, options)
    scopes.check([scope])
    assigned, about = scopes.inside(scope, FEW), ""
    folded = collapse.grouped(union, assigned)
    shown = _inside(folded, scope, scopes)
    if scopes.calls[scope] > FEW and len(shown) >= collapse.ROOMY:
        folded = collapse.folded(union, assigned)
        shown = _inside(folded, scope, scopes)
    if len(shown) > options.budget:
        shown, about = near(_only(folded, shown), options)
    return View(f"inside {scope}", folded, shown, about)


def _inside(folded, scope, scopes):
    """What is in a scope, and what is at most one edge from it."""
    mine = {node for node in folded.changes if _is_inside(folded, node, scope, scopes)}
    beside = {edge.source for edge in folded.edges if edge.target in mine}
    beside |= {edge.target for edge in folded.edges if edge.source in mine}
    around = {owner for node in mine | beside for owner in owners(folded, node)}
    return frozenset(mine | beside | around)


def _is_inside(folded, node, scope, scopes):
    change = folded.changes[node]
    members = getattr(change, "members", (node,))
    return any(scope in scopes.paths.get(scopes.of.get(member), ()) for member in members)


def _only(union, nodes):
    """A union without the nodes that are not among ``nodes``."""
    kept = {node: change for node, change in union.changes.items() if node in nodes}
    edges = [edge for edge in union.edges if edge.source in kept and edge.target in kept]
    return replace(union, changes=kept, edges=tuple(edges))
