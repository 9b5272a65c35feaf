"""Patterns: three spellings of one rewriting, what a pattern says when it does not fit, endless passes."""

import re

import numpy as np
import pytest
from graph_texts import body, canonical, graph_of, ops_of

from ms_ext import graph as ms_graph
from ms_ext import ops
from ms_ext.engine import errors, passes, pipeline
from ms_ext.engine.passes import of_rules
from ms_ext.engine.patterns import rule

TWO_SITES = """
    graph f@1(%1 x: f32[2], %2 y: f32[2]) {
      %3 = Neg(%2) : f32[2]
      %4 = Add(%1, %3) : f32[2]
      %5 = Neg(%1) : f32[2]
      %6 = Add(%4, %5) : f32[2]
      %7 = Mul(%6, %5) : f32[2]
      return %7
    }
"""


def source(x, y):
    return ops.Add(x, ops.Neg(y))


def target(x, y):
    return ops.Sub(x, y)


class AddNeg(ms_graph.PatternToPatternPass):
    """Add(x, Neg(y)) -> Sub(x, y)"""

    def DefineSrcPattern(self, src_pattern):
        src_pattern.AddVar("x").AddVar("y")
        src_pattern.AddCNode("neg", [ms_graph.Primitive("Neg"), "y"])
        src_pattern.AddCNode("add", [ms_graph.Primitive("Add"), "x", "neg"])

    def DefineDstPattern(self, dst_pattern):
        dst_pattern.AddCNode("sub", [ms_graph.Primitive("Sub"), "x", "y"])


def walk(graph, editor):
    for node in reversed(graph.order()):
        if node.primitive is ops.Add and getattr(node.inputs[1], "primitive", None) is ops.Neg:
            new = editor.add(ops.Sub, [node.inputs[0], node.inputs[1].inputs[0]], of=node)
            editor.replace(node, new)


def run(graph, *sequence):
    return pipeline.run_only(graph, sequence, watch=True)


@pytest.mark.parametrize("spelling", [(source, target), AddNeg, AddNeg(), walk])
def test_three_spellings_give_the_same_graph(spelling):
    graph = graph_of(TWO_SITES)
    (record,) = run(graph, spelling).passes
    assert body(graph) == [
        "%3 = Sub(%1, %2) : f32[2]",
        "%4 = Sub(%3, %1) : f32[2]",
        "%5 = Neg(%1) : f32[2]",
        "%6 = Mul(%4, %5) : f32[2]",
        "return %6",
    ]
    assert [m.root for m in record.matches] == sorted([m.root for m in record.matches], reverse=True)
    assert len(record.matches) == 2


def test_a_match_names_what_it_found():
    graph = graph_of(TWO_SITES)
    x, y = (p.id for p in graph.parameters)
    add = graph.order()[1]
    (record,) = run(graph, (source, target)).passes
    match = record.matches[-1]
    assert (match.root, match.bindings) == (add.id, {"x": x, "y": y})
    assert len(match.removed) == 2 and len(match.added) == 1
    assert graph.order()[0].origin == add.id


# how a pattern is written ------------------------------------------------------------------------------

ATTRIBUTES = """
    graph f@1(%1 x: f32[2,3]) {
      %2 = ReduceSum(%1) {"axis":0,"keep_dims":true} : f32[1,3]
      %3 = ReduceSum(%2) {"axis":1,"keep_dims":true} : f32[1,1]
      return %3
    }
"""


def test_attributes_count_where_the_pattern_states_them():
    text = "graph f@1(%1 x: f32[2,3]) {\n  %2 = ReduceSum(%1) {%s} : f32[2]\n  return %2\n}"
    stated = (lambda x: ops.ReduceSum(x, 1), lambda x: ops.ReduceMax(x, 1))
    for attributes, left in (('"axis":1,"keep_dims":false', "ReduceMax"), ('"axis":-1,"keep_dims":false', "ReduceSum")):
        graph = graph_of(text.replace("%s", attributes))
        run(graph, stated)
        assert ops_of(graph) == [left]


def test_a_variable_can_stand_for_an_attribute():
    def source(x, a, b):
        return ops.ReduceSum(ops.ReduceSum(x, a, True), b, True)

    def target(x, a, b):
        return ops.ReduceSum(x, (a, b), True)

    graph = graph_of(ATTRIBUTES)
    (record,) = run(graph, (source, target)).passes
    assert body(graph) == ['%2 = ReduceSum(%1) {"axis":[0,1],"keep_dims":true} : f32[1,1]', "return %2"]
    assert record.matches[0].bindings["a"] == 0


def test_a_repeated_variable_is_the_same_node():
    text = """
        graph f@1(%1 x: f32[2], %2 y: f32[2]) {
          %3 = Mul(%1, %1) : f32[2]
          %4 = Mul(%1, %2) : f32[2]
          %5 = Add(%3, %4) : f32[2]
          return %5
        }
    """
    graph = graph_of(text)
    (record,) = run(graph, (lambda x: ops.Mul(x, x), lambda x: ops.Square(x))).passes
    assert ops_of(graph) == ["Add", "Mul", "Square"]
    (refusal,) = record.refusals
    assert refusal.sentence() == "Mul matched, but its second operand is another value than the x before."


@pytest.mark.parametrize(
    ("wanted", "constant", "fits"),
    [
        (1, "1: int", True),
        (1, "1.0: float", True),
        (1, "true: bool", False),
        (0, "-0.0: float", False),
        (-0.0, "-0.0: float", True),
        (-0.0, "0: int", False),
        (2, '{"tensor":"Float32","shape":[2],"data":"AAAAQAAAAEA="}: f32[2]', True),
        (2, '{"tensor":"Float32","shape":[2],"data":"AACAPwAAAEA="}: f32[2]', False),
    ],
)
def test_numbers_in_patterns(wanted, constant, fits):
    graph = graph_of(f"graph f@1(%1 x: f32[2]) {{\n  %2 = Mul(%1, {constant}) : f32[2]\n  return %2\n}}")
    run(graph, (lambda x: ops.Mul(x, wanted), lambda x: ops.Neg(x)))
    assert ops_of(graph) == (["Neg"] if fits else ["Mul"])


def test_the_rest_of_the_operands():
    text = """
        graph f@1(%1 x: f32[2], %2 y: f32[2]) {
          %3 = Concat(%1, %2, %1) {"axis":0} : f32[6]
          return %3
        }
    """

    def source(first, *others):
        return ops.Concat((first, *others), 0)

    def target(first, *others):
        return ops.Concat((*others, first), 0)

    def when(first, *others):
        return len(others) == 2 and first.name == "x" and others[0].name == "y"

    graph = graph_of(text)
    (record,) = run(graph, (source, target, when)).passes
    assert body(graph)[0] == '%3 = Concat(%2, %1, %1) {"axis":0} : f32[6]'
    assert len(record.matches[0].bindings["others"]) == 2


def test_a_target_that_asks_for_types_is_called_at_every_match():
    def target(x, y):
        return ops.Cast(ops.Sub(x, y), x.dtype) if x.ndim == 1 else x

    graph = graph_of(TWO_SITES)
    run(graph, (source, target))
    assert ops_of(graph) == ["Cast", "Cast", "Mul", "Neg", "Sub", "Sub"]


def test_what_a_target_leaves_unused_is_removed():
    def target(x, y):
        ops.Exp(x)
        return ops.Sub(x, y) if x.ndim else x

    graph = graph_of(TWO_SITES)
    record = run(graph, (source, target))
    assert ops_of(graph) == ["Mul", "Neg", "Sub", "Sub"]
    assert all("Exp" not in row.op for row in record.listing_after(1).values())


def test_patterns_do_not_cross_a_regions_border():
    graph = graph_of(
        """
        graph f@1(%1 c: bool[], %2 x: f32[2]) {
          %3 = Neg(%2) : f32[2]
          %4 = If(%1, %2, %3) : f32[2]
            yes(%5 x: f32[2], %6 n: f32[2]) {
              %7 = Add(%5, %6) : f32[2]
              return %7
            }
            no(%8 x: f32[2], %9 n: f32[2]) {
              %10 = Neg(%9) : f32[2]
              %11 = Add(%8, %10) : f32[2]
              return %11
            }
          return %4
        }
        """
    )
    run(graph, (source, target))
    assert ops_of(graph) == ["Add", "If", "Neg", "Sub"]


# what is said when nothing happens ---------------------------------------------------------------------


def test_refusals(golden):
    graph = graph_of(
        """
        graph f@1(%1 x: f32[2], %2 y: f32[2], %3 k: i8[2]) {
          %4 = Neg(%2) : f32[2]
          %5 = Add(%1, %4) : f32[2]
          %6 = Mul(%5, %4) : f32[2]
          %7 = Add(%1, %6) : f32[2]
          %8 = Neg(%7) : f32[2]
          %9 = Add(%8, %1) : f32[2]
          %10 = Neg(%3) : i8[2]
          %11 = Add(%9, %10) : f32[2]
          %12 = Add(%11, 1: int) : f32[2]
          %13 = AddExt(%12, %12) {"alpha":1} : f32[2]
          return %13
        }
        """
    )
    (record,) = run(graph, "add_neg_to_sub").passes
    numbers = {node.id: place for place, node in enumerate(graph.order())}
    told = sorted((numbers[r.root], r.code, r.sentence()) for r in record.refusals)
    golden("refusals.txt", "".join(f"{code:10} {sentence}\n" for _, code, sentence in told))


def test_a_target_of_another_type_does_not_fire():
    graph = graph_of(TWO_SITES)
    (record,) = run(graph, (source, lambda x, y: ops.Cast(x, "float16"))).passes
    assert not record.matches and canonical(graph) == canonical(graph_of(TWO_SITES))
    assert {r.sentence() for r in record.refusals} == {
        "Add matched, but the target would be f16[2] where Add is f32[2]."
    }


def test_a_place_that_fits_later_is_no_refusal():
    """The outer Add fits only after the inner one has become the Neg it needs."""
    rules = [
        rule(lambda x: ops.Mul(x, -1), lambda x: ops.Neg(x), name="times -1"),
        rule(source, target, name="add_neg"),
    ]
    graph = graph_of(
        "graph f@1(%1 x: f32[2]) {\n  %2 = Mul(%1, -1: int) : f32[2]\n"
        "  %3 = Add(%1, %2) : f32[2]\n  return %3\n}"
    )
    (record,) = run(graph, of_rules(rules, "both")).passes
    assert ops_of(graph) == ["Sub"] and len(record.matches) == 2 and record.refusals == []


def test_the_last_user_is_looked_at_again():
    """Neg is shared at first; the rewriting of its other user leaves it to the Add."""

    def when(x, y, match):
        return not match.shared

    rules = [
        rule(source, target, when, name="add_neg"),
        rule(lambda x: ops.Exp(ops.Neg(x)), lambda x: ops.Reciprocal(ops.Exp(x)), name="exp_neg"),
    ]
    graph = graph_of(
        """
        graph f@1(%1 x: f32[2]) {
          %2 = Neg(%1) : f32[2]
          %3 = Exp(%2) : f32[2]
          %4 = Add(%3, %2) : f32[2]
          return %4
        }
        """
    )
    run(graph, of_rules(rules, "both"))
    assert ops_of(graph) == ["Exp", "Reciprocal", "Sub"]


# passes that never end, and other mistakes --------------------------------------------------------------

SWAP = rule(lambda x, y: ops.Add(x, y), lambda x, y: ops.Add(y, x), name="swap")
TO_SUB = rule(source, target, name="to_sub")
TO_ADD = rule(lambda x, y: ops.Sub(x, y), lambda x, y: ops.Add(x, ops.Neg(y)), name="to_add")
GROW = rule(lambda x: ops.Neg(x), lambda x: ops.Neg(ops.Neg(ops.Neg(x))), name="grow")


@pytest.mark.parametrize(
    ("name", "rules"), [("swap", [SWAP]), ("back_and_forth", [TO_SUB, TO_ADD]), ("grow", [GROW])]
)
def test_endless_passes(name, rules, golden):
    graph = graph_of(TWO_SITES)
    with pytest.raises(errors.NotRunnable) as caught:
        run(graph, of_rules(rules, name))
    golden(f"endless_{name}.txt", f"{caught.value}\n")


def keyword_only(x, *, y):
    return ops.Neg(x)


def no_call(x):
    return x


def asks_for_the_shape(x):
    return ops.Reshape(x, (x.shape[0],))


def returns_none(x):
    ops.Neg(x)


def replaces_by_its_own_user(graph, editor):
    editor.replace(graph.outputs[0], editor.add(ops.Neg, graph.outputs))


def changes_the_type(graph, editor):
    editor.replace(graph.outputs[0], editor.add(ops.Cast, graph.parameters[:1], {"dtype": "float16"}))


MISTAKES = {
    "keywords": lambda: rule(keyword_only, no_call),
    "no call": lambda: rule(no_call, no_call),
    "none": lambda: rule(returns_none, no_call),
    "shape": lambda: rule(asks_for_the_shape, no_call),
    "unknown in target": lambda: rule(lambda x: ops.Neg(x), lambda x, z: ops.Exp(z), name="p"),
    "unknown in when": lambda: rule(lambda x: ops.Neg(x), no_call, lambda yy: True, name="p"),
    "unbound": lambda: rule(lambda x, z: ops.Neg(x), lambda x, z: ops.Exp(z), name="p"),
    "when": lambda: run(graph_of(TWO_SITES), (source, target, lambda x: None)),
    "not a pass": lambda: passes.find(3),
    "unknown pass": lambda: passes.find("add_neg_to_sup"),
    "not a list": lambda: pipeline.run(graph_of(TWO_SITES), "add_neg_to_sub"),
    "a function of one": lambda: passes.find(no_call),
    "raises": lambda: run(graph_of(TWO_SITES), lambda graph, editor: 1 / 0),
    "cycle": lambda: run(graph_of(TWO_SITES), replaces_by_its_own_user),
    "type": lambda: run(graph_of(TWO_SITES), changes_the_type),
}


def test_mistakes(golden):
    told = []
    for title, mistake in MISTAKES.items():
        with pytest.raises(errors.MsExtError) as caught:
            pytest.fail(f"{title}: no error, but {mistake()}")
        told.append(f"[{title}] {type(caught.value).__name__}\n{caught.value}\n")
    text = re.sub(r"%\d+", "%N", "\n".join(told))
    golden("pattern_mistakes.txt", text)


# registering -----------------------------------------------------------------------------------------------


@pytest.fixture
def registry():
    """The registry, without what a test registers."""
    before = set(passes.REGISTRY.names())
    yield passes.REGISTRY
    for name in set(passes.REGISTRY.names()) - before:
        passes.REGISTRY.discard(name)


def test_a_pass_of_the_same_name_replaces_the_earlier_one(registry):
    generation = registry.generation
    first = ms_graph.pattern_pass(source, target, name="mine")
    second = ms_graph.pattern_pass(source, lambda x, y: ops.Sub(x, y), name="mine")
    assert registry.get("mine") is second is not first
    assert registry.generation == generation + 2
    assert pipeline.names(["mine"])[4] == "mine"


def test_a_pass_in_a_cell_is_called_like_its_function(registry):
    space = {"__name__": "__main__", "ms": ms_graph}
    exec("@ms.graph_pass\ndef tidy(graph, editor):\n    'Do nothing.'\n", space)
    assert (space["tidy"].name, space["tidy"].doc) == ("tidy", "Do nothing.")
    assert "tidy" in ms_graph.passes()


def test_a_pass_in_mindspores_shape_can_be_registered(registry):
    ms_graph.register_pass(AddNeg, "AddNegFusionPass")
    graph = graph_of(TWO_SITES)
    run(graph, "AddNegFusionPass")
    assert ops_of(graph) == ["Mul", "Neg", "Sub", "Sub"]


def test_arrays_in_patterns_are_compared_whole():
    wanted = np.float32([1, 2])
    text = 'graph f@1(%1 x: f32[2]) {\n  %2 = Mul(%1, %c) : f32[2]\n  return %2\n}'
    constant = '{"tensor":"Float32","shape":[2],"data":"AACAPwAAAEA="}: f32[2]'
    graph = graph_of(text.replace("%c", constant))
    run(graph, (lambda x: ops.Mul(x, wanted), lambda x: ops.Neg(x)))
    assert ops_of(graph) == ["Neg"]
