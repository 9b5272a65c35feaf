"""A backend of one's own: in one cell, in one class, or only a few rows; and what goes wrong."""

import numpy as np
import pytest
from backend_graphs import Writer, chain, floats

from ms_ext.engine import backends, errors, events
from ms_ext.engine.backends import BackendBase, RunningStatus, backend, build, lower, node_by_node


@pytest.fixture(autouse=True)
def forgotten():
    """Each test's backends are gone after it."""
    yield
    for name in ("mine", "echo", "partial"):
        backends.REGISTRY.discard(name)
        for op in list(backends.ROWS.of(name)):
            del backends.ROWS.of(name)[op]


def doubled():
    w = Writer("doubled", x=floats(2))
    return w.returns(w("Add", w.x, w.x))


X = np.float32([1, 2])


def test_a_backend_in_one_cell():
    @backend("mine")
    def build_mine(graph):
        order = graph.order()

        def run(*inputs):
            value = dict(zip(graph.parameters, inputs, strict=True))
            for node in order:
                value[node] = node.primitive.compute(*(value[i] for i in node.inputs))
            return tuple(value[node] for node in graph.outputs)

        return run

    assert build("mine", doubled())(X)[0].tolist() == [2, 4]
    assert "mine" in backends.names()


def test_a_backend_registered_again_replaces_the_first_and_caches_notice():
    before = backends.generation()
    backend("mine")(lambda graph: lambda *arrays: arrays[0] * 10)
    first, between = build("mine", doubled()), backends.generation()
    backend("mine")(lambda graph: lambda *arrays: arrays[0] * 20)
    assert build("mine", doubled())(X)[0].tolist() == [20, 40]
    assert first(X)[0].tolist() == [10, 20]
    assert before < between < backends.generation()


def test_a_class_with_build_and_run():
    log = []

    @backend("echo")
    class Echo(BackendBase):
        def __init__(self):
            log.append("made")
            self.graphs = []

        def Build(self, func_graph, config):
            log.append(config["backend"])
            self.graphs.append(func_graph)
            return len(self.graphs) - 1

        def Run(self, graph_id, inputs, outputs):
            outputs.append(inputs[0])
            return RunningStatus.kRunningSuccess

    assert log == []
    executable = build("echo", doubled())
    result = executable(X)[0]
    assert result.tolist() == [1, 2] and not np.shares_memory(result, X)
    build("echo", doubled())(X)
    assert log == ["made", "echo", "echo"]


def test_a_class_that_hands_on_to_the_default():
    @backend("mine")
    class Delegating(BackendBase):
        def Build(self, func_graph, config):
            self.inner = build("ms_backend", func_graph)
            return 0

        def Run(self, graph_id, inputs, outputs):
            outputs.extend(self.inner(*inputs))

    assert build("mine", doubled())(X)[0].tolist() == [2, 4]


def test_a_few_rows_and_numpy_for_the_rest():
    @backend("partial")
    def build_partial(graph):
        return node_by_node(graph, "partial")

    called = []

    @lower("Mul", backend="partial")
    def multiply(node):
        called.append(node.primitive.name)
        return lambda x, y: x * y

    @lower("Add", backend="partial")
    def add(node):
        return None

    graph = chain((5,))
    executable = build("partial", graph)
    assert called == ["Mul"] * 3
    assert [k.kind for k in executable.kernels].count("row") == 3
    assert [f.op for f in executable.fallbacks] == [
        "Add",
        "Maximum",
        "Sub",
        "Abs",
        "Sqrt",
        "Add",
        "Minimum",
    ]
    x, y = np.random.default_rng(0).normal(size=(2, 5)).astype("f4")
    np.testing.assert_array_equal(executable(x, y)[0], build("reference", graph)(x, y)[0])


def test_a_row_grows_the_generation():
    backend("partial")(lambda graph: node_by_node(graph, "partial"))
    before = backends.generation()
    lower("Neg", backend="partial")(lambda node: np.negative)
    assert backends.generation() > before


def test_fallbacks_and_kernels_are_events():
    w = Writer(x=floats(4))
    graph = w.returns(w("Neg", w.sum(w("Exp", w.x), keep_dims=True)))
    with events.record() as recording:
        executable = build("cython", graph)
        plain = executable(np.ones(4, "f4"))
    assert [e.name for e in recording.of("backend")] == ["cython"]
    built, ran = recording.of("fallback")[: len(executable.fallbacks)], recording.of("op")
    assert [e.name for e in built] == [f.op for f in executable.fallbacks]
    assert {e.name for e in ran} | {e.name for e in recording.of("fallback")} == {
        "Exp",
        "ReduceSum",
        "Neg",
    }
    np.testing.assert_array_equal(plain[0], executable(np.ones(4, "f4"))[0])


def gives(result):
    def attempt():
        backend("mine")(lambda graph: result)
        return build("mine", doubled())(X)

    return attempt


def failing():
    @backend("mine")
    class Failing(BackendBase):
        def Build(self, func_graph, config):
            return 0

        def Run(self, graph_id, inputs, outputs):
            return RunningStatus.kRunningFailure

    build("mine", doubled())(X)


def half_written():
    @backend("mine")
    class HalfWritten(BackendBase):
        pass

    build("mine", doubled())


MISTAKES = {
    "unknown backend": lambda: build("cyton", doubled()),
    "no name": lambda: build(None, doubled()),
    "taking the built-in name": lambda: backend("ms_backend")(lambda graph: None),
    "not a function": lambda: backend("mine")(3),
    "no run": gives(None),
    "too many results": gives(lambda x: (x, x)),
    "no result": gives(lambda x: ()),
    "another shape": gives(lambda x: x[:1]),
    "another dtype": gives(lambda x: x.astype("f8")),
    "run reports failure": failing,
    "class without Build": half_written,
    "row of an unknown op": lambda: lower("Matmul", backend="cython"),
    "row of an unknown backend": lambda: lower("Add", backend="refrence")(lambda node: None),
    "too few arrays": lambda: build("cython", doubled())(),
    "an array of another shape": lambda: build("cython", doubled())(np.ones(3, "f4")),
    "an array of another dtype": lambda: build("cython", doubled())(np.ones(2)),
}


def test_what_goes_wrong_is_said_once_and_clearly(golden):
    lines = []
    for name, attempt in MISTAKES.items():
        with pytest.raises(errors.MsExtError) as caught:
            attempt()
        lines += [f"## {name}", f"{type(caught.value).__name__}: {caught.value}", ""]
    golden("backend_errors.txt", "\n".join(lines))


def test_an_unknown_backend_is_a_runtime_error_as_in_mindspore():
    with pytest.raises(RuntimeError, match="Invalid backend name: nosuch, you should"):
        build("nosuch", doubled())


def test_mindspores_names_of_the_built_in_backend():
    assert {backends.resolve(name) for name in ("", "ms_backend", "GE")} == {"cython"}
    assert "GE" not in backends.names()
