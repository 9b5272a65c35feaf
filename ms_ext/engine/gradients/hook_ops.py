"""``ops.HookBackward`` and ``ops.InsertGradientOf``: x as it is, seen on the way back.

>>> from ms_ext import grad
>>> double = InsertGradientOf(lambda dout: dout * 2)
>>> grad(lambda x, y: double(x * y) * y)(Tensor(2.0), Tensor(3.0))
Tensor(shape=[], dtype=Float32, value= 18)
"""

from .. import errors, hooks, tape
from ..frontend.tracing import tracer_of
from ..tensor import Tensor
from .gate import Gate
from .own import rebuilt
from .own_graphs import with_hook


class HookBackward:
    """Tensors as they are; ``hook_fn`` gets their gradients, a tuple, on the way back.

    It may return as many gradients in a tuple, or one if there is one, of the same shapes and
    dtypes; None leaves them. In a graph the hook is not called, as in MindSpore; there is
    ``InsertGradientOf``. ``cell_id`` is MindSpore's and changes nothing.

    Errors: TypeError for a hook that is no function, an input that is no Tensor, or another
    number of gradients; ValueError for other shapes or dtypes.

    >>> from ms_ext import grad
    >>> seen = []
    >>> look = HookBackward(lambda gradients: seen.append(len(gradients)))
    >>> _ = grad(lambda x: look(x * x) * x)(Tensor(3.0))
    >>> seen, look
    ([1], Prim[HookBackward]<cell_id=>)
    """

    def __init__(self, hook_fn, cell_id=""):
        hooks.check(hook_fn)
        self.hook_fn, self.cell_id = hook_fn, cell_id

    def __call__(self, *inputs):
        if tracer_of(inputs) is not None:
            return self.graph_call(None, inputs, {})
        for value in inputs:
            if not isinstance(value, Tensor):
                raise errors.InvalidType(
                    f"For 'HookBackward', the element of 'input' must be Tensor, but got "
                    f"{_word(value)}.",
                    given=f"{value!r:.60}",
                    hint="Wrap it: Tensor(...).",
                )
        found = Gate("HookBackward", self._change).passed(inputs)
        return found[0] if len(found) == 1 else found

    def _change(self, gradients):
        given = self.hook_fn(gradients)
        if given is None:
            return gradients
        several = given if isinstance(given, tuple) else (given,)
        if len(several) != len(gradients):
            raise wrong_kind(self.hook_fn, given)
        for new, old in zip(several, gradients, strict=True):
            self._check(new, old)
        return several

    def _check(self, new, old):
        if not isinstance(new, Tensor):
            raise wrong_kind(self.hook_fn, new)
        if old is not None and (new.shape, new.dtype) != (old.shape, old.dtype):
            raise errors.InvalidValue(
                f"The output type of function: {hook_name(self.hook_fn)} is not consistent with "
                f"the expected, it should be Tensor shape:{_kind(old)}, but got Tensor "
                f"shape:{_kind(new)}",
                hint="Return gradients of the shapes and dtypes that came in.",
            )

    def graph_call(self, frame, args, kwargs):
        """In a graph: the tensors; nothing is called."""
        return args[0] if len(args) == 1 else tuple(args)

    def __repr__(self):
        return f"Prim[HookBackward]<cell_id={self.cell_id}>"


class InsertGradientOf:
    """x as it is; its gradient is what ``f`` makes of the gradient that arrives.

    x is a Tensor, or a tuple of them: then ``f`` gets a tuple too. What it returns is built and
    shaped alike; None leaves the gradient. In a graph ``f`` is read as a part of the graph, where a
    branch may look at the gradient. Errors: RuntimeError for more than one input, TypeError for an
    ``f`` that is no function, ValueError for another shape.

    >>> InsertGradientOf(lambda dout: dout * 2)(Tensor(3.0))
    Tensor(shape=[], dtype=Float32, value= 3)
    """

    def __init__(self, f):
        self.f = f

    def __call__(self, *inputs):
        if len(inputs) != 1:
            raise errors.NotRunnable(
                f"For 'InsertGradientOf', the number of input should be 1, but got {len(inputs)}",
                hint="Give several in a tuple: op((x, y)).",
            )
        (value,) = inputs
        tracer = tracer_of(inputs)
        if tracer is not None:
            return tracer.graph_call(self, inputs, {})
        tensors = tuple(tape.tensors_in(value))

        def pull(*gradients):
            return self._change(value, gradients)

        return rebuilt(value, tape.record("InsertGradientOf", tensors, tensors, pull))

    def _change(self, value, gradients):
        given = self.f(rebuilt(value, gradients))
        if given is None:
            return gradients
        if isinstance(value, Tensor) and isinstance(given, tuple) and len(given) == 1:
            (given,) = given
        if not isinstance(value, tuple | list):
            return (_shaped(given, gradients[0]),)
        if not isinstance(given, tuple | list) or len(given) != len(value):
            raise wrong_kind(self.f, given)
        return tuple([_shaped(g, d) for g, d in zip(given, gradients, strict=True)])

    def graph_call(self, frame, args, kwargs):
        """In a graph: a call that has the function's gradient."""
        if len(args) != 1:
            return self(*args)
        return with_hook(frame, args[0], self.f, "InsertGradientOf")

    def __repr__(self):
        told = "side_effect_backprop=True, side_effect_backprop_mem=True"
        return f"Prim[InsertGradientOf]<f={self.f}, {told}>"


def _shaped(given, gradient):
    """A gradient that a callback returned, if it has the shape of what came in."""
    shape = getattr(given, "shape", ())
    if shape != gradient.shape and isinstance(given, Tensor):
        raise errors.InvalidValue(
            "The function of 'InsertGradientOf' returned a gradient of another shape.",
            given=f"{list(shape)} for a gradient of shape {list(gradient.shape)}",
            hint="Return a gradient of the shape that came in.",
        )
    return given


def wrong_kind(function, given):
    """MindSpore's error for what a hook returned."""
    return errors.InvalidType(
        f"The output type of function: {hook_name(function)} should be a tensor but got "
        f"{type(given).__name__}.",
        given=f"{given!r:.60}",
        hint="Return one gradient for each that came in, or nothing.",
    )


def hook_name(function):
    """What an error calls a hook."""
    return getattr(function, "__name__", type(function).__name__)


def _kind(tensor):
    sizes = ", ".join(map(str, tensor.shape))
    return f"[[const vector]{{{sizes}}}]{tensor.dtype}"


def _word(value):
    return {float: "Float32", int: "Int64", bool: "Bool"}.get(type(value), type(value).__name__)
