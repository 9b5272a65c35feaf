"""What each pass is for, on a small graph; what it leaves alone, and the sentence it says then."""

import numpy as np
import pytest
from graph_texts import canonical, graph_of, ops_of
from random_graphs import argument, evaluate, same_bits

from ms_ext.book import pass_examples
from ms_ext.engine import pipeline
from ms_ext.engine.ir import verify

# what each pass is for: a graph, and the calls that are left --------------------------------------

EXAMPLES = {
    "add_neg_to_sub": (
        """
        graph f@1(%1 x: f32[2], %2 y: f32[2]) {
          %3 = Neg(%2) : f32[2]
          %4 = Add(%1, %3) : f32[2]
          return %4
        }
        """,
        ["Sub"],
    ),
    "algebraic": (
        """
        graph f@1(%1 x: f32[2,3]) {
          %2 = Mul(%1, 1: int) : f32[2,3]
          %3 = Sub(%2, 0: int) : f32[2,3]
          %4 = Neg(%3) : f32[2,3]
          %5 = Neg(%4) : f32[2,3]
          %6 = Transpose(%5) {"perm":[1,0]} : f32[3,2]
          %7 = Transpose(%6) {"perm":null} : f32[2,3]
          %8 = Reshape(%7) {"shape":[6]} : f32[6]
          %9 = Reshape(%8) {"shape":[2,-1]} : f32[2,3]
          return %9
        }
        """,
        [],
    ),
    "cse": (
        """
        graph f@1(%1 x: f32[2]) {
          %2 = Exp(%1) : f32[2]
          %3 = Exp(%1) : f32[2]
          %4 = Mul(%2, %3) : f32[2]
          %5 = Mul(%3, %2) : f32[2]
          %6 = Add(%4, %5) : f32[2]
          return %6
        }
        """,
        ["Add", "Exp", "Mul"],
    ),
    "dce": (
        """
        graph f@1(%1 c: bool[], %2 x: f32[2], %3 y: f32[2]) {
          %4 = Exp(%3) : f32[2]
          %5 = If(%1, %2, %4) : (f32[2], f32[2])
            yes(%6 a: f32[2], %7 b: f32[2]) {
              %8 = Neg(%6) : f32[2]
              %9 = Neg(%7) : f32[2]
              return %8, %9
            }
            no(%10 a: f32[2], %11 b: f32[2]) {
              return %10, %11
            }
          %12 = TupleGetItem(%5) {"index":0} : f32[2]
          return %12
        }
        """,
        ["If", "Neg"],
    ),
    "fold": (
        """
        graph f@1(%1 x: f32[2]) {
          %2 = Mul(2: int, 3.0: float) : float
          %3 = If(true: bool, %1, %2) : f32[2]
            yes(%4 a: f32[2], %5 b: float) {
              %6 = Add(%5, 1: int) : float
              %7 = Mul(%4, %6) : f32[2]
              return %7
            }
            no(%8 a: f32[2], %9 b: float) {
              return %8
            }
          return %3
        }
        """,
        ["Mul"],
    ),
    "inline": (
        pass_examples.EXAMPLES["inline"].partition("\n")[2],  # the one that the book shows
        ["Add", "Add", "Neg", "Neg"],
    ),
    "sink": (
        """
        graph f@1(%1 c: bool[], %2 x: f32[2]) {
          %3 = If(%1, %2, 2.0: float) : f32[2]
            yes(%4 a: f32[2], %5 k: float) {
              %6 = Mul(%4, %5) : f32[2]
              return %6
            }
            no(%7 a: f32[2], %8 k: float) {
              return %7
            }
          return %3
        }
        """,
        ["If", "Mul"],
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_pass_has_an_example_that_it_changes(name):
    text, left = EXAMPLES[name]
    graph = graph_of(text)
    arguments = [argument(np.random.default_rng(0), p.abstract) for p in graph.parameters]
    before = evaluate(graph, arguments)
    (record,) = pipeline.run_only(graph, [name], watch=True).passes
    assert record.matches and ops_of(graph) == left
    assert same_bits(before, evaluate(verify(graph), arguments))


def test_sink_writes_the_constant_into_the_region():
    graph = graph_of(EXAMPLES["sink"][0])
    pipeline.run_only(graph, ["sink"])
    assert "Mul(%4, 2.0: float)" in canonical(graph)


# what each pass must leave alone, and what it says ------------------------------------------------

ALONE = {
    "integers times 1.0": (
        "algebraic",
        "%3 = Mul(%1, 1.0: float) : f32[2]",
        None,
    ),
    "floats plus 0": (
        "algebraic",
        "%3 = Add(%2, 0: int) : f32[2]",
        "x is Float32: where it is -0.0, x + 0 is 0.0.",
    ),
    "floats minus -0.0": ("algebraic", "%3 = Sub(%2, -0.0: float) : f32[2]", None),
    "two different values": ("cse", "%3 = Add(%2, %1) : f32[2]", None),
    "draws": ("cse", "%3 = Add(%1, %2) : f32[2]", None),
    "a value from outside": ("fold", "%3 = Add(%2, 0: int) : f32[2]", None),
    "a large constant": (
        "fold",
        '%3 = BroadcastTo(1.0: float) {"shape":[300,300]} : f32[300,300]',
        "The constant would have 360000 bytes.",
    ),
    "the order of operands": (
        "add_neg_to_sub",
        "%4 = Neg(%2) : f32[2]\n  %3 = Add(%4, %2) : f32[2]",
        "Add matched, but its second operand is the parameter y, not Neg."
        " Neg is its first operand: order counts.",
    ),
    "another user of Neg": (
        "add_neg_to_sub",
        "%4 = Neg(%2) : f32[2]\n  %5 = Add(%2, %4) : f32[2]\n  %3 = Mul(%5, %4) : f32[2]",
        "Neg has another user, so it stays: nothing would be saved.",
    ),
    "Neg on both sides": (
        "add_neg_to_sub",
        "%4 = Neg(%2) : f32[2]\n  %3 = Add(%4, %4) : f32[2]",
        "Neg has another user, so it stays: nothing would be saved.",
    ),
    "Neg in a narrower dtype": (
        "add_neg_to_sub",
        "%4 = Neg(%1) : i8[2]\n  %3 = Add(%2, %4) : f32[2]",
        "x is Float32 but y is Int8, and Neg works in Int8.",
    ),
}


@pytest.mark.parametrize("title", ALONE)
def test_what_a_pass_must_leave_alone(title):
    name, line, sentence = ALONE[title]
    whole = "i8" if "narrower" in title else "i32"
    graph = graph_of(f"graph f@1(%1 x: {whole}[2], %2 y: f32[2]) {{\n  {line}\n  return %3\n}}")
    before = canonical(graph)
    (record,) = pipeline.run_only(graph, [name], watch=True).passes
    assert canonical(graph) == before
    assert not record.matches and [r.sentence() for r in record.refusals] == (
        [sentence] if sentence else []
    )


def test_cse_leaves_effects_and_other_attributes_alone():
    graph = graph_of(
        """
        graph f@1(%1 x: f32[2,2]) {
          %2 = ReduceSum(%1) {"axis":0,"keep_dims":false} : f32[2]
          %3 = ReduceSum(%1) {"axis":1,"keep_dims":false} : f32[2]
          %4 = Add(%2, %3) : f32[2]
          return %4
        }
        """
    )
    pipeline.run_only(graph, ["cse"])
    assert ops_of(graph) == ["Add", "ReduceSum", "ReduceSum"]


def test_inline_leaves_recursion_alone_and_says_so():
    graph = graph_of(
        """
        graph f@1(%1 n: i64[]) {
          %2 = Call@2(%1) : i64[]
          return %2
        }
        graph down@2(%3 n: i64[]) {
          %4 = Greater(%3, 0: int) : bool[]
          %5 = If(%4, %3) : i64[]
            yes(%6 n: i64[]) {
              %7 = Sub(%6, 1: int) : i64[]
              %8 = Call@2(%7) : i64[]
              return %8
            }
            no(%9 n: i64[]) {
              return %9
            }
          return %5
        }
        """
    )
    (record,) = pipeline.run_only(graph, ["inline"], watch=True).passes
    assert {r.sentence() for r in record.refusals} == {"'down' calls itself."}
    assert [int(r) for r in evaluate(graph, [np.int64(3)])] == [0]
