"""What a Cell offers beside ``construct``: hooks, a ``bprop`` of its own, being run again.

| in this order | |
|---|---|
| forward pre hooks | ``hook(cell, args)``: None, or new arguments |
| ``construct`` | while a gradient is taken, with a ``bprop``, or to run once more going back |
| forward hooks | ``hook(cell, args, output)``: None, or a new output |
| backward pre hooks | ``hook(cell, grad_output)``: None, or new gradients |
| backward hooks | ``hook(cell, grad_input, grad_output)``: None, or new gradients of the inputs |

In a graph the hooks that are there when the graph is compiled are read as parts of it; a later
registration or ``remove()`` changes nothing in it. They get no keywords there (``with_kwargs`` is
an error), and those for the way back of a Cell that has a ``bprop`` are not called: all this as in
MindSpore. A gradient that did not come is zeros there, eagerly it is None. ``jit(cell)`` has the
hooks as well, which MindSpore leaves out.
"""

import inspect

from ..engine import errors
from ..engine.frontend.tracing import tracer_of
from ..engine.gradients import blocks
from ..engine.gradients.own import with_own_gradient
from . import cell_hooks, precision
from .cell_hooks import HookHandle, Kept

_OF_PARALLEL = (
    "mp_comm_recompute",
    "parallel_optimizer_comm_recompute",
    "recompute_slice_activation",
)


class Hookable:
    """The part of a Cell that runs hooks, ``bprop`` and ``recompute``."""

    @property
    def has_bprop(self):
        """Whether the class has a gradient of its own."""
        return hasattr(type(self), "bprop")

    def register_forward_pre_hook(self, hook_fn, *, prepend=False, with_kwargs=False):
        """Call ``hook_fn(cell, args)`` before ``construct``; what it returns are the arguments.

        One value is an argument alone, a tuple is all of them, None leaves them. ``with_kwargs``:
        ``hook_fn(cell, args, kwargs)`` returns both or None. ``prepend``: before other hooks. The
        handle that is returned has ``remove()``. Errors: TypeError for what is no function, or
        compiled; RuntimeError for another result with ``with_kwargs``.

        >>> from ms_ext import Tensor, nn
        >>> net = nn.ReLU()
        >>> handle = net.register_forward_pre_hook(lambda cell, args: args[0] + 1)
        >>> net(Tensor([1.0]))
        Tensor(shape=[1], dtype=Float32, value= [ 2.00000000e+00])
        """
        number = self._kept().enter("forward_pre", hook_fn, prepend)
        return self._handle(number, with_kwargs)

    def register_forward_hook(
        self, hook_fn, *, prepend=False, with_kwargs=False, always_call=False
    ):
        """Call ``hook_fn(cell, args, output)`` after ``construct``; None leaves the output.

        ``with_kwargs``: ``hook_fn(cell, args, kwargs, output)``. ``always_call``: also where
        ``construct`` fails, with the output None; an error of the hook itself is then a warning.
        A Cell with a ``bprop`` has no forward hooks: nothing is registered, as in MindSpore.

        >>> from ms_ext import Tensor, nn
        >>> net = nn.ReLU()
        >>> handle = net.register_forward_hook(lambda cell, args, output: output * 10)
        >>> net(Tensor([1.0]))
        Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+01])
        """
        if self.has_bprop:
            return HookHandle()
        number = self._kept().enter("forward", hook_fn, prepend)
        return self._handle(number, with_kwargs, always_call)

    def register_backward_pre_hook(self, hook_fn):
        """Call ``hook_fn(cell, grad_output)`` before the way back through ``construct``.

        ``grad_output``: the gradient of each tensor of the output, None where none came. It may
        return as many, or None. Errors: TypeError for another number, or for what is no Tensor.
        """
        return self._handle(self._kept().enter("backward_pre", hook_fn))

    def register_backward_hook(self, hook_fn):
        """Call ``hook_fn(cell, grad_input, grad_output)`` after the way back.

        ``grad_input``: the gradient of each positional argument that is a tensor, None where none
        is asked for; the hook may return as many to take their place, or None.

        >>> from ms_ext import Tensor, grad, nn
        >>> net = nn.ReLU()
        >>> handle = net.register_backward_hook(lambda cell, dx, dout: (dx[0] * 5,))
        >>> grad(net)(Tensor([1.0]))
        Tensor(shape=[1], dtype=Float32, value= [ 5.00000000e+00])
        """
        return self._handle(self._kept().enter("backward", hook_fn))

    def recompute(
        self, *, use_reentrant=True, output_recompute=False, early_stop=True, context_fn=None,
        **kwargs,
    ):  # fmt: skip
        """From now on the values inside ``construct`` are not kept: going back it runs again.

        See ``ms_ext.recompute`` for the options; MindSpore's further ones are for training on
        several devices and change nothing here. Errors: ValueError for any other option or a
        ``context_fn`` with ``use_reentrant``, TypeError for an option that is no bool.
        """
        for name, value in kwargs.items():
            if name not in _OF_PARALLEL:
                raise errors.InvalidValue(
                    f"For 'recompute', keyword '{name}' is not recognized! the key kwargs must be "
                    + ", ".join(map(repr, _OF_PARALLEL)),
                    hint=errors.did_you_mean(name, [*_OF_PARALLEL, "use_reentrant"]),
                )
            if type(value) is not bool:
                raise errors.InvalidType(
                    f"The parameter '{name}' must be {bool}, but got {type(value)}"
                )
        reentrant = use_reentrant and not output_recompute
        blocks.contexts(reentrant, context_fn)
        vars(self).update(_again=(reentrant, context_fn), _plain=False, _compiled=None, _ways={})

    def set_grad(self, requires_grad=True):
        """Say that gradients of this Cell will be taken; returns the Cell. It changes no result.

        >>> from ms_ext import nn
        >>> nn.ReLU().set_grad().requires_grad
        True
        """
        vars(self)["requires_grad"] = requires_grad
        return self

    # how it runs --------------------------------------------------------------------------------

    def _kept(self):
        if self._hooks is None:
            vars(self)["_hooks"] = Kept()
        vars(self)["_plain"] = False
        return self._hooks

    def _handle(self, number, with_kwargs=False, always_call=False):
        if with_kwargs:
            self._hooks.with_kwargs.add(number)
        if always_call:
            self._hooks.always.add(number)
        return HookHandle(self._hooks, number)

    def _run(self, args, kwargs):
        """A call in eager mode of a Cell that is more than its ``construct``."""
        tracer = tracer_of((*args, *kwargs.values()))
        if tracer is not None:
            return tracer.graph_call(self.graph_function(), args, kwargs)
        if self._float is None:
            return self.with_hooks(args, kwargs)
        return precision.run(self, args, kwargs)

    def with_hooks(self, args, kwargs):
        """A call in eager mode with its hooks, in the dtypes of its inputs."""
        if self._hooks:
            return cell_hooks.run(self, self._hooks, args, kwargs, self._inner)
        return self._inner(*args, **kwargs)

    def _inner(self, *args, **kwargs):
        if self._again is not None:
            return blocks.run_again(self.construct, args, kwargs, blocks.contexts(*self._again))
        if not self.has_bprop:
            return self.construct(*args, **kwargs)
        inputs, split = self.bound(args, kwargs)

        def construct(*inputs):
            own, named = split(inputs)
            return self.construct(*own, **named)

        return with_own_gradient(self.cls_name, construct, inputs, self.bprop)

    def bound(self, args, kwargs):
        """All inputs of ``construct`` in order, and what makes arguments and keywords of them."""
        bound = inspect.signature(self.construct).bind(*args, **kwargs)
        bound.apply_defaults()
        count, names = len(bound.args), tuple(bound.kwargs)

        def split(inputs):
            return inputs[:count], dict(zip(names, inputs[count:], strict=True))

        return (*bound.args, *bound.kwargs.values()), split
