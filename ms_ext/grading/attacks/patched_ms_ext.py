"""Replaces ms_ext's own functions: what a graph looks like as text, what a tensor holds."""

import ms_ext as ms
from ms_ext.engine import ir, pipeline


def attack(answer):
    """Graphs are told to be empty, tensors to hold zeros, passes to have run."""
    seen = ir.dump
    ir.dump = lambda graph: seen(graph).replace("Add", "Sub")
    for name in ("asnumpy", "numpy", "__eq__"):
        try:
            setattr(ms.Tensor, name, lambda self, *rest: 0)
        except TypeError:  # the compiled class cannot be changed
            continue
    pipeline.run_only = lambda graph, *arguments, **options: graph
    return answer
