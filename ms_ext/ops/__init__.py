"""``ms.ops``: the functions and primitives, derived from the declarations in this folder.

``ops.add`` is the function, ``ops.Add`` the primitive; both are the Op that ``@op`` made.

>>> ops.add is ops.Add
True
>>> ops.ReduceSum(keep_dims=True)(Tensor([1.0, 2.0]))
Tensor(shape=[1], dtype=Float32, value= [ 3.00000000e+00])

Files of ``AT_ONCE`` are imported with this package; what the others declare is listed in
declared.json, and imported when it is first used. ``ms-ext sync`` writes the list; a file that it
does not name yet is imported at once, too.
"""

import importlib
import json
import sys
from pathlib import Path

from ..engine import errors, primitive
from . import composite

#: Operators of Python, what graphs are made of, and what everybody uses.
AT_ONCE = (
    "activation", "arithmetic", "axes", "choice", "comparison", "composite", "creation", "dropping",
    "dynamic", "elementary", "extremes", "index_parts", "indexing", "joining", "layout", "matrix",
    "networks", "normalize", "places", "precision", "products", "randomness", "rearranging",
    "reductions", "rounding", "sampling", "shapes", "statistics", "trigonometry", "writing",
)  # fmt: skip
#: Files that bring more than ops with them, imported at first use.
_ELSEWHERE = {
    "Custom": "ops.custom",
    "CustomOpBuilder": "engine.custom.builder.builder",
    "CustomRegOp": "engine.custom.registration",
    "DataType": "engine.custom.registration",
    "GradOperation": "engine.gradients.operation",
    "HookBackward": "engine.gradients.hook_ops",
    "HyperMap": "common.mapping",
    "InsertGradientOf": "engine.gradients.hook_ops",
    "Map": "common.mapping",
    "MultitypeFuncGraph": "common.mapping",
    "constexpr": "common.mapping",
    "custom_info_register": "engine.custom.registration",
    "get_grad": "engine.gradients.answers",
    "grad": "engine.gradients.gradient",
    "jacfwd": "engine.gradients.jacobians",
    "jacrev": "engine.gradients.jacobians",
    "jvp": "engine.gradients.pushforwards",
    "kernel": "engine.custom.hybrid.kernel",
    "ms_kernel": "engine.custom.hybrid.kernel",
    "value_and_grad": "engine.gradients.gradient",
    "vjp": "engine.gradients.pullbacks",
    "vmap": "engine.batching",
}
_NO_OPS = ("__init__", "custom", "later")
DECLARED = Path(__file__).with_name("declared.json")


def _import(file):
    try:
        importlib.import_module(f"{__name__}.{file}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{file}":
            raise
        raise errors.NoModule(
            f"The file ops/{file}.py is gone, but {DECLARED.name} lists it.",
            hint="Write the list anew: ms-ext sync",
        ) from None


_declared = json.loads(DECLARED.read_text(encoding="utf-8"))
primitive.promise(_declared, _import)
composite.promise(_declared, _import)
_unlisted = {path.stem for path in Path(__file__).parent.glob("*.py")} - {*_declared, *_NO_OPS}
for _file in (*AT_ONCE, *sorted(_unlisted - {*AT_ONCE})):
    _import(_file)
for _table in (primitive.OPS, primitive.NAMES, composite.COMPOSITES):
    globals().update((name, each) for name, each in dict.items(_table) if "." not in name)


def __getattr__(name):
    """What is imported at first use, and ops that were declared later, in a notebook."""
    if name in ("function", "functional", "operations"):  # MindSpore's older words
        return sys.modules[__name__]
    if name == "__all__":
        return __dir__()
    if name in _ELSEWHERE:
        return getattr(importlib.import_module(f"ms_ext.{_ELSEWHERE[name]}"), name)
    found = composite.shown("", name)
    found = primitive.OPS.get(name) if found is None else found
    if found is None:
        hint = errors.did_you_mean(name, __dir__())
        raise errors.UnknownAttribute(f"ops has no {name!r}.", hint=hint)
    if getattr(found, "module", __name__).startswith("ms_ext."):
        globals()[name] = found  # of a notebook's ops the latest counts
    return found


def __dir__():
    return sorted({*primitive.OPS.names(), *composite.names(""), *_ELSEWHERE})
