"""``viz.loop(f, *args)``: what a loop keeps of every turn for its gradient, and how that is read.

A loop forwards puts on stacks what its way back will read; the way back is a loop over these
stacks, from the last turn to the first. Both are seen side by side, turn by turn, with what is not
kept and why.

>>> from ms_ext import Tensor, ops
>>> def waves(x, a):
...     for _ in range(20):
...         x = ops.sin(x) * a
...     return x
>>> print(loop(waves, Tensor(0.5), Tensor(2.0)).text())  # doctest: +ELLIPSIS
waves: 1 loop with a way back, 2 stacks, 160 bytes
<BLANKLINE>
for _ in range(20): 20 turns...
  Kept of every turn: ...
"""

from ..engine import errors, pipeline
from .card import Card
from .panel.arguments import traced
from .widgets import loop_page, loop_words
from .widgets.loop_keeping import survey

RECOMPUTE = "recompute"


class Loop(Card):
    """The loops of a gradient: ``survey`` is their content as data.

    ``recomputed`` is the same after the pass that keeps less and computes more.
    """

    def __init__(self, name, found, recomputed=None):
        self.name, self.survey, self.recomputed = name, found, recomputed
        self.title = loop_words.title(self)

    def text(self):
        """Loop by loop: what is kept, what is not, the turns of both ways."""
        return loop_words.page(self)

    def html(self):
        """The loops as pictures with a slider over the turns, and the tables."""
        return loop_page.card(self)


def loop(f, *args, passes=None):
    """The loops that the gradient of ``f`` at ``args`` goes through, forwards and backwards.

    ``f`` is read into a graph and differentiated by everything that has a gradient, each dout being
    ones; the gradient is run once. A loop that Python writes out is no loop of the graph: let it
    hang on a tensor, or have more than 16 turns. ``viz.loop(ms.grad(f), *args)`` shows the loops of
    the second derivative. ``passes`` are added to those that optimise the gradient; without them
    ``passes=["recompute"]`` is told for comparison.
    """
    graph, values = traced(f, args)
    if any(each is None for each in values):
        raise errors.InvalidType(
            "viz.loop runs the function: every argument needs a value.",
            given=", ".join(type(each).__name__ for each in args),
            hint="Pass tensors.",
        )
    pipeline.run(graph)
    found = survey(graph, values, passes)
    other = survey(graph, values, [RECOMPUTE]) if found.nbytes and passes is None else None
    name = getattr(f, "__name__", None) or getattr(f, "name", None) or type(f).__name__
    return Loop(name, found, other)
