"""How many bytes does a loop put on stacks, in every turn and in all?

What a loop returns beyond what it carries is a Stack, one value per turn: the way back reads it.

>>> import ms_ext.ops
>>> from .text import load
>>> graph = load(
...     "ms_ext graph 1\\n"
...     "graph f@1(%1 x: f32[4]) {\\n"
...     "  %2 = For(10: int, %1) {\\"carried\\":1,\\"scanned\\":0} : (f32[4], Stack(f32[4]))\\n"
...     "    body(%3 i: int, %4 x: f32[4]) {\\n"
...     "      %5 = Sin(%4) : f32[4]\\n"
...     "      return %5, %4\\n"
...     "    }\\n"
...     "  %6 = TupleGetItem(%2) {\\"index\\":0} : f32[4]\\n"
...     "  return %6\\n}\\n"
... )
>>> [(each.word, each.turn, each.turns, each.total) for each in stacked(graph)]
[('For', 16, 10, 160)]
"""

from typing import NamedTuple

from ..infer import KEPT, AbstractStack
from .control import FOR, TUPLE_GET_ITEM, WHILE
from .journal import nbytes

LOOPS = (FOR, WHILE)


class Stacked(NamedTuple):
    """What one loop stacks: bytes in a turn, how many turns; None where nobody can say before.

    ``loop``: the node's id, ``word``: what it is. ``inside``: whether another loop runs it.
    """

    loop: int
    word: str
    turn: int | None
    turns: int | None
    inside: bool

    @property
    def total(self):
        """Bytes after the last turn.

        >>> Stacked(2, "For", 16, 10, False).total, Stacked(2, "While", 16, None, False).total
        (160, None)
        """
        return None if None in (self.turn, self.turns) else self.turn * self.turns


def stacked(graph):
    """A Stacked for every loop of the graph, of its regions and calls, that stacks anything."""
    within = _inside_loops(graph)
    loops = [
        (node, each in within)
        for each in graph.all_graphs()
        for node in each.order()
        if node.primitive in LOOPS and _stacks(node)
    ]
    return tuple([_of(node, inside) for node, inside in loops])


def _inside_loops(graph):
    """The graphs that a loop runs."""
    found = set()
    for each in graph.all_graphs():
        for node in each.order():
            if node.primitive in LOOPS:
                found.update(*(inner.all_graphs() for inner in node.graphs if inner not in found))
    return found


def _of(node, inside):
    parts = [_size(output) for output in _stacks(node)]
    turn = None if None in parts else sum(parts)
    return Stacked(node.id, node.primitive.name, turn, _turns(node), inside)


def _stacks(node):
    """The values that a loop's body returns to be stacked."""
    return node.graphs[-1].outputs[node.attrs["carried"] :]


def _turns(node):
    """How many turns a loop makes, if that is a constant."""
    count = node.inputs[0]
    known = node.primitive is FOR and count.kind == "constant"
    return max(int(count.value), 0) if known else None


def _size(node):
    """Bytes of a value that is stacked; of a Stack that came from an inner loop, all its turns."""
    if isinstance(node.abstract, AbstractStack):
        return _size_of_stack(node)
    size = nbytes(node.abstract)
    return size if isinstance(size, int) and node.abstract is not KEPT else None


def _size_of_stack(node):
    index, loop = 0, node
    if node.kind == "call" and node.primitive is TUPLE_GET_ITEM:
        index, loop = node.attrs["index"], node.inputs[0]
    if loop.kind != "call" or loop.primitive not in LOOPS or _turns(loop) is None:
        return None
    item = _size(loop.graphs[-1].outputs[index])
    return None if item is None else item * _turns(loop)
