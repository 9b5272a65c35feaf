"""``grad`` and ``value_and_grad``, in both modes: the tape when run eagerly, else graphs.

>>> from ms_ext import Tensor
>>> grad(lambda x: x * x * x)(Tensor(2.0))
Tensor(shape=[], dtype=Float32, value= 12)
"""

import inspect
import sys

from ... import context
from .. import errors, hooks, strict, tape
from ..frontend import handles
from ..frontend.naming import name_of
from ..frontend.tracing import tracer_of
from ..primitive import Primitive
from ..tensor import Tensor
from .answers import answered, get_grad
from .options import ALL, Wanted, asked
from .read_calls import ReadCall
from .recording import Recording
from .seeds import counted, tensors_with_sens


def grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False, sens_param=False):
    """The function that gives ``fn``'s gradient at some of its inputs and weights.

    ``grad_position``: an int, a tuple of them, or None; keywords are counted behind the arguments.
    ``weights``: a Parameter, or a tuple or list of them. A gradient has its input's shape and
    dtype. Several outputs count together (their sum); with ``has_aux`` only the first one, and the
    others are returned too. ``return_ids`` pairs each gradient with its position or the parameter's
    name; ``sens_param``: the last argument, or ``sens=``, is what the outputs are weighed with, of
    their structure, shapes and dtypes. An input that is no tensor has no gradient.

    ValueError: a position that is negative or there twice. TypeError: an option of another type.
    RuntimeError, in graph mode IndexError: a position beyond the inputs.

    >>> from ms_ext import Tensor
    >>> x, y = Tensor(2.0), Tensor(3.0)
    >>> [float(d) for d in grad(lambda x, y: x * x * y, (0, 1))(x, y)]
    [12.0, 4.0]
    """
    return Gradient(fn, asked(fn, grad_position, weights, has_aux, return_ids, sens_param, False))


def value_and_grad(
    fn, grad_position=0, weights=None, has_aux=False, return_ids=False, sens_param=False
):
    """As ``grad``, but ``(value, gradient)``; with ``has_aux`` the value holds all the outputs.

    >>> from ms_ext import Tensor
    >>> value, dx = value_and_grad(lambda x: x * x)(Tensor(3.0))
    >>> float(value), float(dx)
    (9.0, 6.0)
    """
    return Gradient(fn, asked(fn, grad_position, weights, has_aux, return_ids, sens_param, True))


class Gradient:
    """What ``grad(fn)`` returns; calling it takes the gradient."""

    def __init__(self, fn, wanted):
        self.fn, self.wanted, self._compiled = fn, wanted, None
        self.parameters = wanted.parameters
        self._least = _inputs_of_plain(wanted)
        self.__name__ = f"grad_of_{name_of(fn, type(fn).__name__)}"

    def takes_as(self):
        """The function whose arguments a call takes."""
        return self.fn

    def __call__(self, *args, **kwargs):
        tracer = tracer_of((*args, *kwargs.values()) if kwargs else args)
        if tracer is not None:
            return tracer.graph_call(self, args, kwargs)
        if context.get_context("mode") == context.GRAPH_MODE and not hooks.on_any(args):
            return self._in_graph_mode()(*args, **kwargs)
        if len(args) >= self._least and not kwargs and _are_plain(args):
            return self._of_plain(args)
        if self.wanted.sens:
            return self._on_tape(*self.wanted.without_sens(args, kwargs))
        return self._on_tape(args, kwargs, None)

    def _of_plain(self, args):
        """The usual case, quickly: nothing but gradients of inputs, all of them plain tensors."""
        outputs, found, _ = tape.differentiate(self.fn, args, self.wanted.positions)
        gradients = found[0] if len(found) == 1 else found
        return (outputs, gradients) if self.wanted.with_value else gradients

    def _in_graph_mode(self):
        if self._compiled is None:
            from ..jit import jit

            self._compiled = jit(self)
        return self._compiled

    def _on_tape(self, args, kwargs, sens):
        wanted, count = self.wanted, len(args) + len(kwargs)
        places = wanted.within(count)
        with Recording(self.fn, args, kwargs, places, self.parameters) as call:
            if wanted.positions is not ALL and len(places) != len(wanted.positions):
                wanted.places(count)  # raises
            outputs = call.outputs
            begin = counted(outputs, True) if wanted.has_aux else outputs
            call.walked_back(*tensors_with_sens(begin, sens))
            found = [(place, call.of_input(place)) for place in places]
            by_weight = [call.of_weight(weight) for weight in self.parameters]
        by_input = [pair for pair in found if pair[1] is not None]
        return answered(wanted, outputs, by_input, by_weight)

    def graph_call(self, frame, args, kwargs):
        """Inside compiled code: the function becomes a graph, and its gradient is written here."""
        wanted = self.wanted
        args, kwargs, sens = wanted.without_sens(args, kwargs)
        _check_parameters(wanted.parameters)
        call = ReadCall(frame, self.fn, args, kwargs)
        places = wanted.places(len(args) + len(kwargs), errors.InvalidIndex)
        begin = counted(call.value, wanted.has_aux, 1, errors.NotRunnable)
        outputs, gradients = call.pulled(call.seeds(begin, sens))
        result = call.results(outputs)
        found = [(place, call.of_input(place, gradients)) for place in places]
        by_input = [pair for pair in found if pair[1] is not None or call.is_plain(pair[0])]
        by_weight = [call.of_weight(weight, gradients) for weight in wanted.parameters]
        return answered(wanted, result, by_input, by_weight)


def _inputs_of_plain(wanted):
    """How many inputs at least there are, if only their gradients are wanted."""
    if wanted.weights is not None or not wanted.positions:
        return sys.maxsize
    plain = wanted._replace(positions=(), with_value=False) == Wanted(())
    return max(wanted.positions) + 1 if plain else sys.maxsize


def _are_plain(args):
    """Whether all inputs are tensors, no two of them the same, and nobody looks at gradients."""
    for each in args:
        if type(each) is not Tensor:
            return False
    return not hooks.are_there() and (len(args) == 1 or len(set(map(id, args))) == len(args))


def _check_parameters(weights):
    for weight in weights:
        if type(weight) is Tensor:
            raise errors.NotRunnable(
                "In graph mode the weights must be Parameters.",
                given=f"a Tensor of shape {list(weight.shape)}",
                hint="Make it one, Parameter(tensor), and read that in the function; or make it "
                "an input.",
            )


# calls inside compiled code -----------------------------------------------------------------------


def bound(function, args, kwargs):
    """The arguments of a call of the grad family, by name; a wrong keyword in MindSpore's words."""
    try:
        given = inspect.signature(function).bind(*args, **kwargs).arguments
        if isinstance(given.get("fn"), Primitive):
            strict.refuse_primitive(given["fn"], True)
        return given
    except TypeError as error:
        text = str(error)
        raise errors.MissingArgument(
            text[:1].upper() + text[1:],
            given=f"a call of {function.__name__}",
            hint=f"{function.__name__}{inspect.signature(function)}",
        ) from None


def with_weights_as_given(frame, gradient, weights):
    """The gradients of a list that is made in compiled code are a list; else they are a tuple."""
    if type(weights) is list and frame.reader.original(weights) is None:
        gradient.wanted = gradient.wanted._replace(weights=weights)
    return gradient


@handles(grad)
def _grad_in_graph(frame, args, kwargs):
    given = bound(grad, args, kwargs)
    return with_weights_as_given(frame, grad(**given), given.get("weights"))


@handles(value_and_grad)
def _value_and_grad_in_graph(frame, args, kwargs):
    given = bound(value_and_grad, args, kwargs)
    return with_weights_as_given(frame, value_and_grad(**given), given.get("weights"))


@handles(get_grad)
def _get_grad_in_graph(frame, args, kwargs):
    return get_grad(*args, **kwargs)
