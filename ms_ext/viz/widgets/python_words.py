"""How is a node called where somebody reads it? As the Python that it came from."""

from ...engine.ir import FOR, TUPLE_GET_ITEM, WHILE
from ..drawing.labels import place, short
from .loop_finding import makers

_LONGEST = 36


def said(node, derived=False):
    """The expression that made a node; its variable, op or value where no line is known.

    ``derived``: the node is of a gradient, where a node of the way back says what it goes through.

    >>> from ms_ext import Tensor, ops
    >>> from ms_ext.engine import jit
    >>> def shifted(x):
    ...     return ops.sin(x) + 1.0
    >>> graph = jit.parse(shifted, [Tensor(1.0)]).graph
    >>> [said(node) for node in (*graph.parameters, *graph.order(), *graph.constants.values())]
    ['x', 'ops.sin(x)', 'ops.sin(x) + 1.0', '1.0']
    """
    if node.kind == "constant":
        return short(f"{node.value}", _LONGEST)
    if node.kind == "call" and node.primitive is TUPLE_GET_ITEM:
        if node.inputs[0].primitive in (WHILE, FOR):
            return _of_loop(node.inputs[0], node.attrs["index"])
    where = node.where
    if node.kind == "call" and where is not None and where.text and where.end > where.column:
        code = short(where.text[where.column : where.end].strip(), _LONGEST)
        return f"back through {code}" if derived and node.origin else code
    return node.name or getattr(getattr(node, "primitive", None), "name", "") or f"%{node.id}"


def _of_loop(loop, index):
    """A result of a loop: a carried value after its last turn, or what it kept."""
    words = line(loop)
    if index >= loop.attrs["carried"]:
        stacked = makers(loop.graphs[-1].outputs[index])
        return f"{' or '.join(map(said, stacked))}, each turn of {words}"
    parameter = loop.graphs[-1].parameters[index + (loop.primitive is FOR)]
    return f"{parameter.name or 'value'} after {words}"


def line(node):
    """The whole line that a node stands in, without indentation and colon; "" where none is known.

    >>> from types import SimpleNamespace as Named
    >>> line(Named(where=Named(text="    while n < 3:")))
    'while n < 3'
    """
    where = node.where
    return "" if where is None or not where.text else where.text.strip().removesuffix(":")


def number(node):
    """The number of that line; 0 where none is known."""
    return getattr(node.where, "line", 0) or 0


def at(node):
    """Where that line is: ``model.py:12``, or the line of a notebook's cell."""
    return place(node.where)
