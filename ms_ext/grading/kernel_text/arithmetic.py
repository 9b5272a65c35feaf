"""What the signs of C compute: whole numbers stay whole, and unsigned ones never fall below 0."""

import math

from .memory import WORD, Fault, Pointer, Unsigned


def _divided(a, b):
    if isinstance(a, float) or isinstance(b, float):
        if b:
            return a / b
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)
    if not b:
        raise Fault("divided-by-zero", "a whole number is divided by 0")
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _rest(a, b):
    return a - _divided(a, b) * b


ARITHMETIC = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": _divided,
    "%": _rest, "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b, "&": lambda a, b: a & b,
    "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
}  # fmt: skip
COMPARING = {
    "<": lambda a, b: a < b, ">": lambda a, b: a > b, "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}  # fmt: skip
#: The signs between two values, those that bind least first.
LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="),
    ("<<", ">>"), ("+", "-"), ("*", "/", "%"),
)  # fmt: skip


def computed(sign, a, b):
    """``a sign b`` as C has it.

    >>> computed("/", -7, 2), computed("-", Unsigned(0), 1) > 0
    (-3, True)
    """
    if isinstance(a, Pointer) or isinstance(b, Pointer):
        return _of_pointers(sign, a, b)
    unsigned = _is_unsigned(a, b)
    if unsigned:
        a, b = int(a) % WORD, int(b) % WORD
    if sign in COMPARING:
        return int(COMPARING[sign](a, b))
    made = ARITHMETIC[sign](a, b)
    return Unsigned(made % WORD) if unsigned else made


def _is_unsigned(a, b):
    floats = isinstance(a, float) or isinstance(b, float)
    return not floats and (isinstance(a, Unsigned) or isinstance(b, Unsigned))


def _of_pointers(sign, a, b):
    if isinstance(a, Pointer) and isinstance(b, Pointer):
        if sign == "-" and a.memory is b.memory:
            return a.at - b.at
        if sign in ("==", "!="):
            same = a.memory is b.memory and a.at == b.at
            return int(same == (sign == "=="))
        return computed(sign, a.at, b.at)
    if sign in ("==", "!="):  # with 0: is it NULL?
        pointer = a if isinstance(a, Pointer) else b
        return int((pointer.memory is None) == (sign == "=="))
    if sign == "+":
        return a.moved(b) if isinstance(a, Pointer) else b.moved(a)
    if sign == "-" and isinstance(a, Pointer):
        return a.moved(-b)
    raise Fault("no-pointer", f"an address cannot be used with {sign}")


def _compared(a, b):
    """``strcmp``: 0 if two texts are the same."""
    while (one := a.load()) == (other := b.load()) and one:
        a, b = a.moved(1), b.moved(1)
    return one - other


def _safe(function):
    """A function of Python's that answers as C's does where there is no number."""

    def made(*values):
        try:
            return float(function(*values))
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    return made


_ONE = ("sqrt", "exp", "log", "tanh", "sin", "cos", "tan", "floor", "ceil", "trunc", "log1p",
        "expm1", "erf", "atan")  # fmt: skip
FUNCTIONS = {name: _safe(getattr(math, name)) for name in _ONE}
FUNCTIONS |= {"fabs": lambda x: abs(float(x)), "pow": _safe(math.pow), "fmod": _safe(math.fmod)}
FUNCTIONS |= {"fmax": lambda a, b: float(max(a, b)), "fmin": lambda a, b: float(min(a, b))}
FUNCTIONS |= {f"{name}f": each for name, each in FUNCTIONS.items()}
FUNCTIONS |= {"abs": abs, "max": max, "min": min, "strcmp": _compared, "printf": lambda *_: 0}
