"""What forward mode costs: no memory per turn of a loop, size linear in the program."""

import numpy as np
import pytest
from forward_graphs import calls, graph_of, graph_tangents, kinds, quadratic
from loop_programs import LOOPS
from test_autodiff import BACKENDS

from ms_ext import ops
from ms_ext.engine.autodiff import jvp, vjp
from ms_ext.engine.infer import AbstractStack, abstract_of
from ms_ext.engine.ir import FuncGraph

ONE = np.asarray(1.0)


def test_a_loop_keeps_no_stacks():
    for program, given in LOOPS:
        made = jvp(graph_of(program, np.float64(given[0])))
        assert not any(isinstance(kind, AbstractStack) for kind in kinds(jvp(made)))
    kept = kinds(vjp(graph_of(quadratic, np.ones(3))))
    assert any(isinstance(kind, AbstractStack) for kind in kept)  # in reverse there are some


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_long_loop(backend):
    def walk(x):
        s = x
        for _ in range(10_000):
            s = ops.sin(s) + 0.001 * s
        return s

    s, ds = 1.0, 1.0
    for _ in range(10_000):
        s, ds = np.sin(s) + 0.001 * s, ds * (np.cos(s) + 0.001)
    found = graph_tangents(walk, [ONE], [ONE], backend)[1][0]
    assert found == pytest.approx(ds, rel=1e-9)


def chain(count):
    """A graph of ``count`` ops on one tensor, of several kinds."""
    graph = FuncGraph("chain")
    x = y = graph.add_parameter(abstract_of(np.ones(2)), "x")
    sine, times, tanh, plus = ops.Sin, ops.Mul, ops.Tanh, ops.Add
    for _ in range(count // 4):
        y = graph.add(plus, (graph.add(tanh, (graph.add(times, (graph.add(sine, (y,)), x)),)), x))
    graph.returns(y)
    return graph


def test_size_is_linear():
    """Per op less than four calls."""
    sizes = {count: calls(jvp(chain(count))) for count in (100, 1000, 10_000)}
    assert (sizes[1000] - sizes[100]) * 10 == sizes[10_000] - sizes[1000] < 4 * 9000


def test_nested_loops_do_not_multiply():
    def nested(depth):
        def run(x):
            return x * 1.01

        for _ in range(depth):

            def run(x, inner=run):
                for _ in range(20):
                    x = inner(x)
                return x

        return calls(jvp(graph_of(run, ONE)))

    sizes = [nested(depth) for depth in (1, 2, 3, 4)]
    assert len({b - a for a, b in zip(sizes, sizes[1:], strict=False)}) == 1
