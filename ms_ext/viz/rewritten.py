"""``viz.rewritten(before, after)``: what did a pass take out of a graph, and what did it write?

For graphs that came back as text, so that only their structure says what is the same node.
"""

from .compare import BUDGET, Comparison, Words

WORDS = Words(
    "the graph before and after your pass",
    removed="taken out by your pass",
    added="written by your pass",
    rewritten="kept, with other operands",
    unchanged="kept",
    same="your pass changed nothing",
)


def rewritten(before, after, budget=BUDGET):
    """The difference between a FuncGraph before a pass and after it.

    >>> from ms_ext.engine.ir import FuncGraph
    >>> rewritten(FuncGraph("before"), FuncGraph("after")).sentence()
    'your pass changed nothing'
    """
    return Comparison(before, after, WORDS, budget)
