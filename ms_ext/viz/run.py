"""``viz.run(f, *args)``: one run of a function, with its graph, its plan and its results.

Two of them are what ``viz.compare`` tells apart.

>>> from ms_ext import Tensor
>>> import ms_ext.ops
>>> print(run(lambda x: x * 2.0 + x, Tensor([1.0, 2.0])).sentence())
<lambda> in graph mode on cython: 2 op calls as 1 fused kernel
"""

import inspect
from typing import NamedTuple

import numpy as np

from .. import context
from ..engine import backends, errors, jit, pipeline, primitive
from ..engine.backends import Listed
from ..engine.frontend.values import mapped, take_apart
from ..engine.ir import TUPLE_GET_ITEM, journal
from ..engine.tensor import Tensor
from .comparing import casting
from .comparing.executed import Calls
from .panel import arguments, links, report
from .panel.sources import python
from .panel.stats import totals
from .passes import Panel

MODES = ("graph", "pynative")


class Settings(NamedTuple):
    """How a function was run."""

    function: str
    mode: str
    backend: str
    passes: tuple[str, ...]  # those added to the default pipeline
    dtype: str


class Run:
    """One run; the last value of a cell draws its graph.

    ``graph``: what ran. ``values``: its results as arrays and numbers, one for each output of the
    graph; None if only types were given. ``listing``: what was executed, block by block.
    ``record``: what the passes did, None in PyNative mode.
    """

    def __init__(self, settings, graph, inputs, values, listing, record=None):
        self.settings, self.graph, self.inputs = settings, graph, inputs
        self.values, self.listing, self.record = values, listing, record
        self.notes = ()

    @property
    def label(self):
        """How it was run, in words."""
        where = f" on {self.settings.backend}" if self.settings.backend else ""
        passes = f", passes with {', '.join(self.settings.passes)}" if self.settings.passes else ""
        dtype = f", at {self.settings.dtype}" if self.settings.dtype else ""
        name = {"graph": "graph mode", "pynative": "PyNative mode"}[self.settings.mode]
        return f"{name}{where}{passes}{dtype}"

    @property
    def cost(self):
        """What one run computes and moves, as ``pipeline.measure`` counts it."""
        return pipeline.measure(self.graph)

    @property
    def blocks(self):
        """The lines of the listing that begin a block: kernels, calls of NumPy, branches, loops."""
        return [each for each in self.listing if each.kind]

    def sentence(self):
        """The run in one sentence."""
        many = self.cost.nodes
        calls = f"{many} op call{'s' * (many != 1)}"
        done = f" as {links.counted(self.listing)}" if self.record and self.listing else ""
        return f"{self.settings.function} in {self.label}: {calls}{done}"

    def text(self):
        """The run as text: what it costs, what was executed, what came out."""
        lines = [self.sentence(), *(f"  note: {each}" for each in self.notes)]
        lines += ["", *(f"  {each}" for each in totals(self.cost)), "", "executed"]
        lines += [f"  {line.text}" for line in links.cut(list(self.listing), "listing", 100)]
        return "\n".join([*lines, "", *self._results()])

    def _results(self):
        if self.values is None:
            return ["no results: only the types of the arguments are known"]
        types = [str(node.abstract) for node in self.graph.outputs]
        return [f"result {i}: {kind}" for i, kind in enumerate(types)]

    def panel(self):
        """The passes of this run as a Panel; in PyNative mode its calls as a graph."""
        if self.record:
            steps, source = report.of_passes(self.record), self.record
        else:
            rows, source = journal.listing(self.graph), self.graph
            steps = report.of_graph(self.graph.name, rows, self.cost)
        return Panel(self.sentence(), steps, None, source, self.panes)

    def panes(self):
        """Its nodes as source lines, text, what was executed, and times where there was a plan."""
        if self.record:
            return links.panes(self.record, self.inputs, self.settings.backend)
        lines = [links.Line(line.text, line.nodes) for line in self.listing]
        called = links.Pane("code", links.cut(lines, "listing"), "The op calls, one by one.")
        return [python(journal.listing(self.graph)), links.ir(self.graph), called]

    def __repr__(self):
        return self.text()

    def _repr_html_(self):
        return self.panel().html()


def run(f, *args, passes=None, backend=None, mode="graph", dtype=None):
    """Run ``f`` on ``args`` and keep how: a Run, to be looked at or compared with another.

    ``mode``: "graph" (compiled) or "pynative" (op by op). ``passes`` and ``backend`` as in ``jit``;
    a function compiled by ``jit`` has its own. ``dtype``: floating tensors and Parameters are cast
    to it first.
    """
    if mode not in MODES:
        raise errors.InvalidValue(
            f"There is no mode {mode!r}.", hint=errors.did_you_mean(mode, MODES)
        )
    if mode == "pynative" and (passes is not None or backend is not None):
        raise errors.InvalidValue(
            "In PyNative mode ops run one by one: there are no passes and there is no backend.",
            hint='Leave them out, or use mode="graph".',
        )
    kind = casting.wanted(dtype)
    given = casting.cast(args, kind) if kind else args
    compiled = isinstance(f, jit.JitFunction)
    passes = f.passes if passes is None and compiled else passes
    backend = f.backend if backend is None and compiled else backend
    name = getattr(f, "__name__", type(f).__name__)
    with casting.lent(f, kind):
        if mode == "graph":
            return _compiled(f, given, name, passes, backend or "", kind)
        return _executed(f, given, name, kind)


def _compiled(f, args, name, passes, backend, kind):
    parsed, inputs = arguments.parsed(f, args)
    casting.check(parsed.parameters, kind)
    record = pipeline.run(parsed.graph, passes, watch=True)
    executable = backends.build(backend, record.graph)
    values = None if any(each is None for each in inputs) else executable(*inputs)
    added = tuple([_name(each) for each in passes or ()])
    settings = Settings(name, "graph", executable.backend, added, str(kind or ""))
    found = Run(settings, record.graph, inputs, values, executable.listing(), record)
    found.notes = executable.notes
    return found


def _name(each):
    """The name of a pass: a string is one."""
    return each if isinstance(each, str) else getattr(each, "name", getattr(each, "__name__", "?"))


def _executed(f, args, name, kind):
    args = [mapped(_tensor, each) for each in args]
    tensors = arguments.leaves(args)
    if not all(isinstance(each, Tensor) for each in tensors):
        raise errors.InvalidType(
            "PyNative mode runs ops on tensors; of an argument only the type is known.",
            hint="Pass a tensor.",
        )
    plain = f.function if isinstance(f, jit.JitFunction) else f
    calls = Calls(name, tensors, _names(plain, args))
    leaves, before = [], context.get_context("mode")
    inputs = [each.asnumpy().copy() for each in tensors]  # the function may write to them
    context.set_context(mode=context.PYNATIVE_MODE)
    try:
        with primitive.interpreting(calls):
            take_apart(plain(*args), leaves)
    finally:
        context.set_context(mode=before)
    calls.returns(leaves)
    casting.check(calls.parameters, kind)
    inputs += [each.asnumpy() for each in calls.parameters]
    values = tuple([v.asnumpy() if isinstance(v, Tensor) else v for v in leaves])
    settings = Settings(name, "pynative", "", (), str(kind or ""))
    found = Run(settings, calls.graph, inputs, values, _listed(calls.graph))
    if calls.written:
        found.notes = (
            f"{calls.written} operands were written to in place, which no op call shows: "
            "their new elements stand as constants",
        )
    return found


def _names(function, args):
    """A name for every tensor among the arguments: that of its parameter."""
    try:
        named = inspect.signature(getattr(function, "construct", function)).bind(*args).arguments
        given = [(k, v) for k, v in named.items()]
    except (TypeError, ValueError):  # a signature that Python cannot tell
        given = [(f"x{index}", value) for index, value in enumerate(args)]
    found = []
    for name, value in given:
        several = len(arguments.leaves(value))
        single = isinstance(value, Tensor)
        found += [name if single else f"{name}_{index}" for index in range(several)]
    return found


def _tensor(value):
    return Tensor(value) if isinstance(value, np.ndarray) else value


def _listed(graph):
    """The calls of an executed function, each a block of its own."""
    from ..engine.backends._listing import call

    nodes = [node for node in graph.order() if node.primitive is not TUPLE_GET_ITEM]
    return [Listed(call(node), (node.id,), "call") for node in nodes]
