"""``viz.trace(op)``: how was the code of an op found and loaded? Every step, in order.

>>> import numpy as np
>>> from ms_ext import ops
>>> cube = ops.Custom(np.cbrt, lambda x: x, lambda x: x, "pyfunc")
>>> print(trace(cube))
the way of cbrt into the process: pyfunc has nothing to load
<BLANKLINE>
The function is an object of this process: no file, no symbol, no compiler.
<BLANKLINE>
"""

from ..engine import errors
from ..engine.custom.custom import Custom
from .card import Card
from .widgets import trace_page

#: What is said of a way that loads nothing.
NOTHING = {
    "pyfunc": "The function is an object of this process: no file, no symbol, no compiler.",
    "tbe": "The formula was read into built-in ops: nothing is loaded.",
    "mindir": "The graph was read from its file: its ops are built in, nothing else is loaded.",
}
NOT_YET = "Nothing has been looked for yet: that is done at the first call. Call the op once."


class Loading(Card):
    """The loader's steps: ``found`` is its record as data, None where nothing was loaded."""

    def __init__(self, op, found):
        self.op, self.found = op, found
        self.name, self.way = op.__name__, op.way.func_type
        self.note = "" if found else NOTHING.get(self.way, NOT_YET)
        self.title = f"the way of {self.name} into the process: {_ending(self)}"

    def text(self):
        """Step after step, then what came of them."""
        return trace_page.page(self)

    def html(self):
        """The same as a list of steps."""
        return trace_page.card(self)


def trace(op):
    """The steps of the loader for an ``ops.Custom``: paths tried, cache or compiler, symbol.

    If loading failed, the steps end where it did.
    """
    if not isinstance(op, Custom):
        raise errors.InvalidType(
            "viz.trace(op) shows how an ops.Custom was loaded.",
            given=f"{op!r:.60}",
            hint='Pass the op: op = ops.Custom("./my_ops.so:my_mul", ...); viz.trace(op).',
        )
    found = getattr(op.way, "trace", None)
    return Loading(op, found if found is not None and found.steps else None)


def _ending(loading):
    found = loading.found
    if found is None:
        return f"{loading.way} has nothing to load" if loading.way in NOTHING else "not yet"
    last = next((s for s in reversed(found.steps) if s.outcome in trace_page.BAD), None)
    if found.address is None and last is not None:
        return f"it ends at {last.kind}"
    return f"{len(found.steps)} step{'s' * (len(found.steps) != 1)}, {trace_page.took(found)}"
