"""What runs, in words: the blocks of a backend, the program of a fused kernel, events by node."""

import numpy as np
import pytest
from backend_graphs import Writer, chain, compiled_machine, floats, random_arrays
from backend_graphs import random_graph as random_wide
from random_graphs import random_graph

from ms_ext import Tensor, ops
from ms_ext.engine import backends, events, jit
from ms_ext.engine.backends import backend, build, node_by_node
from ms_ext.engine.backends.cython import listing

BACKENDS = ("cython", "reference")


@pytest.mark.parametrize("seed", range(8))
def test_a_recorded_run_has_the_results_of_any_other(seed):
    graph, arguments = random_graph(seed, size=20)
    for name in BACKENDS:
        executable = build(name, graph)
        plain = executable(*arguments)
        with events.record() as recording:
            watched = executable(*arguments)
        for one, other in zip(plain, watched, strict=True):
            np.testing.assert_array_equal(one, other)
        firsts = [each.nodes[0] for each in executable.listing() if each.kind]
        assert len(set(firsts)) == len(firsts)  # a first node names its block
        ran = [e for e in recording if e.kind in ("op", "fallback", "control")]
        assert {e.numbers[1] for e in ran} <= set(firsts)


@pytest.mark.parametrize("seed", range(6))
def test_the_program_listed_is_the_program_that_runs(seed, monkeypatch):
    """The steps given to the machine, and those in words, are the same ones."""
    machine = compiled_machine()
    if machine is None:
        pytest.skip("the compiled module is not built")
    made = []

    class Kernel(machine.Kernel):
        def __init__(self, *given):
            super().__init__(*given)
            made.append([name for name, *_ in given[-1]])

    monkeypatch.setattr(
        backends.cython.kernels, "get", lambda name: type("M", (), {"Kernel": Kernel})
    )
    graph = random_wide(np.random.default_rng(seed))
    written = []
    said = listing.said
    monkeypatch.setattr(
        listing, "said", lambda name, *rest: written.append(name) or said(name, *rest)
    )
    executable = build("cython", graph)
    heads = [each for each in executable.listing() if each.kind == "fused"]
    assert len(heads) == len(made)
    assert written == [name for program in made for name in program]
    executable(*random_arrays(np.random.default_rng(seed), graph))


def test_a_program_in_words():
    graph = chain((4, 5))
    *program, last = [each.text.strip() for each in build("cython", graph).listing()][1:]
    x, y = (f"%{p.id} {p.name}" for p in graph.parameters)
    assert program == [
        f"r = {x}", "r = r * 1.1", f"r = r + {y}", "r = maximum(r, 0.0)", f"r = r * {y}",
        f"r = r - {x}", "r = abs(r)", "r = sqrt(r)", "r = r + 1.0", "r = r * 0.5",
        "r = minimum(r, 6.0)", f"result %{graph.outputs[0].id} = r",
    ]  # fmt: skip
    assert last == f"return %{graph.outputs[0].id}"


def test_a_fallback_says_that_numpy_computes_it():
    w = Writer(x=floats(4, 4))
    graph = w.returns(w.sum(w("Exp", w.x)))
    texts = [each.text for each in build("cython", graph).listing() if each.kind == "compute"]
    assert len(texts) == 1 and "ReduceSum" in texts[0] and "in NumPy" in texts[0]


def test_node_by_node_lists_for_whoever_uses_it():
    backend("partial")(lambda graph: node_by_node(graph, "partial"))
    graph, _ = random_graph(3)
    try:
        found = build("partial", graph).listing()
    finally:
        backends.REGISTRY.discard("partial")
    nodes = {node.id for each in graph.all_graphs() for node in each.order()}
    assert {node for each in found for node in each.nodes} >= nodes


def test_an_op_of_the_learner_runs_in_python():
    twice = ops.Custom(lambda x: x + x, lambda x: x, lambda x: x)
    graph = jit.trace(lambda x: twice(x), Tensor([1.0, 2.0]))
    for name in BACKENDS:
        (block,) = [each for each in build(name, graph).listing() if each.kind == "python"]
        assert "in Python, as the op was declared" in block.text
