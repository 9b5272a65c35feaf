"""Which backends are there, and what does one have to offer?

A backend is a function ``build(graph) -> run``, and ``run(*arrays)`` gives a tuple of arrays, one
for each output of the graph. Each file or folder here is one; a notebook adds its own with the
same decorator. The default is ``cython``; MindSpore calls it "ms_backend" or leaves the name
empty. What it runs a backend may tell: ``run.listing()`` gives Listed lines.

>>> from ms_ext import ops
>>> from ms_ext.dtype import float32
>>> from ms_ext.engine.infer import AbstractTensor
>>> from ms_ext.engine.ir import FuncGraph
>>> import numpy as np
>>> graph = FuncGraph("double")
>>> x = graph.add_parameter(AbstractTensor(float32, (2,)), "x")
>>> graph.returns(graph.add(ops.Add, (x, x)))
>>> build("reference", graph)(np.float32([1, 2]))
(array([2., 4.], dtype=float32),)
>>> @backend("first")
... def first(graph):
...     return lambda *arrays: arrays[:1]
>>> build("first", graph)(np.float32([1, 2]))
(array([1., 2.], dtype=float32),)
>>> REGISTRY.discard("first")
"""

from .. import errors, events
from ..registry import Registry
from ._class_form import BackendBase, RunningStatus, class_form
from ._executable import Executable, Fallback, Kernel, Listed, checked
from ._rows import ROWS, lower
from ._watching import at_most

__all__ = [
    "ALIASES", "REGISTRY", "ROWS", "BackendBase", "Executable", "Fallback", "Kernel", "Listed",
    "RunningStatus", "at_most", "backend", "build", "find", "generation", "lower", "names",
    "node_by_node", "resolve",
]  # fmt: skip

DEFAULT = "cython"
ALIASES = {"": DEFAULT, "ms_backend": DEFAULT, "GE": DEFAULT}  # as MindSpore has it on a CPU
REGISTRY = Registry("backend", __name__)


def backend(name):
    """Register a build function, or a class with Build and Run; the latest of a name counts."""
    if name in ALIASES:
        raise errors.NotRunnable(
            f"{name!r} is the built-in backend and cannot be replaced.", hint="Choose another name."
        )

    def register(builder):
        if not callable(builder):
            raise errors.InvalidType(
                "A backend is a function build(graph), or a class with Build and Run.",
                given=f"{builder!r:.60}",
            )
        REGISTRY.add(name, class_form(name, builder) if isinstance(builder, type) else builder)
        return builder

    return register


def find(name):
    """The build function of the backend called ``name``.

    >>> find("") is find("cython")
    True
    """
    return REGISTRY.get(resolve(name))


def resolve(name):
    """A backend's own name, or one clear error.

    >>> resolve("ms_backend")
    'cython'
    """
    known = ALIASES.get(name, name) if isinstance(name, str) else name
    if not isinstance(known, str) or known not in REGISTRY:
        raise errors.NotRunnable(
            f"Invalid backend name: {name}, you should register custom backend first",
            hint=errors.did_you_mean(name, names()),
        )
    return known


def names():
    """The names that ``jit(backend=...)`` takes.

    >>> names()
    ['cython', 'ms_backend', 'reference']
    """
    return sorted({*REGISTRY.names(), "ms_backend"})


def generation():
    """A number that grows when a backend or one of its rows is registered again."""
    return REGISTRY.generation + ROWS.generation


def build(name, graph):
    """An Executable: ``graph`` as the backend called ``name`` runs it."""
    builder, start = find(name), events.now()
    run = builder(graph)
    executable = run if isinstance(run, Executable) else checked(name, graph, run)
    executable.backend = resolve(name)
    if events.on:
        executable.announce(start)
    return executable


def node_by_node(graph, rows=None):
    """A ``build`` for the lazy: the rows registered for ``rows``, NumPy's meaning elsewhere.

    Which nodes had no row, and why, is in ``executable.fallbacks``.

    >>> @backend("partial")
    ... def partial(graph):
    ...     return node_by_node(graph, "partial")
    >>> @lower("Add", backend="partial")
    ... def add(node):
    ...     return lambda x, y: x + y
    >>> REGISTRY.discard("partial")
    """
    from ._plan import Planner  # needed when something is built, not to register a backend

    return Planner(graph, rows).executable()
