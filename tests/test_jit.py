"""What jit remembers, what it recompiles for, what it can be put on."""

import threading

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import ops
from ms_ext.engine import backends, passes


def test_one_compilation_per_signature():
    compiled = ms.jit(lambda x, n: x * n)
    for value in (1.0, 2.0, 3.0):
        compiled(ms.Tensor(value), 2)
    assert compiled.compiled == 1
    compiled(ms.Tensor([1.0, 2.0]), 2)
    compiled(ms.Tensor(1), 2)
    assert compiled.compiled == 3
    compiled(ms.Tensor(1.0), 3)
    assert compiled.compiled == 4


def test_constants_of_equal_value_and_other_type_are_other_programs():
    compiled = ms.jit(lambda x, n: x * n)
    results = [compiled(ms.Tensor([1, 2]), n) for n in (1, 1.0, True)]
    assert [str(r.dtype) for r in results] == ["Int64", "Float32", "Int64"]


def test_keywords_tuples_and_dictionaries():
    compiled = ms.jit(lambda pair, table, scale=1: pair[0] * scale + table["b"])
    found = compiled((ms.Tensor(2.0), 3), {"b": ms.Tensor(5.0)}, scale=4)
    assert float(found) == 13.0


def test_result_structure_is_kept():
    compiled = ms.jit(lambda x: {"a": (x, 1), "b": [x * 2, None, "text"]})
    found = compiled(ms.Tensor(2.0))
    assert found["a"][1] == 1
    assert found["b"][1:] == [None, "text"]
    assert float(found["b"][0]) == 4.0


def test_arguments_and_results_share_no_memory():
    compiled = ms.jit(lambda x: x)
    x = ms.Tensor([1.0, 2.0])
    y = compiled(x)
    y.asnumpy()[0] = 9.0
    assert x.asnumpy().tolist() == [1.0, 2.0]


def test_a_method_and_a_cell():
    class Net(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = ms.Parameter(ms.Tensor([2.0]), name="weight")

        @ms.jit
        def twice(self, x):
            return self.construct(x) * 2

        def construct(self, x):
            return x * self.weight

    net = Net()
    assert float(net.twice(ms.Tensor(3.0))) == 12.0
    net.weight.set_data(ms.Tensor([5.0]))
    assert float(net.twice(ms.Tensor(3.0))) == 30.0  # a Parameter is an input, not a constant
    assert float(ms.jit(net)(ms.Tensor(3.0))) == 15.0


def test_graph_mode_compiles_cells():
    class Net(ms.nn.Cell):
        def construct(self, x):
            if x > 0:
                return x
            return -x

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert float(Net()(ms.Tensor(-2.0))) == 2.0
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_captured_tensors_are_frozen():
    scale = ms.Tensor([2.0])
    compiled = ms.jit(lambda x: x * scale)
    assert float(compiled(ms.Tensor(3.0))) == 6.0
    scale.asnumpy()[0] = 7.0
    assert float(compiled(ms.Tensor(3.0))) == 6.0


def test_backends_in_one_program():
    @backends.backend("counting")
    def build(graph):
        run = backends.build("reference", graph)

        def counted(*inputs):
            calls.append(graph.name)
            return run(*inputs)

        return counted

    calls = []
    try:
        sine, cosine = ms.jit(ops.sin, backend="counting"), ms.jit(ops.cos, backend="ms_backend")
        x = ms.Tensor([1.0, 2.0])
        np.testing.assert_allclose(sine(x).asnumpy(), [0.84147, 0.90930], atol=1e-5)
        np.testing.assert_allclose(cosine(x).asnumpy(), [0.54030, -0.41615], atol=1e-5)
        assert len(calls) == 1
    finally:
        backends.REGISTRY.discard("counting")


def test_a_pass_declared_again_is_noticed():
    def declare(factor):
        passes.pattern_pass(
            lambda x: ops.Tanh(ops.Tanh(x)), lambda x: ops.Mul(x, factor), name="scaled"
        )

    compiled = ms.jit(lambda x: ops.tanh(ops.tanh(x)), passes=["scaled"])
    try:
        declare(2.0)
        assert float(compiled(ms.Tensor(3.0))) == 6.0
        declare(5.0)
        assert float(compiled(ms.Tensor(3.0))) == 15.0
    finally:
        passes.REGISTRY.discard("scaled")
    assert compiled.compiled == 2


def test_two_threads_compile_once():
    compiled = ms.jit(lambda x: ops.tanh(x) * 2)
    barrier, found = threading.Barrier(4), []

    def work():
        barrier.wait()
        found.append(float(compiled(ms.Tensor(0.5))))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert compiled.compiled == 1
    assert len(set(found)) == 1


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"jit_level": "O2"}, ValueError),
        ({"dynamic": True}, TypeError),
        ({"fullgraph": 1}, TypeError),
    ],
)
def test_options_are_checked(options, kind):
    with pytest.raises(kind):
        ms.jit(lambda x: x, **options)


def test_second_call_of_a_first_compile_is_remembered():
    compiled = ms.jit(lambda x: x + 1)
    compiled(ms.Tensor(1.0))
    compiled(ms.Tensor(1.0))
    assert compiled.compiled == 1
