"""Did a custom op's bprop return what it must? One gradient per input, of its shape and dtype.

``bprop(*inputs, out, dout)``; with several results ``out`` and ``dout`` are tuples. A bprop that
names every result, ``bprop(x, out1, out2, dout1, dout2)``, gets them one by one. What MindSpore
would make of it says ``as_mindspore``.
"""

import functools
import inspect

from .. import errors, strict
from ..ir import Where
from ..symbol import Symbol
from ..tensor import Tensor
from . import as_mindspore, outside

WAY_OUT = "Return one gradient per input, in order: `return dx, dy`."

_VARIADIC = inspect.Parameter.VAR_POSITIONAL
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def place(function):
    """Where a function of the learner's begins: a Where, or None if Python does not know."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return Where(code.co_filename, code.co_firstlineno) if code is not None else None


def parameters(function):
    """(fewest, most) positional arguments a function takes; most is None for ``*args``.

    >>> parameters(lambda x, y=1: x), parameters(lambda *xs: xs)
    ((1, 2), (0, None))
    """
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some builtins and ufuncs do not say
        return (0, None)
    if any(p.kind is _VARIADIC for p in found):
        return (0, None)
    named = [p for p in found if p.kind in _POSITIONAL]
    return sum(p.default is p.empty for p in named), len(named)


def missing(name, function):
    """A bprop for an op that has none: it says so when a gradient is asked for."""
    of = getattr(function, "is_bprop_of", None)
    return MissingBprop(name) if of is None else Underivable(of, function)


class MissingBprop:
    """What stands for the bprop of an op that was given none."""

    def __init__(self, name):
        self.name = name

    def __call__(self, *received):
        in_graph = _in_graph(received[-1])
        if strict.on():
            raise errors.NotRunnable(
                as_mindspore.NO_BPROP_IN_GRAPH if in_graph else as_mindspore.NO_BPROP
            )
        raise errors.NotRunnable(
            "Illegal primitive: Primitive Custom's bprop not defined.",
            given=f"a gradient is asked for through '{self.name}'",
            hint="Give one: ops.Custom(..., bprop=f) with `def f(x, y, out, dout): return dx, dy`.",
        )


class Underivable(MissingBprop):
    """What stands for the bprop of a bprop that runs outside of its graph."""

    def __init__(self, name, function):
        super().__init__(name)
        self.place = place(function)

    def __call__(self, *received):
        if strict.on():
            raise errors.NotRunnable(as_mindspore.NO_SECOND_IN_GRAPH)
        raise errors.NotRunnable(
            f"The bprop of '{self.name}' asks for elements, so in a graph it runs in Python, and "
            "no gradient goes through it.",
            given="a gradient of its gradient is asked for",
            hint="Write it with ops and Tensor methods alone, without asnumpy(), float(), `if` on "
            "a tensor and NumPy: then it is part of the graph, and has a gradient itself.",
            where=self.place,
        )


class heard_by:
    """Within the block ``listener(rule, in_graph, dout)`` hears of each CheckedBprop's calls."""

    def __init__(self, listener):
        self.listener = listener

    def __enter__(self):
        _listeners.append(self.listener)

    def __exit__(self, *_error):
        _listeners.remove(self.listener)


_listeners: list = []


class CheckedBprop:
    """The learner's bprop, with what it returns looked at before it is used."""

    def __init__(self, name, bprop, single_operands):
        self.name, self.bprop, self.single = name, bprop, single_operands

    def __call__(self, *received):
        *inputs, out, dout = received
        inputs = tuple(inputs if self.single else inputs[0])
        in_graph = _in_graph(dout)
        for listener in tuple(_listeners):
            listener(self, in_graph, dout)
        if strict.on():
            return as_mindspore.gradients(self.name, self.bprop, inputs, out, dout, in_graph)
        if not in_graph:
            return self._right(inputs, out, dout, False)
        read = functools.partial(self._right, in_graph=True)
        return outside.unless_it_asks(self.name, self.bprop, read, inputs, out, dout)

    def _right(self, inputs, out, dout, in_graph):
        """What the bprop returns, if it is one gradient per input, of its shape and dtype."""
        gradients = self.returned(inputs, out, dout)
        if strict.checks_bprop():
            as_mindspore.check(gradients, inputs, in_graph, WAY_OUT, place(self.bprop))
        if len(gradients) != len(inputs):
            raise self._wrong_count(gradients, inputs)
        for number, (gradient, given) in enumerate(zip(gradients, inputs, strict=True)):
            self._check(number, gradient, given)
        return gradients

    def returned(self, inputs, out, dout):
        """What the bprop returns, as a tuple; only its count of arguments is looked at."""
        return self._as_tuple(self._call(inputs, out, dout), inputs)

    def _call(self, inputs, out, dout):
        fewest, most = parameters(self.bprop)
        count, several = len(inputs), isinstance(out, tuple)
        if several and len(out) > 1 and fewest <= count + 2 * len(out) <= (most or 0) != count + 2:
            return self.bprop(*inputs, *out, *dout)
        if not fewest <= count + 2 <= (count + 2 if most is None else most):
            raise errors.InvalidType(
                f"The bprop of '{self.name}' cannot be called with {count + 2} arguments.",
                given=f"{getattr(self.bprop, '__name__', 'bprop')}{inspect.signature(self.bprop)}",
                hint=f"It gets {count} input(s), then `out`, then `dout`"
                + (", both tuples." if several else "."),
                where=place(self.bprop),
            )
        return self.bprop(*inputs, out, dout)

    def _as_tuple(self, returned, inputs):
        if isinstance(returned, tuple | list):
            return tuple(returned)
        if returned is None:
            raise errors.InvalidType(
                f"For '{self.name}', the python function output is none: bprop returned nothing.",
                given=f"inputs: {_listed(inputs)}",
                hint=WAY_OUT,
                where=place(self.bprop),
            )
        return (returned,)

    def _wrong_count(self, gradients, inputs):
        got, wanted = len(gradients), len(inputs)
        there = as_mindspore.FEW.format(got, wanted).partition(". ")[0]
        return errors.GradientCount(
            f"For 'Custom', the number of gradients returned from bprop should be {wanted}: bprop "
            f"returned {got} gradient{'s' * (got != 1)} but the op has {wanted} "
            f"input{'s' * (wanted != 1)}.",
            given=f"returned: {_listed(gradients)}      inputs: {_listed(inputs)}",
            hint=f"{WAY_OUT}\nMindSpore "
            + (f"says: {there}." if got < wanted else "takes no notice of further gradients."),
            where=place(self.bprop),
        )

    def _check(self, number, gradient, given):
        if gradient is None or not _is_tensor(given) or _fits_number(gradient, given):
            return
        if not _is_tensor(gradient):
            raise self._wrong(errors.InvalidType, number, "kind", gradient, given)
        if tuple(gradient.shape) != tuple(given.shape):
            raise self._wrong(errors.InvalidValue, number, "shape", gradient, given)
        if gradient.dtype is not given.dtype:
            raise self._wrong(errors.InvalidType, number, "dtype", gradient, given)

    def _wrong(self, kind, number, what, gradient, given):
        words = "is no tensor" if what == "kind" else f"has another {what} than it"
        return kind(
            f"The {what} of gradient should be same as corresponding input: for 'Custom', the "
            f"gradient that bprop returned for input {number} {words}.",
            given=f"returned: {_kind(gradient)}      input {number}: {_kind(given)}",
            hint="A gradient has its input's shape and dtype: sum what was broadcast, cast back.\n"
            "MindSpore hands it on as it is, unless set_context(check_bprop=True) has it look.",
            where=place(self.bprop),
        )


def _in_graph(dout):
    return isinstance(dout[0] if isinstance(dout, tuple) else dout, Symbol)


def _is_tensor(value):
    """A Tensor, or a symbol of one while a graph is being built: a number's is weak."""
    return isinstance(value, Tensor) or (hasattr(value, "abstract") and not value.abstract.weak)


def _fits_number(gradient, given):
    return isinstance(gradient, int | float) and given.shape == () and given.dtype.kind == "float"


def _kind(value):
    if not _is_tensor(value):
        return f"{value!r:.30}"
    return f"{value.dtype}{list(value.shape)}"


def _listed(values):
    inner = ", ".join(map(_kind, values))
    return f"({inner},)" if len(values) == 1 else f"({inner})"
