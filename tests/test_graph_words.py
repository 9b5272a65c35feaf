"""A graph speaks its author's words: names of functions and parameters, lines of a bprop."""

import functools

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, ops
from ms_ext.engine import jit

X = Tensor([1.0, -2.0])


def scaled(x, y):
    return (x * y).sum()


def many(first, *rest):
    return first * rest[0] * rest[1]


def of_pair(pair, named):
    return pair[0] * pair[1] * named["k"]


def relu_body(a):
    return np.maximum(a, 0)


def masked(dout, positive):
    return ops.where(positive, dout, 0.0)


def relu_bprop(a, out, dout):
    positive = a > 0
    return masked(dout, positive)


RELU = ops.Custom(relu_body, lambda shape: shape, lambda dtype: dtype, bprop=relu_bprop)


class Net(ms.nn.Cell):
    def construct(self, query, key):
        return query * key


class Compiled(ms.nn.Cell):
    @ms.jit
    def construct(self, query, key):
        return query * key


NAMES = {
    "a gradient": (ms.grad(scaled), 2, ["x", "y"]),
    "a compiled gradient": (ms.jit(ms.grad(scaled, (0, 1))), 2, ["x", "y"]),
    "a gradient of a compiled function": (ms.grad(ms.jit(scaled)), 2, ["x", "y"]),
    "a gradient of a gradient": (ms.grad(ms.grad(lambda t: t * t * t)), 1, ["t"]),
    "with its value": (ms.value_and_grad(scaled), 2, ["x", "y"]),
    "what takes the rest": (many, 3, ["first", "rest0", "rest1"]),
    "its gradient": (ms.grad(many), 3, ["first", "rest0", "rest1"]),
    "a partial": (functools.partial(scaled, X), 1, ["y"]),
    "a Cell": (Net(), 2, ["query", "key"]),
    "a Cell with a compiled construct": (Compiled(), 2, ["query", "key"]),
    "the gradient of a Cell": (ms.grad(Net()), 2, ["query", "key"]),
    "a method": (Net().construct, 2, ["query", "key"]),
    "an op": (ops.Mul, 2, ["x", "y"]),
    "an op of one's own": (RELU, 1, ["a"]),
    "its gradient too": (ms.grad(RELU), 1, ["a"]),
    "an op of NumPy's": (ops.Custom(np.cbrt, lambda s: s, lambda d: d), 1, ["x0"]),
}


@pytest.mark.parametrize("case", NAMES)
def test_parameters_have_the_names_that_their_author_gave(case):
    function, count, names = NAMES[case]
    graph = jit.trace(function, *[X] * count)
    assert [parameter.name for parameter in graph.parameters] == names


def test_the_parts_of_a_structure_are_named_after_it():
    graph = jit.trace(of_pair, (X, X), {"k": X})
    assert [parameter.name for parameter in graph.parameters] == ["pair_0", "pair_1", "named_k"]


def test_a_gradient_inside_a_function_has_the_inner_functions_names():
    def outer(u, limit):
        return ms.grad(lambda v: v * v if limit > 0 else v * limit)(u * 2)

    graph = jit.trace(outer, X, Tensor(1.0))
    inner = {p.name for each in graph.all_graphs()[1:] for p in each.parameters}
    assert "v" in inner and not {name for name in inner if name.startswith("x")}


@pytest.mark.parametrize(
    "function, name",
    [
        (ms.grad(scaled), "grad_of_scaled"),
        (ms.grad(RELU), "grad_of_relu_body"),
        (ms.grad(ops.Mul), "grad_of_Mul"),
        (ms.grad(ops.Softmax(-1)), "grad_of_Softmax"),
        (ms.grad(functools.partial(scaled, X)), "grad_of_scaled"),
        (ms.grad(Net()), "grad_of_Net"),
    ],
)
def test_a_gradient_is_called_after_its_function(function, name):
    count = {"grad_of_scaled": 2, "grad_of_Mul": 2, "grad_of_Net": 2}.get(name, 1)
    count -= isinstance(function.fn, functools.partial)
    assert function.__name__ == jit.trace(function, *[X] * count).name == name


# lines --------------------------------------------------------------------------------------------


def line_of(function, number):
    """A line of a function, counted from its def, as a Where shows it."""
    return function.__code__.co_firstlineno + number


def test_a_gradients_nodes_stand_in_the_lines_of_the_bprop():
    graph = jit.trace(ms.grad(RELU), X)
    places = {node.primitive.name: node.where for node in graph.order()}
    positive, select = places["Greater"], places["Select"]
    assert positive.file == select.file == __file__
    assert positive.line == line_of(relu_bprop, 1) and select.line == line_of(masked, 1)
    assert positive.text[positive.column : positive.end] == "a > 0"
    assert select.text[select.column : select.end] == "ops.where(positive, dout, 0.0)"


def test_in_a_function_they_keep_its_scope_and_the_seed_its_line():
    def inner(x):
        return RELU(x)

    def outer(x):
        return ms.grad(inner)(x)

    found = {n.primitive.name: n for n in jit.trace(outer, X).order()}
    assert found["Greater"].where.line == line_of(relu_bprop, 1)
    assert found["Greater"].scope == found["Select"].scope == "inner"
    assert found["BroadcastTo"].where.line == line_of(outer, 1)


def test_built_in_bprops_keep_the_line_of_the_call():
    def both(x):
        return ops.exp(x) * x

    order = jit.trace(ms.grad(both), X).order()
    assert {node.where.line for node in order} == {line_of(both, 1)}


def test_no_node_of_a_loops_gradient_is_without_a_line():
    def looping(x, w):
        turns = 0
        while x.sum() < 100.0:
            x = x * w + x
            turns = turns + 1
        for _ in range(turns):
            x = x * w if w.sum() > 0 else x - w
        return x

    graph = jit.trace(ms.grad(looping, (0, 1)), Tensor([1.0, 2.0]), Tensor([1.0, 2.0]))
    nodes = [node for each in graph.all_graphs() for node in each.order()]
    assert len(nodes) > 30
    assert [node for node in nodes if node.where is None] == []
