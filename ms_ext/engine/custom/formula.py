"""What does a formula say? ``"exp(-x) * y + 1"`` is read once, and calculated with ops.

::

    exp(-x) * y + 1                     inputs in the order in which they appear
    y, x -> exp(-x) * y + 1             inputs in an order of one's own
    t = exp(-x); x / (1 + t)            names for parts, the result last
    x -> x * 2, x * x                   several results
    x if x > 0 else 0.1 * x             a choice, element by element

Operators are Python's, functions are elementwise ops (``exp``, ``maximum``, ``where``), also by the
names that MindSpore's TBE has for them (``vadd``, ``vmuls``). Nothing else of Python is understood.

>>> from ms_ext import Tensor
>>> Formula("x if x > 0 else 0.5 * x")(Tensor([-2.0, 4.0]))
Tensor(shape=[2], dtype=Float32, value= [-1.00000000e+00,  4.00000000e+00])
>>> Formula("a * vexp(b)").inputs
('a', 'b')
"""

import ast
import functools
import math
import operator

from ...ops import composite
from .. import errors, primitive

CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan}
#: Elementwise functions that are made of several ops.
MORE = (
    "absolute", "clamp", "gelu", "hardsigmoid", "hardswish", "hardtanh", "leaky_relu", "lerp",
    "log_sigmoid", "logsigmoid", "mish", "pow", "relu", "selu", "softplus", "tanhshrink", "where",
)  # fmt: skip
#: TBE's names (te.lang.cce.vadd): what they are here.
TBE = {
    "vadd": "add", "vadds": "add", "vsub": "sub", "vmul": "mul", "vmuls": "mul", "vdiv": "div",
    "vmax": "maximum", "vmaxs": "maximum", "vmin": "minimum", "vmins": "minimum", "vabs": "abs",
    "vexp": "exp", "vlog": "log", "vsqrt": "sqrt", "vrsqrt": "rsqrt", "vrec": "reciprocal",
    "vrelu": "relu", "vsel": "where", "vand": "bitwise_and", "vor": "bitwise_or",
    "vnot": "bitwise_not", "max": "maximum", "min": "minimum", "power": "pow",
}  # fmt: skip
_OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.Pow: None, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.BitXor: operator.xor, ast.LShift: None, ast.RShift: operator.rshift,
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
LONGEST, DEEPEST = 10_000, 300  # characters of a formula, levels of its expressions
WIDEST = 63  # bits of a whole number


class Formula:
    """A formula, to be called with tensors, symbols or numbers; ``inputs`` are their names."""

    def __init__(self, text):
        if len(text) > LONGEST:
            raise errors.InvalidValue(
                f"A formula has at most {LONGEST} characters.", given=f"{len(text)}"
            )
        head, arrow, body = text.partition("->")
        self._text = (body if arrow else head).strip()
        self._parts, self._results = self._parsed()
        found = dict.fromkeys(self._names())
        self.inputs = self._headed(head, found) if arrow else tuple(found)
        if not self.inputs:
            raise errors.InvalidValue(
                "A formula needs an input.",
                given=text,
                hint='Name one: "exp(-x) * y + 1" has the inputs x and y.',
            )

    def __call__(self, *inputs):
        values = dict(zip(self.inputs, inputs, strict=True))
        for name, part in self._parts:
            values[name] = self._value(part, values)
        results = tuple([self._value(part, values) for part in self._results])
        return results if len(results) > 1 else results[0]

    # reading --------------------------------------------------------------------------------------

    def _parsed(self):
        try:
            lines = ast.parse(self._text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            at = (getattr(error, "lineno", None) or 1, (getattr(error, "offset", None) or 1) - 1)
            raise self._wrong(getattr(error, "msg", None) or str(error), at) from None
        if not lines or not isinstance(lines[-1], ast.Expr):
            raise self._wrong("its last part is no result", (1, 0))
        parts = [self._part(line) for line in lines[:-1]]
        last = lines[-1].value
        results = last.elts if isinstance(last, ast.Tuple) else [last]
        for each in (*[part for _, part in parts], *results):
            self._check(each, 0)
        return parts, results

    def _part(self, line):
        if not isinstance(line, ast.Assign) or not isinstance(line.targets[0], ast.Name):
            raise self._wrong("a part that is not `name = ...`", line)
        return line.targets[0].id, line.value

    def _check(self, node, depth):
        """Refuse what a formula cannot say."""
        if depth > DEEPEST:
            hint = "Give parts names: t = exp(-x); x / (1 + t)."
            raise self._wrong(f"it is nested more than {DEEPEST} levels deep", node, hint)
        if isinstance(node, ast.Constant):
            if type(node.value) not in (int, float, bool):
                raise self._wrong(f"{node.value!r:.30}, which is no number", node)
        elif isinstance(node, ast.Call):
            self._function(node)
        elif isinstance(node, ast.BinOp | ast.UnaryOp) and type(node.op) not in (
            *_OPERATORS,
            ast.Not,
        ):
            raise self._wrong("an operator that works on no elements", node)
        elif isinstance(node, ast.Compare) and not {*map(type, node.ops)} <= _OPERATORS.keys():
            raise self._wrong("a comparison that works on no elements", node)
        elif not isinstance(node, _UNDERSTOOD):
            raise self._wrong("what is no formula of elements", node)
        words = [word.value for word in node.keywords] if isinstance(node, ast.Call) else []
        inside = [*node.args, *words] if isinstance(node, ast.Call) else ast.iter_child_nodes(node)
        for child in inside:
            if isinstance(child, ast.expr):
                self._check(child, depth + 1)

    def _function(self, call):
        """The op or function that a call names."""
        name = call.func.id if isinstance(call.func, ast.Name) else None
        if name is None or any(isinstance(a, ast.Starred) for a in call.args):
            raise self._wrong("a call of what is no function's name", call)
        known = TBE.get(name, name)
        found = primitive.NAMES.get(known)
        if known in MORE:
            return composite.shown("", known)
        if found is None or not found.elementwise:
            what = "there is no function" if found is None else "it takes more than elements:"
            raise self._wrong(
                f"{what} {name!r}",
                call.func,
                "A formula calculates every element from the elements in its place."
                if found is not None
                else errors.did_you_mean(name, _functions()),
            )
        return found

    def _names(self):
        """The names of inputs, in the order in which they appear."""
        own = set()
        for name, part in (*self._parts, *[(None, each) for each in self._results]):
            called = {id(n.func) for n in ast.walk(part) if isinstance(n, ast.Call)}
            names = [n for n in ast.walk(part) if isinstance(n, ast.Name) and id(n) not in called]
            for node in sorted(names, key=lambda n: (n.lineno, n.col_offset)):
                if node.id not in own and node.id not in CONSTANTS:
                    yield node.id
            own.add(name)

    def _headed(self, head, found):
        names = tuple([name.strip() for name in head.strip().strip("()").split(",")])
        if not all(name.isidentifier() for name in names) or len({*names}) < len(names):
            raise errors.InvalidValue(
                "A formula's head lists its inputs, each once.",
                given=f"{head.strip()} ->",
                hint='"x, y -> exp(-x) * y + 1"',
            )
        for name in found:
            if name not in names:
                raise errors.InvalidValue(
                    f"The formula uses {name!r}, which its head does not list.",
                    given=f"{head.strip()} -> {self._text}",
                    hint=errors.did_you_mean(name, names),
                )
        return names

    def _wrong(self, what, node, hint=None):
        line, column = node if isinstance(node, tuple) else (node.lineno, node.col_offset)
        end = column + 1 if isinstance(node, tuple) else (node.end_col_offset or column + 1)
        lines = self._text.splitlines() or [""]
        shown = lines[min(line, len(lines)) - 1]
        carets = f"{' ' * column}{'^' * max(min(end, len(shown)) - column, 1)}"
        return errors.InvalidValue(
            f"The formula has an error: {what}.",
            given=f"{shown}\n           {carets}",
            hint=hint or 'Operators, numbers and elementwise functions: "exp(-x) * y + 1".',
        )

    # calculating ----------------------------------------------------------------------------------

    def _value(self, node, values):
        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                return values[node.id] if node.id in values else CONSTANTS[node.id]
            case ast.UnaryOp(op=ast.Not()):
                return _call("logical_not", self._value(node.operand, values))
            case ast.UnaryOp():
                value = self._value(node.operand, values)
                return value if isinstance(node.op, ast.UAdd) else _OPERATORS[type(node.op)](value)
            case ast.BinOp():
                sides = self._value(node.left, values), self._value(node.right, values)
                return _OPERATORS[type(node.op)](*sides)
            case ast.Compare():
                return self._compared(node, values)
            case ast.BoolOp():
                word = "logical_and" if isinstance(node.op, ast.And) else "logical_or"
                parts = [self._value(part, values) for part in node.values]
                return functools.reduce(functools.partial(_call, word), parts)
            case ast.IfExp():
                parts = [self._value(p, values) for p in (node.test, node.body, node.orelse)]
                return composite.shown("", "where")(*parts)
        given = {word.arg: self._value(word.value, values) for word in node.keywords}
        return self._function(node)(*[self._value(a, values) for a in node.args], **given)

    def _compared(self, node, values):
        sides = [self._value(side, values) for side in (node.left, *node.comparators)]
        pairs = zip(node.ops, sides, sides[1:], strict=False)
        found = [_OPERATORS[type(op)](one, other) for op, one, other in pairs]
        return functools.reduce(functools.partial(_call, "logical_and"), found)


_UNDERSTOOD = (ast.Name, ast.UnaryOp, ast.BinOp, ast.Compare, ast.BoolOp, ast.IfExp)


def _call(name, *values):
    return primitive.NAMES[name](*values)


def _functions():
    return {*MORE, *TBE, *[n for n in primitive.NAMES.names() if "." not in n]}


def _power(one, other):
    """Whole numbers among themselves stay small enough for a tensor."""
    whole = type(one) is int and type(other) is int
    if whole and other > 0 and other * abs(one).bit_length() > 2 * WIDEST:
        raise _too_large(f"{one} ** {other}")
    return one**other


def _shifted(one, other):
    if type(one) is int and type(other) is int and not 0 <= other <= WIDEST:
        raise _too_large(f"{one} << {other}")
    return one << other


def _too_large(given):
    return errors.InvalidValue("A number of the formula is too large.", given=given)


_OPERATORS |= {ast.Pow: _power, ast.LShift: _shifted}
