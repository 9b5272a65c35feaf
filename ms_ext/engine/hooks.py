"""How is a gradient seen, and changed, on its way back? By hooks on tensors.

A hook belongs to the tensor: it gets the whole of its gradient, once everything that used the
tensor, before or after the hook was registered, has given its part.

>>> from ms_ext import grad
>>> def f(x, y):
...     z = x * y
...     z.register_hook(lambda gradient: gradient * 2)
...     return z * y
>>> grad(f, (0, 1))(Tensor(2.0), Tensor(3.0))[0]
Tensor(shape=[], dtype=Float32, value= 18)
"""

import itertools

from . import errors, primitive
from .frontend.calls import call_value
from .frontend.tracing import tracer_of
from .symbol import Symbol
from .tensor import Tensor, core

KEPT = "_hooks"  # the attribute of a tensor that has hooks: {number: hook}
_numbers = itertools.count()
_met: set = set()  # whether a hook was ever registered: one look, where gradients are handed out


def register_hook(self, hook):
    """Call ``hook(gradient)`` whenever the gradient of this tensor is complete.

    What it returns, a Tensor of the gradient's shape, takes the gradient's place; None leaves it.
    Several are called in order, each with what the one before made of it. A Parameter keeps its
    hooks, and so does a tensor that is an input of the function: they are called where their
    gradient is asked for. Under a gradient of a gradient a hook is called by both.

    Returns a handle; ``handle.remove()`` takes the hook away. Errors: TypeError for what cannot be
    called or is compiled; RuntimeError where the hook returns something else; ValueError for
    another shape. In a graph the hook is read as a part of it when the function is compiled, a
    tensor has one hook at most, the call gives the tensor itself, what the gradient of the op that
    made it reads of its result (as that of exp does) is not hooked, and a Parameter takes no hook:
    its hooks are those that it had when the graph was compiled. A gradient that is taken inside a
    graph does not call the hooks of the tensors that the graph is given.

    >>> from ms_ext import grad
    >>> x, seen = Tensor([1.0, 2.0]), []
    >>> handle = x.register_hook(lambda gradient: seen.append(gradient.shape))
    >>> _ = grad(lambda x: (x * x).sum())(x)
    >>> handle.remove()
    >>> seen, x.hooks()
    ([(2,)], [])
    """
    if isinstance(self, Symbol):
        return in_graph(register_hook, self, hook)
    check(hook)
    owner = _owner(self)
    kept = getattr(owner, KEPT, None)
    if kept is None:
        kept = {}
        setattr(owner, KEPT, kept)
    number = next(_numbers)
    kept[number] = hook
    _met.add(True)
    core.hook(owner, _Changes(kept))
    return TensorHookHandle(number, kept)


def hooks(self):
    """The hooks of this tensor, in the order in which they are called.

    >>> Tensor(1.0).hooks()
    []
    """
    return list(getattr(_owner(self), KEPT, {}).values())


def remove_hook(self, number):
    """Take away the hook whose handle has this ``id``.

    >>> x = Tensor(1.0)
    >>> x.remove_hook(x.register_hook(lambda gradient: None).id)
    >>> x.hooks()
    []
    """
    getattr(_owner(self), KEPT, {}).pop(number, None)


def in_graph(function, symbol, hook):
    """Register in a graph that is traced: the symbol is the hooked tensor from here on."""
    tracer = tracer_of((symbol,))
    if tracer is None:
        raise errors.NotRunnable(
            "A hook cannot be registered inside a bprop, a pass or a composite.",
            given=f"a symbol of type {symbol.abstract}",
            hint="Use ops.InsertGradientOf outside of it.",
        )
    tracer.graph_call(_Registering(function), (symbol, hook), {})
    symbol.node = tracer.frame.now(symbol.node)
    return symbol


class _Registering:
    """``register_hook`` as it is read in a graph."""

    def __init__(self, function):
        self.function = function

    def graph_call(self, frame, args, kwargs):
        """The call."""
        return call_value(frame, self.function, args, kwargs)


class TensorHookHandle:
    """What ``register_hook`` returns: ``remove()`` takes the hook away, ``id`` is its number."""

    __slots__ = ("_kept", "id")

    def __init__(self, number, kept):
        self.id, self._kept = number, kept

    def remove(self):
        """The hook is not called any more; a second time nothing happens."""
        self._kept.pop(self.id, None)


class _Changes:
    """What the hooks of a tensor, as they are by then, make of a gradient."""

    __slots__ = ("kept",)

    def __init__(self, kept):
        self.kept = kept

    def __call__(self, gradient):
        for hook in list(self.kept.values()):
            given = hook(gradient)
            gradient = gradient if given is None else _fitting(given, gradient)
        return gradient


def are_there():
    """Whether a hook was ever registered."""
    return bool(_met)


def on_any(values):
    """Whether one of these values is a tensor that has hooks."""
    return bool(_met) and any(isinstance(v, Tensor) and getattr(v, KEPT, None) for v in values)


def changed(tensor, gradient):
    """The gradient of a tensor at which a way back ends, as the tensor's hooks leave it."""
    kept = getattr(_owner(tensor), KEPT, None) if _met else None
    return _Changes(kept)(gradient) if kept else gradient


def check(hook):
    """Refuse what cannot be a hook.

    >>> check(5)
    Traceback (most recent call last):
    ms_ext.engine.errors.InvalidType: Expected a callable hook function, but got int.
        given: 5
        Pass a function: `x.register_hook(lambda gradient: gradient * 2)`.
    """
    if not callable(hook):
        raise errors.InvalidType(
            f"Expected a callable hook function, but got {type(hook).__name__}.",
            given=f"{hook!r:.60}",
            hint="Pass a function: `x.register_hook(lambda gradient: gradient * 2)`.",
        )
    if isinstance(hook, core.Caller):
        raise errors.InvalidType(
            f"Decorating hook function {hook.__name__} with '@jit' is not supported.",
            given=f"{hook!r:.60}",
            hint="Pass the function as it is: in a graph it becomes a part of the graph.",
        )


def _owner(tensor):
    """The tensor whose hooks those of an alias are: an input inside the function is one."""
    while (before := core.origin(tensor)) is not None:
        tensor = before
    return tensor


def _fitting(given, gradient):
    """What a hook returned, as a gradient that may go on."""
    if not isinstance(given, Tensor):
        raise errors.NotRunnable(
            "Tensor hook should be return Tensor, but get type: " + type(given).__name__ + ".",
            given=f"{given!r:.60}",
            hint="Return the new gradient, or nothing.",
        )
    if given.shape != gradient.shape:
        raise errors.InvalidValue(
            "A tensor hook returned a gradient of another shape.",
            given=f"{list(given.shape)} for a gradient of shape {list(gradient.shape)}",
            hint="Return a gradient of the shape that came in.",
        )
    if given.dtype is gradient.dtype:
        return given
    return primitive.NAMES["cast"](given, gradient.dtype)


core.install({"register_hook": register_hook, "hooks": hooks, "remove_hook": remove_hook})
primitive.METHODS["register_hook"] = register_hook
