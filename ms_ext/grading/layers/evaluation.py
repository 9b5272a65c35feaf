"""How is a graph that came back run? In a clean process with limits, never in the judge's own.

The graph is text that anybody may have written: it may go on for ever, or need all the memory
there is. The process runs nothing of a learner's but this graph; there is one for each answer, and
once it is stopped, the other graphs of that answer are not run any more.
"""

import contextlib
import contextvars

from ms_ext.engine import errors, ir, pipeline
from ms_ext.engine.backends import reference

from ..failure import Failure

MOST_BYTES, MOST_FLOPS = 256 << 20, 2_000_000_000
RAISED = (errors.MsExtError, ArithmeticError, LookupError, ValueError, TypeError)
_CLEAN = contextvars.ContextVar("the clean process of this answer", default=None)


@contextlib.contextmanager
def clean_process(make_child):
    """Inside, graphs run in a process that ``make_child()`` gives when it is first needed."""
    clean = _Clean(make_child)
    token = _CLEAN.set(clean)
    try:
        yield
    finally:
        _CLEAN.reset(token)
        clean.close()


class _Clean:
    def __init__(self, make_child):
        self.make_child, self.child = make_child, None

    def ask(self, message):
        self.child = self.child or self.make_child()
        return self.child.ask(message)

    def close(self):
        if self.child is not None:
            self.child.close()


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
    if clean := _CLEAN.get():
        return _run_elsewhere(graph, inputs, clean)
    try:
        return reference.build(graph)(*inputs)
    except RAISED as error:
        return Failure("invalid", f"Running it raises {type(error).__name__}: {error}", yours=graph)


def _run_elsewhere(graph, inputs, clean):
    reply = clean.ask({"evaluate": ir.dump(graph), "operands": list(inputs)})
    if isinstance(results := reply.get("answer"), tuple):
        return results
    if "stopped" in reply:
        memory = reply["stopped"] in ("memory", "output")
        code = "too-costly" if memory else "endless-graph"
        return Failure(code, "It was stopped, and none of your graphs ran after it.", yours=graph)
    error = reply.get("error") or {}
    code = "too-costly" if "MemoryError" in error.get("kinds", ()) else "invalid"
    return Failure(code, f"Running it raises {error.get('words', 'an error')}", yours=graph)
