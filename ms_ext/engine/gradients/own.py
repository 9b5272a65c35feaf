"""How does a function that brings its own gradient take part in eager mode?

Its calls are not recorded. One entry of the tape stands for all of it, and on the way back the
learner's ``bprop(*inputs, out, dout)`` is asked. What the function reads besides its inputs, as a
Parameter, gets no gradient through it.

>>> from ms_ext import grad
>>> def clipped(x):
...     return with_own_gradient("clipped", lambda x: x * x, (x,), lambda x, out, dout: (dout * 5,))
>>> grad(clipped)(Tensor(2.0))
Tensor(shape=[], dtype=Float32, value= 5)
"""

import contextlib

from .. import errors, tape
from ..frontend.values import mapped
from ..tensor import Tensor, core

TOO_FEW = "Grad size should lager than forward inputs, but got {} vs {}"
NOTHING = "The python function output is none."


@contextlib.contextmanager
def unrecorded():
    """Inside, this thread records nothing; gives whether it would have.

    >>> with unrecorded() as wanted:
    ...     bool(wanted)
    False
    """
    before = core.set_recording(False)
    try:
        yield before
    finally:
        core.set_recording(before)


def with_own_gradient(name, function, inputs, bprop):
    """``function(*inputs)``; its gradient is what ``bprop(*inputs, out, dout)`` returns.

    That is one gradient for each input, in a tuple or list: None for none, further ones are not
    looked at. ``out`` and ``dout`` are built as the result is. Errors: RuntimeError for too few,
    TypeError where nothing is returned.
    """
    with unrecorded() as wanted:
        out = function(*inputs)
    if not wanted:
        return out
    entered = []
    before = tuple(tape.tensors_in(inputs))
    pull = _Pull(name, inputs, bprop, entered)
    found = tape.record(name, before, tuple(tape.tensors_in(out)), pull, saved=before)
    entered.append(rebuilt(out, found))
    return entered[0]


def rebuilt(value, tensors):
    """A structure like ``value`` with these tensors in the places of its own."""
    tensors = iter(tensors)
    return mapped(lambda v: next(tensors) if isinstance(v, Tensor) else v, value)


class _Pull:
    """The way back: from the gradients of the results' tensors to those of the inputs'."""

    def __init__(self, name, inputs, bprop, entered):
        self.name, self.inputs, self.bprop, self.entered = name, inputs, bprop, entered

    def __call__(self, *douts):
        out = self.entered[0]
        given = self.bprop(*self.inputs, out, rebuilt(out, douts))
        if given is None:
            raise errors.InvalidType(
                NOTHING,
                given=f"the bprop of '{self.name}'",
                hint="Return one gradient per input, in order: `return dx, dy`.",
            )
        gradients = given if isinstance(given, tuple | list) else (given,)
        if len(gradients) < len(self.inputs):
            raise errors.NotRunnable(
                TOO_FEW.format(len(gradients), len(self.inputs)),
                given=f"the bprop of '{self.name}'",
                hint="Return one gradient per input, in order: `return dx, dy`.",
            )
        pairs = zip(self.inputs, gradients, strict=False)
        return [each for value, gradient in pairs for each in _of_leaves(value, gradient)]


def _of_leaves(value, gradient):
    """The gradient of each tensor in an input: that of a tuple is built as the tuple is."""
    if isinstance(value, Tensor):
        yield gradient
    elif isinstance(value, tuple | list):
        several = isinstance(gradient, tuple | list) and len(gradient) == len(value)
        parts = gradient if several else [None] * len(value)
        for one, part in zip(value, parts, strict=True):
            yield from _of_leaves(one, part)
    elif isinstance(value, dict):
        parts = gradient if isinstance(gradient, dict) else {}
        for key, one in value.items():
            yield from _of_leaves(one, parts.get(key))
