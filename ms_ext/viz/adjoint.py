"""``viz.adjoint(f, *args)``: a function, its graph, and the graph of its gradient, line by line.

Nothing here differentiates: the engine's own transformation is looked on.

>>> from ms_ext import Tensor
>>> def square(x):
...     return x * x
>>> print(adjoint(square, Tensor(3.0)))  # doctest: +ELLIPSIS
the adjoint of square: 1 call there, 3 back
...
graph
  x               f32[]  3
  %1 = Mul(x, x)  f32[]  9
  return %1
<BLANKLINE>
adjoint
...
  %2 = Mul(dout, x)          f32[]  3
  %3 = Mul(dout, x)          f32[]  3
  %4 = Add(%2, %3)           f32[]  6  Σ at x
...
"""

from ..engine.jit import JitFunction
from ..engine.tensor import Tensor
from .card import Card
from .panel.arguments import traced
from .widgets import adjoint_page, adjoint_text, adjoint_words
from .widgets.adjoint_drawing import CALLS
from .widgets.adjoint_steps import recorded


class Adjoint(Card):
    """The transformation: ``found`` is its content as data, ``graph`` the adjoint itself."""

    def __init__(self, name, found, budget=CALLS):
        self.name, self.found, self.budget = name, found, budget
        self.names = adjoint_words.Names(found)
        self.graph, self.steps = found.adjoint, found.steps
        self.title = adjoint_words.title(name, found)

    @property
    def kept(self):
        """The names of the values of the way there that the way back reads."""
        return [self.names.of(node) for node in self.found.kept()]

    def text(self):
        """The three panes, one below the other, then the steps."""
        return "\n".join(line.rstrip() for line in adjoint_text.lines(self)) + "\n"

    def html(self):
        """The three panes beside each other, a stepper, and the picture."""
        return adjoint_page.card(self)


def adjoint(f, *args, dout=None, budget=CALLS):
    """The graph that gives ``f``'s gradients, beside ``f`` and its graph, and how it was written.

    With tensors as ``args`` both are run, and every node has its value; types alone will do too.
    ``dout``: what the result's gradients begin with, a tensor or one for each result; ones if left
    out. ``f`` may be a FuncGraph, with an array for each parameter or none. More than ``budget``
    calls are not drawn, but listed.
    """
    if hasattr(f, "all_graphs"):
        graph, inputs = f, [_array(each) for each in args] or None
    else:
        graph, inputs = traced(f.function if isinstance(f, JitFunction) else f, args)
    given = dout if isinstance(dout, tuple | list) else [dout]
    douts = None if dout is None else [_array(each) for each in given]
    name = getattr(f, "__name__", None) or getattr(f, "name", None) or type(f).__name__
    return Adjoint(name, recorded(graph, inputs, douts), budget)


def _array(value):
    return value.asnumpy() if isinstance(value, Tensor) else value
