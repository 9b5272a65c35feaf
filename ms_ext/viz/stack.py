"""``viz.stack(f, *args)``: one program through the whole stack, a box and a number for each layer.

>>> from ms_ext import ops, Tensor
>>> shown = stack(lambda x: ops.exp(x) + (-x), Tensor([1.0, 2.0]))
>>> print(shown.text())  # doctest: +ELLIPSIS
the stack of <lambda>: Python → graph → passes → backend → stages → timeline
<BLANKLINE>
Python: ...
"""

from .card import Card
from .widgets import stack_page
from .widgets.stack_layers import NAMES, layers


class Stack(Card):
    """The map: ``layers`` is its content as data."""

    def __init__(self, name, found):
        self.name, self.layers = name, found
        self.title = f"the stack of {name}: {' → '.join(NAMES)}"

    def text(self):
        """Every layer: its number and the thing itself."""
        lines = [self.title]
        for layer in self.layers:
            lines += ["", f"{layer.name}: {layer.number}", f"  {layer.about}"]
            lines += [f"    {line}" for line in layer.lines]
        return "\n".join(line.rstrip() for line in lines) + "\n"

    def html(self):
        """A strip of six boxes that open."""
        return stack_page.card(self)


def stack(f, *args, passes=None):
    """``f`` on ``args`` as source, graph, passes, backend plan, stages and timeline.

    The function is read into a graph, optimised (``passes`` adds to the pipeline) and built, and it
    is run twice call by call.
    """
    name = getattr(f, "__name__", type(f).__name__)
    return Stack(name, layers(f, args, passes))
