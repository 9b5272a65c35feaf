"""What does an op's own ``bprop`` give on symbols, while a graph is built?

Its gradients are fitted to the operands: summed over broadcast axes, cast.
"""

from types import FunctionType

from .. import errors, primitive, strict
from ..infer import AbstractTuple
from ..ir import TUPLE_GET_ITEM, Where
from ..symbol import UNKNOWN, Symbol
from .values import spread_like


def gradients(back, node, dout):
    """One gradient per operand of a call: a Symbol, a number, or None where there is none."""
    op, builder = node.primitive, back.builder
    if op.bprop is None:
        return [None] * len(node.inputs)
    operands = tuple([Symbol(back.at(n)) for n in node.inputs])
    arguments = (operands,) if op.arity is None else operands
    known = {**dict(op.attributes), **node.attributes}
    named = {key: known[key] for key in op.bprop_attributes}
    ours = op.module.startswith("ms_ext.")
    builder.caller = None if ours else _returned.__code__  # whose lines are looked for
    found = _returned(node, (*arguments, *_out_and_dout(back, node, dout)), named)
    builder.caller = None
    if len(found) != len(node.inputs):
        raise _wrong_count(node, found)
    return found


def _out_and_dout(back, node, dout):
    """The result of a call and what came back to it, as symbols; tuples of them if it has
    several."""
    out = back.at(node)
    if not isinstance(node.abstract, AbstractTuple):
        return Symbol(out), Symbol(dout)
    kinds = node.abstract.items
    outs = [
        out.graph.add(TUPLE_GET_ITEM, (out,), {"index": index}, where=node.where)
        for index in range(len(kinds))
    ]
    douts = [
        part or spread_like(back.target, kind, 0, node.where)
        for part, kind in zip(dout, kinds, strict=True)
    ]
    return tuple(map(Symbol, outs)), tuple(map(Symbol, douts))


def _returned(node, arguments, named):
    """What the bprop of a node gives on symbols; an error of its is placed in its own line.

    Gradients given as functions are calculated here: a graph forgets what nobody uses.
    """
    try:
        found = node.primitive.bprop(*arguments, **named)
        if isinstance(found, strict.AsGiven):
            return found
        found = found if isinstance(found, tuple | list) else (found,)
        return [each() if isinstance(each, FunctionType) else each for each in found]
    except errors.MsExtError as error:
        error.where = error.where or _own_line(error.__traceback__) or node.where
        if error.message == UNKNOWN:
            raise _wants_elements(node, error) from None
        raise


def _own_line(traceback):
    """The innermost line of an error that is somebody's own, None if all are this package's."""
    found = None
    while traceback is not None:
        frame = traceback.tb_frame
        numpys = frame.f_globals.get("__name__", "").startswith("numpy.")
        if not numpys and not errors.inside(frame.f_code.co_filename):
            found = traceback
        traceback = traceback.tb_next
    return found and Where.running(found.tb_frame, found.tb_lasti)


def _wants_elements(node, error):
    return errors.NotRunnable(
        f"For '{node.primitive.name}', the bprop asks for elements, and they are not known while "
        "a graph is built.",
        given=error.given,
        hint="A bprop that is compiled runs once, while the graph is built. It sees symbols: "
        "shape and dtype, no values.\nUse ops and Tensor methods instead of NumPy, `if` and "
        "float(): ops.where(x > 0, dout, 0.0).",
        where=error.where,
    )


def _wrong_count(node, gradients):
    return errors.NotRunnable(
        f"For '{node.primitive.name}', bprop returned {len(gradients)} gradients but the op has "
        f"{len(node.inputs)} inputs.",
        given=f"inputs {', '.join(str(n.abstract) for n in node.inputs)}",
        hint="Return one gradient per input, in order: `return dx, dy`.",
        where=node.where,
    )


def fitted(builder, node, gradient, abstract):
    """A gradient with its operand's shape and dtype: summed over broadcast axes, cast."""
    found = builder.node(gradient)
    if found.abstract.weak:
        found = spread_like(builder.graph, abstract, gradient, builder.where)
    if found.shape != abstract.shape:
        found = builder.node(_summed(node, Symbol(found), abstract.shape))
    if found.dtype is not abstract.dtype:
        found = builder.node(primitive.NAMES["cast"](Symbol(found), abstract.dtype))
    return found


def _summed(node, gradient, shape):
    try:
        return primitive.OPS["SumTo"](gradient, shape=shape)
    except errors.MsExtError:
        raise errors.InvalidValue(
            f"For '{node.primitive.name}', bprop returned a gradient of the wrong shape.",
            given=f"{list(gradient.shape)} for an operand of shape {list(shape)}",
            hint="Return a gradient of the operand's shape (or one that broadcasting came from).",
            where=node.where,
        ) from None
