"""What a panel has to say, as plain data: the page, the text and the export are all made from this.

A report is dictionaries, lists, strings and numbers only, so ``json.dumps`` takes it as it is.
"""

from dataclasses import dataclass

from . import labels
from .budget import BUDGET, choose
from .palette import GLYPHS
from .stats import flops, size, stats, totals
from .union import union

VERSION = 1


@dataclass(frozen=True)
class Step:
    """One pass: what it says of itself, and the union to draw."""

    said: dict
    union: object
    shown: frozenset
    matched: dict  # id of a node -> numbers of the matches it is part of


def of_passes(record, budget=BUDGET):
    """The steps of a PipelineRecord."""
    before, found = record.listing, []
    root = next((row.graph for row in before.values()), 0)
    for number, each in enumerate(record.passes, 1):
        after = record.listing_after(number)
        found.append(_step(number, each, union(before, after, root), budget))
        before = after
    return found


def of_graph(name, listing, cost=None, budget=BUDGET):
    """The one step of a graph that no pass touched."""
    step = of_union(name, union(listing, listing), f"the graph {name}", budget)
    step.said["stats"] = [_stat(each) for each in totals(cost)] if cost else []
    return [step]


def of_union(name, both, summary, budget=BUDGET):
    """The one step of a union that no pass made."""
    choice = choose(both, budget)
    said = {
        "number": 0,
        "name": name,
        "doc": "",
        "counts": both.counts(),
        "summary": summary,
        "stats": [],
        "nodes": list(_nodes(both)),
        "edges": [_edge(edge) for edge in both.edges],
        "matches": [],
        "refusals": [],
        "hidden": choice.sentence,
    }
    return Step(said, both, choice.shown, {})


def _step(number, each, both, budget):
    choice = choose(both, budget)
    strip = stats(len(each.matches), each.cost_before, each.cost_after, each.seconds)
    counts = both.counts()
    said = {
        "number": number,
        "name": each.name,
        "doc": " ".join((each.doc or "").split("\n\n")[0].split()),
        "counts": counts,
        "summary": _summary(number, each.name, counts),
        "stats": [_stat(stat) for stat in strip],
        "nodes": list(_nodes(both)),
        "edges": [_edge(edge) for edge in both.edges],
        "matches": [_match(i, match, both) for i, match in enumerate(each.matches, 1)],
        "refusals": _refusals(each, both),
        "hidden": choice.sentence,
    }
    return Step(said, both, choice.shown, _matched(each.matches))


def changed(said):
    """Whether a step changed anything.

    >>> changed({"counts": {"unchanged": 3, "added": 0, "removed": 1, "rewritten": 0}})
    True
    """
    return any(many for state, many in said["counts"].items() if state != "unchanged")


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


# nodes --------------------------------------------------------------------------------------------


def _nodes(both):
    """Every node in reading order, the regions of a control node after it and one level deeper."""
    members, inside = both.members(), {}
    for graph, region in both.regions.items():
        inside.setdefault(region.owner, []).append((graph, region.role))
    rows = {node: change.row for node, change in both.changes.items()}
    roots = [both.root, *(g for g in members if g != both.root and g not in both.regions)]
    stack = [
        (graph, 0, "" if graph == both.root else f"graph {graph}") for graph in reversed(roots)
    ]
    waiting = [
        (node, depth, role) for g, depth, role in stack for node in reversed(members.get(g, ()))
    ]
    while waiting:
        node, depth, role = waiting.pop()
        yield _node(both.changes[node], rows, depth, role)
        for graph, inner in reversed(inside.get(node, ())):
            waiting.extend((n, depth + 1, inner) for n in reversed(members.get(graph, ())))


def _node(change, rows, depth, region):
    row, old = change.row, change.before or change.row
    return {
        "id": row.id,
        "state": change.state,
        "glyph": GLYPHS[change.state],
        "kind": row.kind,
        "label": labels.short(row.label),
        "op": row.op,
        "type": row.abstract,
        "type_before": old.abstract,
        "inputs": list(row.inputs),
        "inputs_before": list(old.inputs),
        "attributes": row.attrs,
        "name": row.name or "",
        "where": labels.place(row.where),
        "cost": f"{flops(row.cost[0])}, {size(row.cost[1])}" if any(row.cost) else "",
        "depth": depth,
        "region": region,
        "call": _call(row, old, rows),
    }


def _call(row, old, rows):
    """A node as one line of text: ``%3 Mul(%1 x, %2 → %4)``."""
    if row.kind != "call":
        return f"%{row.id} {labels.short(row.label)}"
    before, after = ([_word(i, rows) for i in each.inputs] for each in (old, row))
    attributes = f" {{{row.attrs}}}" if row.attrs else ""
    dropped = ""
    if len(before) == len(after):
        after = [a if a == b else f"{b} → {a}" for b, a in zip(before, after, strict=True)]
    elif gone := [word for word in before if word not in after]:
        dropped = f" without {', '.join(gone)}"
    return f"%{row.id} {row.op}({', '.join(after)}){attributes}{dropped}"


def _word(node, rows):
    row = rows.get(node)
    if row is None or row.kind == "call":
        return f"%{node}"
    return (
        labels.short(row.label) if row.kind == "constant" else f"%{node} {labels.short(row.label)}"
    )


def _edge(edge):
    return {
        "source": edge.source,
        "target": edge.target,
        "state": edge.state,
        "operands": [slot + 1 for slot in edge.slots],
    }


# matches and refusals -----------------------------------------------------------------------------


def _matched(matches):
    """The nodes each match took part in: its root and what it removed."""
    found = {}
    for number, match in enumerate(matches, 1):
        for node in dict.fromkeys((match.root, *match.removed)):
            found.setdefault(node, []).append(number)
    return found


def _match(number, match, both):
    rows = {node: change.row for node, change in both.changes.items()}

    def word(node):
        return labels.named(rows[node]) if node in rows else f"%{node}"

    bound = {name: _bound(value, rows) for name, value in match.bindings.items()}
    parts = (
        f"at {word(match.root)}",
        f"with {', '.join(f'{name} = {text}' for name, (text, _) in bound.items())}"
        if bound
        else "",
        f"removed {', '.join(map(word, match.removed))}" if match.removed else "",
        f"added {', '.join(map(word, match.added))}" if match.added else "",
    )
    return {
        "number": number,
        "root": match.root,
        "bound": [node for _, nodes in bound.values() for node in nodes],
        "removed": list(match.removed),
        "added": list(match.added),
        "rule": " ".join(str(match.rule).split()),
        "text": "; ".join(filter(None, parts)),
    }


def _bound(value, rows):
    """(text, ids) of what a variable of a pattern stood for: a node, several, or an attribute."""
    nodes = value if isinstance(value, tuple) else (value,)
    if nodes and all(type(node) is int and node in rows for node in nodes):
        return ", ".join(labels.named(rows[node]) for node in nodes), list(nodes)
    return labels.short(repr(value)), []


def _refusals(each, both):
    """Sentences why the pass did not match, each with the nodes it holds for."""
    roots = {match.root for match in each.matches}
    found = {}
    for refusal in each.refusals:
        if refusal.root not in roots:
            nodes = found.setdefault(refusal.sentence(), {})
            change = both.changes.get(refusal.root)
            nodes[refusal.root] = labels.named(change.row) if change else f"%{refusal.root}"
    return [
        {"why": why, "nodes": list(nodes), "names": list(nodes.values())}
        for why, nodes in found.items()
    ]
