"""x + (-y)  ->  x - y, where that removes a node and keeps every value."""

from ms_ext import ops

from . import pattern_pass


def source(x, y):
    return ops.Add(x, ops.Neg(y))


def target(x, y):
    return ops.Sub(x, y)


def when(x, y, match):
    if match.shared:
        return "Neg has another user, so it stays: nothing would be saved."
    return x.dtype == y.dtype or f"x is {x.dtype} but y is {y.dtype}, and Neg works in {y.dtype}."


pattern_pass(source, target, when)
