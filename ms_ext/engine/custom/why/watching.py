"""Which ops did a function call, on which tensors, and which bprops ran on the way back?"""

import threading
from typing import NamedTuple

import numpy as np

from .... import context
from ... import primitive, tape
from ...gradients.gradient import value_and_grad
from ...tensor import Tensor, core
from ..gradient import CheckedBprop, MissingBprop, heard_by


class Called(NamedTuple):
    """One call of an op. ``moving``: which operands the tape follows; ``recorded``: its result."""

    op: object
    operands: tuple
    attributes: dict
    results: tuple
    moving: tuple
    recorded: bool

    @property
    def is_custom(self):
        """Whether it is an ``ops.Custom``."""
        return isinstance(self.op.bprop, CheckedBprop | MissingBprop)


class Run(NamedTuple):
    """A gradient that was taken. ``arguments``: as the function got them; ``outputs``: tensors of
    its result; ``heard``: {id of a bprop: whether anything but zeros came back to it}; ``error``:
    what was raised, or None.
    """

    calls: list
    arguments: tuple
    outputs: tuple
    heard: dict
    error: Exception | None


def run(fn, inputs, grad_position, weights):
    """Take the gradient in eager mode, watched."""
    calls, taken, heard = [], {"arguments": (), "outputs": ()}, {}
    here = threading.get_ident()

    def watched(*arguments):
        taken["arguments"] = arguments
        with primitive.interpreting(see):
            out = fn(*arguments)
        taken["outputs"] = tuple(tape.tensors_in(out))
        return out

    def see(op, operands, attributes):
        moving = tuple([core.slot_of(value) >= 0 for value in operands])
        result = core.default(op, operands, attributes)
        results = tuple(tape.tensors_in(result))
        recorded = any(core.slot_of(value) >= 0 for value in results)
        calls.append(Called(op, tuple(operands), attributes, results, moving, recorded))
        return result

    def hear(rule, in_graph, dout):
        if threading.get_ident() == here:
            heard[id(rule)] = heard.get(id(rule), False) or in_graph or _moves(dout)

    error = _attempt(watched, inputs, grad_position, weights, hear, context.PYNATIVE_MODE)
    return Run(calls, taken["arguments"], taken["outputs"], heard, error)


def compiled(fn, inputs, grad_position, weights):
    """(ids of the bprops that became part of the graph, what was raised or None)."""
    heard = set()

    def hear(rule, in_graph, _dout):
        if in_graph:
            heard.add(id(rule))

    error = _attempt(fn, inputs, grad_position, weights, hear, context.GRAPH_MODE)
    return heard, error


def _attempt(fn, inputs, grad_position, weights, hear, mode):
    """Take the gradient in a mode; what is raised is part of the answer."""
    before = context.get_context("mode")
    context.set_context(mode=mode)
    try:
        with heard_by(hear):
            value_and_grad(fn, grad_position, weights)(*inputs)
    except Exception as error:
        return error
    finally:
        context.set_context(mode=before)
    return None


def _moves(dout):
    each = dout if isinstance(dout, tuple) else (dout,)
    return any(bool(np.any(d.asnumpy())) for d in each if isinstance(d, Tensor))
