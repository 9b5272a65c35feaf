"""Which results come out, without running it? What ``output_tensor`` is given, calculated alone.

Sizes of inputs are known, elements are not; a number that depends on an element is not known.
"""

from . import kinds
from .tree import Allocate, Assign, Constant, For, If, Operation, Size, Variable

_CHOOSING = {"max": max, "min": min}
_UNKNOWN = object()


class Unknown(Exception):
    """A size that depends on more than the inputs' shapes."""


def shapes(tree, given):
    """The shape of each result for inputs of these shapes; Unknown if only a run can tell."""
    sizes = {
        (each.name, axis): length
        for each, shape in zip(tree.inputs, given, strict=True)
        for axis, length in enumerate(shape)
    }
    walk = _Walk(sizes)
    walk.block(tree.body)
    results = [tree.tensors[name] for name in tree.results]
    found = [tuple([walk.sizes[t.name, axis] for axis in range(t.rank)]) for t in results]
    if any(size is _UNKNOWN for shape in found for size in shape):
        raise Unknown
    return found


class _Walk:
    """Goes through the statements; ``numbers`` are variables that are known here."""

    def __init__(self, sizes):
        self.sizes, self.numbers = sizes, {}

    def block(self, statements):
        """All statements, in order."""
        for each in statements:
            self._statement(each)

    def _statement(self, statement):
        match statement:
            case Assign():
                self.numbers[statement.name] = self._value(statement.value)
            case Allocate():
                for axis, size in enumerate(statement.sizes):
                    self.sizes[statement.tensor, axis] = self._value(size)
            case For():
                self._several(statement.body)
            case If():
                test = self._value(statement.test)
                if test is _UNKNOWN:
                    self._several(statement.body + statement.orelse)
                else:
                    self.block(statement.body if test else statement.orelse)

    def _several(self, body):
        """Statements that run nobody knows how often: what they store to is not known."""
        stored = [name for each in body for name in _stored(each)]
        self.numbers.update(dict.fromkeys(stored, _UNKNOWN))
        self.block(body)
        self.numbers.update(dict.fromkeys(stored, _UNKNOWN))

    def _value(self, expression):
        match expression:
            case Constant():
                return expression.value
            case Size():
                return self.sizes.get((expression.tensor, expression.axis), _UNKNOWN)
            case Variable():
                return self.numbers.get(expression.name, _UNKNOWN)
            case Operation():
                return self._operation(expression)
        return _UNKNOWN

    def _operation(self, operation):
        values = [self._value(each) for each in operation.operands]
        if any(value is _UNKNOWN for value in values):
            return _UNKNOWN
        name = operation.name
        if name == "?":
            return values[1] if values[0] else values[2]
        if name in ("and", "or"):
            return all(values) if name == "and" else any(values)
        function = kinds.OPERATORS.get(name) or _CHOOSING.get(name)
        if function is None or not all(kinds.is_weak(each.kind) for each in operation.operands):
            return _UNKNOWN
        try:
            return function(*values)
        except ArithmeticError:
            return _UNKNOWN


def _stored(statement):
    match statement:
        case Assign():
            yield statement.name
        case For():
            yield from [name for each in statement.body for name in _stored(each)]
        case If():
            for each in statement.body + statement.orelse:
                yield from _stored(each)
