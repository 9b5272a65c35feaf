"""On which graphs is a pass tried? Each is written as a function, its operand types drawn.

The letters in ``"T[m,n] T[n]"`` are sizes, the same letter the same size; ``T`` is one of the
dtypes of the list. Types written out, like ``"i8[2]"``, are taken as they are.
"""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ms_ext import ops  # noqa: F401 - graphs are written with their operators
from ms_ext.engine import ir
from ms_ext.engine.ir.plain import read_abstract
from ms_ext.engine.symbol import Builder

from .drawing import TILE, Question, seeded, size_plans


@dataclass(frozen=True)
class GraphCase:
    """A graph, on operand types. ``removes``: how many calls a right pass takes away at least."""

    build: Callable
    types: str
    removes: int
    sizes: dict
    dtype: str

    def question(self):
        """The graph as text for the learner's process, and as a graph for the judge."""
        graph = self.graph()
        kinds = ", ".join(str(p.abstract) for p in graph.parameters)
        title = f"{inspect.getdoc(self.build).splitlines()[0]}   ({kinds})"
        return Question(title, (), {"graph": ir.dump(graph)}, graph, self.removes)

    def graph(self):
        """The FuncGraph."""
        text = re.sub(r"\bT\b", self.dtype, self.types)
        text = re.sub(r"\b[a-z]\b", lambda letter: str(self.sizes[letter[0]]), text)
        return built(self.build, text.split())

    def smaller(self):
        """The same graph with smaller sizes."""
        for name, size in self.sizes.items():
            for less in dict.fromkeys((1, 2, 3, size // 2, size - 1)):
                if 0 < less < size:
                    yield replace(self, sizes={**self.sizes, name: less})


def built(build, types):
    """The graph that ``build`` writes on operands of these types.

    >>> built(lambda x, y: x + (-y), ["f32[3]", "f32[3]"]).outputs[0].primitive.name
    'Add'
    """
    graph = ir.FuncGraph(build.__name__)
    parameters = [
        graph.add_parameter(read_abstract(kind, 0)[0], name)
        for name, kind in zip(inspect.signature(build).parameters, types, strict=True)
    ]
    with Builder(graph) as builder:
        results = build(*map(builder.wrap, parameters))
    results = results if isinstance(results, tuple) else (results,)
    graph.returns(*map(builder.node, results))
    return graph


class Graphs:
    """Graph cases, filled by its decorator.

    >>> graphs = Graphs()
    >>> @graphs.on("T[m] T[m]", removes=1)
    ... def plain(x, y):
    ...     "x + (-y)"
    ...     return x + (-y)
    >>> graphs.cases(seed=0)[0].question().title
    'x + (-y)   (f32[1], f32[1])'
    """

    def __init__(self, dtypes="f32"):
        self.dtypes, self.entries = dtypes.split(), []

    def on(self, *types, removes=0):
        """Declare a graph on each string of operand types."""

        def declare(build):
            self.entries += [(build, each, removes) for each in types]
            return build

        return declare

    def cases(self, seed):
        """All of them: written-out types once, letters for several sizes and each dtype."""
        return [
            case for at, entry in enumerate(self.entries) for case in self._of(*entry, seed, at)
        ]

    def _of(self, build, types, removes, seed, at):
        letters = sorted(set(re.findall(r"\b[a-z]\b", types)))
        rng = np.random.default_rng(seeded(seed, build.__name__, at))
        plans = list(size_plans(len(letters), TILE, rng)) if letters else [()]
        kinds = self.dtypes if re.search(r"\bT\b", types) else self.dtypes[:1]
        few = plans[:1] + plans[2:4]  # sizes hardly matter to a pass
        turns = [(plan, kinds[number % len(kinds)]) for number, plan in enumerate(few)]
        turns += [(plans[-1], kind) for kind in kinds[len(turns) :]]
        for plan, kind in turns:
            yield GraphCase(build, types, removes, dict(zip(letters, plan, strict=True)), kind)
