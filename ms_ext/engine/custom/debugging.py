"""What went into a custom op, and what came out, call by call? The text that ``debug`` prints.

>>> from ms_ext import Tensor
>>> call = Call("Custom(twice)", [Tensor([1.0, 2.0]), 3], "task.py:4")
>>> print(call.text(Tensor([2.0, 4.0])))
Custom(twice) called at task.py:4
    input 0: Float32[2]  min 1  max 2  mean 1.5  first 1, 2
    input 1: 3
    result: Float32[2]  min 2  max 4  mean 3  first 2, 4
"""

import numpy as np

from ..stages import calling_place, line_of
from ..tensor import Tensor

FIRST = 6  # elements that are shown


class Call:
    """A call that is about to happen: its inputs are shown as they are now."""

    def __init__(self, name, inputs, place):
        self._lines = [f"{name} called at {place}" if place else f"{name} called"]
        self._lines += [f"    input {i}: {shown(value)}" for i, value in enumerate(inputs)]

    def text(self, result):
        """All lines. What is known only when a graph runs is shown as its type."""
        several = isinstance(result, tuple)
        results = result if several else (result,)
        words = [f"result {i}" for i in range(len(results))] if several else ["result"]
        told = [f"    {word}: {shown(v)}" for word, v in zip(words, results, strict=True)]
        return "\n".join([*self._lines, *told])


class Telling:
    """What a graph calls when it runs: it tells of one call of an op."""

    def __init__(self, printer, name, place):
        self._printer, self._name, self._place = printer, name, place
        self.__name__ = f"debug of {name}"

    def __call__(self, inputs, result):
        self._printer(Call(self._name, inputs, self._place).text(result))


def here():
    """The learner's line that is running."""
    place = calling_place()
    return line_of(place) if place else None


def shown(value):
    """A value in a line: dtype, shape, least, greatest, mean and first elements.

    >>> shown(Tensor([float("nan"), 1.0]))
    'Float32[2]  min 1  max 1  mean 1  1 not finite  first nan, 1'
    >>> shown(Tensor([])), shown(True)
    ('Float32[0]  no elements', 'True')
    """
    if hasattr(value, "abstract"):
        return f"{value.abstract}, known when the graph runs"
    if not isinstance(value, Tensor):
        return f"{value!r:.60}"
    head, array = f"{value.dtype}{list(value.shape)}", value.asnumpy()
    if not array.size:
        return f"{head}  no elements"
    first = ", ".join([_element(each) for each in array.ravel()[:FIRST]])
    more = ", ..." if array.size > FIRST else ""
    return f"{head}  {_spread(array)}first {first}{more}"


def _spread(array):
    if array.dtype.kind in "bc":
        return ""
    wide = array.astype(np.float64)
    finite = wide[np.isfinite(wide)]
    odd = array.size - finite.size
    note = f"{odd} not finite  " if odd else ""
    if not finite.size:
        return note
    low, high, mean = finite.min(), finite.max(), finite.mean()
    return f"min {low:.6g}  max {high:.6g}  mean {mean:.6g}  {note}"


def _element(value):
    value = value.item()
    return f"{value:.6g}" if isinstance(value, float) else str(value)
