"""``viz.ways()``: which func_type for which code? A tree of questions, and what each way does.

>>> import numpy as np
>>> from ms_ext import ops
>>> cube = ops.Custom(np.cbrt, lambda x: x, lambda x: x, "pyfunc")
>>> print(ways(cube))  # doctest: +ELLIPSIS
ways into ops.Custom: cbrt comes in by pyfunc
<BLANKLINE>
What do you have?
  Python
  ▶ a function of NumPy arrays → pyfunc
...
"""

from ..engine import errors
from ..engine.custom.custom import Custom
from ..engine.custom.ways import WAYS
from .card import Card
from .widgets import ways_page
from .widgets.ways_rows import costs, rows


class Ways(Card):
    """The map: ``rows`` and ``costs`` are its table as data; ``chosen`` is the way shown."""

    def __init__(self, chosen="", op=None):
        self.chosen, self.op = chosen, op
        self.rows, self.costs = rows(), costs()
        name = f"{op.__name__} comes in by {chosen}" if op is not None else chosen
        self.title = f"ways into ops.Custom{': ' if name else ''}{name}"

    def text(self):
        """The tree, then way after way."""
        return ways_page.page(self)

    def html(self):
        """The same as a tree of boxes and a table."""
        return ways_page.card(self)


def ways(op_or_func_type=None):
    """The ways into ``ops.Custom``: what you have decides which; that of an op is marked.

    ``op_or_func_type``: an ``ops.Custom`` or a name such as "aot"; without one, nothing is marked.
    """
    asked = op_or_func_type
    if isinstance(asked, Custom):
        return Ways(asked.way.func_type, asked)
    if asked is None or (isinstance(asked, str) and asked in WAYS):
        return Ways(asked or "")
    kind = errors.InvalidValue if isinstance(asked, str) else errors.InvalidType
    raise kind(
        "viz.ways() shows the way of an ops.Custom or of a func_type.",
        given=f"{asked!r:.60}",
        hint=(isinstance(asked, str) and errors.did_you_mean(asked, WAYS.names()))
        or 'viz.ways(op), or viz.ways("aot"); viz.ways() shows all.',
    )
