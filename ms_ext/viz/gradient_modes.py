"""``viz.gradient_modes(op, *inputs)``: one bprop, called in both modes, and as MindSpore would.

>>> from ms_ext import ops, Tensor
>>> def kept_bprop(x, mask, out, dout):
...     return dout * mask, None
>>> kept = ops.Custom(lambda x, m: x * m, lambda x, m: x, lambda x, m: x, bprop=kept_bprop)
>>> print(gradient_modes(kept, Tensor([3.0, 4.0]), Tensor([1.0, 0.0])))
gradients of <lambda> in two modes: here they agree, with strict="2.10" they do not
<BLANKLINE>
PyNative mode
    here             x = [1 0], m = [0 0]
    strict="2.10"    x = [1 0], m = [0 0]
graph mode
    here             x = [1 0], m = [0 0]
    strict="2.10"    x = [1 0], m = None
<BLANKLINE>
"""

from ..engine import errors
from ..engine.tensor import Tensor
from .card import Card
from .widgets import gradient_modes_page
from .widgets.gradient_modes_running import MANNERS, MODES, agree, tried
from .widgets.shapes_cases import operand_names


class GradientModes(Card):
    """What came of four calls: ``tries[mode, manner]`` is its content as data."""

    def __init__(self, name, tries):
        self.name, self.tries = name, tries
        self.title = gradient_modes_page.title(self)

    def agrees(self, manner):
        """Whether both modes gave the same: "here", or as ``strict="2.10"``."""
        return agree(*(self.tries[mode, manner] for mode in MODES))

    def text(self):
        """Mode by mode."""
        return gradient_modes_page.page(self)

    def html(self):
        """The same as a table."""
        return gradient_modes_page.card(self)


def gradient_modes(op, *inputs):
    """The gradients of ``op`` at ``inputs``, or what is raised instead, in four ways.

    Op by op (PyNative mode) and as part of a graph; each as it is here and as MindSpore 2.10 does
    it, with ``set_context(strict="2.10")``. The outputs count with ones.
    """
    places = tuple(at for at, each in enumerate(inputs) if isinstance(each, Tensor))
    if not places:
        raise errors.InvalidType(
            "Gradients belong to tensors, and none is among the inputs.",
            given=", ".join(type(each).__name__ for each in inputs) or "no input",
            hint="viz.gradient_modes(op, Tensor([1.0, 2.0]))",
        )
    known = operand_names(op)
    names = [known[at] if at < len(known) else f"input {at}" for at in places]
    tries = {
        (mode, manner): tried(op, inputs, places, names, mode, manner)
        for mode in MODES
        for manner in MANNERS
    }
    return GradientModes(getattr(op, "__name__", type(op).__name__), tries)
