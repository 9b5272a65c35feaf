"""What was launched: names, bytes moved, and the most that was alive at once."""

from ..ir.journal import nbytes
from ._frames import SEVERAL


def peak(plan, sizes, beside):
    """Most bytes alive at once: constants, what came in, and every value until its last use.

    ``beside``: bytes that each step needs only while it runs.
    """
    written = set()
    for kind, _, _, result, _ in plan.code:
        written.update(result if kind == SEVERAL else (result,))
    alive = peak = sum(size for slot, size in sizes.items() if slot not in written)
    for (kind, _, _, result, dead), more in zip(plan.code, beside, strict=True):
        alive += sum(sizes[slot] for slot in (result if kind == SEVERAL else (result,)))
        peak = max(peak, alive + more)
        alive -= sum(sizes[slot] for slot in dead if slot in written)
    return peak


def workspace(unit):
    """Bytes that an op of the learner's own says it needs while it runs."""
    asked = getattr(unit.primitive, "workspace", None)
    return asked(*[used.abstract for used in unit.inputs]) if asked else 0


def label(kind, nodes):
    """(event kind, name, bytes, first node) of a launch or a control node; None of a tuple."""
    if kind == "tuple":
        return None
    names, ids, moved, _ = described(nodes)
    told = {"compute": "fallback", "control": "control"}.get(kind, "op")
    return told, "+".join(names), 0 if told == "control" else moved, ids[0]


def described(nodes):
    """Op names, node ids, bytes and graph of a launch; what comes in and goes out counts once."""
    inside = set(nodes)
    coming = {n for node in nodes for n in node.inputs if n not in inside}
    going = [node for node in nodes if not all(user in inside for user in node.users)]
    moved = sum(nbytes(n.abstract) for n in (*coming, *going))
    return (
        tuple([n.primitive.name for n in nodes]),
        tuple([n.id for n in nodes]),
        moved,
        nodes[0].graph.id,
    )
