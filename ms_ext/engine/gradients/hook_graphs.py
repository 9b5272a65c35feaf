"""``x.register_hook(hook)`` in a graph: every use of x, before and after, has the hook's gradient.

>>> from ms_ext import grad, jit
>>> def double(gradient):
...     return gradient * 2
>>> @jit(capture_mode="trace")
... def f(x, y):
...     z = x * y
...     z.register_hook(double)
...     return z * y
>>> grad(f)(Tensor(2.0), Tensor(3.0))
Tensor(shape=[], dtype=Float32, value= 18)
"""

from .. import errors, hooks
from ..frontend.calls import handles
from ..tensor import Tensor
from .own_graphs import with_hook


@handles(hooks.register_hook)
def _register_hook(frame, args, kwargs):
    """In a graph: from its calculation on the tensor has the hook's gradient; gives the tensor."""
    owner, hook = [*args, *kwargs.values()]
    if isinstance(owner, Tensor) and type(owner) is not Tensor:
        raise errors.InvalidValue(
            "Register hook for Parameter inside graph is not supported.",
            given=f"{owner!r:.60}",
            hint="Register it before the function is compiled.",
        )
    if not frame.varies(owner):
        return owner  # a constant, which has no gradient
    node, here = frame.node(owner), frame.scope.graph
    if node in frame.reader.hooked.values():
        raise errors.NotRunnable(
            "It is not supported to register multiple hooks for a Tensor. You tensor is "
            f"`{node.name}`.",
            hint="Write one hook that does both.",
        )
    hooked = with_hook(frame, node, hook, "register_hook")
    hooked.name = node.name
    if owner.graph is not here:  # registered in a branch or loop: only there
        frame.write(owner, hooked)
        return owner
    operands = hooked.inputs
    here.replace(node, hooked)
    here.set_inputs(hooked, operands)
    frame.reader.hooked[node] = hooked
    return owner
