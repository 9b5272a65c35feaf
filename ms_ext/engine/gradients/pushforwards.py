"""``jvp``: the outputs of a function and how they move when its inputs move.

>>> from ms_ext import Tensor
>>> out, tangent = jvp(lambda x: x * x, Tensor([1.0, 2.0]), Tensor([1.0, 10.0]))
>>> tangent
Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  4.00000000e+01])
"""

from ... import context, ops
from .. import errors
from ..autodiff import differentiable
from ..autodiff.forward import pushforward
from ..forward_eager import pushforward_eager
from ..frontend import handles
from ..frontend.tracing import tracer_of
from ..frontend.values import mapped
from ..ir import Node
from ..symbol import Symbol
from ..tensor import Tensor
from .gradient import bound
from .options import check_aux_option, check_callable
from .pullbacks import apart
from .read_calls import ReadCall
from .seeds import broadcasts


def jvp(fn, inputs, v, has_aux=False):
    """``(outputs, tangents)`` of ``fn(*inputs)``: how the outputs move as the inputs move by ``v``.

    ``inputs`` and ``v``: a Tensor each, or a tuple or list of as many. Each of ``v`` has the dtype
    of its input, and its shape or one that broadcasts to it. The tangents are built as the outputs
    are. With ``has_aux`` only the first output counts: ``(output, tangent, the others)``. It is the
    Jacobian times ``v``, calculated forwards, without the Jacobian.

    TypeError: what is no tensor, or of another dtype. ValueError: too few or too many, or another
    shape.

    >>> from ms_ext import Tensor
    >>> x, y = Tensor(2.0), Tensor(3.0)
    >>> [float(t) for t in jvp(lambda x, y: x * x * y, (x, y), (Tensor(1.0), Tensor(2.0)))]
    [12.0, 20.0]
    """
    check_callable(fn)
    check_aux_option(has_aux)
    inputs, v = _paired(inputs, v)
    push = _Push(fn, has_aux)
    tracer = tracer_of((*inputs, *v))
    if tracer is not None:
        return tracer.graph_call(push, (inputs, v), {})
    if context.get_context("mode") == context.GRAPH_MODE:
        from ..jit import jit

        return jit(push)(inputs, v)
    return push(inputs, v)


def _paired(inputs, v):
    """Both as tuples of as many tensors."""
    for given in (inputs, v):
        if not isinstance(given, _TENSOR | tuple | list):
            raise _no_tensor(given)
    inputs, v = [tuple(g) if isinstance(g, tuple | list) else (g,) for g in (inputs, v)]
    if len(inputs) != len(v):
        raise errors.InvalidValue(
            f"v has invalid length: should be {len(inputs)}, but got {len(v)}",
            given=f"{len(v)} tangents for {len(inputs)} inputs",
            hint="Give one for each input; zeros where an input does not move.",
        )
    for given in (*inputs, *v):
        if not isinstance(given, _TENSOR):
            raise _no_tensor(given)
    return inputs, v


_TENSOR = Tensor | Node | Symbol


def _no_tensor(given):
    return errors.InvalidType(
        "The inputs type must be a Tensor, tuple or list of Tensors.",
        given=f"{given!r:.60} of type {type(given).__name__}",
        hint="Wrap it: Tensor(...).",
    )


class _Push:
    """``jvp`` of one function: called with the inputs and their tangents, both in tuples."""

    def __init__(self, fn, has_aux):
        self.fn, self.has_aux = fn, has_aux
        self.__name__ = "jvp"

    def __call__(self, inputs, v):
        tangents = [_like(x, t, ops.broadcast_to) for x, t in zip(inputs, v, strict=True)]
        outputs, found = pushforward_eager(self.fn, inputs, tangents)
        return self._answer(outputs, iter(found))

    def graph_call(self, frame, args, kwargs):
        """The call is written here, and beside each value how it moves."""
        inputs, v = args
        pairs = [(frame.node(x), frame.node(t)) for x, t in zip(inputs, v, strict=True)]
        call = ReadCall(frame, self.fn, list(inputs), {})
        tangents = [_like(x, t, lambda t, shape: _broadcast(frame, t, shape)) for x, t in pairs]
        tangents += [None] * (len(call.passed) - len(tangents))
        target = frame.scope.graph
        outputs, found = pushforward(target, call.graph, call.passed, tangents)
        found = [
            tangent or call.filled(node, 0)
            for node, tangent in zip(call.graph.outputs, found, strict=True)
            if differentiable(node.abstract)
        ]
        return self._answer(call.results(outputs), iter(found))

    def _answer(self, outputs, tangents):
        if not self.has_aux:
            return outputs, _built_as(outputs, tangents)
        first, rest = apart(outputs)
        return first, _built_as(first, tangents), rest


def _built_as(outputs, tangents):
    """The tangents, built as the outputs are; what is no tensor does not move."""
    return mapped(lambda out: _tangent(out, tangents), outputs)


def _tangent(out, tangents):
    if isinstance(out, Tensor) or isinstance(out, Node) and differentiable(out.abstract):
        return next(tangents)
    if isinstance(out, Node):
        return out.abstract.number(0) if getattr(out.abstract, "weak", False) else None
    return type(out)(0) if isinstance(out, int | float) else None


def _like(x, tangent, broadcast):
    """A tangent of its input's shape; ``broadcast(tangent, shape)`` repeats a smaller one."""
    if tangent.dtype is not x.dtype:
        raise errors.InvalidType(
            f"Type Join Failed: dtype1 = {tangent.dtype}, dtype2 = {x.dtype}.",
            given=f"a tangent of {tangent.dtype} for an input of {x.dtype}",
            hint=f"v.astype(ms.{str(x.dtype).lower()}).",
        )
    if tangent.shape == x.shape:
        return tangent
    if not broadcasts(tangent.shape, x.shape):
        raise errors.ShapeMismatch(
            f"The shape of v should be {tuple(x.shape)}, but got {tuple(tangent.shape)}: a tangent "
            "has its input's shape.",
            given=f"a tangent {list(tangent.shape)} for an input {list(x.shape)}",
            hint="Give one of that shape; Tensor(1.0) moves every element alike.",
        )
    return broadcast(tangent, x.shape)


def _broadcast(frame, node, shape):
    return frame.add(ops.BroadcastTo, (node,), {"shape": shape})


@handles(jvp)
def _jvp_in_graph(frame, args, kwargs):
    given = bound(jvp, args, kwargs)
    check_callable(given["fn"])
    check_aux_option(given.get("has_aux", False))
    pair = _paired(given["inputs"], given["v"])
    return _Push(given["fn"], given.get("has_aux", False)).graph_call(frame, pair, {})
