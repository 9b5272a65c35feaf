"""From an op's C expression to instructions: ``({0} + {1})`` is [add operand 0, operand 1].

An expression is read once per op. What is not understood (a function the machine lacks, an
attribute) gives None, and the op is not fused.

>>> read("({0} * (1 + {1}))", 2)
[('add', (1.0, 1)), ('mul', (0, 2))]
>>> read("({0} < 0 ? 0 : {0})", 1)
[('less', (0, 0.0)), ('select', (1, 0.0, 0))]
>>> read("gamma({0})", 1) is None
True
"""

import re

_TOKEN = re.compile(
    r"\s*(?:(\d+\.?\d*(?:e[-+]?\d+)?)|\{(\d)\}|([a-z_]\w*)|(<=|>=|==|!=|&&|\|\||[-+*/()?:,<>!]))"
)
_BINARY = {
    "||": (1, "or"), "&&": (2, "and"), "==": (3, "equal"), "!=": (3, "not_equal"),
    "<": (4, "less"), "<=": (4, "less_equal"), ">": (4, "greater"), ">=": (4, "greater_equal"),
    "+": (5, "add"), "-": (5, "sub"), "*": (6, "mul"), "/": (6, "div"),
}  # fmt: skip
SAME = (
    "sqrt exp log tanh erf floor ceil rint trunc sin cos tan asin acos atan sinh cosh log1p expm1 "
    "pow atan2"
)
FUNCTIONS = {"fabs": "abs"} | {name: name for name in SAME.split()}


class _NotRead(Exception):
    """The expression says something that the machine cannot do."""


def read(expression, count):
    """Steps (name, operands), or None. An operand is a number or a place: operands, then steps."""
    try:
        reader = _Reader(expression, count)
        reader.ternary()
        return reader.steps if reader.token[0] == "end" else None
    except _NotRead:
        return None


class _Reader:
    """Reads by precedence; every operator appends a step and stands for its place."""

    def __init__(self, text, count):
        self.text, self.at, self.count, self.steps = text, 0, count, []
        self.advance()

    def advance(self):
        if not self.text[self.at :].strip():
            self.token = ("end", "")
            return
        found = _TOKEN.match(self.text, self.at)
        if not found:
            raise _NotRead
        self.at = found.end()
        kind = ("number", "operand", "name", "sign")[found.lastindex - 1]
        self.token = (kind, found[found.lastindex])

    def take(self, sign):
        if self.token != ("sign", sign):
            raise _NotRead
        self.advance()

    def step(self, name, *operands):
        if all(isinstance(x, float) for x in operands):
            raise _NotRead
        self.steps.append((name, operands))
        return self.count + len(self.steps) - 1

    def ternary(self):
        condition = self.binary(1)
        if self.token != ("sign", "?"):
            return condition
        self.advance()
        yes = self.ternary()
        self.take(":")
        return self.step("select", condition, yes, self.ternary())

    def binary(self, least):
        left = self.unary()
        while self.token[0] == "sign" and _BINARY.get(self.token[1], (0,))[0] >= least:
            level, name = _BINARY[self.token[1]]
            self.advance()
            left = self.step(name, left, self.binary(level + 1))
        return left

    def unary(self):
        if self.token == ("sign", "-"):
            self.advance()
            inner = self.unary()
            return -inner if isinstance(inner, float) else self.step("neg", inner)
        if self.token == ("sign", "!"):
            self.advance()
            return self.step("not", self.unary())
        return self.primary()

    def primary(self):
        kind, text = self.token
        self.advance()
        if kind == "number":
            return float(text)
        if kind == "operand" and int(text) < self.count:
            return int(text)
        if kind == "name" and text in FUNCTIONS:
            return self.step(FUNCTIONS[text], *self.arguments())
        if (kind, text) != ("sign", "("):
            raise _NotRead
        inner = self.ternary()
        self.take(")")
        return inner

    def arguments(self):
        self.take("(")
        found = [self.ternary()]
        while self.token == ("sign", ","):
            self.advance()
            found.append(self.ternary())
        self.take(")")
        return found
