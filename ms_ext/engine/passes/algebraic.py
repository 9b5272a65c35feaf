"""x * 1  ->  x, -(-x)  ->  x, x.T.T  ->  x: identities that keep every bit.

Floats decide what is an identity: x + 0 is not (it makes 0.0 of -0.0), x - 0 and x * 1 are; x * 0
is not (NaN, inf). A rule whose target has another type than its source does not fire, so x * 1.0
with an integer x stays.
"""

from ms_ext import ops

from ..patterns import rule
from . import rules_pass


def whole(x):
    """A sentence unless x holds integers."""
    return x.dtype.kind == "int" or f"x is {x.dtype}: where it is -0.0, x + 0 is 0.0."


def composed(x, p, q):
    """One transposition instead of two."""
    rank = len(x.shape)
    first, second = _axes(p, rank), _axes(q, rank)
    return ops.Transpose(x, tuple(first[i] for i in second))


def in_order(x, p):
    """Whether the transposition does nothing."""
    return _axes(p, len(x.shape)) == tuple(range(len(x.shape)))


def _axes(perm, rank):
    """A permutation counted from the front; None reverses."""
    return tuple(range(rank))[::-1] if perm is None else tuple(i % rank for i in perm)


def _x(x):
    return x


NEUTRAL = [
    rule(lambda x: ops.Mul(x, 1), _x, name="x * 1"),
    rule(lambda x: ops.Mul(1, x), _x, name="1 * x"),
    rule(lambda x: ops.Div(x, 1), _x, name="x / 1"),
    rule(lambda x: ops.Pow(x, 1), _x, name="x ** 1"),
    rule(lambda x: ops.Sub(x, 0), _x, name="x - 0"),
    rule(lambda x: ops.Add(x, -0.0), _x, name="x + -0.0"),
    rule(lambda x: ops.Add(-0.0, x), _x, name="-0.0 + x"),
    rule(lambda x: ops.Add(x, 0), _x, whole, name="x + 0"),
    rule(lambda x: ops.Add(0, x), _x, whole, name="0 + x"),
]
TWICE = [
    rule(lambda x: ops.Neg(ops.Neg(x)), _x, name="-(-x)"),
    rule(lambda x: ops.LogicalNot(ops.LogicalNot(x)), _x, name="not not x"),
    rule(lambda x: ops.Abs(ops.Abs(x)), lambda x: ops.Abs(x), name="abs(abs(x))"),
    rule(lambda x: ops.Abs(ops.Neg(x)), lambda x: ops.Abs(x), name="abs(-x)"),
    rule(lambda x: ops.ReLU(ops.ReLU(x)), lambda x: ops.ReLU(x), name="relu(relu(x))"),
]
SAME = [
    rule(lambda x: ops.Maximum(x, x), _x, name="maximum(x, x)"),
    rule(lambda x: ops.Minimum(x, x), _x, name="minimum(x, x)"),
    rule(lambda c, x: ops.Select(c, x, x), lambda c, x: x, name="select(c, x, x)"),
]
SHAPES = [
    rule(
        lambda x, s, t: ops.Reshape(ops.Reshape(x, s), t),
        lambda x, t: ops.Reshape(x, t),
        name="reshape twice",
    ),
    rule(lambda x, s: ops.Reshape(x, s), lambda x: x, name="reshape to the same shape"),
    rule(lambda x, p, q: ops.Transpose(ops.Transpose(x, p), q), composed, name="transpose twice"),
    rule(lambda x, p: ops.Transpose(x, p), _x, in_order, name="transpose in order"),
    rule(lambda x, t: ops.Cast(x, t), lambda x: x, name="cast to the same dtype"),
]

rules_pass(*NEUTRAL, *TWICE, *SAME, *SHAPES)
