"""Patterns: three spellings of one rewriting, what a pattern may contain, a pass's name."""

import numpy as np
import pytest
from add_neg import TWO_SITES, source, target
from graph_texts import body, graph_of, ops_of

from ms_ext import graph as ms_graph
from ms_ext import ops
from ms_ext.engine import passes, pipeline


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
    assert [m.root for m in record.matches] == sorted(
        [m.root for m in record.matches], reverse=True
    )
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


# how a pattern is written -------------------------------------------------------------------------

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
    for attributes, left in (
        ('"axis":1,"keep_dims":false', "ReduceMax"),
        ('"axis":-1,"keep_dims":false', "ReduceSum"),
    ):
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
    assert body(graph) == [
        '%2 = ReduceSum(%1) {"axis":[0,1],"keep_dims":true} : f32[1,1]',
        "return %2",
    ]
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
    assert (
        refusal.sentence()
        == "Mul matched, but its second operand is another value than the x before."
    )


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
    graph = graph_of(
        f"graph f@1(%1 x: f32[2]) {{\n  %2 = Mul(%1, {constant}) : f32[2]\n  return %2\n}}"
    )
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


def test_arrays_in_patterns_are_compared_whole():
    wanted = np.float32([1, 2])
    text = "graph f@1(%1 x: f32[2]) {\n  %2 = Mul(%1, %c) : f32[2]\n  return %2\n}"
    constant = '{"tensor":"Float32","shape":[2],"data":"AACAPwAAAEA="}: f32[2]'
    graph = graph_of(text.replace("%c", constant))
    run(graph, (lambda x: ops.Mul(x, wanted), lambda x: ops.Neg(x)))
    assert ops_of(graph) == ["Neg"]


# registering --------------------------------------------------------------------------------------


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


# what nobody gave a name --------------------------------------------------------------------------

FORMS = """
one = ms.rule(
    lambda a, b, c: ops.Add(ops.Mul(a, b), ops.Mul(c, a)),
    lambda a, b, c: ops.Mul(a, ops.Add(b, c)),
)
two = ms.rule(lambda x: ops.Neg(ops.Neg(x)), lambda x: x, name="twice")
both = ms.rules_pass(one, two, name="both")
alone = ms.pattern_pass(lambda x: ops.Exp(ops.Log(x)), lambda x: x)
"""
FACTOR = "Add(Mul(a, b), Mul(c, a)) -> Mul(a, Add(b, c))"


def test_a_rule_of_lambdas_is_called_by_what_it_does(registry):
    space = {"__name__": "__main__", "ms": ms_graph, "ops": ops, "__doc__": "Of the notebook."}
    exec(FORMS, space)
    assert str(space["one"]) == space["one"].name == space["one"].equation == FACTOR
    assert (space["two"].name, str(space["two"])) == ("twice", "twice: Neg(Neg(x)) -> x")
    assert space["both"].doc == f"{FACTOR}; twice: Neg(Neg(x)) -> x"
    assert space["alone"].name == space["alone"].doc == "Exp(Log(x)) -> x"
    assert registry.get("Exp(Log(x)) -> x") is space["alone"]


def test_a_pass_given_as_functions_is_called_by_what_it_does():
    swap = (lambda x, y: ops.Add(x, ops.Neg(y)), lambda x, y: ops.Sub(x, y))
    record = pipeline.run(graph_of(TWO_SITES), [swap], watch=True)
    mine = next(each for each in record.passes if each.matches)
    assert mine.name == mine.doc == mine.matches[0].rule == "Add(x, Neg(y)) -> Sub(x, y)"
    named = passes.find((source, target))
    assert (named.name, named.doc) == ("source", "source: Add(x, Neg(y)) -> Sub(x, y)")
