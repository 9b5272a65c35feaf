"""How does an expression of Python become a typed one? Numbers, elements, sizes, words.

What an expression may be here: an expression of the tree, a Tensor, a tuple of these, or a dtype.
"""

import ast

import numpy as np

from . import kinds
from .intrinsics import INTRINSICS
from .tree import Constant, Element, Operation, Size, Tensor, Variable

_SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<",
    ast.RShift: ">>", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==",
    ast.NotEq: "!=", ast.USub: "u-", ast.UAdd: "u+", ast.Invert: "u~", ast.Not: "unot",
}  # fmt: skip
NUMBERS = (Constant, Variable, Size, Element, Operation)


class Values:
    """Reads expressions in a scope."""

    def __init__(self, scope):
        self.scope = scope

    def number(self, node):
        """The expression as one number."""
        found = self.value(node)
        if isinstance(found, Tensor) and found.rank == 0:
            return Element(found.name, (), (), found.kind, self.scope.source.where(node))
        if not isinstance(found, NUMBERS):
            what = "a whole tensor" if isinstance(found, Tensor) else "no number"
            raise self.scope.refused(f"`{ast.unparse(node)}` is {what}", node)
        return found

    def integer(self, node):
        """The expression as a whole number, for an index, a size or a bound."""
        found = self.number(node)
        if not kinds.is_integer(found.kind):
            raise self.scope.refused(f"`{ast.unparse(node)}` is no whole number", node)
        return found

    def truth(self, node):
        """The expression as true or false."""
        if isinstance(node, ast.BoolOp):
            word = "and" if isinstance(node.op, ast.And) else "or"
            return self._chained(word, [self.truth(each) for each in node.values], node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self._made("unot", [self.truth(node.operand)], node)
        found = self.number(node)
        if kinds.is_bool(found.kind):
            return found
        return self._made("!=", [found, Constant(0, int)], node)

    def tuple(self, node):
        """The expression as a tuple of whole numbers, for a shape."""
        found = self.value(node)
        if isinstance(found, tuple):
            if all(isinstance(f, NUMBERS) and kinds.is_integer(f.kind) for f in found):
                return found
        elif isinstance(found, NUMBERS) and kinds.is_integer(found.kind):
            return (found,)
        raise self.scope.refused(f"`{ast.unparse(node)}` is no shape", node)

    def dtype(self, node):
        """The expression as a dtype."""
        found = self.value(node)
        try:
            return np.dtype(found) if isinstance(found, str | np.dtype) else None
        except TypeError:
            raise self.scope.refused(f"{found!r} is no dtype", node) from None

    def value(self, node):
        """What an expression is."""
        rule = getattr(self, f"_{type(node).__name__.lower()}", None)
        if rule is None:
            raise self.scope.refused(f"`{ast.unparse(node)}` has no counterpart in C", node)
        return rule(node)

    # one rule per class of Python's syntax --------------------------------------------------------

    def _name(self, node):
        return self.scope.named(node)

    def _constant(self, node):
        if isinstance(node.value, str):
            return node.value
        if type(node.value) not in (int, float, bool) or abs(node.value) >= 2**63:
            raise self.scope.refused(f"`{node.value!r}` has no counterpart in C", node)
        return Constant(node.value, type(node.value))

    def _tuple(self, node):
        return tuple([self.value(each) for each in node.elts])

    _list = _tuple

    def _attribute(self, node):
        tensor = self.value(node.value)
        if not isinstance(tensor, Tensor):
            raise self.scope.refused(f"`{ast.unparse(node.value)}` is a number", node)
        if node.attr == "dtype":
            return tensor.kind
        return tuple([Size(tensor.name, axis) for axis in range(tensor.rank)])

    def _subscript(self, node):
        base, places = node, []
        while isinstance(base, ast.Subscript):
            places.insert(0, base.slice)
            base = base.value
        found = self.value(base)
        if isinstance(found, Tensor):
            return self._element(found, places, node)
        if isinstance(found, tuple) and len(places) == 1:
            return self._item(found, self.integer(places[0]), node)
        raise self.scope.refused(f"`{ast.unparse(node)}` has no counterpart in C", node)

    def _element(self, tensor, places, node):
        indices = []
        for place in places:
            found = self.value(place)
            indices += found if isinstance(found, tuple) else [self.integer(place)]
        if not all(isinstance(i, NUMBERS) and kinds.is_integer(i.kind) for i in indices):
            raise self.scope.refused(f"`{ast.unparse(node)}` takes more than whole numbers", node)
        if len(indices) != tensor.rank:
            raise self.scope.refused(
                f"`{ast.unparse(node)}` is no single element of {tensor.rank} axes", node
            )
        checked = [self.scope.is_checked(i, tensor.name, n) for n, i in enumerate(indices)]
        where = self.scope.source.where(node)
        return Element(tensor.name, tuple(indices), tuple(checked), tensor.kind, where)

    def _item(self, items, index, node):
        if isinstance(index, Constant) and -len(items) <= index.value < len(items):
            return items[index.value]
        raise self.scope.refused(f"`{ast.unparse(node)}`: the index is not a known one", node)

    def _binop(self, node):
        sign = _SIGNS.get(type(node.op))
        operands = [self.number(node.left), self.number(node.right)]
        if sign == "**" and all(o.kind is int or o.kind is bool for o in operands):
            power = operands[1]
            if not isinstance(power, Constant) or power.value < 0:
                raise self.scope.refused("a power of whole numbers may be a fraction", node)
        return self._made(sign, operands, node)

    def _unaryop(self, node):
        if isinstance(node.op, ast.Not):
            return self.truth(node)
        return self._made(_SIGNS[type(node.op)], [self.number(node.operand)], node)

    def _boolop(self, node):
        parts = [self.number(each) for each in node.values]
        if not all(kinds.is_bool(part.kind) for part in parts):
            raise self.scope.refused("`and`, `or` between numbers give one of them", node)
        return self.truth(node)

    def _compare(self, node):
        values = [self.number(each) for each in (node.left, *node.comparators)]
        signs = [_SIGNS.get(type(op)) for op in node.ops]
        pairs = zip(signs, values, values[1:], strict=False)
        return self._chained("and", [self._made(s, [a, b], node) for s, a, b in pairs], node)

    def _ifexp(self, node):
        one, other = self.number(node.body), self.number(node.orelse)
        kind = self._kind(kinds.joined, node, one.kind, other.kind)
        where = self.scope.source.where(node)
        return Operation("?", (self.truth(node.test), one, other), kind, where)

    def _call(self, node):
        word = node.func.id
        if word == "len":
            found = self.value(node.args[0]) if len(node.args) == 1 else None
            if isinstance(found, Tensor) and found.rank:
                return Size(found.name, 0)
            if isinstance(found, tuple):
                return Constant(len(found), int)
            raise self.scope.refused(f"`{ast.unparse(node)}` has no length", node)
        given = node.args if len(node.args) != 1 else [node.args[0]]
        if word in ("max", "min"):
            return self._extreme(word, given, node)
        operands = [self.number(each) for each in given]
        if word == "ceil_div":
            a, b = operands
            above = self._made("-", [self._made("+", [a, b], node), Constant(1, int)], node)
            return self._made("//", [above, b], node)
        return self._worded(word, operands, node)

    def _worded(self, word, operands, node):
        intrinsic = INTRINSICS.get(word)
        if intrinsic is None or intrinsic.group in ("buffer", "loop", "scope"):
            raise self.scope.refused(f"`{ast.unparse(node)}` is no number", node)
        kind = self._kind(intrinsic.run, node, *[o.kind for o in operands])
        name = {"cast": "cast", "power": "**"}.get(intrinsic.group, word)
        return Operation(name, tuple(operands), kind, self.scope.source.where(node))

    def _extreme(self, word, given, node):
        if len(given) == 1:
            found = self.value(given[0])
            operands = found if isinstance(found, tuple) else ()
        else:
            operands = [self.number(each) for each in given]
        if not operands or not all(isinstance(o, NUMBERS) for o in operands):
            raise self.scope.refused(f"`{ast.unparse(node)}` is no number", node)
        result = operands[0]
        for each in operands[1:]:
            kind = self._kind(kinds.joined, node, result.kind, each.kind)
            result = Operation(word, (result, each), kind, self.scope.source.where(node))
        return result

    # making ---------------------------------------------------------------------------------------

    def operation(self, sign, operands, node):
        """An operator on expressions; calculated at once where all is known."""
        return self._made(sign, operands, node)

    def _made(self, sign, operands, node):
        function = kinds.OPERATORS.get(sign)
        if function is None:
            raise self.scope.refused(f"`{ast.unparse(node)}` has no counterpart in C", node)
        if all(isinstance(o, Constant) for o in operands):
            known = _known(function, [o.value for o in operands])
            if known is not None:
                return known
        kind = self._kind(function, node, *[o.kind for o in operands])
        return Operation(sign, tuple(operands), kind, self.scope.source.where(node))

    def _chained(self, word, parts, node):
        result = parts[0]
        for each in parts[1:]:
            result = Operation(word, (result, each), bool, self.scope.source.where(node))
        return result

    def _kind(self, function, node, *given):
        if function is kinds.joined:
            try:
                return kinds.joined(*given)
            except TypeError as why:
                raise self.scope.refused(f"`{ast.unparse(node)}`: {why}", node) from None
        try:
            return kinds.result(function, *given)
        except (TypeError, ValueError, OverflowError) as why:
            raise self.scope.refused(f"`{ast.unparse(node)}`: {why}", node) from None


def _known(function, values):
    """The constant that comes out, or None if Python raises or it is beyond C's numbers."""
    try:
        result = function(*values)
    except (ArithmeticError, TypeError, ValueError):
        return None
    if type(result) in (int, float, bool) and abs(result) < 2**63:
        return Constant(result, type(result))
    return None
