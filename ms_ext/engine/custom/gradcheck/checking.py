"""``ms.gradcheck(op, *inputs)``: is what a bprop returns the gradient of what the op computes?

Each element of each input is moved a little; how the results move is the gradient as it must be.
The results are weighed with random numbers, which come to the bprop as ``dout``.

>>> import ms_ext as ms
>>> from ms_ext import ops, Tensor
>>> def my_mul_bprop(x, y, out, dout):
...     return dout * y, -dout * x
>>> my_mul = ops.Custom(lambda x, y: x * y, lambda x, y: x, lambda x, y: x, bprop=my_mul_bprop)
>>> found = ms.gradcheck(my_mul, Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
>>> bool(found), found["x"].passed, found["y"].cause
(False, True, 'sign')
"""

import numpy as np

from .... import context
from ... import errors
from ...frontend.naming import name_of, parameter_names
from ..gradient import parameters
from . import causes, taking
from .differences import moved
from .evidence import Evidence
from .measuring import KINDS, ROUNDING, array_of, is_float, measured, results
from .result import Gradcheck, InputCheck


def gradcheck(fn, *inputs, step=None, tolerance=None, seed=0):
    """Compare the gradients of ``fn`` at these inputs with central differences: a ``Gradcheck``.

    ``fn``: a custom op, a function or a Cell that returns a tensor or a tuple of tensors. Inputs
    that are tensors of floats are checked, at most 600 elements each; others are passed on. The
    gradient is taken in the current mode (``set_context``). Differences are measured in float64 if
    the function gives the same there, else in its own dtype with a larger ``step``; ``tolerance``
    is relative to the gradient's largest element.

    A wrong gradient, or a bprop that raises, is told in the result. Errors: those of ``fn`` itself;
    TypeError where there is nothing to check, RuntimeError for a function that is not the same
    twice, ValueError for an input that is too large.

    >>> from ms_ext import Tensor
    >>> gradcheck(lambda x: x * x, Tensor([[3.0, 4.0]])).passed
    True
    """
    places = [at for at, value in enumerate(inputs) if is_float(value)]
    if not places:
        raise errors.InvalidType(
            "gradcheck needs an input that is a tensor of floats.",
            given=f"({', '.join(type(value).__name__ for value in inputs)})",
            hint="gradcheck(op, Tensor([[1.0, 2.0]]), ...): the op, then its inputs.",
        )
    check = _Check(fn, inputs, places, step, tolerance, seed)
    mode = "graph" if context.get_context("mode") == context.GRAPH_MODE else "eager"
    name = name_of(fn, type(fn).__name__)
    found, raised = taking.gradients(fn, inputs, places, check.out, check.douts)
    if found is None:
        return Gradcheck(name, mode, (), raised)
    return Gradcheck(name, mode, tuple([check.of_input(at, one) for at, one in enumerate(found)]))


class _Check:
    """What the function itself says at these inputs. ``places``: those that move."""

    def __init__(self, fn, inputs, places, step, tolerance, seed):
        self.given = [inputs[at] for at in places]
        self.places, self.names = places, _names(fn, len(inputs), places)
        self.measured = measured(fn, inputs, places)
        self.rounding, usual, own = KINDS[self.measured.dtype]
        self.step = step or usual
        self.out = fn(*inputs)
        outs = results(lambda: self.out, ())
        self.douts = taking.douts(outs, seed)
        floats = [array_of(d) for d in self.douts if d.dtype.kind == "float"]
        self.weights = tuple([array.astype(np.float64) for array in floats])
        kinds = [t.dtype.numpy.name for t in (*outs, *self.given) if t.dtype.kind == "float"]
        self.tolerance = tolerance or max(own, *[ROUNDING[kind] for kind in kinds])
        self.slopes = [self.slope(at, self.weights) for at in range(len(places))]

    def slope(self, at, douts):
        """The differences for one of the inputs that move."""
        return moved(self.measured.forward, self.measured.arrays, at, douts, self.step)

    def of_input(self, at, gradient):
        """The InputCheck of one of them, for this gradient, a Tensor or None."""
        numeric, given = self.slopes[at].slope, self.given[at]
        analytic = None if gradient is None else array_of(gradient).astype(np.float64)
        got = np.zeros(numeric.shape) if gradient is None else analytic
        room, kinks = self._room(self.slopes[at]), np.zeros(numeric.shape, bool)
        difference = got - numeric if got.shape == numeric.shape else None
        if difference is not None:
            apart = ~(np.abs(difference) <= room)
            kinks = apart & _between(self.slopes[at], got, room)
        passed = difference is not None and not (apart & ~kinks).any()
        name, sentence = ("", "") if passed else causes.cause(self._evidence(at, analytic))
        if gradient is not None and gradient.dtype is not given.dtype:
            passed, name = False, name or "dtype"
            dtypes = f"Its dtype is {gradient.dtype}, its input's {given.dtype}: cast it back."
            sentence = dtypes if name == "dtype" else f"{sentence} {dtypes}"
        return InputCheck(
            self.names[at], self.places[at], passed, numeric, analytic, difference, room,
            None if passed or difference is None else _worst(difference, room, kinks),
            kinks, name, sentence, str(given.dtype), self.measured.dtype,
        )  # fmt: skip

    def _room(self, slope):
        largest = np.abs(slope.slope).max(initial=0.0)
        room = self.tolerance * np.maximum(np.abs(slope.slope) + largest, slope.reach)
        return room + 8 * self.rounding * slope.noise + 1e-30

    def _evidence(self, at, analytic):
        return Evidence(
            analytic, self.slopes[at].slope, at, self.names,
            tuple([each.slope for each in self.slopes]),
            tuple([array.astype(np.float64) for array in self.measured.arrays]),
            tuple([out.astype(np.float64) for out in self.measured.outs]),
            self.weights, lambda douts: self.slope(at, douts).slope, 4 * self.tolerance,
        )  # fmt: skip


def _names(fn, count, places):
    """As the bprop calls the inputs, or else the function; x0, x1 where neither says."""
    bprop = getattr(fn, "bprop", None)
    said = callable(bprop) and parameters(bprop)[1] is not None
    named = parameter_names(bprop if said else fn, count)
    return tuple([named[at] for at in places])


def _between(slope, got, room):
    """Where the function has a kink, and the gradient is a slope between its two sides."""
    low, high = np.minimum(slope.left, slope.right), np.maximum(slope.left, slope.right)
    sharp = high - low > 0.05 * (np.abs(low) + np.abs(high))
    return sharp & (got >= low - room) & (got <= high + room)


def _worst(difference, room, kinks):
    """The index of the element that is furthest beyond what is allowed; what is no number first."""
    if not difference.size:
        return None
    beyond = np.where(kinks, 0.0, np.abs(difference) / room)
    beyond = np.where(np.isfinite(difference), beyond, np.inf)
    return tuple(map(int, np.unravel_index(int(np.argmax(beyond)), difference.shape)))
