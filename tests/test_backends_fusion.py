"""Which nodes run together, which must not, and that it makes no difference to the values."""

import numpy as np
import pytest
from backend_graphs import (
    F64,
    MACHINES,
    Writer,
    both,
    chain,
    compiled_machine,
    floats,
    machine,
    random_arrays,
    random_graph,
)

from ms_ext import dtype as dtypes
from ms_ext import ops
from ms_ext.engine import backends
from ms_ext.engine.infer import AbstractTensor

needs_machine = pytest.mark.skipif(
    compiled_machine() is None, reason="the tile machine is not built"
)


@pytest.fixture(params=MACHINES)
def each_machine(request, monkeypatch):
    return machine(request.param, monkeypatch)


@pytest.fixture
def any_machine(monkeypatch):
    return machine("fused", monkeypatch)


def kernels(graph):
    """kind:Op+Op of each kernel, in order."""
    return [f"{k.kind}:{'+'.join(k.ops)}" for k in backends.build("cython", graph).kernels]


# which nodes run together -------------------------------------------------------------------


def test_ten_ops_are_one_kernel_that_reads_and_writes_once(any_machine):
    executable = backends.build("cython", chain((1000,)))
    (kernel,) = executable.kernels
    assert kernel.kind == "fused" and len(kernel.ops) == 10
    assert kernel.bytes == 3 * 4000 + 5 * 8  # x, y, the result, five numbers
    assert executable.fallbacks == [] and executable.notes == ()
    assert executable.peak == 3 * 4000


def test_nothing_compiled_means_node_by_node_and_says_so(monkeypatch):
    machine("none", monkeypatch)
    executable = backends.build("cython", chain((1000,)))
    assert len(executable.kernels) == len(executable.fallbacks) == 10
    assert "nothing is fused" in executable.notes[0] and "falls back: Sqrt" in repr(executable)


def test_a_sum_stands_between_what_it_needs_and_what_needs_it(any_machine):
    w = Writer(x=floats(4, 5))
    t = w("Mul", w.x, 2.0)
    scaled = w("Mul", w("Add", t, 1.0), w.sum(t))
    assert kernels(w.returns(scaled)) == ["fused:Mul", "compute:ReduceSum", "fused:Add+Mul"]


def test_what_only_a_later_kernel_needs_goes_there(any_machine):
    w = Writer(x=floats(4, 5), y=floats(5, 5))
    bias = w("Add", w("Mul", w.x, 2.0), 1.0)
    product = w("MatMul", w.x, w.y, transpose_a=False, transpose_b=False)
    assert kernels(w.returns(w("ReLU", w("Add", product, bias)))) == [
        "row:MatMul",
        "fused:Mul+Add+Add+ReLU",
    ]


def test_readers_of_one_array_are_one_kernel_strangers_are_not(any_machine):
    w = Writer(x=floats(9), y=floats(9))
    graph = w.returns(w("Neg", w.x), w("Square", w.x), w("Neg", w.y))
    assert kernels(graph) == ["fused:Neg+Square", "fused:Neg"]


def test_other_shapes_and_wider_lanes_are_other_kernels(any_machine):
    w = Writer(x=floats(9), y=floats(3, 9))
    t = w("Neg", w.x)
    graph = w.returns(w("Add", t, w.y), w("Neg", w("Cast", t, dtype="float64")))
    assert kernels(graph) == ["fused:Neg", "fused:Add", "compute:Cast", "fused:Neg"]


def test_what_is_only_spread_or_turned_moves_nothing(any_machine):
    w = Writer(x=floats(3, 4), b=floats(4))
    wide = w("BroadcastTo", w.b, shape=(3, 4))
    turned = w("Transpose", w("Mul", w("Add", w.x, wide), wide), perm=(1, 0))
    graph = w.returns(turned, wide)
    assert kernels(graph) == ["row:BroadcastTo", "fused:Add+Mul", "row:Transpose"]
    x, b = np.arange(12, dtype="f4").reshape(3, 4), np.arange(4, dtype="f4")
    for have, want in zip(*both(graph, x, b), strict=True):
        np.testing.assert_array_equal(have, want)
        assert have.flags.writeable and have.flags.c_contiguous


def test_conversions_inside_a_lane_are_fused(any_machine):
    w = Writer(x=floats(9), k=floats(9, dtype=dtypes.int32))
    above = w("Cast", w("Greater", w.x, 0.0), dtype="float32")
    graph = w.returns(w("Mul", w("Add", above, w.k), w.x))
    assert kernels(graph) == ["fused:Greater+Cast+Add+Mul"]
    have, want = both(graph, np.float32(range(-4, 5)), np.int32(range(9)))
    np.testing.assert_array_equal(have[0], want[0])


def test_dtypes_without_instructions_fall_back_in_the_open(any_machine):
    w = Writer(x=floats(9, dtype=dtypes.float16))
    executable = backends.build("cython", w.returns(w("Neg", w("Exp", w.x))))
    assert [f.op for f in executable.fallbacks] == ["Exp", "Neg"]
    assert executable.fallbacks[0].reason == "no compiled kernel works in Float16"


def reason(op, *operands, **attributes):
    """Why the only call of a graph falls back."""
    w = Writer(**{f"x{at}": each for at, each in enumerate(operands)})
    graph = w.returns(w(op, *[getattr(w, f"x{at}") for at in range(len(operands))], **attributes))
    (fallback,) = backends.build("cython", graph).fallbacks
    return fallback.reason


def test_a_fallback_says_why_in_plain_words(any_machine):
    wide, whole = floats(3, dtype=dtypes.float64), floats(3, dtype=dtypes.int32)
    short = floats(3, dtype=dtypes.int16)
    summed = reason("ReduceSum", floats(3), axis=(), keep_dims=False)
    assert summed == "no compiled kernel for this op"
    assert reason("Pow", whole, whole) == "no compiled kernel of this op for Int32"
    square = floats(2, 2, dtype=dtypes.int32)
    assert reason("MatMul", square, square) == "no compiled kernel of this op for Int32"
    assert reason("Add", floats(3), wide) == "a fused kernel cannot read Float32 as Float64"
    assert reason("Add", short, short) == "no compiled kernel works in Int16"
    assert reason("Exp", short) == "a fused kernel cannot read Int16 as Float32"
    assert reason("Cast", floats(3), dtype="float64") == (
        "its values have 4 and 8 bytes an element; a fused kernel has one size"
    )
    assert reason("Exp", floats(*[1] * 8, 3)) == "a fused kernel has 8 axes at most"
    own = ops.Custom(np.abs, lambda shape: shape, lambda dtype: dtype)
    assert reason(own.op, floats(3)) == "its body is a Python function"


def test_other_backends_say_why_too():
    w = Writer(x=floats(3))
    (fallback,) = backends.node_by_node(w.returns(w("Exp", w.x))).fallbacks
    assert fallback.reason == "no compiled kernel for this op"


def test_a_very_long_chain_is_cut(any_machine):
    w = Writer(x=floats(7))
    t = w.x
    for k in range(450):
        t = w("Add", t, w.x if k % 2 else 1.0)
    graph = w.returns(t)
    assert [len(k.ops) for k in backends.build("cython", graph).kernels] == [200, 200, 50]
    have, want = both(graph, np.float32(range(7)))
    np.testing.assert_array_equal(have[0], want[0])


# that it makes no difference ----------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_random_graphs(each_machine, seed):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng)
    arrays = random_arrays(rng, graph)
    for have, want in zip(*both(graph, *arrays), strict=True):
        assert have.dtype == want.dtype
        np.testing.assert_array_equal(have, want)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 63, 64, 65, 1000, (1 << 14) + 5])
def test_every_size_of_the_last_tile(each_machine, dtype, size):
    rng = np.random.default_rng(size)
    x, y = rng.normal(size=(2, size)).astype(dtype)
    (have,), (want,) = both(chain((size,), dtypes.named(dtype)), x, y)
    np.testing.assert_array_equal(have, want)


def shifted(array):
    """The same elements at an address that is no multiple of four."""
    return np.frombuffer(b"\0" + array.tobytes(), "f4", array.size, 1).reshape(array.shape)


LAYOUTS = {
    "row": lambda rng: rng.normal(size=(7,)),
    "column": lambda rng: rng.normal(size=(300, 1)),
    "transposed": lambda rng: rng.normal(size=(7, 300)).T,
    "every other": lambda rng: rng.normal(size=(600, 14))[::2, ::2],
    "backwards": lambda rng: rng.normal(size=(300, 7))[::-1, ::-1],
    "one": lambda rng: rng.normal(size=(1, 1)),
    "shifted": lambda rng: shifted(rng.normal(size=(300, 7)).astype("f4")),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["float32", "int32", "bool", "float64"])
def test_operands_in_every_layout(each_machine, layout, dtype):
    rng = np.random.default_rng(3)
    other = LAYOUTS[layout](rng)
    if dtype != "float32":
        other = (other > 0) if dtype == "bool" else (other * 4).astype(dtype)
    else:
        other = other.astype(dtype) if layout != "shifted" else other
    kind = F64 if dtype == "float64" else dtypes.float32
    x = rng.normal(size=(300, 7)).astype(kind.numpy)
    w = Writer(x=floats(300, 7, dtype=kind), y=AbstractTensor(dtypes.named(dtype), other.shape))
    if dtype == "bool":
        graph = w.returns(w("Select", w.y, w.x, 0.5), w("LogicalNot", w.y))
    else:
        graph = w.returns(w("Mul", w("Add", w.x, w.y), 2.0))
    for have, want in zip(*both(graph, x, other), strict=True):
        np.testing.assert_array_equal(have, want)
        assert have.flags.c_contiguous
