"""A turn's values on stacks, for the way back  ->  only what each turn started from

Memory against FLOPs: the way back calculates the rest of a turn once more. Not part of the default
pipeline: name it, ``jit(passes=["recompute"])``.
"""

from ..ir import FOR, TUPLE_GET_ITEM, WHILE, copy_node, nbytes
from ..ir.layout import layout
from . import graph_pass
from .dce import narrow


@graph_pass(across=True)
def run(graph, editor):
    """For each loop that scans what another one stacked: calculate it there."""
    for scanning in graph.order():
        if scanning.primitive is FOR and scanning.attrs["scanned"]:
            for stacking in dict.fromkeys(map(_loop_of, _scanned(scanning))):
                if stacking is not None and _recompute(_Pair(graph, editor, stacking, scanning)):
                    narrow(stacking, editor)


def _scanned(node):
    plan = layout(node)
    return node.inputs[plan.first + plan.carried : plan.invariant]


def _loop_of(stack):
    """The loop whose result a stack is, or None."""
    if stack.kind == "call" and stack.primitive is TUPLE_GET_ITEM:
        loop = stack.inputs[0]
        if loop.kind == "call" and loop.primitive in (WHILE, FOR):
            return loop
    return None


def _recompute(pair):
    """Let the scanning loop calculate what it scans, if that keeps less; whether it did."""
    values, refused = pair.calculated()
    for value in refused:
        pair.editor.refuse(pair.scanning, f"{value} has an effect, or draws at random: it is kept.")
    if not values:
        return False
    calls, starts = pair.needed(values)
    saved = sum([nbytes(value.abstract) for value in values])
    more = sum([nbytes(start.abstract) for start in starts])
    if saved <= more:
        sentence = f"{more} bytes a turn would be kept instead of {saved}."
        pair.editor.refuse(pair.scanning, sentence)
        return False
    pair.write(values, calls, starts)
    pair.editor.matched(None, pair.scanning, {f"kept {k}": v for k, v in enumerate(values)})
    return True


class _Pair:
    """A loop that stacks, and one that scans its stacks."""

    def __init__(self, graph, editor, stacking, scanning):
        self.graph, self.editor, self.stacking, self.scanning = graph, editor, stacking, scanning
        self.made, self.reader = stacking.graphs[-1], scanning.graphs[0]
        self.plan, self.reading = layout(stacking), layout(scanning)
        begin = self.reading.first + self.reading.carried
        self.elements = {}  # value of the stacking loop's body -> element in the scanning one's
        for place, stack in enumerate(_scanned(scanning), begin):
            if _loop_of(stack) is stacking:
                value = self.made.outputs[stack.attrs["index"]]
                self.elements.setdefault(value, self.reader.parameters[place])

    def calculated(self):
        """The stacked values that a turn calculates; (those that can be calculated again, those
        that cannot)."""
        values = [v for v, read in self.elements.items() if v.kind == "call" and read.users]
        pure = [v for v in values if all(map(_repeatable, self._calls(v)))]
        return pure, [v for v in values if v not in pure]

    def _calls(self, *values):
        """The calls that values are calculated from, in order."""
        met, waiting = set(values), list(values)
        while waiting:
            for used in waiting.pop().inputs:
                if used not in met:
                    met.add(used)
                    waiting.append(used)
        return [node for node in self.made.order() if node in met]

    def needed(self, values):
        """(the calls, what the turn started from that is not scanned yet)."""
        calls = self._calls(*values)
        used = dict.fromkeys([n for call in calls for n in call.inputs if n.kind == "parameter"])
        carried = [self.made.parameters[p] for p in self.plan.feedback]
        return calls, [p for p in carried if p in used and p not in self.elements]

    def write(self, values, calls, starts):
        """Calculate the values where they are read; stack the starts."""
        new = dict(self.elements)
        scanned, fixed = self._stacked(starts, new), []
        for call in calls:
            for used in call.inputs:
                if used not in new:
                    new[used] = self._passed(used, scanned, fixed)
            new[call] = copy_node(call, self.reader, [new[n] for n in call.inputs], origin=True)
        for value in values:
            self.reader.replace(self.elements[value], new[value])
        self._fit(scanned, fixed)

    def _stacked(self, starts, new):
        """Stack what turns started from: (operand, parameter) pairs for the scanning loop."""
        count = len(self.made.outputs)
        self.made.returns(*self.made.outputs, *starts)
        self.graph.alter(self.stacking, self.stacking.inputs, self.stacking.attrs)
        scanned = []
        for index, start in enumerate(starts, count):
            stack = self.editor.add(
                TUPLE_GET_ITEM, (self.stacking,), {"index": index}, of=self.stacking
            )
            new[start] = self.reader.add_parameter(start.abstract, start.name, start.where)
            scanned.append((stack, new[start]))
        return scanned

    def _passed(self, used, scanned, fixed):
        """A constant or parameter of the stacking loop's body, in the scanning one's."""
        if used.kind == "constant":
            return self.reader.constant(used.value, used.abstract)
        place = self.made.parameters.index(used)
        if place < self.plan.first:
            return self.reader.parameters[0]  # the number of the turn
        operand, same = self.stacking.inputs[place], place >= self.plan.invariant
        begin = self.reading.invariant if same else self.reading.first + self.reading.carried
        end = len(self.scanning.inputs) if same else self.reading.invariant
        if operand in self.scanning.inputs[begin:end]:
            return self.reader.parameters[self.scanning.inputs.index(operand, begin)]
        found = self.reader.add_parameter(used.abstract, used.name, used.where)
        (fixed if same else scanned).append((operand, found))
        return found

    def _fit(self, scanned, fixed):
        """Give the scanning loop its operands, without the stacks that are not read any more."""
        node, plan, parameters = self.scanning, self.reading, self.reader.parameters
        old = list(zip(node.inputs, parameters[: len(node.inputs)], strict=True))
        begin = plan.first + plan.carried
        kept = [(stack, p) for stack, p in old[begin : plan.invariant] if p.users]
        gone = [p for _, p in old[begin : plan.invariant] if not p.users]
        scanned = kept + scanned
        pairs = [*old[:begin], *scanned, *old[plan.invariant :], *fixed]
        for parameter in gone:
            self.reader.erase(parameter)
        parameters[:] = [parameter for _, parameter in pairs]
        operands = tuple([operand for operand, _ in pairs])
        before = node.inputs
        self.graph.alter(node, operands, {**node.attrs, "scanned": len(scanned)})
        for operand in before:
            self.editor.sweep(operand)


def _repeatable(call):
    """Whether a call gives the same once more, and does nothing else."""
    if call.primitive.effect or call.primitive.nondeterministic:
        return False
    return all(_repeatable(inner) for graph in call.graphs for inner in graph.order())
