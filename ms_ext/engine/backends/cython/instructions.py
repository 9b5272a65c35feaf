"""Which instruction does an op mean for operands of these types? Worked out once, then remembered.

A value is "r" (real: Float32 or Float64), "i" (Int32 or Int64) or "t" (truth: Bool). All values of
a kernel are as wide as a lane: 4 bytes, or 8. Truth values fit both.

>>> from ms_ext import dtype
>>> lane(dtype.float32), lane(dtype.int64), lane(dtype.bool_), lane(dtype.int8)
(4, 8, 0, None)
"""

from .... import dtype as dtypes
from .expressions import FUNCTIONS, read

LANES = {
    dtypes.bool_: ("t", 0), dtypes.float32: ("r", 4), dtypes.int32: ("i", 4),
    dtypes.float64: ("r", 8), dtypes.int64: ("i", 8),
}  # fmt: skip
OF = {(letter, width): dtype for dtype, (letter, width) in LANES.items() if width}

_ARITHMETIC = ("add", "sub", "mul", "maximum", "minimum")
_COMPARISONS = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")
_ONE_REAL = ("neg", "abs", "square", "sqrt", "reciprocal")
CALLS = frozenset(FUNCTIONS.values()) - {"abs", "sqrt"} | {"sigmoid", "sign"}
KERNELS = {"round": "rint"}  # an op's kernel where the machine has another name for it
EXPRESSIONS = {("LogicalXor", "tt"): "({0} != {1})"}  # true for these letters only

# name -> operand letters -> (instruction, letter of the result)
TABLE = {
    **{name: {"rr": (name, "r"), "ii": (f"{name}_int", "i")} for name in _ARITHMETIC},
    **{name: {"rr": (name, "t"), "ii": (f"{name}_int", "t")} for name in _COMPARISONS},
    **{name: {"r": (name, "r")} for name in _ONE_REAL},
    **{name: {"r": (name, "r")} for name in CALLS},
    **{name: {"tt": (name, "t")} for name in ("and", "or")},
    "div": {"rr": ("div", "r")},
    "pow": {"rr": ("pow", "r")},
    "atan2": {"rr": ("atan2", "r")},
    "not": {"t": ("not", "t")},
    "select": {"trr": ("select", "r"), "tii": ("select", "i"), "ttt": ("select", "t")},
}
for _name in ("neg", "abs", "square"):
    TABLE[_name]["i"] = (f"{_name}_int", "i")
TABLE["not_equal"]["tt"] = ("xor", "t")

CONVERTERS = frozenset(("Cast",))  # ops that are a conversion, whatever their attributes say
CONVERSIONS = {"ir": "int_to_real", "tr": "truth_to_real", "ti": "truth_to_int"}
_ORDER = "tir"


def lane(dtype):
    """Bytes of a lane for values of a dtype; 0 if any will do, None if none does."""
    return LANES[dtype][1] if dtype in LANES else None


def steps_of(op, letters, out):
    """Steps (name, operands, letter) for ``op`` on operands of these letters, or None.

    The result is typed: every name is an instruction, conversions are steps of their own.
    """
    key = (op, letters, out)
    if key not in _STEPS:
        converts = CONVERSIONS.get(letters + out) if op.name in CONVERTERS else None
        direct = ((converts, (0,), out),) if converts else None
        _STEPS[key] = direct or _typed(_untyped(op, letters), letters, out)
    return _STEPS[key]


_STEPS: dict = {}


def _untyped(op, letters):
    name = KERNELS.get(op.kernel, op.kernel)
    if name in TABLE and letters in TABLE[name]:
        return [(name, tuple(range(len(letters))))]
    expression = EXPRESSIONS.get((op.name, letters)) or op.expr
    return read(expression, len(letters)) if expression else None


def _typed(steps, letters, out):
    """Steps with instructions in place of names; None if one has none for its operands."""
    if not steps:
        return None
    known, typed, place = list(letters), [], list(range(len(letters)))
    for name, operands in steps:
        operands = [x if isinstance(x, float) else place[x] for x in operands]
        operands = _alike(name, operands, known, typed)
        found = TABLE.get(name, {}).get("".join([_letter(x, known) for x in operands]))
        if found is None:
            return None
        instruction, letter = found
        place.append(_append(typed, known, instruction, operands, letter))
    return tuple(typed) if known[-1] == out else None


def _append(typed, known, instruction, operands, letter):
    typed.append((instruction, tuple(operands), letter))
    known.append(letter)
    return len(known) - 1


def _letter(operand, known):
    """A number is an integer among integers, else real; as a condition it is nothing."""
    if isinstance(operand, float):
        return "?"
    return operand[1] if isinstance(operand, tuple) else known[operand]


def _alike(name, operands, known, typed):
    """The operands converted to the most general letter among those that must agree."""
    fixed = 1 if name == "select" else 0
    free = operands[fixed:]
    if any(isinstance(x, float) for x in operands[:fixed]):
        return operands  # a number as a condition: no instruction will be found
    letters = [known[x] for x in free if not isinstance(x, float)]
    most = max(letters, key=_ORDER.index, default="r")
    if most != "r" and any(
        isinstance(x, float) and (most == "t" or not x.is_integer()) for x in free
    ):
        most = "r"
    converted = [_convert(x, most, known, typed) for x in free]
    return operands[:fixed] + converted


def _convert(operand, letter, known, typed):
    if isinstance(operand, float):
        return (operand, letter)
    if known[operand] == letter:
        return operand
    return _append(typed, known, CONVERSIONS[known[operand] + letter], [operand], letter)
