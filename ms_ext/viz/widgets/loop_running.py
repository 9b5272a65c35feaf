"""One run of a graph, loop body by loop body: what goes into every turn, what comes out.

A plan of a graph runs in frames that ask for the results of their regions; here the asking is
listened to. Every node is calculated by NumPy, none twice, and no value is copied.
"""

from typing import NamedTuple

from ...engine.backends._frames import frame
from ...engine.backends._plan import Planner
from ...engine.ir import cost
from ...engine.quiet import quietly


class Turn(NamedTuple):
    """One evaluation of a loop's body: its operands and its results, as the backend has them."""

    inputs: tuple
    outputs: tuple


class Run:
    """The turns of every loop in one run of a graph, and what the run computed.

    ``turns[body][frame]``: the Turns, in the order they were made, of the loop with this body in
    the frame of this number. ``times[graph]``: how often a graph was evaluated.
    """

    def __init__(self):
        self.turns, self.times, self.results = {}, {}, ()

    def runs(self, body):
        """The Turns of each run of a loop, the first that came to an end first."""
        return list(self.turns.get(body, {}).values())

    def flops(self):
        """FLOPs of the whole run: a body counts for every turn that was made."""
        return sum(
            many * cost(node)[0] for graph, many in self.times.items() for node in graph.order()
        )


def watched(graph, values, bodies):
    """Evaluate ``graph`` on arrays and keep the turns of the loops with these ``bodies``.

    >>> import numpy as np
    >>> from ms_ext import Tensor, ops
    >>> from ms_ext.engine import jit
    >>> def doubled(x):
    ...     for _ in range(20):
    ...         x = ops.add(x, x)
    ...     return x
    >>> graph = jit.parse(doubled, [Tensor(1.0)]).graph
    >>> body = graph.order()[0].graphs[0]
    >>> run = watched(graph, [np.float32(1.0)], [body])
    >>> [float(turn.outputs[0]) for turn in run.runs(body)[0]][:3], run.flops()
    ([2.0, 4.0, 8.0], 20)
    """
    run, planner = Run(), Planner(graph)
    planner.executable()
    graphs = dict(zip(planner.written, planner.planned, strict=True))
    run.results = quietly(_evaluate, graphs, list(values), frozenset(bodies), run)
    return run


def _evaluate(graphs, values, bodies, run):
    """The frames wait in a list with what they were asked: (frame, graph, operands, number)."""
    first, count = next(iter(graphs)), 0
    frames, answer = [(frame(first, values), graphs[first], values, count)], None
    run.times[graphs[first]] = 1
    while frames:
        current, evaluated, operands, _ = frames[-1]
        try:
            wanted, given = current.send(answer)
        except StopIteration as done:
            frames.pop()
            answer = done.value
            if evaluated in bodies:
                found = run.turns.setdefault(evaluated, {}).setdefault(frames[-1][3], [])
                found.append(Turn(tuple(operands), tuple(answer)))
            continue
        count, graph, answer = count + 1, graphs[wanted], None
        run.times[graph] = run.times.get(graph, 0) + 1
        frames.append((frame(wanted, given), graph, given, count))
    return answer
