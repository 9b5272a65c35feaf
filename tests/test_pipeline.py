"""The pipeline: its order, what is skipped, what it measures, what it leaves as it was."""

import gc

import pytest
from graph_texts import graph_of, ops_of
from random_graphs import random_graph

from ms_ext.engine import errors, passes, pipeline
from ms_ext.engine.ir import listing

PLAIN = """
    graph f@1(%1 x: f32[2,3], %2 y: f32[2,3]) {
      %3 = Neg(%2) : f32[2,3]
      %4 = Add(%1, %3) : f32[2,3]
      return %4
    }
"""


def counting(name, seen):
    return passes.of_function(lambda graph, editor: seen.append(graph.name), name)


def test_added_passes_run_before_the_last_cleaning():
    graph = graph_of(PLAIN)
    record = pipeline.run(graph, ["add_neg_to_sub"], watch=True)
    assert [each.name for each in record.passes] == list(pipeline.names(["add_neg_to_sub"]))
    assert ops_of(graph) == ["Sub"]


def test_without_a_watcher_there_is_no_record():
    graph = graph_of(PLAIN)
    assert pipeline.run(graph) is None
    assert graph.journal is None and ops_of(graph) == ["Add", "Neg"]


def test_a_pass_is_skipped_where_nothing_has_changed_since():
    seen = []
    once = counting("once", seen)
    pipeline.run_only(graph_of(PLAIN), [once, once, "add_neg_to_sub", once])
    assert seen == ["f", "f"]


def test_a_pass_sees_every_region_once_outermost_first():
    for seed in range(5):
        seen = []
        graph, _ = random_graph(seed)
        pipeline.run_only(graph, [counting("once", seen)])
        assert seen[0] == graph.name and len(seen) == len(graph.all_graphs())


def test_the_collector_is_left_as_it_was():
    for setting in (gc.disable, gc.enable):
        setting()
        before = gc.isenabled()
        with pytest.raises(errors.MsExtError):
            pipeline.run_only(graph_of(PLAIN), [lambda graph, editor: 1 / 0])
        assert gc.isenabled() == before


def test_a_failing_pass_leaves_no_journal_behind():
    graph = graph_of(PLAIN)
    with pytest.raises(errors.MsExtError):
        pipeline.run_only(graph, [lambda graph, editor: 1 / 0], watch=True)
    assert graph.journal is None


def test_what_a_graph_costs():
    """Neg reads 24 bytes and writes 24; Add reads 48 and writes 24; x, y and two results are
    alive."""
    cost = pipeline.measure(graph_of(PLAIN))
    assert cost == (2, 3, 12, 120, 96, ())


def test_a_called_graph_is_computed_at_every_call():
    text = """
        graph f@1(%1 x: f32[2]) {
          %2 = Call@2(%1) : f32[2]
          %3 = Call@2(%2) : f32[2]
          return %3
        }
        graph negative@2(%4 a: f32[2]) {
          %5 = Neg(%4) : f32[2]
          return %5
        }
    """
    cost = pipeline.measure(graph_of(text))
    assert (cost.nodes, cost.flops, cost.bytes) == (3, 4, 32)


def test_costs_are_those_of_the_rows():
    for seed in range(20):
        graph, _ = random_graph(seed)
        pipeline.run_only(graph, ["inline"])
        cost, rows = pipeline.measure(graph), listing(graph).values()
        calls = [row for row in rows if row.kind == "call" and row.op != "Return"]
        assert cost.nodes == len(calls) and cost.edges == sum(len(row.inputs) for row in calls)
        assert (cost.flops, cost.bytes) == tuple(sum(row.cost[k] for row in calls) for k in (0, 1))


def test_constants_folded_in_a_called_graph_go_with_it():
    graph = graph_of(
        """
        graph f@1(%1 x: f32[2]) {
          %2 = If(true: bool, %1) : f32[2]
            yes(%3 a: f32[2]) {
              return %3
            }
            no(%4 a: f32[2]) {
              %5 = Call@2(%4) : f32[2]
              return %5
            }
          return %2
        }
        graph negative@2(%6 a: f32[2]) {
          %7 = Neg(%6) : f32[2]
          return %7
        }
        """
    )
    record = pipeline.run_only(graph, ["fold"], watch=True)
    assert record.listing_after(1) == listing(graph)
    assert "negative" not in str(graph)
