"""What a panel says of the places where a pass matched, and of those where it did not."""

from ...engine.patterns.records import NodeId
from ..drawing import labels


def matched_nodes(matches):
    """id of a node -> the numbers of the matches it took part in, as their root or what they
    removed.

    >>> matched_nodes([])
    {}
    """
    found = {}
    for number, match in enumerate(matches, 1):
        for node in dict.fromkeys((match.root, *match.removed)):
            found.setdefault(node, []).append(number)
    return found


def said_matches(matches, both):
    """Each match: its root, what its variables stood for, what went and came.

    >>> said_matches([], None)
    []
    """
    return [_match(number, match, both.rows) for number, match in enumerate(matches, 1)]


def _match(number, match, rows):
    def word(node):
        return labels.named(rows[node]) if node in rows else f"%{node}"

    bound = {name: _bound(value, word) for name, value in match.bindings.items()}
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


def _bound(value, word):
    """(text, ids) of what a variable of a pattern stood for: a node, several, or an attribute."""
    nodes = value if isinstance(value, tuple) else (value,)
    if nodes and all(type(node) is NodeId for node in nodes):
        return ", ".join(map(word, nodes)), [int(node) for node in nodes]
    return labels.short(repr(value)), []


def said_refusals(each, both):
    """Sentences why a pass did not match, each with the nodes it holds for.

    Beside each node, ``at`` has the operand that did not fit, ``users`` the call that has it.
    """
    roots = {match.root for match in each.matches}
    found = {}
    for refusal in each.refusals:
        if refusal.root not in roots:
            found.setdefault(refusal.sentence(), {})[refusal.root] = refusal
    return [_refusal(why, nodes, both.rows) for why, nodes in found.items()]


def _refusal(why, nodes, rows):
    first = next(iter(nodes.values()))
    return {
        "why": why,
        "code": first.code,
        "operand": None if first.position is None else first.position + 1,
        "nodes": list(nodes),
        "names": [labels.named(rows[node]) if node in rows else f"%{node}" for node in nodes],
        "at": [refusal.at for refusal in nodes.values()],
        "users": [refusal.user for refusal in nodes.values()],
    }
