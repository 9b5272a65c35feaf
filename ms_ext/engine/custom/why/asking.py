"""``ms.why_no_gradient(fn, *inputs)``: was the bprop of each custom op called, and if not, why?

>>> import ms_ext as ms
>>> from ms_ext import ops, Tensor
>>> double = ops.Custom(lambda a: 2 * a, lambda x: x, lambda t: t, bprop=lambda x, out, d: 2 * d)
>>> double.__name__ = "double"
>>> found = ms.why_no_gradient(lambda x: ops.stop_gradient(double(x)) + x, Tensor([1.0, 2.0]))
>>> bool(found), found.ops[0].ran, found.ops[0].sentence
(False, False, 'Its result goes through stop_gradient: nothing flows back.')
"""

import inspect

from .... import context
from ...frontend.naming import name_of
from ..custom import Custom
from ..gradient import MissingBprop
from . import reasons
from .answer import BpropAnswer, NoGradient
from .watching import compiled, run


def why_no_gradient(fn, *inputs, op=None, grad_position=0, weights=None):
    """Take the gradient of ``fn`` at these inputs, watched, and say what became of each bprop.

    ``op``: the custom op that is asked about; by default all that the function calls or knows by a
    name. ``grad_position`` and ``weights`` are those of ``ms.grad``. The function runs in eager
    mode, and in graph mode (``set_context``) its gradient is compiled, too. An error that it raises
    is told as a reason.

    >>> from ms_ext import Tensor
    >>> why_no_gradient(lambda x: x * x, Tensor([1.0]))
    gradient of <lambda> (eager): it calls no ops.Custom, and none was named (op=...).
    """
    asked = (fn, inputs, grad_position, weights)
    watched = run(*asked)
    in_graph = context.get_context("mode") == context.GRAPH_MODE
    graph = compiled(*asked) if in_graph else None
    customs = [op] if op is not None else _customs(fn, watched)
    answers = [_Asked(fn, inputs, watched, graph, each).answer() for each in customs]
    return NoGradient(
        name_of(fn, type(fn).__name__), "graph" if in_graph else "eager", tuple(answers)
    )


class _Asked:
    """One op, and what is known of the run."""

    def __init__(self, fn, inputs, watched, graph, custom):
        self.fn, self.inputs, self.run, self.graph, self.custom = fn, inputs, watched, graph, custom
        rule = custom.op.bprop
        self.calls = [call for call in watched.calls if call.op.bprop is rule]
        heard = watched.heard if graph is None else graph[0]
        self.error = watched.error if graph is None else graph[1]
        # a graph has both branches, and what nobody asks for until it is thrown away
        moving = any(any(call.moving) for call in self.calls)
        self.ran = id(rule) in heard and (moving or id(rule) in watched.heard)
        self.came = watched.heard.get(id(rule))  # None: in eager mode the bprop did not run

    def answer(self):
        """The op's BpropAnswer."""
        mode = "eager" if self.graph is None else "graph"
        reason, sentence = self.reason()
        name = getattr(self.custom, "__name__", self.custom.op.name)
        return BpropAnswer(name, self.reached, self.ran, mode, reason, sentence)

    @property
    def reached(self):
        """Whether the function called it; compiled code inside it is seen on the way back only."""
        return bool(self.calls) or self.ran

    def reason(self):
        """(code, sentence)."""
        if isinstance(self.custom.op.bprop, MissingBprop) and self._is_asked():
            return "no-bprop", "It has none: ops.Custom(..., bprop=f)."
        if self.ran:
            return self._ran()
        if not self.calls:
            return self._not_called()
        if self.error is not None and (self.graph is None or self.run.error is not None):
            return "raised", f"Before it came to that: {_said(self.error)}"
        if not any(any(call.moving) for call in self.calls):
            return reasons.before(self.run, self.calls)
        if self.graph is not None and id(self.custom.op.bprop) in self.run.heard:
            return self._eager_only()
        return reasons.after(self.run, self.calls)

    def _is_asked(self):
        return any(any(call.moving) for call in self.calls) and self.error is not None

    def _ran(self):
        if self.error is not None:
            return "raised", f"But then: {_said(self.error)}"
        if self.came is None and self.calls:
            code, sentence = reasons.after(self.run, self.calls)
            return code, f"But only zeros come back to it. {sentence}"
        if self.came is False:
            return "zero-dout", "But what came back to it is zero everywhere, so is what it gave."
        return reasons.in_vain(self.run, self.calls) or ("ran", "")

    def _eager_only(self):
        if self.error is not None:
            return "raised", f"In eager mode it runs; compiling raises: {_said(self.error)}"
        return "mode", "In eager mode it runs; the graph has no way back through it."

    def _not_called(self):
        if self.run.error is not None:
            return "raised", f"Before it came to that: {_said(self.run.error)}"
        if getattr(self.custom, "meaning", None) is not None:
            return "composed", "It is made of ops that have gradients: theirs are taken."
        if _is_evaluating(self.fn) and self._is_called_in_training():
            return "not-training", "It is called in training only: set_train(), then the gradient."
        return "not-reached", (
            "The function does not call it for these inputs. (What was compiled before is not "
            "looked into.)"
        )

    def _is_called_in_training(self):
        """Whether the Cell calls it once it trains; it runs once for that, and is set back."""
        self.fn.set_train(True)
        try:
            again = run(self.fn, self.inputs, 0, None)
        finally:
            self.fn.set_train(False)
        return any(call.op.bprop is self.custom.op.bprop for call in again.calls)


def _is_evaluating(fn):
    return hasattr(fn, "set_train") and not fn.training


def _customs(fn, watched):
    """The custom ops that were called, in order, then those that the function knows by a name."""
    known = {id(each.op.bprop): each for each in _named(fn)}
    found = {}
    for call in watched.calls:
        if call.is_custom:
            rule = id(call.op.bprop)
            found.setdefault(rule, known.get(rule) or _Unnamed(call.op))
    return list({**found, **{rule: known[rule] for rule in known if rule not in found}}.values())


class _Unnamed:
    """A custom op that was called and is known by its Op only."""

    def __init__(self, op):
        self.op, self.__name__ = op, op.name.removeprefix("Custom.")


def _named(fn):
    """The custom ops in a Cell's attributes, or among the names that a function's code uses."""
    if hasattr(fn, "cells_and_names"):
        values = [value for _, cell in fn.cells_and_names() for value in vars(cell).values()]
    elif isinstance(fn, Custom):
        values = [fn]
    else:
        values = _values_of(inspect.unwrap(fn))
    return [value for value in values if isinstance(value, Custom)]


def _values_of(function):
    try:
        found = inspect.getclosurevars(function)
    except TypeError:  # no Python function
        return []
    return [*found.nonlocals.values(), *found.globals.values()]


def _said(error):
    """An error in one line."""
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}".rstrip(
        ": "
    )
