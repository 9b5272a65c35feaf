"""What is known now is computed now: 2 * 3  ->  6, If(True, x; f, g)  ->  f(x)"""

import numpy as np

from .. import primitive
from ..dims import Dim, is_open
from ..infer import AbstractTuple
from ..ir import ERASED, FOR, IF, MAKE_TUPLE, TUPLE_GET_ITEM, WHILE, ControlPrimitive, written
from ..ir.layout import layout
from . import graph_pass

LARGEST = 1 << 16  # bytes that a constant may have where its operands have fewer


@graph_pass
def run(graph, editor):
    """From the inputs to the outputs; users of what became a constant come later in the order."""
    waiting = list(reversed(graph.order()))
    while waiting:
        node = waiting.pop()
        if node.mark != ERASED:
            waiting.extend(reversed(_folded(node, editor)))


def _folded(node, editor):
    """Fold ``node`` if it can be; the calls that came in its place and are to be looked at."""
    op = node.primitive
    if isinstance(op, ControlPrimitive):
        return _FOLDS[op](node, editor) if op in _FOLDS else ()
    for used in node.inputs:
        if used.kind != "constant" or type(used.value) is Dim:
            return ()
    if is_open((node.abstract, node.attributes)):
        return ()
    if not (op.effect or op.nondeterministic):
        _compute(node, editor)
    return ()


def _item(node, editor):
    """TupleGetItem(MakeTuple(a, b), 1)  ->  b"""
    made = node.inputs[0]
    if made.kind == "call" and made.primitive is MAKE_TUPLE:
        editor.replace(node, made.inputs[node.attrs["index"]])
    return ()


def _compute(node, editor):
    """A call on constants becomes a constant, unless it would be much larger than they are."""
    abstract = node.abstract
    if isinstance(abstract, AbstractTuple) or not hasattr(abstract, "nbytes"):
        return
    if abstract.nbytes > max(LARGEST, *[n.abstract.nbytes for n in node.inputs], 0):
        editor.refuse(node, f"The constant would have {abstract.nbytes} bytes.")
        return
    try:
        value = _value(node)
    except (ArithmeticError, ValueError, TypeError, RuntimeError) as error:
        editor.refuse(node, f"Computing it fails, and must fail when the program runs: {error}")
        return
    editor.replace(node, editor.constant(value, abstract))


def _value(node):
    types = [used.abstract for used in node.inputs]
    compute = primitive.compute_cast(node.primitive, types, node.abstract, node.attributes)
    with np.errstate(all="ignore"):
        value = compute(*[np.asarray(used.value) for used in node.inputs])
    return value.item() if node.abstract.weak else np.array(value, order="C")


def _branch(node, editor):
    """If on a constant is the branch that it takes."""
    test, *operands = node.inputs
    if test.kind != "constant" or type(test.value) is Dim:
        return ()
    taken = node.graphs[0 if bool(np.all(test.value)) else 1]
    arguments = _all_fitting(editor, operands, [p.abstract for p in taken.parameters])
    pairs = zip(taken.outputs, _types(node), strict=True)
    if arguments is None or not all(editor.fits(output, kind) for output, kind in pairs):
        editor.refuse(node, "The branch that it takes has other types than both branches together.")
        return ()
    results, calls = written(taken, editor.graph, arguments, origin=True)
    values = _all_fitting(editor, results, _types(node))
    editor.replace_results(node, dict(enumerate(values)))
    return calls


def _no_turn(node, editor):
    """A loop that is known to make no turn gives what it was given."""
    plan = layout(node)
    types = _types(node)
    if len(types) > plan.carried or not _never_turns(node):
        return ()
    operands = node.inputs[plan.first : plan.first + plan.carried]
    values = _all_fitting(editor, operands, types)
    if values is not None:
        editor.replace_results(node, dict(enumerate(values)))
    return ()


def _never_turns(node):
    test = node.graphs[0].outputs[0] if node.primitive is WHILE else node.inputs[0]
    known = test.kind == "constant" and type(test.value) is not Dim
    return known and bool(np.all(np.asarray(test.value) <= 0))


def _types(node):
    """The types of a control node's results."""
    one = len(node.graphs[-1].outputs) == 1
    return (node.abstract,) if one else node.abstract.items


def _all_fitting(editor, nodes, types):
    """The nodes, constants among them converted to the types; None if one has another type."""
    fitting = [editor.fitting(node, kind) for node, kind in zip(nodes, types, strict=True)]
    return None if None in fitting else fitting


_FOLDS = {TUPLE_GET_ITEM: _item, IF: _branch, WHILE: _no_turn, FOR: _no_turn}
