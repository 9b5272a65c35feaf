"""Dead code across a region's border: results, carried values, operands, loops nobody reads."""

import numpy as np
from graph_texts import body, graph_of, ops_of
from random_graphs import evaluate

from ms_ext.engine import pipeline
from ms_ext.engine.ir import verify


def clean(text, *more):
    graph = graph_of(text)
    record = pipeline.run_only(graph, [*more, "dce"], watch=True)
    return verify(graph), record


LOOP = """
    graph f@1(%1 n: i64[], %2 x: f32[2], %3 y: f32[2]) {
      %4 = While(%1, %2, %3, %3) {"carried":3} : (i64[], f32[2], f32[2])
        test(%5 n: i64[], %6 x: f32[2], %7 y: f32[2], %8 k: f32[2]) {
          %9 = Greater(%5, 0: int) : bool[]
          return %9
        }
        body(%10 n: i64[], %11 x: f32[2], %12 y: f32[2], %13 k: f32[2]) {
          %14 = Sub(%10, 1: int) : i64[]
          %15 = Mul(%11, %13) : f32[2]
          %16 = Exp(%12) : f32[2]
          return %14, %15, %16
        }
      %17 = TupleGetItem(%4) {"index":1} : f32[2]
      return %17
    }
"""


def test_a_carried_value_that_nobody_reads():
    graph, record = clean(LOOP)
    assert ops_of(graph) == ["Greater", "Mul", "Sub", "TupleGetItem", "While"]
    assert body(graph)[0] == '%4 = While(%1, %2, %3) {"carried":2} : (i64[], f32[2])'
    assert record.passes[0].matches[0].bindings == {"results": 1, "operands": 1}
    arguments = [np.int64(3), np.float32([1, 2]), np.float32([2, 2])]
    assert evaluate(graph, arguments)[0].tolist() == [8, 16]


def test_a_carried_value_that_another_reads_stays():
    graph, _ = clean(LOOP.replace("Mul(%11, %13)", "Mul(%11, %12)"))
    assert body(graph)[0] == '%4 = While(%1, %2, %3) {"carried":3} : (i64[], f32[2], f32[2])'


def test_a_loop_left_with_one_result_needs_no_tuple():
    graph, _ = clean(LOOP.replace('"index":1} : f32[2]', '"index":0} : i64[]'))
    assert body(graph)[0] == '%4 = While(%1) {"carried":1} : i64[]'
    assert ops_of(graph) == ["Greater", "Sub", "While"]


def test_a_loop_that_nobody_reads():
    graph, _ = clean(LOOP.replace("return %17", "return %2"))
    assert ops_of(graph) == []


def test_a_value_that_passes_through_a_loop():
    graph, _ = clean(LOOP.replace("return %14, %15, %16", "return %14, %11, %16"))
    assert body(graph) == ["return %2"]


SCAN = """
    graph f@1(%1 n: i64[], %2 x: f32[2]) {
      %3 = For(%1, %2) {"carried":1,"scanned":0} : (f32[2], Stack(f32[2]), Stack(f32[2]))
        body(%4 i: i64[], %5 x: f32[2]) {
          %6 = Add(%5, 1: int) : f32[2]
          %7 = Exp(%5) : f32[2]
          return %6, %5, %7
        }
      %8 = TupleGetItem(%3) {"index":1} : Stack(f32[2])
      %9 = TupleGetItem(%3) {"index":2} : Stack(f32[2])
      %10 = For(%1, %2, %8, %9) {"carried":1,"scanned":2,"reverse":true} : f32[2]
        body(%11 i: i64[], %12 d: f32[2], %13 x: f32[2], %14 e: f32[2]) {
          %15 = Mul(%12, %13) : f32[2]
          return %15
        }
      return %10
    }
"""


def test_stacks_that_nobody_scans():
    graph, _ = clean(SCAN)
    assert ops_of(graph) == ["Add", "For", "For", "Mul", "TupleGetItem"]
    assert '"scanned":1,"reverse":true' in "".join(body(graph))
    arguments = [np.int64(3), np.float32([1, 2])]
    assert evaluate(graph, arguments)[0].tolist() == [6, 48]


def test_a_region_in_a_region():
    """The inner If drops an operand, so the outer one does, so Exp goes."""
    graph, _ = clean(
        """
        graph f@1(%1 c: bool[], %2 x: f32[2]) {
          %3 = Exp(%2) : f32[2]
          %4 = If(%1, %1, %2, %3) : f32[2]
            yes(%5 c: bool[], %6 a: f32[2], %7 b: f32[2]) {
              %8 = If(%5, %6, %7) : f32[2]
                yes(%9 a: f32[2], %10 b: f32[2]) {
                  %11 = Neg(%9) : f32[2]
                  return %11
                }
                no(%12 a: f32[2], %13 b: f32[2]) {
                  return %12
                }
              return %8
            }
            no(%14 c: bool[], %15 a: f32[2], %16 b: f32[2]) {
              return %15
            }
          return %4
        }
        """
    )
    assert ops_of(graph) == ["If", "If", "Neg"]


def test_a_constant_that_sinks_frees_its_operand():
    graph, _ = clean(
        """
        graph f@1(%1 c: bool[], %2 x: f32[2]) {
          %3 = If(%1, %2, 2.0: float, 3.0: float) : f32[2]
            yes(%4 a: f32[2], %5 k: float, %6 m: float) {
              %7 = Mul(%5, %6) : float
              %8 = Mul(%4, %7) : f32[2]
              return %8
            }
            no(%9 a: f32[2], %10 k: float, %11 m: float) {
              return %9
            }
          return %3
        }
        """,
        "sink",
        "fold",
    )
    assert body(graph)[0] == "%3 = If(%1, %2) : f32[2]"
    assert any("6.0: float" in line for line in body(graph))
