"""What does the graph cost? FLOPs, bytes moved, peak bytes: by the model, never by the clock."""

from ms_ext.engine import pipeline

from ..failure import Failure
from .structure import graph_in

WORDS = {
    "nodes": "{} calls",
    "flops": "{} floating-point operations",
    "bytes": "{} bytes moved",
    "peak": "{} bytes alive at once",
}


def bound(**bounds):
    """The graph that came back costs at most so many ``nodes``, ``flops``, ``bytes``, ``peak``.

    A bound is a number or a function of the question, so that it can follow the drawn sizes.

    >>> from ms_ext.engine import ir, jit
    >>> from ms_ext import Tensor
    >>> text = ir.dump(jit.trace(lambda x: x * x + x, Tensor([1.0, 2.0])))
    >>> bound(flops=4)(None, text), bound(flops=3)(None, text).words
    (None, '4 floating-point operations; 3 are enough.')
    """

    def judge(question, answer):
        graph = graph_in(answer)
        if isinstance(graph, Failure):
            return graph
        cost = pipeline.measure(graph)
        for name, limit in bounds.items():
            most = limit(question) if callable(limit) else limit
            number = getattr(cost, name)
            if number > most:
                words = f"{WORDS[name].format(number)}; {most} are enough."
                return Failure("too-costly", words, most, number, yours=graph)
        return None

    return judge


def of(graph):
    """The Cost of a graph: what a bound can be made of."""
    return pipeline.measure(graph)
