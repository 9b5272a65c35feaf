"""What a panel has to say, as plain data: the page, the text and the export are all made from this.

A report is dictionaries, lists, strings and numbers only, so ``json.dumps`` takes it as it is.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from ...engine import making
from ...engine.ir.journal import replay
from ..drawing import views
from ..drawing.budget import BUDGET, DEFAULT, Options, choose
from ..drawing.sides import side
from ..drawing.union import of_sides, union
from .matches import matched_nodes, said_matches, said_refusals
from .nodes import said_edges, said_nodes
from .stats import stats, totals

VERSION = 2


@dataclass(frozen=True)
class Step:
    """One pass: what it says of itself, the union to draw, and how much of it is drawn."""

    said: dict
    union: object
    matched: dict  # id of a node -> numbers of the matches it is part of
    options: Options = DEFAULT

    @property
    def shown(self):
        """The nodes to draw where nothing is folded."""
        return choose(self.union, self.options.budget, self.options.hops).shown

    @cached_property
    def _made(self):
        return views.views(self.union, self.options)

    @cached_property
    def first(self):
        """The picture to show first; nothing is drawn yet."""
        return next(self._made)

    @cached_property
    def views(self):
        """The pictures there are, the first one leading."""
        return [self.first, *self._made]

    def whole(self):
        """The picture of every node, whatever the budget says."""
        return views.whole(self.union, self.options)

    def near(self):
        """The picture of what changed and what is near it."""
        return views.changes(self.union, self.options)

    def inside(self, scope):
        """The picture of one scope alone."""
        return views.inside(self.union, scope, self.options)


def of_passes(record, options=DEFAULT):
    """The steps of a PipelineRecord."""
    with making.paused():
        return _steps(record, _options(options))


def _steps(record, options):
    rows, found, parts, known = record.listing, [], None, {}
    root = next((row.graph for row in rows.values()), 0)
    before = side(rows, root)
    for number, each in enumerate(record.passes, 1):
        after = before
        if len(each.journal):
            rows = replay(rows, each.journal)
            after = side(rows, root)
        if after is not before or parts is None:
            parts = _parts(of_sides(before, after, root), known)
        found.append(_step(number, each, parts, options))
        if after is not before:
            before, parts = after, None
    return found


def of_graph(name, listing, cost=None, options=DEFAULT):
    """The one step of a graph that no pass touched."""
    step = of_union(name, union(listing, listing), f"the graph {name}", options)
    step.said["stats"] = [_stat(each) for each in totals(cost)] if cost else []
    return [step]


def of_union(name, both, summary, options=DEFAULT):
    """The one step of a union that no pass made."""
    with making.paused():
        said = _said(0, name, summary, _parts(both, {}))
        return _hidden(Step(said, both, {}, _options(options)))


def _options(options):
    """A budget alone says how many nodes to draw."""
    return options if isinstance(options, Options) else Options(options or BUDGET)


def _step(number, each, parts, options):
    both = parts[0]
    said = _said(number, each.name, _summary(number, each.name, both.counts()), parts)
    strip = stats(len(each.matches), each.cost_before, each.cost_after, each.seconds)
    said["doc"] = _doc(each)
    said["stats"] = [_stat(stat) for stat in strip]
    said["matches"] = said_matches(each.matches, both)
    said["refusals"] = said_refusals(each, both)
    return _hidden(Step(said, both, matched_nodes(each.matches), options))


def _doc(each):
    """The first paragraph of what a pass says of itself, without the name it already has."""
    said = " ".join((each.doc or "").split("\n\n")[0].split())
    return "" if said == each.name else said.removeprefix(f"{each.name}: ")


def _parts(both, known):
    """The large parts of what is said; passes that change nothing share them."""
    found = both.scopes
    scopes = [
        {"scope": path, "calls": many, "changed": found.changed[path]}
        for path, many in sorted(found.calls.items())
    ]
    return both, said_nodes(both, known), said_edges(both), scopes, _ops(both)


def _said(number, name, summary, parts):
    both, nodes, edges, scopes, ops = parts
    return {
        "number": number,
        "name": name,
        "doc": "",
        "counts": both.counts(),
        "summary": summary,
        "stats": [],
        "ops": ops,
        "scopes": scopes,
        "nodes": nodes,
        **edges,
        "matches": [],
        "refusals": [],
        "hidden": "",
    }


def _hidden(step):
    """The step, with the sentence about what its first picture leaves out."""
    if changed(step.said) or not step.said["number"]:
        step.said["hidden"] = step.first.about
    return step


def changed(said):
    """Whether a step changed anything.

    >>> changed({"counts": {"unchanged": 3, "added": 0, "removed": 1, "rewritten": 0}})
    True
    """
    return any(many for state, many in said["counts"].items() if state != "unchanged")


def opening(report, asked=()):
    """The number of the step that a panel shows first; steps with a name in ``asked`` lead.

    One that changed something, else one with near misses, else the first.

    >>> same, missed = {"counts": {}, "refusals": []}, {"counts": {}, "refusals": ["why"]}
    >>> opening([same | {"number": 1, "name": "cse"}, missed | {"number": 2, "name": "mine"}])
    2
    """
    mine = [said for said in report if said["name"] in asked]
    for worth_it in (changed, _near_misses):
        for said in (*mine, *report):
            if worth_it(said):
                return said["number"]
    return report[0]["number"] if report else 0


def _near_misses(said):
    return bool(said["refusals"])


def _summary(number, name, counts):
    parts = [f"{many} {state}" for state, many in counts.items() if many and state != "unchanged"]
    return f"after pass {number}, {name}: {', '.join(parts) or 'nothing changed'}"


def _stat(stat):
    return {
        "name": stat.name,
        "before": stat.before,
        "after": stat.after,
        "shown": stat.shown,
        "change": stat.change,
        "meaning": stat.meaning,
    }


def _ops(both):
    """How many calls of each op there are before and after; those that differ most come first."""
    before = _calls([change.before for change in both.changes.values() if change.before])
    after = _calls([change.after for change in both.changes.values() if change.after])
    found = {**before, **after}

    def most(op):
        return -abs(after[op] - before[op]), -after[op], op

    return [{"op": op, "before": before[op], "after": after[op]} for op in sorted(found, key=most)]


def _calls(rows):
    return Counter([row.op for row in rows if row.kind == "call" and row.op != "Return"])
