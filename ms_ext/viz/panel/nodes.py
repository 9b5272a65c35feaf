"""What a panel says of each node and edge: dictionaries, nodes in reading order."""

from ..drawing import labels
from ..palette import GLYPHS
from .amounts import flops, size


def said_nodes(both, known):
    """Every node in reading order, the regions of a control node after it and one level deeper.

    ``known``: what was said of unchanged nodes of earlier steps, which are not written again.

    >>> from ms_ext.viz.drawing.union import union
    >>> said_nodes(union({}, {}), {})
    []
    """
    states = both.states
    return [_once(*each, states[each[0]], both, known) for each in _in_order(both)]


def _once(node, depth, region, state, both, known):
    change = both.changes[node]
    place = both.rows[node], depth, region
    if state != "unchanged":
        return _node(*place, state, change, both.rows)
    before, said = known.get(node, (None, None))
    if before != place:
        said = _node(*place, state, change, both.rows)
        known[node] = place, said
    return said


def _in_order(both):
    """(id, depth, name of the region) of each node."""
    members, inside = both.members, {}
    for graph, region in both.regions.items():
        inside.setdefault(region.owner, []).append((graph, region.role))
    roots = [both.root, *(g for g in members if g != both.root and g not in both.regions)]
    stack = [
        (graph, 0, "" if graph == both.root else f"graph {graph}") for graph in reversed(roots)
    ]
    waiting = [
        (node, depth, role) for g, depth, role in stack for node in reversed(members.get(g, ()))
    ]
    while waiting:
        node, depth, role = waiting.pop()
        yield node, depth, role
        for graph, inner in reversed(inside.get(node, ())):
            waiting.extend((n, depth + 1, inner) for n in reversed(members.get(graph, ())))


def said_edges(both):
    """The arrows: operands, those that enter a region, those of a loop's next turn.

    >>> from ms_ext.viz.drawing.union import union
    >>> said_edges(union({}, {}))
    {'edges': [], 'enters': [], 'backs': []}
    """
    kinds = {"edges": both.edges, "enters": both.links, "backs": both.backs}
    return {kind: [_edge(edge) for edge in edges] for kind, edges in kinds.items()}


def _node(row, depth, region, state, change, rows):
    old = change.before or row
    return {
        "id": row.id,
        "state": state,
        "glyph": GLYPHS[state],
        "kind": row.kind,
        "label": labels.short(row.label),
        "op": row.op,
        "type": row.abstract,
        "type_before": old.abstract,
        "inputs": list(row.inputs),
        "inputs_before": list(old.inputs),
        "attributes": row.attrs,
        "name": row.name or "",
        "scope": row.scope,
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
    after = [_word(i, rows) for i in row.inputs]
    attributes, dropped = f" {{{row.attrs}}}" if row.attrs else "", ""
    if old.inputs != row.inputs:
        before = [_word(i, rows) for i in old.inputs]
        if len(before) == len(after):
            pairs = zip(before, after, strict=True)
            after = [a if a == b else f"{b} → {a}" for b, a in pairs]
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
