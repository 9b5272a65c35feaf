"""``viz.gradcheck(result)``: where a gradient is wrong, element by element.

What was measured by central differences (numeric), what the bprop returned (analytic) and their
difference stand side by side, for each input of ``ms.gradcheck``'s result.

>>> import ms_ext as ms
>>> from ms_ext import ops, Tensor
>>> def scaled_bprop(x, out, dout):
...     return -3.0 * dout
>>> scaled = ops.Custom(lambda x: 3.0 * x, lambda x: x, lambda t: t, bprop=scaled_bprop)
>>> gradcheck(ms.gradcheck(scaled, Tensor([1.0, 2.0]))).wrong
('x',)
"""

from ..engine import errors
from .card import Card
from .widgets import gradcheck_page, gradcheck_words
from .widgets.gradcheck_maps import maps

_READ = ("inputs", "name", "passed", "raised")


class Gradcheck(Card):
    """The maps of a check: ``maps`` is its content as data, ``wrong`` names the inputs at fault.

    ``raised``: what was raised instead of a gradient, or None.
    """

    def __init__(self, result):
        self.name, self.raised = result.name, result.raised
        self.maps = tuple(maps(each) for each in result.inputs)
        self.wrong = tuple(each.name for each in result.inputs if not each.passed)
        self.title = gradcheck_words.title(self)

    def text(self):
        """One input after the other: the sentence about it, then its numbers."""
        return gradcheck_words.page(self)

    def html(self):
        """The same as heat maps."""
        return gradcheck_page.card(self)


def gradcheck(result):
    """A heat map for each input of a result of ``ms.gradcheck``.

    All three maps of an input have one scale: where a gradient is right, its difference is empty.
    Of a large input the part around the worst element is shown; more than two axes are laid out as
    rows.
    """
    if not all(hasattr(result, name) for name in _READ):
        raise errors.InvalidType(
            "viz.gradcheck shows what ms.gradcheck has found.",
            given=f"{result!r:.60} of type {type(result).__name__}",
            hint="viz.gradcheck(ms.gradcheck(op, x, y))",
        )
    return Gradcheck(result)
