"""Does a call have the operands and attributes that its primitive takes?

>>> from ms_ext import ops
>>> misfit(ops.Add, (1, 2, 3), {}), misfit(ops.Neg, (1,), {"axis": 0})
('Add takes 2 operands, not 3', "Neg has no attribute 'axis'")
"""

from .control import FOR, TUPLE_GET_ITEM, WHILE, ControlPrimitive

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
    counts = _COUNTS.get(primitive, ())
    for name, value in attrs.items():
        if name not in counts and not (
            primitive is FOR and name == "reverse" and type(value) is bool
        ):
            return f"{primitive.name} has no attribute {name}={value!r}"
    for name in counts:
        if type(attrs.get(name)) is not int or attrs[name] < 0:
            return f"{primitive.name} needs a number {name!r}"
    if primitive is not TUPLE_GET_ITEM and sum(attrs[name] for name in counts) > len(inputs):
        return f"{primitive.name} has {len(inputs)} operands, fewer than it carries"
    return None
