"""``jit``: a function is read once per signature, compiled, remembered, and launched.

A signature is the dtypes and shapes of tensors, the values of everything else, and the generation
of the registries, so that an op, pass or backend declared again is noticed.

>>> from ms_ext import Tensor
>>> @jit
... def double(x):
...     return x + x
>>> double(Tensor([1.0, 2.0]))
Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  4.00000000e+00])
"""

import functools
import threading

import numpy as np

from . import backends, errors, frontend, passes, pipeline, primitive
from .compiled import CompiledGraph
from .frontend.values import mapped
from .infer import abstract_of
from .tensor import Tensor

LEVELS = ("O0", "O1")


def jit(
    function=None,
    *,
    backend="",
    passes=None,
    capture_mode="ast",
    jit_level="O0",
    fullgraph=False,
    dynamic=0,
):
    """Compile a function, or decorate one: ``@jit`` or ``@jit(backend="reference")``.

    ``passes`` adds passes to the default pipeline, by name or as objects.
    """
    if jit_level not in LEVELS:
        raise errors.InvalidValue(
            f"The 'jit_level' must be one of {list(LEVELS)}, but got {jit_level}."
        )
    if type(dynamic) is not int:
        raise errors.InvalidType(f"The 'dynamic' must be an int, but got {type(dynamic).__name__}.")
    if type(fullgraph) is not bool:
        raise errors.InvalidType(
            f"The 'fullgraph' must be a bool, but got {type(fullgraph).__name__}."
        )
    if capture_mode != "ast":
        raise errors.InvalidValue(
            f"The capture mode {capture_mode!r} is not available.", hint="Leave it at 'ast'."
        )
    if function is None:
        return lambda f: JitFunction(f, backend, passes)
    return JitFunction(function, backend, passes)


class JitFunction:
    """A compiled function; ``compiled`` counts how often it was compiled."""

    def __init__(self, function, backend="", passes=None):
        if not callable(function):
            raise errors.InvalidType(
                "jit compiles functions and Cells.",
                given=f"{function!r:.60}",
                hint="Use @jit above a def.",
            )
        self.function, self.backend, self.passes = function, backend, passes
        self._known, self._lock = {}, threading.Lock()
        functools.update_wrapper(self, function, updated=())

    def graph_function(self):
        """What graph mode reads instead of this object."""
        return self.function

    def __get__(self, owner, kind=None):
        return self if owner is None else functools.partial(self, owner)

    def __call__(self, *args, **kwargs):
        leaves = []
        key = (
            _signature(args, leaves),
            _signature(kwargs, leaves) if kwargs else None,
            generation(),
        )
        launcher = self._known.get(key)
        if launcher is None:
            with self._lock:
                launcher = self._known.get(key) or self._compile(key, args, kwargs)
        return launcher(leaves)

    def _compile(self, key, args, kwargs):
        parsed = parse(self.function, args, kwargs)
        launcher = Launcher(parsed, CompiledGraph(parsed.graph, self.backend, self.passes))
        key = (*key[:2], generation())  # compiling may have loaded a backend's rows
        self._known[key] = launcher
        return launcher

    @property
    def compiled(self):
        """How many signatures have been compiled."""
        return len(self._known)


class Launcher:
    """A compiled signature: tensors of the arguments in, the function's own result out."""

    __slots__ = ("compiled", "parsed", "single")

    def __init__(self, parsed, compiled):
        self.parsed, self.compiled = parsed, compiled
        self.single = parsed.tree == "leaf"

    def __call__(self, leaves):
        values = self.compiled(*leaves, *self.parsed.parameters)
        return values[0] if self.single else self.parsed.result(values)


def generation():
    """Grows whenever an op, a pass or a backend is declared again."""
    return primitive.generation(), passes.REGISTRY.generation, backends.generation()


def parse(function, args, kwargs=None):
    """The Parsed graph of ``function`` on these values; nothing is optimised."""
    return frontend.parse(function, mapped(_abstract, args), mapped(_abstract, kwargs or {}))


def trace(function, *args, **kwargs):
    """The FuncGraph of ``function`` on these arguments, as it was read.

    >>> trace(lambda x: x * x, Tensor(2.0)).outputs[0].primitive.name
    'Mul'
    """
    return parse(function, args, kwargs).graph


def explain(function, *args, passes=None, **kwargs):
    """Compile with every rewrite and refusal recorded: a PipelineRecord."""
    return pipeline.run(trace(function, *args, **kwargs), passes, watch=True)


@frontend.handles(jit)
def _inside_compiled_code(frame, args, kwargs):
    """Compiled code is compiled already: the function stays what it is."""
    return args[0] if args else lambda function: function


def _signature(value, leaves):
    """The part of the key that ``value`` stands for; its tensors are appended to ``leaves``."""
    kind = type(value)
    if isinstance(value, Tensor):
        leaves.append(value)
        return value.dtype, value.shape
    if kind is tuple or kind is list:
        return (kind, *[_signature(v, leaves) for v in value])
    if kind is dict:
        return (kind, *[(k, _signature(v, leaves)) for k, v in value.items()])
    if kind is np.ndarray:
        leaves.append(Tensor(value))
        return leaves[-1].dtype, value.shape
    if kind in _EXACT:
        return kind, value
    if kind is float or isinstance(value, np.generic):
        return kind, repr(value)  # for == is 0.0 the same as -0.0, and nan not even as nan
    return kind, id(value), _Alive(value)


_EXACT = frozenset((int, bool, str, type(None)))


class _Alive:
    """Keeps an object of a signature alive, so that its id is not reused; never decides a key."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


def _abstract(value):
    return abstract_of(value) if isinstance(value, Tensor | np.ndarray) else value
