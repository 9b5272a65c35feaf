"""A graph is built from nodes: what else is given instead is told, and nothing is changed by it."""

import numpy as np
import pytest

from ms_ext import Tensor, dtype, ops
from ms_ext.engine import errors
from ms_ext.engine.infer import AbstractTensor
from ms_ext.engine.ir import FuncGraph, dump, verify
from ms_ext.engine.symbol import Symbol

#: What is given instead of a node, and a word of the hint that belongs to it.
WRONG = {
    "list": (lambda x: [x, x], "one by one"),
    "tuple": (lambda x: (x,), "one by one"),
    "name": (lambda x: "d", "A name is no node"),
    "nothing": (lambda x: None, "Nothing was found"),
    "number": (lambda x: 3, "graph.constant(3) makes one of a number"),
    "truth": (lambda x: True, "graph.constant(True) makes one of a number"),
    "tensor": (lambda x: Tensor([1.0, 2.0]), "makes one of a tensor"),
    "array": (lambda x: np.ones((9, 9)), "makes one of a tensor"),
    "symbol": (Symbol, "its field `node`"),
    "something else": (lambda x: object(), "graph.add_parameter"),
}
#: Where a node is wanted: f(graph, a node of it, what is given), and how the call should be.
PLACES = {
    "returned": (lambda g, x, it: g.returns(it), "graph.returns(a, b)"),
    "returned second": (lambda g, x, it: g.returns(x, it), "graph.returns(a, b)"),
    "an operand": (lambda g, x, it: g.add(ops.Add, [x, it]), "graph.add(op, [a, b])"),
    "replaced": (lambda g, x, it: g.replace(it, x), "graph.replace(old, new)"),
    "put in its place": (lambda g, x, it: g.replace(x, it), "graph.replace(old, new)"),
    "an input": (lambda g, x, it: g.set_inputs(g.outputs[0], [x, it]), "graph.set_inputs("),
    "the call to change": (lambda g, x, it: g.set_inputs(it, [x]), "graph.set_inputs("),
    "erased": (lambda g, x, it: g.erase(it), "graph.erase(node)"),
}


def small():
    graph = FuncGraph("mine")
    x = graph.add_parameter(AbstractTensor(dtype.float32, (2,)), "x")
    graph.returns(graph.add(ops.Add, [x, x]))
    return graph, x


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_no_node_is_told(wrong, place):
    (graph, x), (make, words), (use, call) = small(), WRONG[wrong], PLACES[place]
    before = dump(graph)
    with pytest.raises(errors.GraphError, match="is not a node of the graph 'mine'") as caught:
        use(graph, x, make(x))
    assert words in caught.value.hint and "\n" not in caught.value.message
    assert call in caught.value.hint or words != "one by one"
    assert dump(verify(graph)) == before


@pytest.mark.parametrize("use", [
    lambda g, x: g.add(ops.Neg, x),
    lambda g, x: g.add(ops.Add, x, x),
    lambda g, x: g.set_inputs(g.outputs[0], x),
])  # fmt: skip
def test_one_operand_is_a_list_too(use):
    graph, x = small()
    before = dump(graph)
    with pytest.raises(errors.GraphError, match=r"The operands are a list, and %\d+ is none"):
        use(graph, x)
    assert dump(verify(graph)) == before


def test_the_likeliest_first_mistake():
    graph, x = small()
    with pytest.raises(errors.GraphError) as caught:
        graph.returns([x, graph.constant(2)])
    one, other = x, graph.constant(2)
    assert str(caught.value) == (
        f"[{one}, {other}] is not a node of the graph 'mine'.\n"
        "    Give the nodes one by one: graph.returns(a, b)."
    )
