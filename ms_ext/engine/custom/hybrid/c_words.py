"""How is a value written in C? Its type, its constants, and its way from one type to another."""

import math

import numpy as np

from . import kinds
from .tree import Constant

_NAMES = {int: "int64_t", float: "double", bool: "bool"}
#: Words that a learner may use as names and C may not, or that the generated text uses itself.
TAKEN = frozenset(
    """auto break case char const continue default do double else enum extern float for goto if
    inline int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while bool true false call arrays shapes run wrong at times zeros
    size_of floor_div floor_mod no_zero no_zero_float float_mod float_modf float_div float_divf
    power_int shift_left shift_right max_int min_int max_float min_float abs_int sign_int sign_of
    from_bits bits_of from_f16 to_f16 from_bf16 to_bf16 f16 bf16 hybrid_call BUFFERS NULL
    NAN INFINITY asm typeof promised main memset memmove errno stdin stdout stderr I
    signbit fitting fitting_float""".split()
)
_MATHS = (
    "sqrt",
    "log",
    "tanh",
    "exp",
    "fabs",
    "erf",
    "sin",
    "cos",
    "atan",
    "atan2",
    "expm1",
    "floor",
)
_MATHS += ("ceil", "trunc", "rint", "pow", "fmod", "copysign", "isnan", "isinf", "isfinite")
FUNCTIONS = frozenset([*_MATHS, *[f"{name}f" for name in _MATHS]])


def identifier(name):
    """The learner's name as one of C's.

    >>> identifier("total"), identifier("double"), identifier("a_size0")
    ('total', 'double_', 'a_size0_')
    """
    ours = name in TAKEN or name in FUNCTIONS or name.endswith(("_t", "_"))
    ours = ours or "_size" in name or name.isupper()
    return f"{name}_" if ours else name


def value_type(kind):
    """The C type in which values of a kind are calculated."""
    if kinds.is_narrow(kind):
        return "float"
    if kinds.is_weak(kind):
        return _NAMES[kind]
    return {"bool": "bool", "float32": "float", "float64": "double"}.get(
        kind.name, f"{kind.name}_t"
    )


def element_type(kind):
    """The C type in which an element of a tensor is stored."""
    return "uint16_t" if kinds.is_narrow(kind) else value_type(kind)


def narrow(kind):
    """The ending of the words for a 16-bit float, or "" for other kinds."""
    if not kinds.is_narrow(kind):
        return ""
    return "bf16" if kinds.is_bfloat16(kind) else "f16"


def constant(value, kind):
    """A number as C writes it, of that kind.

    >>> constant(1, float), constant(0.1, np.dtype("float32")), constant(True, int)
    ('1.0', '0.1f', '1')
    """
    if kinds.is_bool(kind):
        return "true" if value else "false"
    if not kinds.is_float(kind):
        number = int(value)
        return "INT64_MIN" if number == -(2**63) else f"{number}" if number >= 0 else f"({number})"
    if not math.isfinite(value):
        text = "NAN" if math.isnan(value) else "INFINITY"
        return f"(-{text})" if value < 0 else text
    if value_type(kind) == "float":
        exact = kind.type(value) if kinds.is_narrow(kind) else np.float32(value)
        if not math.isfinite(exact):
            return "INFINITY" if value > 0 else "(-INFINITY)"
        text = f"{float(str(np.float32(exact)))!r}f"
    else:
        text = repr(float(value))
    return f"({text})" if value < 0 else text


def converted(text, expression, kind):
    """The text of an expression as a value of another kind."""
    if isinstance(expression, Constant):
        return constant(expression.value, kind)
    if kinds.is_same(kind, expression.kind):
        return text
    if kinds.is_bool(kind) and not kinds.is_bool(expression.kind):
        return f"({text} != 0)"
    if kinds.is_narrow(kind):
        return f"{narrow(kind)}((float){text})"
    if value_type(kind) == value_type(expression.kind):
        return text
    return f"({value_type(kind)}){text}"
