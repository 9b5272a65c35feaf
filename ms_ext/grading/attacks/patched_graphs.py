"""Sends graphs of its own instead of those that were made."""

from ms_ext.engine import ir

EMPTY = "ms_ext graph 1\ngraph a@1(%1 x: f32[2]) {\n  return %1\n}\n"


def attack(answer):
    """Every graph is told to be one that returns its operand."""
    ir.dump = lambda graph: EMPTY
    return answer
