"""The rows of ``viz.modes``: each line of Python with what it became.

| state | a line of it |
|---|---|
| nodes | became nodes; what was baked into them is told beside |
| once | was worked out by Python while the graph was read |
| python | runs in Python whenever the graph runs |
| left | was not read: a value decided against it |
| refused | cannot be read |
"""

from typing import NamedTuple

from ...engine.ir import TUPLE_GET_ITEM
from ..panel.sources import is_library
from .modes_names import Names, kind

STATES = ("", "once", "nodes", "python", "left", "refused")  # the later one wins
IN_PYTHON = ("Print", "Raise", "PyExecute")  # effects that Python runs
#: What a line with such an Item is. What is only given on decides nothing.
STATE_OF = {
    "node": "nodes", "read": "nodes", "input": "", "constant": "", "baked": "", "worked": "once",
    "decided": "once", "python": "python", "left": "left", "refused": "refused",
}  # fmt: skip
WIDEST = 100  # characters of a line
_ORDER = ("input", "constant", "refused", "left", "decided", "python", "node", "read")


class Item(NamedTuple):
    """One thing that a line became: its kind (a key of STATE_OF), code, and words about it."""

    kind: str
    code: str
    words: str = ""


class Row(NamedTuple):
    """A line of Python with what it became."""

    number: int
    text: str
    state: str
    items: tuple


class Block(NamedTuple):
    """The lines of one function."""

    name: str
    file: str
    rows: tuple


def block(source, first, last, items, left):
    """The Block of some lines. ``items``: (file, line) -> Items; ``left``: lines left out."""
    rows, file = [], source.file
    for number in range(first, last + 1):
        found = sorted(items.get((file, number), ()), key=_place)
        states = [STATE_OF[each.kind] for each in found]
        states += ["left"] * ((file, number) in left)
        state = max(states, key=STATES.index, default="")
        rows.append(Row(number, _cut(source.lines[number - source.start]), state, tuple(found)))
    return Block(source.name, file, tuple(rows))


def _cut(text):
    """A line of source, without its end where it is very long."""
    return text.rstrip() if len(text) <= WIDEST else f"{text[: WIDEST - 3]}..."


def _place(item):
    return _ORDER.index(item.kind) if item.kind in _ORDER else len(_ORDER)


# nodes --------------------------------------------------------------------------------------------


def of_graph(graph):
    """((file, line), Item) of every node that comes from a line of the learner's."""
    names = Names(graph)
    for each in graph.all_graphs():
        for node in each.order():
            if node.primitive is not TUPLE_GET_ITEM and _is_own(node.where):
                yield (node.where.file, node.where.line), _made(node, names)
    for node in graph.parameters:
        if _is_own(node.where):
            words = "a Parameter: an input, read anew at every call"
            yield (node.where.file, node.where.line), Item("input", typed(node.name, node), words)


def loops(graph):
    """(file, line) of the loops that stayed loops."""
    nodes = (node for each in graph.all_graphs() for node in each.order())
    found = (each.where for each in nodes if each.primitive.name in ("For", "While"))
    return {(where.file, where.line) for where in found if where is not None}


def typed(name, node):
    """``x: f32[2]``."""
    return f"{name}: {kind(node.abstract)}"


def _is_own(where):
    return where is not None and not is_library(where.file)


def _made(node, names):
    if node.primitive.name in IN_PYTHON:
        return Item("python", names.call(node), "in Python, at every run")
    return Item("node", names.call(node), kind(node.abstract))
