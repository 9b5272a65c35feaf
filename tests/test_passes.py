"""What every pass promises, on random graphs: the same bits, no higher cost, done at once."""

import numpy as np
import pytest
from graph_texts import canonical
from programs import PROGRAMS, name_of
from random_graphs import evaluate, random_graph, same_bits

from ms_ext import Tensor
from ms_ext.engine import jit, passes, pipeline
from ms_ext.engine.autodiff import vjp
from ms_ext.engine.ir import listing, replay, rewind

NAMES = sorted(passes.REGISTRY.files())
SEEDS = range(12)


@pytest.mark.parametrize("name", NAMES)
def test_values_stay(name):
    for seed in SEEDS:
        graph, arguments = random_graph(seed)
        before = evaluate(graph, arguments)
        pipeline.run_only(graph, [name])
        assert same_bits(before, evaluate(graph, arguments)), f"seed {seed}"


@pytest.mark.parametrize("name", NAMES)
def test_cost_does_not_grow(name):
    for seed in SEEDS:
        graph, _ = random_graph(seed)
        (record,) = pipeline.run_only(graph, [name], watch=True).passes
        before, after = record.cost_before, record.cost_after
        assert after.flops <= before.flops and after.bytes <= before.bytes, f"seed {seed}"
        assert after.nodes <= before.nodes or name == "inline", f"seed {seed}"


@pytest.mark.parametrize("name", NAMES)
def test_a_second_run_finds_nothing(name):
    for seed in SEEDS:
        graph, _ = random_graph(seed)
        pipeline.run_only(graph, [name])
        text, versions = canonical(graph), [g.version for g in graph.all_graphs()]
        (record,) = pipeline.run_only(graph, [name], watch=True).passes
        assert not record.matches and not record.journal, f"seed {seed}"
        assert [g.version for g in graph.all_graphs()] == versions
        assert canonical(graph) == text


@pytest.mark.parametrize("name", NAMES)
def test_a_pass_does_not_change_a_graph_it_does_not_match(name):
    graph, _ = random_graph(3)
    pipeline.run_only(graph, [name])
    rows = listing(graph)
    pipeline.run_only(graph, [name])
    assert listing(graph) == rows


@pytest.mark.parametrize("name", NAMES)
def test_journals_replay_forwards_and_backwards(name):
    for seed in SEEDS:
        graph, _ = random_graph(seed)
        record = pipeline.run_only(graph, [name], watch=True)
        lines = record.passes[0].journal
        assert replay(record.listing, lines) == listing(graph) == record.listing_after(1)
        assert rewind(listing(graph), lines) == record.listing


def test_the_whole_pipeline_keeps_values_and_journals():
    for seed in range(100, 130):
        graph, arguments = random_graph(seed)
        before = evaluate(graph, arguments)
        record = pipeline.run(graph, ["add_neg_to_sub"], watch=True)
        assert same_bits(before, evaluate(graph, arguments)), f"seed {seed}"
        assert record.listing_after(len(record.passes)) == listing(graph)
        rows = listing(graph)
        for each in reversed(record.passes):
            rows = rewind(rows, each.journal)
        assert rows == record.listing


SCALAR_PROGRAMS = [case for case in PROGRAMS if all(type(value) is float for value in case[1])]


@pytest.mark.parametrize("case", SCALAR_PROGRAMS[::4], ids=name_of)
def test_real_programs_and_their_gradients(case):
    """What the frontend and autodiff write: the same bits, fewer calls, done in one round."""
    function, inputs = case
    forward = jit.trace(function, *map(Tensor, inputs))
    for graph in (forward, vjp(forward)):
        arguments = [np.ones((), np.float32)] * len(graph.parameters)
        arguments[: len(inputs)] = map(np.float32, inputs)
        before, nodes = evaluate(graph, arguments), pipeline.measure(graph).nodes
        pipeline.run(graph)
        assert same_bits(before, evaluate(graph, arguments))
        assert pipeline.measure(graph).nodes <= nodes
        assert not any(each.matches for each in pipeline.run(graph, watch=True).passes)


@pytest.mark.long
@pytest.mark.parametrize("start", range(1000, 1400, 50))
def test_the_whole_pipeline_on_many_graphs(start):
    for seed in range(start, start + 50):
        graph, arguments = random_graph(seed, size=30)
        before = evaluate(graph, arguments)
        pipeline.run(graph, ["add_neg_to_sub"])
        assert same_bits(before, evaluate(graph, arguments)), f"seed {seed}"
