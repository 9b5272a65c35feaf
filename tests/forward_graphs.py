"""Derivatives of graphs and of functions, forwards and in reverse: what tests of both compose."""

import numpy as np

import ms_ext as ms
from ms_ext import ops
from ms_ext.engine import backends, jit, pipeline
from ms_ext.engine.autodiff import differentiable, jvp, pushforward, spread_like, vjp
from ms_ext.engine.forward_eager import pushforward_eager
from ms_ext.engine.ir import FuncGraph, inline, verify
from ms_ext.engine.tensor import Tensor


def graph_of(function, *arrays):
    """The graph of a function of tensors of these shapes and dtypes."""
    return jit.trace(function, *map(Tensor, arrays))


def ran(graph, *arrays, backend="reference"):
    """What a verified graph gives, as arrays: on the reference as it is written, elsewhere after
    the passes."""
    verify(graph)
    if backend != "reference":
        pipeline.run(graph)
    return [*map(array_of, backends.build(backend, graph)(*map(np.asarray, arrays)))]


def array_of(value):
    """A tensor, array or number as an array."""
    return np.asarray(value.asnumpy() if isinstance(value, Tensor) else value)


def forward_graph(graph):
    """x -> the derivative of the first result in the direction 1, written by ``pushforward``."""
    made, x, one = _beginning(graph)
    results, (tangent, *_) = pushforward(made, graph, [x], [one])
    made.returns(tangent or spread_like(made, results[0].abstract, 0))
    return made


def reverse_graph(graph):
    """x -> the derivative of the first result, by ``vjp``."""
    made, x, one = _beginning(graph)
    wanted = [i == 0 for i in range(len(graph.outputs))]
    made.returns(*inline(vjp(graph, wanted), made, [x, one]))
    return made


def _beginning(graph):
    made = FuncGraph(f"d_{graph.name}")
    (parameter,) = graph.parameters
    x = made.add_parameter(parameter.abstract, parameter.name)
    return made, x, spread_like(made, parameter.abstract, 1)


def forward(function):
    """x -> the derivative of a function in the direction 1, in eager mode."""

    def derivative(x):
        ones = Tensor(np.ones(x.shape, x.dtype.numpy))
        return pushforward_eager(function, (x,), (ones,))[1][0]

    return derivative


reverse = ms.grad


def tangents(function, arrays, directions):
    """(values, tangents) of a function in eager mode, as arrays; numbers have none."""
    outputs, found = pushforward_eager(function, [*map(Tensor, arrays)], [*map(Tensor, directions)])
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    return [*map(array_of, outputs)], [None if t is None else t.asnumpy() for t in found]


def graph_tangents(function, arrays, directions, backend="reference"):
    """The same by ``jvp`` of the function's graph; only results that can have a tangent have
    one."""
    graph = graph_of(function, *arrays)
    carries = [differentiable(node.abstract) for node in graph.outputs]
    found = ran(jvp(graph), *arrays, *directions, backend=backend)
    moved = iter(found[len(carries) :])
    return found[: len(carries)], [next(moved) if carry else None for carry in carries]


def calls(graph):
    """How many calls a graph has, those of its regions and called graphs included."""
    return sum(len(each.order()) for each in graph.all_graphs())


def kinds(graph):
    """The types of all values in a graph, its regions and called graphs."""
    for each in graph.all_graphs():
        yield from (node.abstract for node in (*each.parameters, *each.order()))


def quadratic(x):
    """A vector to a number, through a loop."""
    y = x * 1.0
    for _ in range(20):
        y = ops.sin(y) + 0.1 * y * x
    return (y * y.sum()).sum()
