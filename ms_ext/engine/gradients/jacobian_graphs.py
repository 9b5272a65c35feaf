"""A Jacobian inside compiled code: a For that fills one row, or one column, a turn.

The function's call is written once, before the loop; a row's turn reads what it kept.

>>> import ms_ext as ms
>>> graph = ms.jit(ms.jacrev(lambda x: x * x)).graph(ms.Tensor([1.0, 2.0]))
>>> "For" in [node.primitive.name for node in graph.order()]
True
"""

import math

import numpy as np

from ... import ops
from ..autodiff import differentiable, spread_like
from ..autodiff.forward import pushforward
from ..autodiff.silent import silent
from ..frontend.effects import BEGIN
from ..infer import STATE, AbstractTensor, abstract_of
from ..ir import FOR, TUPLE_GET_ITEM, FuncGraph, inline
from ..symbol import Builder, Symbol
from .read_calls import ReadCall, SplitCall


def rows(frame, jacobian, args):
    """(``table[output][place]``, the outputs that do not count), row by row."""
    call = ReadCall(frame, jacobian.fn, list(args), {})
    outputs, _ = jacobian.counted(call.value)
    written = SplitCall(call, outputs)
    _, rest = jacobian.counted(written.result)
    table = []
    for number, out in enumerate(outputs):
        inputs = [call.inputs[place] for place in jacobian.places]

        def turn(body, kept, unit, number=number, inputs=inputs):
            seeds = [
                unit if i == number else spread_like(body, node.abstract, 0)
                for i, node in enumerate(call.graph.outputs[: len(outputs)])
                if differentiable(node.abstract)
            ]
            gradients = written.pulled(body, kept, seeds)
            return [gradients.get(n) or spread_like(body, n.abstract, 0) for n in inputs]

        shapes = [(*out.shape, *node.shape) for node in inputs]
        kind = call.graph.outputs[number].abstract
        found = _filled(frame, kind, written.kept, [n.abstract for n in inputs], turn)
        table.append([_reshaped(frame, *each) for each in zip(found, shapes, strict=True)])
    return table, rest


def columns(frame, jacobian, args):
    """The same, column by column."""
    call = ReadCall(frame, jacobian.fn, list(args), {})
    outputs, _ = jacobian.counted(call.value)
    result = call.results(inline(call.graph, frame.scope.graph, call.passed))
    _, rest = jacobian.counted(result)
    table, kinds = [[] for _ in outputs], [n.abstract for n in call.graph.outputs[: len(outputs)]]
    quiet = silent(call.graph)
    kept = [node for node in call.passed if node.abstract is not STATE]
    for place in jacobian.places:
        x = call.inputs[place]

        def turn(body, kept, unit, x=x):
            known = iter(kept)
            state = body.constant(f"{BEGIN} of a turn", STATE)
            passed = [state if n.abstract is STATE else next(known) for n in call.passed]
            moves = differentiable(x.abstract)
            tangents = [unit if p is x and moves else None for p in call.graph.parameters]
            found = pushforward(body, quiet, passed, tangents)[1]
            return [
                tangent or spread_like(body, kind, 0)
                for tangent, kind in zip(found, kinds, strict=False)
            ]

        found = _filled(frame, x.abstract, kept, kinds, turn)
        for i, (node, out) in enumerate(zip(found, outputs, strict=True)):
            table[i].append(_reshaped(frame, _turned(frame, node), (*out.shape, *x.shape)))
    return table, rest


def _filled(frame, kind, kept, results, turn):
    """A tensor for each of ``results``, with a first axis for the elements of a tensor of ``kind``.

    ``turn(body, kept, unit)`` gives what belongs to one of the elements: ``unit`` is one there.
    """
    target, where = frame.scope.graph, frame.here()
    size = math.prod(map(int, kind.shape))  # of an open size the number is needed
    body = FuncGraph("jacobian_turn", where)
    place = body.add_parameter(abstract_of(0), "i")
    kinds = [AbstractTensor(each.dtype, (size, *each.shape)) for each in results]
    tables = [body.add_parameter(each, "filled") for each in kinds]
    fixed = [body.add_parameter(node.abstract, node.name) for node in kept]
    with Builder(body, where=where) as builder:
        chosen = builder.wrap(body.constant(np.arange(size))) == Symbol(place)
        unit = chosen.reshape(kind.shape).astype(kind.dtype)
    found = turn(body, fixed, unit.node)
    with Builder(body, where=where):
        body.returns(*map(_with_turn, [chosen] * len(tables), tables, found))
    begin = [spread_like(target, each, 0, where) for each in kinds]
    attrs = {"carried": len(tables), "scanned": 0, "reverse": False}
    loop = target.add(FOR, (target.constant(size), *begin, *kept), attrs, (body,), where=where)
    if len(tables) == 1:
        return [loop]
    return [
        target.add(TUPLE_GET_ITEM, (loop,), {"index": i}, where=where) for i in range(len(tables))
    ]


def _with_turn(chosen, table, found):
    """The table with what this turn found in its place."""
    axes = (1,) * len(found.shape)
    size = chosen.shape[0]
    return ops.where(chosen.reshape((size, *axes)), Symbol(found), Symbol(table)).node


def _turned(frame, node):
    """The first axis at the end."""
    with Builder(frame.scope.graph, where=frame.here()):
        axes = (*range(1, len(node.shape)), 0)
        return ops.transpose(Symbol(node), axes).node if len(axes) > 1 else node


def _reshaped(frame, node, shape):
    with Builder(frame.scope.graph, where=frame.here()):
        return Symbol(node).reshape(shape).node
