"""What goes into a graph when it runs? The tensors among the arguments, then the Parameters."""

import numpy as np

from ...engine import infer, jit, pipeline
from ...engine.tensor import Tensor


def traced(f, args):
    """(FuncGraph, inputs) of ``f`` on ``args``, as it was read.

    ``inputs`` has an array for each input of the graph, None for one given as a type only.

    >>> import ms_ext.ops
    >>> graph, inputs = traced(lambda x, k: x * k, (Tensor([1.0, 2.0]), 3))
    >>> len(graph.parameters), inputs
    (1, [array([1., 2.], dtype=float32)])
    """
    found, inputs = parsed(f, args)
    return found.graph, inputs


def parsed(f, args):
    """(Parsed, inputs): the same with the function's result and Parameters."""
    found = jit.parse(f, args)
    tensors = [*leaves(args), *found.parameters]
    return found, [each.asnumpy() if isinstance(each, Tensor) else None for each in tensors]


def explained(f, args, passes=None):
    """(PipelineRecord, inputs) of ``f`` on ``args`` after the passes."""
    graph, inputs = traced(f, args)
    return pipeline.run(graph, passes, watch=True), inputs


def leaves(value):
    """The tensors in an argument, arrays made into tensors, and types that stand for some.

    >>> [each.shape for each in leaves(({"x": np.ones(3)}, [2, Tensor(1.0)]))]
    [(3,), ()]
    """
    if isinstance(value, Tensor | infer.AbstractTensor):
        return [value]
    if isinstance(value, np.ndarray):
        return [Tensor(value)]
    if type(value) in (tuple, list):
        return [leaf for item in value for leaf in leaves(item)]
    if type(value) is dict:
        return [leaf for item in value.values() for leaf in leaves(item)]
    return []
