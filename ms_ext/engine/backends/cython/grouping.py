"""Which nodes run together? Neighbours of one shape and lane width the machine can work on.

Every node has a level: the number of borders between it and the inputs, a border being an edge to
or from a node that cannot be in the same kernel. Nodes of one level, shape and width that are
joined by edges, or read the same array, are one group: no path leaves a group and comes back. A
node needed only by a later group goes there, so that its value never reaches memory.
"""

from typing import NamedTuple

from ...infer import AbstractTensor, remembered
from ...ir import ValueNode
from ...ir.control import ControlPrimitive
from ...primitive import operand_dtypes
from .._rows import no_kernel_for
from .instructions import CONVERSIONS, CONVERTERS, LANES, lane, steps_of

MAX_AXES = 8
MAX_STEPS = 200  # a longer group would need more slots than the first cache level holds


class Fusion(NamedTuple):
    """How a node runs in a kernel: lane width, steps, and how each operand is wanted."""

    width: int
    steps: tuple
    letters: str
    wanted: tuple


def fusion_of(node):
    """The Fusion of a node, or None; remembered by op and types."""
    found = _known(node)
    return found if type(found) is Fusion else None


def why_not(node):
    """Why a node is in no fused kernel, as a phrase."""
    return _known(node) or "no compiled kernel for this op"


def _known(node):
    """The Fusion of a node, or why it has none; None where that goes without saying."""
    if type(node.primitive) is ControlPrimitive or (
        node.attrs and node.primitive.name not in CONVERTERS
    ):
        return None
    abstracts = tuple([used.abstract for used in node.inputs])
    key = (node.primitive, abstracts, node.abstract)
    found = _FUSIONS.get(key, 0)
    if found == 0:
        found = remembered(_FUSIONS, key, _fusion(node.primitive, abstracts, node.abstract))
    return found


_FUSIONS: dict = {}


def _fusion(op, abstracts, out):
    if not isinstance(out, AbstractTensor) or not abstracts or not _all_tensors(abstracts):
        return None
    if op.effect or op.nondeterministic:
        return "its result is not the same each time"
    if out.weak:
        return "it calculates with Python numbers only"
    if out.ndim > MAX_AXES:
        return f"a fused kernel has {MAX_AXES} axes at most"
    wanted = operand_dtypes(op, abstracts)
    kinds = (*wanted, out.dtype)
    widths = {lane(dtype) for dtype in kinds} - {0}
    if None in widths:
        return f"no compiled kernel works in {next(d for d in kinds if d not in LANES)}"
    if len(widths) > 1:
        return "its values have 4 and 8 bytes an element; a fused kernel has one size"
    width = widths.pop() if widths else 4
    for abstract, kind in zip(abstracts, wanted, strict=True):
        if not _readable(abstract, kind, width):
            return f"a fused kernel cannot read {abstract.dtype} as {kind}"
    letters = "".join([LANES[dtype][0] for dtype in wanted])
    steps = steps_of(op, letters, LANES[out.dtype][0])
    if not steps:
        return no_kernel_for(abstracts)
    return Fusion(width, steps, letters, wanted)


def _all_tensors(abstracts):
    return all(isinstance(a, AbstractTensor) for a in abstracts)


def _readable(abstract, wanted, width):
    """Whether an operand can be brought into lanes: a number always, an array if its lanes fit."""
    if abstract.size == 1:
        return True
    if lane(abstract.dtype) not in (0, width):
        return False
    own, letter = LANES[abstract.dtype][0], LANES[wanted][0]
    return own == letter or own + letter in CONVERSIONS


def groups(graph):
    """(units, fusions): tuples of nodes that run together, in an order that can be run."""
    order = graph.order()
    fusions = {node: fusion for node in order if (fusion := fusion_of(node))}
    if not fusions:
        return [(node,) for node in order], fusions
    keys = {node: (node.abstract.shape, fusion.width) for node, fusion in fusions.items()}
    levels = _levels(order, keys)
    _pull_down(order, keys, levels)
    return _ordered(order, _units(order, _joined(order, keys, levels))), fusions


def _levels(order, keys):
    """Node -> number of borders before it."""
    levels = {}
    for node in order:
        key, level = keys.get(node), 0
        for used in node.inputs:
            before = levels.get(used)
            if before is not None:
                border = key is None or keys.get(used) != key
                level = max(level, before + border)
        levels[node] = level
    return levels


def _pull_down(order, keys, levels):
    """Move each node whose users are all in one later group to their level."""
    for node in reversed(order):
        key = keys.get(node)
        if key is None:
            continue
        later = None
        for user in node.users:
            if keys.get(user) != key or later not in (None, levels[user]):
                break
            later = levels[user]
        else:
            levels[node] = levels[node] if later is None else later


def _joined(order, keys, levels):
    """Node -> the list of its group's nodes (shared by them)."""
    members, readers = {}, {}
    for node in order:
        key = keys.get(node)
        if key is None:
            continue
        members[node] = mine = [node]
        level = levels[node]
        for used in node.inputs:
            if keys.get(used) == key and levels[used] == level:
                mine = _merge(members, members[used], mine)
            elif type(used) is not ValueNode and used.abstract.size > 1:
                other = readers.setdefault((used, level, key), node)
                mine = _merge(members, members[other], mine)
    return members


def _merge(members, one, other):
    """Join two groups, the shorter into the longer."""
    if one is other:
        return one
    if len(one) < len(other):
        one, other = other, one
    one.extend(other)
    for node in other:
        members[node] = one
    return one


def _units(order, members):
    """Node -> the tuple of nodes it runs with, in order; a very long group is cut."""
    parts, units = {}, {}
    for node in order:
        parts.setdefault(id(members.get(node, node)), []).append(node)
    for part in parts.values():
        for start in range(0, len(part), MAX_STEPS):
            unit = tuple(part[start : start + MAX_STEPS])
            units.update(dict.fromkeys(unit, unit))
    return units


def _ordered(order, units):
    """The units, each after what it needs."""
    found, done = [], set()
    for node in order:
        waiting = [node]
        while waiting:
            unit = units[waiting[-1]]
            missing = [] if unit[0] in done else _missing(unit, units, done)
            if missing:
                waiting.extend(missing)
                continue
            waiting.pop()
            if unit[0] not in done:
                done.update(unit)
                found.append(unit)
    return found


def _missing(unit, units, done):
    return [
        used
        for node in unit
        for used in node.inputs
        if used not in done and used in units and units[used] is not unit
    ]
