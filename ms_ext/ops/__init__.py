"""``ms.ops``: the functions and primitives, derived from the declarations in this folder.

``ops.add`` is the function, ``ops.Add`` the primitive; both are the Op that ``@op`` made.

>>> ops.add is ops.Add
True
>>> ops.ReduceSum(keep_dims=True)(Tensor([1.0, 2.0]))
Tensor(shape=[1], dtype=Float32, value= [ 3.00000000e+00])
"""

import importlib
import pkgutil
import sys

from ..engine import errors, primitive
from .composite import public

_LATER = {"Custom": "custom"}
#: Files that bring more than ops with them, imported at first use.
_ELSEWHERE = {
    "GradOperation": "engine.gradients.operation",
    "HookBackward": "engine.gradients.hook_ops",
    "InsertGradientOf": "engine.gradients.hook_ops",
    "get_grad": "engine.gradients.answers",
    "grad": "engine.gradients.gradient",
    "jacfwd": "engine.gradients.jacobians",
    "jacrev": "engine.gradients.jacobians",
    "jvp": "engine.gradients.pushforwards",
    "value_and_grad": "engine.gradients.gradient",
    "vjp": "engine.gradients.pullbacks",
    "vmap": "engine.batching",
}

for _file in pkgutil.iter_modules(__path__):
    if _file.name not in _LATER.values():
        importlib.import_module(f"{__name__}.{_file.name}")

globals().update(primitive.OPS | public(""))

__all__ = sorted({*primitive.OPS, *public(""), *_LATER, *_ELSEWHERE})


def __getattr__(name):
    """What is imported at first use, and ops that were declared later, in a notebook."""
    if name == "operations":  # the primitives, in MindSpore's older words
        return sys.modules[__name__]
    if name in _ELSEWHERE:
        return getattr(importlib.import_module(f"ms_ext.{_ELSEWHERE[name]}"), name)
    if name in _LATER:
        module = importlib.import_module(f"{__name__}.{_LATER[name]}")
        return globals().setdefault(name, getattr(module, name))
    found = primitive.OPS.get(name) or primitive.NAMES.get(name)
    if found is None:
        known = {*primitive.OPS, *public("")}
        raise errors.UnknownAttribute(
            f"ops has no {name!r}.", hint=errors.did_you_mean(name, known)
        )
    return found


def __dir__():
    return sorted({*globals(), *primitive.OPS, *public("")})
