"""How is a graph that came back run? Its size is looked at first; loops run under a clock.

The graph is text that anybody may have written. One without regions ends after as many steps as it
has calls, so it runs here, unless the cost model says that it is huge. A branch, loop or call may
go on for ever: such a graph runs in a clean process of its own, with limits, if there is one.
"""

import contextlib
import contextvars

from ms_ext.engine import errors, ir, pipeline
from ms_ext.engine.backends import reference

from ..failure import Failure

MOST_BYTES, MOST_FLOPS = 256 << 20, 2_000_000_000
RAISED = (errors.MsExtError, ArithmeticError, LookupError, ValueError, TypeError)
_CLEAN = contextvars.ContextVar("makes a clean process", default=None)


@contextlib.contextmanager
def clean_processes(make_child):
    """Inside, graphs with loops run in a process that ``make_child()`` gives."""
    token = _CLEAN.set(make_child)
    try:
        yield
    finally:
        _CLEAN.reset(token)


def run(graph, inputs):
    """The results of a graph on arrays, or a Failure.

    >>> import numpy as np
    >>> from ms_ext.grading.graph_cases import built
    >>> run(built(lambda x: x * x, ["f32[2]"]), (np.array([2, 3], "f4"),))
    (array([4., 9.], dtype=float32),)
    """
    cost = pipeline.measure(graph)
    if cost.peak > MOST_BYTES or cost.flops > MOST_FLOPS:
        words = f"It holds {cost.peak} bytes at once and computes {cost.flops} operations."
        return Failure("too-costly", words, yours=graph)
    make_child = _CLEAN.get()
    if make_child and any(node.graphs for node in graph.order()):
        return _run_elsewhere(graph, inputs, make_child())
    try:
        return reference.build(graph)(*inputs)
    except RAISED as error:
        return Failure("invalid", f"Running it raises {type(error).__name__}: {error}", yours=graph)


def _run_elsewhere(graph, inputs, child):
    try:
        reply = child.ask({"evaluate": ir.dump(graph), "operands": list(inputs)})
    finally:
        child.close()
    if isinstance(results := reply.get("answer"), tuple):
        return results
    if "stopped" in reply:
        return Failure("endless-graph", "It was stopped after a while.", yours=graph)
    return Failure("invalid", f"Running it raises {reply['error']['words']}", yours=graph)
