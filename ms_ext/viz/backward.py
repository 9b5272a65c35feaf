"""``viz.backward(f, *args)``: what ``grad`` does, edge by edge, with the values that pass.

The function is run as it stands, so of an if only the arm that was taken is seen, and of a loop
every turn. Nothing here computes a gradient: the engine's own tape is listened to.

>>> from ms_ext import ops, Tensor
>>> print(backward(lambda x: ops.exp(x) * x, Tensor(0.0)))
backward of <lambda>: 2 calls, 2 steps back
  node    value  dout
  %1 x    0      1
  %2 Exp  1      0
  %3 Mul  0      1
<BLANKLINE>
back, step by step
  start: what is returned gets dout of ones
     to %3 Mul: 1
  1. %3 Mul: dout 1 arrives
     operand 1, %2 Exp: 0
     operand 2, %1 x: 1
  2. %2 Exp: dout 0 arrives
     operand 1, %1 x: 0
<BLANKLINE>
gradients
  x: 1, the sum of 0 + 1
<BLANKLINE>
"""

from ..engine.jit import JitFunction
from ..engine.tensor import Tensor
from .card import Card
from .widgets import backward_page
from .widgets.backward_drawing import CALLS
from .widgets.backward_walk import walk
from .widgets.backward_words import backs, named, note, summed, value, where
from .widgets.shapes_cases import operand_names


class Backward(Card):
    """A walk back; ``walk`` is its content as data, ``gradients`` what ``grad`` gives by name."""

    def __init__(self, name, noted, start, budget=CALLS):
        self.name, self.walk, self.start, self.budget = name, noted, start, budget
        self.gradients = {node.label: array for node, array in noted.gradients}
        calls = sum(1 for n in noted.nodes if n.kind == "call" and n.call is None)
        steps = len(noted.steps)
        self.title = f"backward of {name}: {_many(calls, 'call')}, {_many(steps, 'step')} back"

    def text(self):
        """A table of the nodes, then the steps of the walk."""
        return "\n".join(line.rstrip() for line in _lines(self)) + "\n"

    def html(self):
        """The picture with a step slider, and the steps as a list."""
        return backward_page.card(self)


def backward(f, *args, dout=None, budget=CALLS):
    """The gradient of ``f`` at ``args``, walked back op by op, with the value on every edge.

    Every tensor among ``args`` is asked for its gradient, and so is each parameter of a Cell. A
    compiled function is run as Python, to see its calls. The
    outputs count with ones, or with ``dout``. More than ``budget`` calls: those nearest the result
    are drawn, all are listed.
    """
    weights = tuple(f.trainable_params()) if hasattr(f, "trainable_params") else ()
    noted = walk(f.function if isinstance(f, JitFunction) else f, list(args), weights, dout)
    names = operand_names(f)
    places = [i for i, each in enumerate(args) if isinstance(each, Tensor)]
    for (node, _), place in zip(noted.gradients, places, strict=False):
        node.label = names[place] if place < len(names) else node.label
    name = getattr(f, "__name__", None) or getattr(f, "name", None) or type(f).__name__
    return Backward(name, noted, "ones" if dout is None else "the given values", budget)


def _many(count, word):
    return f"{count} {word}{'s' * (count != 1)}"


def _lines(shown):
    noted = shown.walk
    yield shown.title
    rows = [("node", "value", "dout", "", "")]
    for node in noted.nodes:
        rows.append(
            (named(node), value(node.value, node.dtype), _dout(node), where(node), note(node))
        )
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    for row in rows:
        cells = [cell.ljust(wide) for cell, wide in zip(row, widths, strict=False) if wide]
        yield f"  {'  '.join(cells)}  {row[4]}"
    yield from ("", "back, step by step", f"  start: what is returned gets dout of {shown.start}")
    yield from (
        f"     to {named(e.source)}: {value(e.dout, e.source.dtype)}" for e in noted.end.edges
    )
    for call, (first, *rest) in backs(noted):
        yield f"  {call.step}. {named(call)}: {first}"
        yield from (f"     {line}" for line in rest)
    yield from ("", "gradients")
    for node, array in noted.gradients:
        yield f"  {node.label}: {value(array, node.dtype)}{summed(noted, node)}"


def _dout(node):
    if node.dout is not None:
        return value(node.dout, node.dtype)
    return "-" if node.kind == "constant" else "none comes back"
