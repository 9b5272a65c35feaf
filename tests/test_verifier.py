"""The verifier: each of its seven rules, broken by hand, is caught and named."""

import pytest
from graph_texts import graph_of
from random_graphs import random_graph

import ms_ext as ms
from ms_ext import ops
from ms_ext.engine import errors
from ms_ext.engine.infer import STATE, UNKNOWN
from ms_ext.engine.ir import FuncGraph, dump, load, verify

TEXT = """
    graph f@1(%1 c: bool[], %2 x: f32[2]) {
      %3 = Neg(%2) : f32[2]
      %4 = If(%1, %3) : f32[2]
        yes(%5 a: f32[2]) {
          %6 = Exp(%5) : f32[2]
          return %6
        }
        no(%7 a: f32[2]) {
          return %7
        }
      %8 = Add(%4, %3) : f32[2]
      return %8
    }
"""


def parts(graph):
    """Neg, If, Add, and the two regions."""
    neg, branch, add = graph.order()
    return neg, branch, add, *branch.graphs


def uses_a_node_of_another_graph(graph):
    neg, _, add, yes, _ = parts(graph)
    add.inputs = (neg, yes.order()[0])


def uses_an_erased_parameter(graph):
    graph.parameters.pop()


def forgets_a_user(graph):
    neg, _, add, *_ = parts(graph)
    del neg.users[add]


def counts_a_user_twice(graph):
    neg, _, add, *_ = parts(graph)
    neg.users[add] = 2


def remembers_a_former_user(graph):
    _, branch, _, _, _ = parts(graph)
    graph.parameters[1].users[branch] = 1


def makes_a_cycle(graph):
    neg, _, add, *_ = parts(graph)
    graph.set_inputs(neg, (add,))


def has_no_type(graph):
    parts(graph)[2].abstract = UNKNOWN


def has_another_type(graph):
    graph.set_inputs(parts(graph)[0], (graph.parameters[0],))


def branch_of_another_type(graph):
    _, _, _, yes, _ = parts(graph)
    yes.returns(yes.add(ops.Cast, yes.outputs, {"dtype": "float16"}))


def branch_with_fewer_parameters(graph):
    _, _, _, _, no = parts(graph)
    no.returns(no.constant(1.0))
    no.erase(no.parameters[0])


def has_three_operands(graph):
    neg, _, add, *_ = parts(graph)
    graph.set_inputs(add, (neg, neg, neg))


def has_an_unknown_attribute(graph):
    parts(graph)[0].attrs = {"axis": 0}


def one_region_twice(graph):
    _, branch, _, yes, _ = parts(graph)
    branch.graphs = (yes, yes)


def one_region_of_two(graph):
    _, branch, add, *_ = parts(graph)
    copy = graph.add(branch.primitive, branch.inputs, None, branch.graphs)
    graph.set_inputs(add, (branch, copy))


def an_op_that_owns_a_region(graph):
    neg, _, _, yes, _ = parts(graph)
    neg.graphs = (yes,)


RULES = {
    "1 (closed)": [uses_a_node_of_another_graph, uses_an_erased_parameter],
    "2 (users)": [forgets_a_user, counts_a_user_twice, remembers_a_former_user],
    "3 (acyclic)": [makes_a_cycle],
    "4 (typed)": [has_no_type],
    "5 (types agree)": [
        has_another_type,
        branch_of_another_type,
        branch_with_fewer_parameters,
        has_three_operands,
        has_an_unknown_attribute,
    ],
    "6 (one owner)": [one_region_twice, one_region_of_two, an_op_that_owns_a_region],
}


@pytest.mark.parametrize(("rule", "damage"), [(r, d) for r, all_ in RULES.items() for d in all_])
def test_a_broken_graph_is_caught(rule, damage):
    graph = graph_of(TEXT)
    damage(graph)
    graph._order = None
    with pytest.raises(errors.GraphError, match="breaks rule") as caught:
        verify(graph)
    assert f"rule {rule}" in str(caught.value)


def test_a_state_is_used_once():
    graph = FuncGraph("f")
    state = graph.add_parameter(STATE, "io")
    graph.returns(state)
    verify(graph)
    graph.returns(state, state)
    with pytest.raises(errors.GraphError, match=r"rule 7 \(state once\)"):
        verify(graph)


def test_a_user_that_return_does_not_reach_is_no_mistake():
    graph = graph_of(TEXT)
    graph.add(ops.Exp, graph.parameters[1:])
    verify(graph)


def test_random_graphs_are_sound():
    for seed in range(200, 230):
        verify(random_graph(seed)[0])


def test_a_tensor_becomes_a_constant_that_can_be_written():
    graph, tensor = FuncGraph("f"), ms.Tensor([0.5, 0.25], ms.float16)
    node = graph.constant(tensor)
    graph.returns(graph.add(ops.Neg, (node,)))
    tensor[0] = 2.0
    read = load(dump(verify(graph)))
    (again,) = read.constants.values()
    assert again.abstract is node.abstract
    assert again.value.tolist() == [0.5, 0.25]
