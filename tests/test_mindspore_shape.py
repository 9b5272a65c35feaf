"""Passes written like MindSpore's C++ classes: the same order of calls, errors and graphs."""

import pytest
from graph_texts import body, graph_of, ops_of

from ms_ext import graph as ms_graph
from ms_ext import ops
from ms_ext.engine import errors, pipeline

CHAIN = """
    graph f@1(%1 x: f32[2], %2 y: f32[2]) {
      %3 = Neg(%2) : f32[2]
      %4 = Add(%1, %3) : f32[2]
      return %4
    }
"""


def a_pass(source, target, check=None, name=""):
    """A PatternToPatternPass of two functions."""

    class Made(ms_graph.PatternToPatternPass):
        def DefineSrcPattern(self, src_pattern):
            source(src_pattern)

        def DefineDstPattern(self, dst_pattern):
            target(dst_pattern)

        def CheckMatchedDAG(self, pattern_map, func_graph, node):
            return True if check is None else check(pattern_map, func_graph, node)

    return Made(name)


def add_neg(src_pattern):
    src_pattern.AddVar("x").AddVar("y").AddCNode("neg", ["Neg", "y"]).AddCNode(
        "add", ["Add", "x", "neg"]
    )


def to_sub(dst_pattern):
    dst_pattern.AddCNode("sub", ["Sub", "x", "y"])


def run(text, *sequence):
    graph = graph_of(text)
    return graph, pipeline.run_only(graph, sequence, watch=True).passes[0]


def test_check_then_define_then_build():
    calls = []

    def check(pattern_map, func_graph, node):
        calls.append(("check", pattern_map.Get("neg").primitive.name, node.primitive.name))
        return True

    def target(dst_pattern):
        calls.append("define")
        dst_pattern.AddCNode(
            "sub", ["Sub", "x", "y"], lambda m, node: calls.append("build") or node
        )

    graph, _ = run(CHAIN, a_pass(add_neg, target, check))
    assert calls == [("check", "Neg", "Add"), "define", "build"]
    assert body(graph) == ["%3 = Sub(%1, %2) : f32[2]", "return %3"]


def test_a_check_that_says_false_leaves_the_match_alone():
    seen = []
    graph, record = run(
        CHAIN, a_pass(add_neg, to_sub, lambda m, g, node: seen.append(node) or len(seen) > 1)
    )
    assert len(seen) == 1 and ops_of(graph) == ["Add", "Neg"]
    assert record.refusals[0].sentence() == "Add matched, but the condition of the pass says no."


def test_a_matched_call_that_others_use_stays():
    shared = CHAIN.replace("return %4", "return %4, %3")
    graph, _ = run(shared, a_pass(add_neg, to_sub))
    assert ops_of(graph) == ["Neg", "Sub"]


def test_outer_matches_come_first():
    seen = []
    text = """
        graph f@1(%1 x: f32[2], %2 y: f32[2]) {
          %3 = Neg(%2) : f32[2]
          %4 = Add(%1, %3) : f32[2]
          %5 = Neg(%1) : f32[2]
          %6 = Add(%4, %5) : f32[2]
          return %6
        }
    """
    graph, _ = run(
        text, a_pass(add_neg, to_sub, lambda m, g, node: seen.append(len(node.users)) or True)
    )
    assert ops_of(graph) == ["Sub", "Sub"]
    assert body(graph)[1] == "%4 = Sub(%3, %1) : f32[2]"


def test_a_node_in_place_of_the_root():
    def source(src_pattern):
        src_pattern.AddVar("x").AddCNode("inner", ["Neg", "x"]).AddCNode("outer", ["Neg", "inner"])

    def target(dst_pattern):
        dst_pattern.AddValueNode("out", ms_graph.InplaceValueFunc("x"))

    text = """
        graph f@1(%1 x: f32[2]) {
          %2 = Neg(%1) : f32[2]
          %3 = Neg(%2) : f32[2]
          %4 = Exp(%3) : f32[2]
          return %4
        }
    """
    graph, _ = run(text, a_pass(source, target))
    assert body(graph) == ["%2 = Exp(%1) : f32[2]", "return %2"]


def test_several_new_calls_and_a_constant():
    def target(dst_pattern):
        dst_pattern.AddValueNode("two", ms_graph.DefaultValueFunc(2.0))
        dst_pattern.AddCNode("mul", ["Mul", "y", "two"]).AddCNode("sub", ["Sub", "x", "mul"])

    graph, record = run(CHAIN, a_pass(add_neg, target))
    assert body(graph)[:2] == ["%3 = Mul(%2, 2.0: float) : f32[2]", "%4 = Sub(%1, %3) : f32[2]"]
    assert len(record.matches[0].added) == 2


def test_a_sequence_of_operands():
    class AddThree(ms_graph.PatternToPatternPass):
        def DefineSrcPattern(self, src_pattern):
            src_pattern.AddSeqVar("xs")
            src_pattern.AddCNode("tuple", ["MakeTuple", "xs"]).AddCNode(
                "joined", ["Concat", "tuple"]
            )

        def DefineDstPattern(self, dst_pattern):
            dst_pattern.AddCNode("tuple", ["MakeTuple", *self.Unpacking("xs")])
            dst_pattern.AddCNode("stacked", [ops.Concat(axis=0), "tuple"])

        def CheckMatchedDAG(self, pattern_map, func_graph, node):
            assert pattern_map.CheckSeq("xs") and not pattern_map.Contains("ys")
            return len(pattern_map.GetSeq("xs")) == 3 and node.attributes["axis"] == -1

    text = """
        graph f@1(%1 x: f32[2], %2 y: f32[2]) {
          %3 = Concat(%1, %2, %1) {"axis":-1} : f32[6]
          return %3
        }
    """
    graph, _ = run(text, AddThree)
    assert body(graph)[0] == '%3 = Concat(%1, %2, %1) {"axis":0} : f32[6]'


def test_a_condition_of_a_variable():
    asked = []

    def source(src_pattern):
        src_pattern.AddVar("x", lambda node: asked.append(node) or node.kind == "call")
        src_pattern.AddCNode("neg", ["Neg", "x"])

    graph, record = run(CHAIN, a_pass(source, lambda dst: dst.AddCNode("e", ["Exp", "x"])))
    assert len(asked) == 1 and ops_of(graph) == ["Add", "Neg"]
    assert (
        record.refusals[0].sentence()
        == "Neg matched, but the condition of x refused its first operand."
    )


def test_an_earlier_call_that_the_root_does_not_reach_is_ignored():
    def source(src_pattern):
        src_pattern.AddVar("x").AddCNode("lost", ["Exp", "x"]).AddCNode("neg", ["Neg", "x"])

    graph, _ = run(CHAIN, a_pass(source, lambda dst: dst.AddCNode("e", ["Exp", "x"])))
    assert ops_of(graph) == ["Add", "Exp"]


def test_a_pass_over_the_whole_graph():
    class Whole:
        """Add -> Mul, by hand."""

        def Run(self, func_graph):
            for node in func_graph.order():
                if node.primitive is ops.Add:
                    func_graph.replace(node, func_graph.add(ops.Mul, node.inputs))
            return True

    graph, record = run(CHAIN, Whole)
    assert ops_of(graph) == ["Mul", "Neg"] and (record.name, record.doc) == (
        "Whole",
        "Add -> Mul, by hand.",
    )


def nothing(_pattern):
    pass


MISTAKES = {
    "This SrcPattern has no root node.": a_pass(nothing, to_sub),
    "This DstPattern has no root node.": a_pass(add_neg, nothing),
    "Var: x is already in SrcPattern.": a_pass(lambda src: src.AddVar("x").AddVar("x"), to_sub),
    "Key: nosuch not in PatternMap": a_pass(
        lambda src: src.AddCNode("n", ["Neg", "nosuch"]), to_sub
    ),
    "The pointer[node] is null.": a_pass(
        add_neg, lambda dst: dst.AddCNode("s", ["Sub", "x", "y"], lambda m, n: None)
    ),
    "The pointer[cnode] is null.": a_pass(
        add_neg, lambda dst: dst.AddCNode("s", ["Sub", "x", "y"], ms_graph.InplaceCNodeFunc("x"))
    ),
    "The build function must keep the inputs that AddCNode declares.": a_pass(
        add_neg, lambda dst: dst.AddCNode("s", ["Sub", "x", "y"], ms_graph.InplaceCNodeFunc("neg"))
    ),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_are_runtime_errors_when_a_graph_is_compiled(text):
    with pytest.raises(RuntimeError) as caught:
        run(CHAIN, MISTAKES[text])
    assert isinstance(caught.value, errors.NotRunnable) and caught.value.message == text
