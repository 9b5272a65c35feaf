"""The lines of the three panes: Python, the graph, the adjoint; each knows the calls it is of."""

from typing import NamedTuple

from ...engine.ir import journal
from ..panel import sources
from . import adjoint_words as words

MOST = 300  # lines of a pane


class Row(NamedTuple):
    """A line of a pane. ``nodes``: ids of the forward nodes that it is, became, or came from."""

    text: str
    nodes: tuple = ()
    kind: str = ""  # the type of what it gives
    value: str = ""
    number: str = ""  # of a line of Python
    step: int | None = None  # in which it is written; None: before all of them
    note: str = ""
    state: str = ""  # "", "copy", "sum", "dead", "head", "returned"


def of_python(found, names):
    """The lines that were read, each with the nodes that it became."""
    rows = journal.listing(found.graph)
    where = found.graph.where
    for parameter in found.graph.parameters:
        if parameter.where is None and where is not None:
            rows[parameter.id] = rows[parameter.id]._replace(where=where)
    by_id = _outermost(found.graph)
    for line in sources.python(rows).lines:
        made = list(dict.fromkeys(by_id[node] for node in line.nodes if node in by_id))
        told = ", ".join(map(names.of, made))
        note = f"→ {told}" if told else ""
        ids = tuple([node.id for node in made])
        yield Row(line.text, ids, number=line.number, note=note)


def _outermost(graph):
    """Id of a node -> the node; of one in a branch or a loop, the call that it belongs to."""
    found = {node.id: node for node in graph.parameters}
    for node in graph.order():
        inside = [each for region in node.graphs for each in region.all_graphs()]
        found |= {inner.id: node for each in inside for inner in each.order()}
        found[node.id] = node
    return found


def of_graph(found, names):
    """The parameters and the calls, in order."""
    steps = {step.node: step.number for step in found.steps}
    for node in (*found.graph.parameters, *found.graph.order()):
        text, step = names.made(node), steps.get(node)
        note = "" if step or node.kind == "parameter" else "no dout reaches it"
        yield _row(found, node, text, (node.id,), step=step, note=note)
    text = f"return {', '.join(map(names.of, found.graph.outputs))}"
    yield Row(text, tuple([n.id for n in found.graph.outputs]), state="returned")


def of_adjoint(found, names):
    """The way there once more, then the way back, step by step, and what is returned."""
    yield Row("the way there, copied", state="head")
    for node in found.graph.order():
        copy = found.copies[node]
        state = "copy" if copy in found.alive else "dead"
        note = "" if state == "copy" else "dropped"
        yield _row(found, copy, names.made(node), (node.id,), state=state, note=note)
    for step in (found.start, *found.steps, found.end):
        yield from _of_step(found, names, step)


def _of_step(found, names, step):
    number, mine = step.number, (step.node.id,) if step.node else ()
    yield Row(_heading(found, names, step), mine, step=number, state="head")
    if step is found.start:
        for node in found.douts:
            yield _row(found, node, f"{names.of(node)}, given by the caller", (), step=0)
    for node in step.added:
        state = "" if node in found.alive else "dead"
        note = "dropped" if state else ""
        yield _row(found, node, names.made(node), mine, step=number, state=state, note=note)
    for give in step.gives:
        if give.added:
            ids, note = (*mine, give.receiver.id), f"Σ at {names.of(give.receiver)}"
            text = names.made(give.total)
            yield _row(found, give.total, text, ids, step=number, state="sum", note=note)
    if step is found.end:
        for parameter, node in found.gradients:
            text = f"return {names.of(node)}"
            note = f"the gradient of {names.of(parameter)}"
            yield _row(found, node, text, (parameter.id,), step=number, state="returned", note=note)


def _heading(found, names, step):
    if step is found.start:
        return "0  what is returned"
    if step is found.end:
        return f"{step.number}  the gradients"
    arrives = step.dout if not isinstance(step.dout, list) else None
    told = arrives is not None and arrives not in found.douts
    dout = f", dout is {names.of(arrives)}" if told else ""
    return f"{step.number}  back through {names.of(step.node)}, {step.node.primitive.name}{dout}"


def _row(found, node, text, ids, **more):
    return Row(text, ids, words.kind(node), words.worth(found, node), **more)
