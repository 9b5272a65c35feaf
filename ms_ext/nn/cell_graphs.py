"""What graph mode reads where a Cell is called that has hooks, a ``bprop`` or ``recompute``.

>>> from ms_ext import Tensor, jit, nn
>>> net = nn.ReLU()
>>> handle = net.register_forward_hook(lambda cell, args, output: output * 10)
>>> @jit
... def f(x):
...     return net(x)
>>> f(Tensor(2.0))
Tensor(shape=[], dtype=Float32, value= 20)
"""

from ..engine import errors
from ..engine.frontend.calls import call_value, handles
from ..engine.gradients import block_graphs
from ..engine.gradients.gate_graphs import gated
from ..engine.gradients.own_graphs import with_hook, with_own_gradient
from . import precision
from .cell_hooks import as_many
from .hookable import Hookable


class CellGraph:
    """A Cell with all that belongs to it, as a function that becomes a part of a graph."""

    def __init__(self, cell):
        self.cell, self.__name__ = cell, "construct"

    @property
    def __func__(self):
        """The function whose text is shown."""
        return self.cell.construct.__func__

    def takes_as(self):
        """The function whose arguments a call takes."""
        return self.cell.construct

    def __call__(self, *args, **kwargs):
        return self.cell(*args, **kwargs)

    def graph_call(self, frame, args, kwargs):
        """The hooks in front, what is inside, the hooks behind: each read in its turn."""
        if self.cell._float is None:
            return self._read(frame, args, kwargs)
        return precision.in_graph(
            frame, self.cell, lambda *given: self._read(frame, *given), args, kwargs
        )

    def _read(self, frame, args, kwargs):
        cell, kept = self.cell, self.cell._hooks
        if not kept:
            return inside(cell, frame, args, kwargs)
        if kept.forward_pre:
            args = _before(frame, cell, kept, tuple(args))
        middle = _Middle(cell, kept)
        if cell.has_bprop:  # MindSpore: its hooks for the way back are not called
            return middle.graph_call(frame, list(args), kwargs)
        if kept.backward:
            change = _Changed(cell, kept.backward)
            out = gated(frame, middle, list(args), kwargs, change)
        else:
            out = middle.graph_call(frame, list(args), kwargs)
        for hook in kept.backward_pre.values():
            out = _first(frame, cell, hook, out)
        return out


class _Middle:
    """``construct`` and the forward hooks."""

    def __init__(self, cell, kept):
        self.cell, self.kept, self.__name__ = cell, kept, "construct"

    def takes_as(self):
        """The function whose arguments a call takes."""
        return self.cell.construct

    def graph_call(self, frame, args, kwargs):
        """The output, as the hooks leave it."""
        out = inside(self.cell, frame, args, kwargs)
        for number, hook in self.kept.forward.items():
            _refuse_keywords(self.kept, number, hook, 3)
            given = call_value(frame, hook, [self.cell, tuple(args), out], {})
            if given is not None:
                several = isinstance(out, tuple)
                out = as_many(given, out, "forward hook", "output") if several else given
        return out


def inside(cell, frame, args, kwargs):
    """``construct`` itself, calculated again going back, or with a gradient of its own."""
    if cell._again is not None:
        return block_graphs.as_block(frame, cell.construct, args, kwargs)
    if not cell.has_bprop:
        return call_value(frame, cell.construct, args, kwargs)
    inputs, construct = cell.bound(args, kwargs)
    names = _Bound(cell, construct)
    return with_own_gradient(frame, cell, names, inputs, cell.bprop)


class _Bound:
    """``construct`` as a function of all inputs in order."""

    def __init__(self, cell, split):
        self.cell, self.split, self.__name__ = cell, split, cell.cls_name

    def takes_as(self):
        """The function whose arguments a call takes."""
        return self.cell.construct

    def graph_call(self, frame, inputs, kwargs):
        """The call."""
        args, named = self.split(inputs)
        return call_value(frame, self.cell.construct, args, named)


def _before(frame, cell, kept, before):
    args = before
    for number, hook in kept.forward_pre.items():
        _refuse_keywords(kept, number, hook, 2)
        given = call_value(frame, hook, [cell, args], {})
        if given is not None:
            args = given if isinstance(given, tuple) else (given,)
    return as_many(args, before, "forward pre hook", "input")


def _refuse_keywords(kept, number, hook, given):
    if number in kept.with_kwargs:
        raise errors.InvalidType(
            f"The parameters number of the function is {given + 1}, but the number of provided "
            f"arguments is {given}.",
            given=f"the hook {getattr(hook, '__name__', hook)}, registered with_kwargs=True",
            hint="In a graph a hook gets no keywords.",
        )


def _first(frame, cell, hook, out):
    """A backward pre hook: what it makes of the gradients of the results."""
    results = out if isinstance(out, tuple) else (out,)

    def change(inner, douts):
        return _changed(inner, hook, [cell, tuple(douts)], tuple(douts), "pre hook", "output")

    found = with_hook(frame, results, _Called(change), "backward_pre_hook")
    return found if isinstance(out, tuple) else found[0]


class _Called:
    """A function of a frame and one value, as something that a graph can call."""

    def __init__(self, function):
        self.function, self.__name__ = function, "hook"

    def graph_call(self, frame, args, kwargs):
        """The call."""
        return self.function(frame, *args)


class _Changed:
    """What the backward hooks of a Cell make of the gradients of its inputs."""

    def __init__(self, cell, hooks):
        self.cell, self.hooks = cell, hooks

    def __call__(self, frame, gradients, douts):
        gradients = tuple(gradients)
        for hook in self.hooks.values():
            given = [self.cell, gradients, tuple(douts)]
            gradients = _changed(frame, hook, given, gradients, "hook", "input")
        return gradients


def _changed(frame, hook, given, before, what, where):
    found = call_value(frame, hook, given, {})
    return before if found is None else as_many(found, before, f"backward {what}", where)


def _not_in_a_graph(method):
    def meaning(frame, args, kwargs):
        path = f"mindspore.nn.cell.Cell.{method.__name__}"
        raise errors.NotRunnable(
            f"Failed to compile in GRAPH_MODE because the method or function '{path}' is not "
            "supported in 'construct' or function with @jit decorator.",
            hint="Call it outside, such as in __init__.",
        )

    return meaning


for _method in (
    Hookable.register_forward_pre_hook, Hookable.register_forward_hook,
    Hookable.register_backward_pre_hook, Hookable.register_backward_hook,
):  # fmt: skip
    handles(_method)(_not_in_a_graph(_method))
