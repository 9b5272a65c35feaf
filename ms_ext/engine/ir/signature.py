"""Does a call have the operands and attributes that its primitive takes?

>>> from ms_ext import ops
>>> misfit(ops.Add, (1, 2, 3), {}), misfit(ops.Neg, (1,), {"axis": 0})
('Add takes 2 operands, not 3', "Neg has no attribute 'axis'")
"""

from ..infer import AbstractTuple
from .control import CALL, FOR, TUPLE_GET_ITEM, WHILE, ControlPrimitive
from .kept import ADD_KEPT, KEEP, RECALL

_KEPT = {KEEP: None, RECALL: 1, ADD_KEPT: 2}  # how many operands
_FLAGS = {FOR: "reverse", CALL: "recompute"}
_COUNTS = {WHILE: ("carried",), FOR: ("carried", "scanned"), TUPLE_GET_ITEM: ("index",)}


def misfit(primitive, inputs, attrs):
    """What does not fit, in words, or None."""
    if isinstance(primitive, ControlPrimitive):
        return _control(primitive, inputs, attrs)
    if primitive.arity not in (None, len(inputs)):
        some = f"{primitive.arity} operand{'' if primitive.arity == 1 else 's'}"
        return f"{primitive.name} takes {some}, not {len(inputs)}"
    known = [name for name, _ in primitive.attributes]
    for name in attrs:
        if name not in known:
            return f"{primitive.name} has no attribute {name!r}"
    return None


def _control(primitive, inputs, attrs):
    if primitive.effect:
        return None if set(attrs) == {"asked"} else f"{primitive.name} needs what is asked"
    if primitive in _KEPT:
        return _of_kept(primitive, inputs, attrs)
    counts = _COUNTS.get(primitive, ())
    for name, value in attrs.items():
        if name not in counts and (_FLAGS.get(primitive) != name or type(value) is not bool):
            return f"{primitive.name} has no attribute {name}={value!r}"
    for name in counts:
        if type(attrs.get(name)) is not int or attrs[name] < 0:
            return f"{primitive.name} needs a number {name!r}"
    if primitive is not TUPLE_GET_ITEM and sum(attrs[name] for name in counts) > len(inputs):
        return f"{primitive.name} has {len(inputs)} operands, fewer than it carries"
    return None


def _of_kept(primitive, inputs, attrs):
    if _KEPT[primitive] not in (None, len(inputs)):
        return f"{primitive.name} takes {_KEPT[primitive]} operands, not {len(inputs)}"
    if primitive is not RECALL:
        return f"{primitive.name} has no attributes" if attrs else None
    if set(attrs) != {"types"} or not isinstance(attrs["types"], AbstractTuple):
        return "Recall needs the types of what was kept"
    return None
