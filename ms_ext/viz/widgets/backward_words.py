"""What is said of values and steps: the same sentences in the picture, the page and the text."""

import numpy as np

from ..drawing.labels import place, short
from .shapes_cases import listed

SMALL = 8  # elements up to which a value is written out


def value(found, dtype=""):
    """A value in a few characters: its elements, or its type and size where there are many.

    >>> value(np.float32([[1, 2.5], [3, 4]])), value(np.zeros((2, 8)), "f64"), value(None)
    ('[[1 2.5] [3 4]]', 'f64[2, 8] |0|', 'None')
    """
    if not isinstance(found, np.ndarray):
        return _element(found) if isinstance(found, int | float) else str(found)
    if found.size == 0:
        return f"{dtype or found.dtype}[{listed(found.shape)}] empty"
    if found.size <= SMALL:
        return _nested(found)
    size = np.linalg.norm(found.astype(np.float64).ravel())
    return f"{dtype or found.dtype}[{listed(found.shape)}] |{_element(float(size))}|"


def _nested(array):
    if array.ndim == 0:
        return _element(array.item())
    return f"[{' '.join(map(_nested, array))}]"


def _element(number):
    if isinstance(number, bool) or number is None:
        return str(number)
    return f"{number:.4g}"


def named(node):
    """A node as a word: ``%3 Mul``, and which result of it.

    >>> from ms_ext.viz.widgets.backward_walk import Node
    >>> named(Node(3, "call", "Mul", None))
    '%3 Mul'
    """
    if node.kind == "end":
        return "what is returned"
    if node.kind == "constant":
        return f"%{node.number} {node.label or 'constant'}"
    call = node.call or node
    which = f" result {node.result}" if node.call or node.result else ""
    return f"%{call.number} {short(node.label)}{which}"


def where(node):
    """The line a call was made in, without the machine's folders; nothing where there is none."""
    nowhere = node.where.startswith("<") and not node.where.startswith("<ipython")
    return place(node.where) if node.where and not nowhere else ""


def backs(walk):
    """The pairs (step, sentences about it) of a walk, in its order."""
    return [(call, [_arrives(walk, call), *map(_gives, call.edges)]) for call in walk.steps]


def results(walk, call):
    """The nodes of all results of a call.

    >>> from ms_ext.viz.widgets.backward_walk import walk
    >>> noted = walk(lambda x: x * x, [3.0])
    >>> [len(results(noted, node)) for node in noted.nodes if node.kind == "call"]
    []
    """
    return [node for node in walk.nodes if node is call or node.call is call]


def _arrives(walk, call):
    said = []
    several = results(walk, call)
    for node in several:
        which = f"result {node.result}: " if len(several) > 1 else ""
        if node.dout is None:
            said.append(f"{which}nothing comes back, the bprop gets zeros")
            continue
        said.append(f"{which}dout {value(node.dout, node.dtype)} arrives{summed(walk, node)}")
    return "; ".join(said)


def summed(walk, node):
    """What a dout is the sum of, where a value is used several times; nothing otherwise.

    >>> from ms_ext.viz.widgets.backward_walk import walk
    >>> from ms_ext import Tensor
    >>> noted = walk(lambda x: (x, x), [Tensor(2.0)])
    >>> summed(noted, noted.nodes[0])
    ', the sum of 1 + 1'
    """
    edges = [edge for edge in walk.uses(node) if edge.dout is not None]
    parts = " + ".join(value(edge.dout, node.dtype) for edge in edges)
    total = sum(edge.dout.astype(np.float64) for edge in edges) if edges else 0.0
    if not np.allclose(total, node.dout.astype(np.float64), rtol=1e-2, equal_nan=True):
        return f", the sum of {f'{parts} and ' if parts else ''}what came through unseen code"
    return f", the sum of {parts}" if len(edges) > 1 else ""


def _gives(edge):
    """Where a dout goes on to along one operand, and what happened to it on the way."""
    to = f"operand {edge.operand + 1}, {named(edge.source)}"
    if not edge.asked:
        return f"{to}: nobody asks, it does not depend on the inputs"
    if edge.dout is None:
        return f"{to}: None, which counts as zeros"
    return f"{to}: {value(edge.dout, edge.source.dtype)}{fitted(edge)}"


def fitted(edge):
    """What was done to a gradient to fit its operand: summed, cast, or nothing.

    >>> from types import SimpleNamespace as Edge
    >>> fitted(Edge(raw=np.ones((4, 3)), dout=np.ones(3)))
    ', summed over axis 0: the operand was broadcast'
    """
    raw, dout = edge.raw, edge.dout
    if raw is None:
        return ""
    said = ""
    if raw.shape != dout.shape:
        added = raw.ndim - dout.ndim
        kept = [a + added for a, n in enumerate(dout.shape) if n == 1 and raw.shape[a + added] != 1]
        axes = [*range(added), *kept]
        said = f", summed over {_axes(axes)}: the operand was broadcast"
    return said + (f", cast from {raw.dtype} to {dout.dtype}" if raw.dtype != dout.dtype else "")


def _axes(axes):
    return f"ax{'i' if len(axes) == 1 else 'e'}s {listed(axes)}"


def note(node):
    """What is special about a node, in words; usually nothing."""
    if node.kind == "unseen":
        return "how it was made is not seen here: compiled code, or a write in place"
    if node.custom:
        function = node.op.bprop.bprop
        return f"its bprop is your own {getattr(function, '__name__', 'function')}"
    return ""
