"""Graphs for the backend tests, by hand and at random, and the builds of the tile machine."""

import importlib

import numpy as np
import pytest

import ms_ext.ops  # noqa: F401
from ms_ext import dtype as dtypes
from ms_ext import kernels
from ms_ext.engine import backends, toolchain
from ms_ext.engine.infer import AbstractTensor
from ms_ext.engine.ir import TUPLE_GET_ITEM, FuncGraph, verify
from ms_ext.engine.primitive import OPS

F32, F64 = dtypes.float32, dtypes.float64
MACHINES = ["fused", "fused_v3", "none"]


class Writer:
    """A graph being written: ``w("Add", w.x, 1.0)`` is a node."""

    def __init__(self, name="f", **parameters):
        self.graph = FuncGraph(name)
        for key, abstract in parameters.items():
            setattr(self, key, self.graph.add_parameter(abstract, key))

    def node(self, value):
        return value if hasattr(value, "kind") else self.graph.constant(value)

    def __call__(self, op, *operands, graphs=(), **attrs):
        primitive = OPS[op] if isinstance(op, str) else op
        return self.graph.add(primitive, tuple(map(self.node, operands)), attrs or None, graphs)

    def item(self, node, index):
        return self(TUPLE_GET_ITEM, node, index=index)

    def sum(self, node, axis=(), keep_dims=False):
        return self("ReduceSum", node, axis=axis, keep_dims=keep_dims)

    def returns(self, *outputs):
        self.graph.returns(*map(self.node, outputs))
        return verify(self.graph)


def floats(*shape, dtype=F32):
    """The type of a tensor."""
    return AbstractTensor(dtype, shape)


def chain(shape, dtype=F32):
    """min(sqrt(|max(1.1 x + y, 0) y - x|) + 1) / 2, 6): ten ops in a row."""
    w = Writer("chain", x=floats(*shape, dtype=dtype), y=floats(*shape, dtype=dtype))
    t = w("Maximum", w("Add", w("Mul", w.x, 1.1), w.y), 0.0)
    t = w("Sqrt", w("Abs", w("Sub", w("Mul", t, w.y), w.x)))
    return w.returns(w("Minimum", w("Mul", w("Add", t, 1.0), 0.5), 6.0))


def machine(name, monkeypatch):
    """Have backends use one build of the tile machine, or none; skip where it is not built."""
    found = None
    if name != "none":
        if name.endswith("_v3") and not toolchain.cpu_runs_v3():
            pytest.skip("this processor does not run x86-64-v3")
        found = pytest.importorskip(f"ms_ext.kernels.{name}")
    monkeypatch.setattr(kernels, "get", lambda _name: found)
    return found


def compiled_machine():
    """The build that this processor gets, or None."""
    try:
        return importlib.import_module("ms_ext.kernels.fused")
    except ImportError:
        return None


def both(graph, *arrays):
    """(what the default backend gives, what reference gives)."""
    return backends.build("cython", graph)(*arrays), backends.build("reference", graph)(*arrays)


def random_graph(rng, nodes=30, shape=(6, 5)):
    """Ops at random on arrays that broadcast to one shape, of several dtypes; sums between."""
    shapes = [shape, shape, shape[1:], (shape[0], 1), ()]
    kinds = [F32, F32, F64, dtypes.int32, dtypes.int64, dtypes.bool_]
    w = Writer("random")
    for k in range(8):
        kind = kinds[rng.integers(len(kinds))]
        w.graph.add_parameter(AbstractTensor(kind, shapes[rng.integers(len(shapes))]), f"x{k}")
    values = list(w.graph.parameters)
    for _ in range(nodes):
        values.append(_random_node(w, rng, values))
    used = [v for v in values if not v.users and v.kind == "call"]
    return w.returns(*used, values[rng.integers(len(values))])


_UNARY = ("Neg", "Abs", "Square", "Floor", "ReLU", "Sign")
_BINARY = ("Add", "Sub", "Mul", "Maximum", "Minimum", "Less", "GreaterEqual", "Equal", "NotEqual")


def _random_node(w, rng, values):
    pick = lambda: values[rng.integers(len(values))]  # noqa: E731
    x, y, draw = pick(), pick(), rng.random()
    if draw < 0.1 and x.abstract.ndim:
        return w.sum(x if x.dtype.kind == "float" else w("Cast", x, dtype="float32"), 0, True)
    if x.dtype.kind == "bool":
        if y.dtype.kind == "bool":
            return w(("LogicalAnd", "LogicalOr", "LogicalXor")[rng.integers(3)], x, y)
        return w("Select", x, y, pick()) if draw < 0.8 else w("LogicalNot", x)
    if draw < 0.3:
        return w(_UNARY[rng.integers(len(_UNARY))], x)
    if draw < 0.45:
        return w(_BINARY[rng.integers(4)], x, float(rng.integers(-2, 3)) / 2)
    return w(_BINARY[rng.integers(len(_BINARY))], x, y)


def random_arrays(rng, graph):
    """Values for the parameters of a graph."""
    made = []
    for p in graph.parameters:
        numbers = rng.integers(-3, 4, p.shape)
        array = (
            numbers > 0
            if p.dtype.kind == "bool"
            else numbers / 2
            if p.dtype.kind == "float"
            else numbers
        )
        made.append(np.asarray(array).astype(p.dtype.numpy))
    return made
