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

import contextlib
import functools
import threading
import types
import warnings

from .. import context
from . import (
    backends,
    compilations,
    errors,
    events,
    frontend,
    jit_options,
    passes,
    pipeline,
    primitive,
    strict,
)
from .calling import learn
from .compiled import CompiledGraph
from .declared_inputs import declared_shapes
from .dynamic import Dynamic, Served, named, opened, skeleton
from .frontend.values import mapped, same_constant
from .gradients import blocks, hook_graphs  # noqa: F401  their meanings in compiled code
from .making import making
from .signatures import has_symbol, kind_of, kinds_with, of_call
from .tensor import COMPILED, Tensor, core


def jit(
    function=None,
    *,
    capture_mode="ast",
    jit_level="O0",
    dynamic=0,
    fullgraph=False,
    backend="",
    passes=None,
    **options,
):
    """Compile a function, or decorate one: ``@jit`` or ``@jit(backend="reference")``.

    ``capture_mode``: "ast" reads the function's Python text. "trace" runs it once, on the arguments
    of the first call: what ``if``, loops and ``float(x)`` decide there is decided for good.
    "bytecode" runs it on symbols, and reads its text where a tensor would have to decide: MindSpore
    reads bytecode and guards it; here the guards are the types of tensors and the values of all
    other arguments, as in every mode. ``fullgraph``: nothing is
    left to Python when the graph runs. ``passes`` adds passes to the default pipeline, by name or
    as objects. ``jit_level``, ``dynamic`` and MindSpore's further options are checked.

    What cannot be called is given back; a Cell class gets a compiled ``construct``.
    """
    jit_options.check(capture_mode, jit_level, dynamic, fullgraph, options)

    def compiled(function):
        return _compiled(function, backend, passes, fullgraph, capture_mode, dynamic)

    return compiled if function is None else compiled(function)


def _compiled(function, *options):
    if isinstance(function, type) and hasattr(function, "construct"):
        function.construct = JitFunction(function.construct, *options)
        return function
    if not callable(function):
        warnings.warn(
            f"The func should be function, method or cell instance/class, but got {function!r:.60}",
            errors.MsExtWarning,
            stacklevel=4,
        )
        return function
    return JitFunction(function, *options)


class JitFunction(core.Caller):
    """A compiled function; ``compiled`` counts how often it was compiled, ``compilations`` say why.

    What globals are is frozen when a signature is compiled; that one has another value at a later
    call is warned about, once per name.
    """

    def __init__(
        self, function, backend="", passes=None, fullgraph=False, capture_mode="ast", dynamic=0
    ):
        if not callable(function):
            raise errors.InvalidType(
                "jit compiles functions and Cells.",
                given=f"{function!r:.60}",
                hint="Use @jit above a def.",
            )
        self.function, self.backend, self.passes = function, backend, passes
        self.fullgraph, self.capture_mode = fullgraph, capture_mode
        self.compilations, self._dynamic = [], Dynamic(detects=dynamic == 1)
        self.inputs_declared = None  # by enable_dynamic: name -> what an input is like
        self._known, self._lock, self._noticed = {}, threading.RLock(), set()
        functools.update_wrapper(self, function, updated=())

    def graph_function(self):
        """What graph mode reads instead of this object."""
        return self.function

    def __get__(self, owner, kind=None):
        return self if owner is None else _Method(self, owner)

    def answer(self, args, kwargs):
        """The result of a call that is not ``Ready`` yet (see ``calling``)."""
        leaves = []
        key = (*of_call(args, kwargs, leaves), generation())
        launcher = self._known.get(key)
        if launcher is None:
            if has_symbol((args, kwargs)):  # called by a function that is being traced
                return self.function(*args, **kwargs)
            with self._lock:
                launcher = self._known.get(key) or self._new(key, args, kwargs, leaves)
        if launcher.captured:
            self._notice(launcher)
        result = launcher(leaves)
        if not kwargs and core.may_hurry():
            learn(self, launcher, args, None if launcher.single else launcher.parsed.result)
        return result

    def graph(self, *args, **kwargs):
        """The optimised graph that runs for these arguments, compiled now if it was not yet.

        >>> def f(x):
        ...     return x * 1 + x
        >>> [node.primitive.name for node in jit(f).graph(Tensor(2.0)).order()]
        ['Add']
        """
        leaves = []
        key = (*of_call(args, kwargs, leaves), generation())
        with self._lock:
            launcher = self._known.get(key) or self._new(key, args, kwargs, leaves)
        return launcher.compiled.graph

    def _new(self, key, args, kwargs, leaves):
        """The Launcher of a signature that was not met: what serves it already, or a new one."""
        shapes = [leaf.shape for leaf in leaves if isinstance(leaf, Tensor)]
        declared = declared_shapes(self.function, self.inputs_declared, args, kwargs)
        if not (self._dynamic.detects or any(declared)):
            return self._compile(key, args, kwargs, shapes)
        kind = skeleton(key)
        launcher = self._dynamic.find(kind, shapes)
        if launcher is None:
            openings = self._dynamic.openings(kind, shapes, declared)
            return self._compile(key, args, kwargs, shapes, openings)
        self._known[key] = launcher
        return launcher

    def _compile(self, key, args, kwargs, shapes, openings=()):
        start = events.now()

        def build(shapes):
            parsed = self._parse(args, kwargs, shapes)
            return Launcher(parsed, CompiledGraph(parsed.graph, self.backend, self.passes))

        with making():
            launcher, sizes, closed = opened(openings, shapes, build)
        known = (*key[:2], generation())  # compiling may have loaded a backend's rows
        self._known[known] = launcher
        letters = named(sizes, self.function, args, kwargs)
        served = Served(launcher, shapes, sizes.openings, letters, closed)
        if letters:
            self._dynamic.enter(skeleton(known), served)
        self._record(known, start, served)
        return launcher

    def _record(self, key, start, served):
        record = compilations.Compilation(
            self.function, key, self.compilations, events.now() - start, served
        )
        self.compilations.append(record)
        if events.on:
            text = f"{frontend.name_of(self.function)}: {record.text}"
            events.emit("compile", text, start, events.now(), record.number)

    def _parse(self, args, kwargs, shapes=None):
        strict = self.fullgraph or context.get_context("jit_syntax_level") == context.STRICT
        if self.capture_mode == "trace":
            values = []
            of_call(args, kwargs, values)
            return parse(self.function, args, kwargs, strict, values, shapes)
        if self.capture_mode == "bytecode":
            with contextlib.suppress(frontend.Unknown):
                return parse(self.function, args, kwargs, strict, (), shapes)
        jit_options.check_arity(self.function, args, kwargs)
        return parse(self.function, args, kwargs, strict, None, shapes)

    def _notice(self, launcher):
        for module, name, value in launcher.captured:
            now = module.get(name)
            if now is value or name in self._noticed or same_constant(now, value):
                continue
            self._noticed.add(name)
            warnings.warn(
                f"'{frontend.name_of(self.function)}' was compiled when the global '{name}' was "
                f"{value!r:.60}. It is {now!r:.60} by now, which compiled code does not see. Give "
                "it as an argument, or use jit again.",
                errors.MsExtWarning,
                stacklevel=3 if COMPILED else 4,  # the twin of Caller is Python, too
            )

    def compilation_for(self, *args, **kwargs):
        """The Compilation that answers a call with these arguments; None before there is one."""
        signature = of_call(args, kwargs, [])
        return next((each for each in self.compilations if each.answers(signature)), None)

    @property
    def compiled(self):
        """How many signatures have been compiled."""
        return len(self.compilations)


class _Method(functools.partial):
    """A compiled method of one object."""

    def graph(self, *args, **kwargs):
        """As ``JitFunction.graph``, for this object."""
        return self.func.graph(*self.args, *args, **kwargs)


class Launcher:
    """A compiled signature: tensors of the arguments in, the function's own result out."""

    __slots__ = ("captured", "compiled", "parsed", "rereads", "single")

    def __init__(self, parsed, compiled):
        self.parsed, self.compiled = parsed, compiled
        self.captured = [each for each in parsed.globals if _may_change(each[-1])]
        self.single = parsed.tree == "leaf"
        self.rereads = any(isinstance(v, frontend.Attribute) for v in parsed.parameters)

    def __call__(self, leaves):
        more = self.parsed.parameters
        if self.rereads:
            more = [v.now() if isinstance(v, frontend.Attribute) else v for v in more]
        values = self.compiled(*leaves, *more)
        return values[0] if self.single else self.parsed.result(values)


def generation():
    """Changes when an op, a pass or a backend is declared again, or MindSpore's answers wanted."""
    declared = primitive.generation(), passes.REGISTRY.generation, backends.generation()
    return (*declared, *strict.settings.values())


def _may_change(value):
    """Whether a global is worth a look at every call: no module, no op, nothing of this package."""
    if isinstance(value, types.ModuleType | primitive.Op):
        return False
    own = isinstance(value, type | types.FunctionType | types.BuiltinFunctionType)
    return not (own and (value.__module__ or "").startswith("ms_ext."))


def parse(function, args, kwargs=None, strict=False, run=None, shapes=None):
    """The Parsed graph of ``function`` on these values; nothing is optimised.

    ``shapes``: those of the tensors in order, where they are not their own.
    """
    kind = kind_of if shapes is None else kinds_with(iter(shapes))
    kinds = mapped(kind, args), mapped(kind, kwargs or {})
    return frontend.parse(function, *kinds, strict=strict, run=run)


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
