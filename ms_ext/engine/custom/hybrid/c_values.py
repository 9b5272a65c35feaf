"""How is an expression written in C? With its operands in brackets, and Python's meaning kept.

What C would do differently goes through a word of ``hybrid_words.h``: an index that could be wrong
through ``at``, division and the rest of it, powers and shifts of whole numbers.
"""

import operator

from . import kinds
from .c_words import constant, converted, identifier, narrow, value_type
from .intrinsics import INTRINSICS
from .tree import Constant, Element, NotCompiled, Size, Variable

_FLOATS = {"//": "float_div", "%": "float_mod", "**": "pow"}
_INTEGERS = {"//": "floor_div", "%": "floor_mod"}


class Expressions:
    """Writes expressions; ``places`` are what the numbers of faults are about."""

    def __init__(self):
        self.places = []

    def place(self, what, where):
        """A new number for what could go wrong at a line."""
        self.places.append((what, where))
        return len(self.places) - 1

    def as_kind(self, expression, kind, where=None):
        """An expression as a value of a kind; a number of Python's must fit into it."""
        if kinds.is_weak(expression.kind) and not kinds.is_weak(kind):
            return self.fitting(expression, kind, where)
        return converted(self.value(expression), expression, kind)

    def fitting(self, expression, kind, where):
        """The same; NumPy refuses a number that does not fit where it stores into a tensor."""
        text, low_high = self.value(expression), kinds.limits(kind)
        if not kinds.is_integer(kind) or _is_within(expression.kind, low_high):
            return converted(text, expression, kind)
        if isinstance(expression, Constant):
            if not low_high[0] <= expression.value <= low_high[1]:
                reason = f"{expression.value} does not fit into {kinds.named(kind)}"
                raise NotCompiled(reason, where)
            return converted(text, expression, kind)
        word = "fitting_float" if kinds.is_float(expression.kind) else "fitting"
        low, high = [constant(limit, int) for limit in low_high]
        text = f"{word}(call, {text}, {low}, {high}, {self.place('fits', where)})"
        return text if value_type(kind) == "int64_t" else f"({value_type(kind)}){text}"

    def alone(self, expression, kind, where=None):
        """The same where nothing stands beside it: without brackets around it."""
        return bare(self.as_kind(expression, kind, where))

    def stored(self, expression, kind, where):
        """A value as it is stored into a tensor: NumPy is strict except with unsigned ones."""
        wraps = not kinds.is_weak(expression.kind) and kind.kind == "u"
        rule = self.as_kind if wraps else self.fitting
        return bare(rule(expression, kind, where))

    def value(self, expression):
        """An expression as a value of its own kind."""
        match expression:
            case Constant():
                return constant(expression.value, expression.kind)
            case Variable():
                return identifier(expression.name)
            case Size():
                return size(expression.tensor, expression.axis)
            case Element():
                spot = self.spot(expression)
                word = narrow(expression.kind)
                return f"from_{word}({spot})" if word else spot
        return self._operation(expression)

    def spot(self, element):
        """An element, to be read or stored to."""
        name, position = identifier(element.tensor), ""
        for axis, index in enumerate(element.indices):
            text = self.as_kind(index, int)
            length = size(element.tensor, axis)
            if element.checked[axis]:
                place = self.place("index", element.where)
                text = f"at(call, {text}, {length}, {axis}, {place})"
            elif not isinstance(index, Variable | Constant | Size):
                text = f"({text})"
            before = f"({position})" if axis > 1 else position
            position = f"{before} * {length} + {text}" if axis else text
        return f"{name}[{position or 0}]"

    def _operation(self, operation):
        name, kind = operation.name, operation.kind
        if name in ("and", "or"):
            sign = "&&" if name == "and" else "||"
            one, other = [self.value(each) for each in operation.operands]
            return f"({one} {sign} {other})"
        if name == "unot":
            return f"!{self.as_kind(operation.operands[0], bool)}"
        if name == "?":
            test, *both = operation.operands
            one, other = [self.as_kind(each, kind, operation.where) for each in both]
            return f"({self.value(test)} ? {one} : {other})"
        if name == "cast":
            return f"({self.as_kind(operation.operands[0], kind, operation.where)})"
        if name in kinds.COMPARISONS:
            return self._comparison(operation)
        if name in INTRINSICS and INTRINSICS[name].group == "question":
            inner = operation.operands[0]
            wide = inner.kind if kinds.is_float(inner.kind) else float
            return INTRINSICS[name].c.format(self.as_kind(inner, wide))
        return self._rounded(self._calculated(operation, kind), kind)

    def _comparison(self, operation):
        one, other = operation.operands
        kind = kinds.result(operator.add, one.kind, other.kind)
        if kinds.is_integer(kind):
            kind = int  # C's widest: no number is cut off
        return f"({self.as_kind(one, kind)} {operation.name} {self.as_kind(other, kind)})"

    def _rounded(self, text, kind):
        """A result of C's as a value of the kind: smaller integers wrap, 16-bit floats round."""
        if narrow(kind):
            return f"{narrow(kind)}({text})"
        if kinds.is_integer(kind) and value_type(kind) != "int64_t":
            return f"({value_type(kind)}){text}"
        return text

    def _calculated(self, operation, kind):
        name, where = operation.name, operation.where
        given = [self.as_kind(each, kind, where) for each in operation.operands]
        suffix = "f" if value_type(kind) == "float" else ""
        if kinds.is_float(kind):
            return self._of_floats(operation, given, suffix)
        if name in ("u-", "u+", "u~"):
            return f"({name[1]}{given[0]})"
        if name in ("//", "%"):
            return self._whole_division(operation, given)
        if name == "**":
            place = self.place("power", operation.where)
            return f"power_int(call, {given[0]}, {given[1]}, {place})"
        if name in ("<<", ">>"):
            bits = 64 if kinds.is_weak(kind) else 8 * kind.itemsize
            word = "shift_left" if name == "<<" else "shift_right"
            return f"{word}({given[0]}, {given[1]}, {bits})"
        if name in ("max", "min"):
            return f"{name}_int({given[0]}, {given[1]})"
        if name in ("abs", "sign"):
            return f"{name}_int({given[0]})"
        if name in ("floor", "ceil", "trunc", "round"):
            return given[0]
        if kinds.is_bool(kind) and name in ("+", "*"):  # NumPy's truth values: or, and
            name = {"+": "|", "*": "&"}[name]
        return f"({given[0]} {name} {given[1]})"

    def _of_floats(self, operation, given, suffix):
        name = operation.name
        if name in ("u-", "u+"):
            return f"({name[1]}{given[0]})"
        if name in ("/", "//", "%") and kinds.is_weak(operation.kind):
            place = self.place("zero", operation.where)
            given[1] = f"no_zero_float(call, {given[1]}, {place})"
        if name in _FLOATS:
            return f"{_FLOATS[name]}{suffix}({given[0]}, {given[1]})"
        if name in ("max", "min"):
            return f"({value_type(operation.kind)}){name}_float({given[0]}, {given[1]})"
        if name in INTRINSICS:
            text = INTRINSICS[name].c.format(*given, f=suffix)
            return f"({value_type(operation.kind)}){text}" if name == "sign" else text
        return f"({given[0]} {name} {given[1]})"

    def _whole_division(self, operation, given):
        if kinds.is_weak(operation.kind):
            place = self.place("zero", operation.where)
            given[1] = f"no_zero(call, {given[1]}, {place})"
        return f"{_INTEGERS[operation.name]}({given[0]}, {given[1]})"


def _is_within(kind, low_high):
    """Whether all numbers of a kind are within the limits."""
    if kinds.is_float(kind):
        return False
    low, high = (0, 1) if kinds.is_bool(kind) else kinds.limits(kind)
    return low_high[0] <= low and high <= low_high[1]


def size(tensor, axis):
    """The C name of how long a tensor is along an axis.

    >>> size("a", 1)
    'a_size1'
    """
    return f"{tensor}_size{axis}"


def bare(text):
    """The text without brackets around all of it.

    >>> bare("(a + (b))"), bare("(a) + (b)")
    ('a + (b)', '(a) + (b)')
    """
    return text[1:-1] if text.startswith("(") and _closes_last(text) else text


def _closes_last(text):
    """Whether the first bracket is closed by the last one."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return place == len(text) - 1
    return False
