"""What if a bprop asks for elements while a graph is built? It runs outside, when the graph runs.

``asnumpy()``, ``float()``, an ``if`` on a tensor, a function of NumPy's: a symbol has no elements.
What was written of the bprop until then is left out, and one op stands in its place: its body calls
the bprop with tensors. No pass sees into it, and no gradient goes through it.
"""

import inspect

import numpy as np

from .. import errors, events
from ..frontend.effects import python_value
from ..symbol import UNKNOWN

REASON = "a bprop that asks for elements runs in Python"


def unless_it_asks(name, bprop, read, inputs, out, dout):
    """``read(inputs, out, dout)``: gradients of symbols; if it asks for elements, those of an op.

    ``read`` calls ``bprop``, which is that of the op ``name``.
    """
    try:
        return read(inputs, out, dout)
    except errors.MsExtError as error:
        if error.message != UNKNOWN:
            raise
    if events.on:
        now = events.now()
        events.emit("fallback", getattr(bprop, "__name__", "bprop"), now, now)
    return _when_it_runs(name, bprop, read, inputs, out, dout)


def _when_it_runs(name, bprop, read, inputs, out, dout):
    from .custom import Custom  # it is made of a bprop's rule, and here of a bprop

    several, count = isinstance(out, tuple), len(inputs)
    given = (*inputs, *out, *dout) if several else (*inputs, out, dout)
    kinds = [symbol.abstract for symbol in given]
    first_dout = count + (len(out) if several else 1)

    def function(*arrays):
        values = tuple(map(python_value, arrays, kinds))
        outs, douts = values[count:first_dout], values[first_dout:]
        last = (outs, douts) if several else (*outs, *douts)
        found = read(values[:count], *last)
        return tuple(map(_as_array, found, kinds[:count], values[:count]))

    def shapes(*known):
        return tuple([list(shape) for shape in known[:count]])

    dtypes = tuple([kind.dtype for kind in kinds[:count]])
    return Custom(_standing_for(bprop, function, name), shapes, dtypes)(*given)


def _standing_for(bprop, function, name):
    """``function`` with the name and the place of the bprop that it calls."""
    function.__signature__ = inspect.signature(function)  # its own, whatever it stands for
    function.__wrapped__, function.is_bprop_of, function.reason = bprop, name, REASON
    for word in ("__name__", "__module__", "__doc__"):
        setattr(function, word, getattr(bprop, word, getattr(function, word)))
    return function


def _as_array(gradient, kind, given):
    """What flows back to an input as an array of its kind; None is zeros."""
    if gradient is None:
        return np.zeros(getattr(given, "shape", ()), kind.dtype.numpy)
    array = np.asarray(gradient.asnumpy() if hasattr(gradient, "asnumpy") else gradient)
    is_number = kind.weak or not hasattr(gradient, "asnumpy")
    return array.astype(kind.dtype.numpy) if is_number else array
