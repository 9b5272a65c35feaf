"""``vjp``: the outputs of a function, and the function that goes back from them.

>>> from ms_ext import Tensor
>>> out, back = vjp(lambda x: x * x, Tensor([1.0, 2.0]))
>>> back(Tensor([1.0, 10.0]))
(Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  4.00000000e+01]),)
"""

import warnings

from ... import context
from .. import errors
from ..frontend import handles
from ..frontend.tracing import tracer_of
from ..ir import Node
from ..symbol import Symbol
from ..tensor import Tensor
from .answers import answered
from .gradient import Gradient, bound, with_weights_as_given
from .options import ALL, Wanted, check_aux_option, check_callable, checked_weights
from .read_calls import ReadCall, SplitCall
from .recording import Recording
from .seeds import counted, tensors_with_sens

AUX_MISSING = "When 'has_aux' is True, origin 'fn' requires more than one outputs."


def vjp(fn, *inputs, weights=None, has_aux=False):
    """``(outputs, back)`` of ``fn(*inputs)``; ``back(*v)`` gives a tuple of the inputs' gradients.

    ``v`` weighs the outputs: a tensor for each, of its shape and dtype, one by one or in a tuple.
    With ``weights`` (a Parameter, or a tuple or list of them) it is ``(those of the inputs, those
    of the weights)``. With ``has_aux`` only the first output counts, and the others come third:
    ``(output, back, others)``.

    The function is called once, and what it left for the way back is kept as long as ``back``;
    only where ``back`` is called inside another gradient than ``vjp``, it is called anew, with a
    RuntimeWarning. TypeError: an input or a ``v`` that is no tensor. ValueError: ``has_aux`` for a
    function with one output.

    >>> from ms_ext import Tensor
    >>> out, back = vjp(lambda x, y: (x * y, x + y), Tensor(2.0), Tensor(3.0))
    >>> [float(d) for d in back(Tensor(1.0), Tensor(10.0))]
    [13.0, 12.0]
    """
    wanted = _asked(fn, inputs, weights, has_aux)
    tracer = tracer_of(inputs)
    if tracer is not None:
        found = tracer.graph_call(_InGraph(fn, wanted), inputs, {})
        found[1].tracer = tracer
        return found
    if context.get_context("mode") == context.GRAPH_MODE:
        return handed_over(fn(*inputs), Pullback(fn, inputs, wanted), has_aux)
    back = RecordedPullback(fn, inputs, wanted)
    return handed_over(back.run(), back, has_aux)


def _asked(fn, inputs, weights, has_aux):
    check_callable(fn)
    _check_tensors(inputs)
    check_aux_option(has_aux)
    return Wanted(ALL, checked_weights(weights), has_aux, sens=True, together=True)


def _check_tensors(values, structures=tuple | list):
    for value in values:
        if not isinstance(value, Tensor | Node | Symbol | structures):
            raise errors.InvalidType(
                "The inputs type must be Tensor.",
                given=f"{value!r:.60} of type {type(value).__name__}",
                hint="Wrap it: Tensor(...).",
            )


def handed_over(result, back, has_aux):
    """``(outputs, back)``, or ``(output, back, the others)``: one of them bare."""
    if not has_aux:
        return result, back
    first, rest = apart(result)
    return first, back, rest


def apart(result):
    """The output that counts and the others: one of them bare, several in a tuple."""
    if not isinstance(result, tuple) or len(result) < 2:
        raise errors.InvalidValue(
            AUX_MISSING,
            given=f"a function that returned a {type(result).__name__}",
            hint="Return a tuple, `return loss, more`, or leave has_aux=True away.",
        )
    return result[0], result[1] if len(result) == 2 else result[1:]


class Pullback:
    """``back(*v)``: the gradients of the inputs, and of the weights, weighed with ``v``."""

    def __init__(self, fn, inputs, wanted):
        self.fn, self.inputs, self.wanted = fn, inputs, wanted

    def __call__(self, *v):
        found = Gradient(self.fn, self.wanted)(*self.inputs, _sens(v))
        return found[0] if self.wanted.has_aux else found

    def __repr__(self):
        return f"<pullback of {getattr(self.fn, '__name__', self.fn)}>"


def _sens(v):
    """What weighs the outputs: a tensor, or a tuple of them."""
    _check_tensors(v, tuple | list | dict)
    return v[0] if len(v) == 1 else tuple(v)


class RecordedPullback(Pullback):
    """The same on the tape: what the function's call left there is kept as long as this is."""

    def __init__(self, fn, inputs, wanted):
        super().__init__(fn, inputs, wanted)
        self.places = range(len(inputs))
        self.kept = self._recording()

    def _recording(self):
        return Recording(self.fn, self.inputs, {}, self.places, self.wanted.parameters)

    def run(self):
        """The outputs."""
        return self.kept.run_aside().outputs

    def __call__(self, *v):
        sens, call = _sens(v), self.kept
        if not call.taken_up():
            call = self._recording()
            warnings.warn(
                "This function of vjp is called where another gradient is taken than where it was "
                "made: its function is calculated again.",
                RuntimeWarning,
                stacklevel=2,
            )
        with call:
            begin = counted(call.outputs, self.wanted.has_aux)
            call.walked_back(*tensors_with_sens(begin, sens), keep=True)
            found = [(place, call.of_input(place)) for place in self.places]
            by_weight = list(map(call.of_weight, self.wanted.parameters))
        by_input = [pair for pair in found if pair[1] is not None]
        wanted = self.wanted._replace(has_aux=False)
        return answered(wanted, None, by_input, by_weight)


# inside compiled code -----------------------------------------------------------------------------


class _InGraph:
    """What ``vjp(fn)`` means inside compiled code."""

    def __init__(self, fn, wanted):
        self.fn, self.wanted = fn, wanted

    def graph_call(self, frame, args, kwargs):
        """The call is written here; its way back where the pullback is called."""
        call = ReadCall(frame, self.fn, args, kwargs)
        begin = apart(call.value)[0] if self.wanted.has_aux else call.value
        written = SplitCall(call, begin)
        back = GraphPullback(written, begin, self.wanted)
        return handed_over(written.result, back, self.wanted.has_aux)


class GraphPullback:
    """``back(*v)`` inside compiled code."""

    def __init__(self, written, begin, wanted):
        self.written, self.begin, self.wanted, self.tracer = written, begin, wanted, None

    def __call__(self, *v):
        """A call by a function that is traced."""
        return self.tracer.graph_call(self, v, {})

    def graph_call(self, frame, args, kwargs):
        """Write the gradients."""
        call, scope = self.written.call.seen_from(frame), frame.scope
        seeds = call.seeds(self.begin, _sens(args))
        kept = [scope.node(node) for node in self.written.kept]
        gradients = self.written.pulled(scope.graph, kept, seeds)
        found = [(place, call.of_input(place, gradients)) for place in range(len(call.inputs))]
        by_input = [pair for pair in found if pair[1] is not None]
        by_weight = [call.of_weight(weight, gradients) for weight in self.wanted.parameters]
        return answered(self.wanted._replace(has_aux=False), None, by_input, by_weight)


@handles(vjp)
def _vjp_in_graph(frame, args, kwargs):
    given = bound(vjp, args, kwargs)
    inputs = given.pop("inputs", ())
    wanted = _asked(given["fn"], inputs, given.get("weights"), given.get("has_aux", False))
    graphed = _InGraph(given["fn"], wanted)
    return with_weights_as_given(frame, graphed, given.get("weights")).graph_call(frame, inputs, {})
