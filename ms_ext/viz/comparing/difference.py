"""What is different between two runs? Their graphs as one picture, their plans, their results.

Both sides have one numbering: what is the same in both has the same number, whatever the engine
called it.
"""

import re

from ...engine import making
from ..compare import refuse_too_large
from ..drawing.budget import BUDGET
from ..drawing.union import union
from ..panel import links, report, text
from ..panel.amounts import number
from ..panel.sources import python
from ..panel.stats import Stat, stats
from ..passes import Panel
from . import comparables
from .pairing import listings, shapes

_CHANGED = (
    ("removed", "only in the first"),
    ("added", "only in the second"),
    ("rewritten", "in both, changed"),
)
_LINES = 100  # of a pane in the text
_NAMES = 12  # nodes that are named in a line
_NOTHING = (-1, "nothing")  # computes a node that is not there


class Difference(Panel):
    """Two runs, records or panels as one panel; the last value of a cell draws itself."""

    def __init__(self, first, second, budget=BUDGET):
        self.first, self.second = comparables.as_run(first), comparables.as_run(second)
        self.labels = comparables.labels(self.first, self.second)
        for each in (self.first, self.second):
            refuse_too_large(each.graph)
        kind = shapes if comparables.other_dtypes(self.first.graph, self.second.graph) else None
        self.values = comparables.agreements(self.first.values, self.second.values)
        with making.paused():
            self.rows = listings(self.first.graph, self.second.graph, kind, places=True)
            both = union(self.rows.before, self.rows.after, 1)
        step = report.of_union(" → ".join(self.labels), both, self._summary(both), budget)
        step.said["number"], step.said["doc"] = 1, self._doc()
        step.said["stats"] = [each._asdict() | {"change": each.change} for each in self._stats()]
        names = dict.fromkeys((self.first.settings.function, self.second.settings.function))
        title = f"{' and '.join(names)}: {' → '.join(self.labels)}"
        super().__init__(title, [step], 1, None, self._panes_of_both)

    def sentence(self):
        """The difference in one sentence."""
        return self.report[0]["summary"]

    def text(self):
        """The same content as text: the graphs, the numbers, the results, who computes what."""
        lines = [text.page(self.title, self.report)]
        for pane in self._tables():
            shown = [f"  {line.text}" for line in links.cut(pane.lines, "html()", _LINES)]
            lines += ["\n".join([f"{pane.name}    {pane.about}", *shown, ""])]
        return "\n".join(lines)

    # what is said ---------------------------------------------------------------------------------

    def _summary(self, both):
        graph, plan = self._graphs(both), self._plans()
        results = [] if self.values is None else [comparables.in_words(self.values)]
        if graph or plan or not all(each.same for each in self.values or ()):
            parts = [graph or "the same graph", *filter(None, [plan]), *results]
            return f"{' → '.join(self.labels)}: {'; '.join(parts)}"
        many = sum(row.kind == "call" and row.op != "Return" for row in self.rows.after.values())
        same = ["the same plan"] if self._planned() else []
        return f"no difference: {', '.join([f'the same graph of {many} nodes', *same, *results])}"

    def _graphs(self, both):
        """The difference of the graphs in words; "" if there is none."""
        states = [state for node, state in both.states.items() if both.rows[node].op != "Return"]
        said = [f"{states.count(state)} {word}" for state, word in _CHANGED if state in states]
        if said:
            return ", ".join([*said, f"{states.count('unchanged')} the same"])
        changed = any(both.counts()[state] for state, _ in _CHANGED)
        return "the same nodes, but other ones are returned" if changed else ""

    def _plans(self):
        """The difference of the plans in words; "" if there is none, or nothing to tell it by."""
        if not self._planned() or self._same_plan():
            return ""
        one, other = links.counted(self.first.listing), links.counted(self.second.listing)
        return f"{one} → {other}" if one != other else "computed in other blocks"

    def _doc(self):
        said = [f"First {self.first.sentence()}; then {self.second.sentence()}."]
        if comparables.other_arguments(self.first.inputs, self.second.inputs):
            said.append("They were given other arguments.")
        said.append("− is only in the first, + only in the second, ~ in both but changed.")
        return " ".join(said)

    def _stats(self):
        found = stats(0, self.first.cost, self.second.cost, 0.0)[1:-1]
        if self._planned():
            found += [
                Stat(name, *counts, meaning, " → ".join(map(number, counts)))
                for name, meaning, *counts in _launches(self.first.blocks, self.second.blocks)
            ]
        if self.values is not None:
            meaning = "the results of both, compared element by element"
            found.append(Stat("values", None, 0, meaning, comparables.in_words(self.values)))
        return found

    # plans ----------------------------------------------------------------------------------------

    def _planned(self):
        return bool(self.first.listing) and bool(self.second.listing)

    def _same_plan(self):
        both = (self.first, self.rows.wanted), (self.second, self.rows.yours)
        one, other = (
            [(each.kind, *[ids.get(node) for node in each.nodes]) for each in run.blocks]
            for run, ids in both
        )
        return one == other

    def _who(self, run, ids):
        """Number of a node -> (the block that computes it, the block's kind)."""
        return {
            ids[node]: (at, links.kind(block))
            for at, block in enumerate(run.blocks) for node in block.nodes if node in ids
        }  # fmt: skip

    # panes ----------------------------------------------------------------------------------------

    def _tables(self):
        """The results, and what computes each node."""
        panes = []
        if self.values is not None:
            panes.append(links.Pane("values", self._results(), comparables.in_words(self.values)))
        if self._planned():
            same = "Both run the same blocks."
            about = f"What computes each node: {' → '.join(self.labels)}."
            panes.append(links.Pane("plan", self._plan(), same if self._same_plan() else about))
        return panes

    def _plan(self):
        """A line for the nodes that share a block, or a kind of block, on both comparables."""
        one = self._who(self.first, self.rows.wanted)
        other = self._who(self.second, self.rows.yours)
        rows, together = self.rows.before | self.rows.after, {}
        for node in sorted({*one, *other}):
            key = [_shared(each.get(node, _NOTHING)) for each in (one, other)]
            together.setdefault(tuple(key), []).append(node)
        lines = []
        for nodes in together.values():
            said = [_blocks([each.get(n, _NOTHING) for n in nodes]) for each in (one, other)]
            names = [f"%{node} {rows[node].op}" for node in nodes]
            more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
            text = f"{', '.join(names[:_NAMES])}{more}: {' → '.join(dict.fromkeys(said))}"
            lines.append(links.Line(text, tuple(nodes)))
        return lines

    def _results(self):
        outputs = (self.first.graph.outputs, self.second.graph.outputs)
        lines = []
        for index, each in enumerate(self.values or ()):
            ids = self.rows.wanted, self.rows.yours
            nodes = [ids[i][side[index].id] for i, side in enumerate(outputs) if index < len(side)]
            types = dict.fromkeys(
                str(side[index].abstract) for side in outputs if index < len(side)
            )
            said = f"result {index} {' → '.join(types)}: {each.words}"
            lines.append(links.Line(said, tuple(dict.fromkeys(nodes))))
        return lines

    def _panes_of_both(self):
        rows = self.rows.before | self.rows.after
        panes = [*self._tables(), python(rows)]
        if self._planned():
            a, b = self.labels
            panes += [
                _code(a, self.first, self.rows.wanted),
                _code(b, self.second, self.rows.yours),
            ]
        return panes


def _code(label, run, ids):
    """What one side runs, in the numbers of both."""

    def renumbered(found):
        return f"%{ids.get(int(found[1]), found[1])}"

    lines = [
        links.Line(
            re.sub(r"%(\d+)", renumbered, each.text),
            tuple([ids[node] for node in each.nodes if node in ids]),
        )
        for each in run.listing
    ]
    about = f"What {label} runs: {links.counted(run.listing)}."
    return links.Pane(f"code: {label}", links.cut(lines, "the run's listing"), about)


def _launches(*plans):
    """(name, meaning, one, other) of the numbers of two plans."""
    kinds = [[links.kind(block) for block in blocks] for blocks in plans]
    starts = "what is started, one after the other; in a branch or loop counted once"
    fused = "launches that compute several nodes in one pass over memory"
    numpy = "nodes for which the backend has no kernel"
    yield "launches", starts, *[sum("loop" not in k for k in found) for found in kinds]
    yield "fused kernels", fused, *[found.count("fused kernel") for found in kinds]
    yield "calls of NumPy", numpy, *[found.count("call of NumPy") for found in kinds]


def _shared(block):
    """What nodes must have in common to be told in one line: a fused kernel, or the kind."""
    return block if block[1] == "fused kernel" else block[1]


def _blocks(blocks):
    """How many blocks of each kind these are, in words."""
    kinds = [kind for _, kind in dict.fromkeys(blocks)]
    return "nothing" if kinds == ["nothing"] else links.several(kinds)
