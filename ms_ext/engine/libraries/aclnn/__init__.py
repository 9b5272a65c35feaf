"""aclnn: each function in two phases. The first says how much workspace, the second launches.

``aclnn.aclnnMatmulGetWorkspaceSize`` and ``aclnn.aclnnMatmul`` are functions of this module, and so
for every kernel.

| file | question |
|---|---|
| ``declared`` | how is a kernel declared? |
| ``executor`` | what stands between the phases, and what is remembered? |
| ``arithmetic``, ``reductions``, ``networks`` | which kernels are there? |

>>> import numpy as np
>>> x, out = np.float32([[1, 2], [3, 4]]), np.empty((2, 2), np.float32)
>>> size, executor = function("aclnnMatmulGetWorkspaceSize")(x, x, out, 0)
>>> workspace = np.empty(size, np.uint8)
>>> function("aclnnMatmul")(workspace, size, executor, stream=None)
0
>>> out.tolist()
[[7.0, 10.0], [15.0, 22.0]]
"""

from ... import errors
from . import arithmetic, networks, reductions
from .declared import KERNELS, Kernel, kernel
from .executor import Counters, Executor, ExecutorCache, launch, prepare

__all__ = [
    "CACHE",
    "KERNELS",
    "Counters",
    "Executor",
    "ExecutorCache",
    "Kernel",
    "aclDestroyAclOpExecutor",
    "aclSetAclOpExecutorRepeatable",
    "function",
    "functions",
    "kernel",
]
_FILES = (arithmetic, reductions, networks)
_FIRST = "GetWorkspaceSize"
CACHE = ExecutorCache()


def aclSetAclOpExecutorRepeatable(executor):
    """Say that an executor will be launched more than once; 0."""
    executor.repeatable = True
    return 0


def aclDestroyAclOpExecutor(executor):
    """Give up an executor: it can be launched no more; 0."""
    executor.launched, executor.repeatable, executor.bound = True, False, None
    return 0


def functions():
    """The names of all functions, without their first phases.

    >>> functions()[:3]
    ['aclnnAbs', 'aclnnAdd', 'aclnnApplyRotaryPosEmb']
    """
    return sorted(f"aclnn{name}" for name in KERNELS)


def function(name):
    """The function of the library that has this name, of either phase."""
    kernel = KERNELS.get(name.removeprefix("aclnn").removesuffix(_FIRST))
    if kernel is None or not name.startswith("aclnn"):
        raise errors.UnknownAttribute(
            f"The library has no function {name!r}.",
            hint=errors.did_you_mean(name.removesuffix(_FIRST), functions()),
        )
    return _first(kernel) if name.endswith(_FIRST) else _second(kernel)


def _first(kernel):
    def get_workspace_size(*arguments, **named):
        return prepare(CACHE, kernel, arguments, named)

    get_workspace_size.__doc__ = f"(bytes of workspace, executor). {kernel.doc}"
    get_workspace_size.__name__ = f"aclnn{kernel.name}{_FIRST}"
    return get_workspace_size


def _second(kernel):
    def launching(workspace, size, executor, stream=None):
        return launch(kernel, workspace, size, executor)

    launching.__doc__ = f"Launch an executor; 0. {kernel.doc}"
    launching.__name__ = f"aclnn{kernel.name}"
    return launching


def __getattr__(name):
    if name.startswith("aclnn"):
        return function(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
