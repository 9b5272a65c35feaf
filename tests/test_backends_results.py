"""Results belong to the caller and are as exact as stated: memory, threads, special values."""

import math
import threading

import numpy as np
import pytest
from backend_graphs import MACHINES, Writer, chain, compiled_machine, floats, machine

from ms_ext import dtype as dtypes
from ms_ext.engine import backends, primitive

BACKENDS = backends.REGISTRY.names()
needs_machine = pytest.mark.skipif(
    compiled_machine() is None, reason="the tile machine is not built"
)


@pytest.fixture(params=MACHINES)
def each_machine(request, monkeypatch):
    return machine(request.param, monkeypatch)


# memory --------------------------------------------------------------------------------


def returning(kind):
    """Graphs whose outputs could look at somebody else's memory."""
    w = Writer(kind, x=floats(4, 3))
    t, constant = w("Neg", w.x), w.graph.constant(np.ones((4, 3), "f4"))
    turned = lambda v: w("Transpose", v, perm=(1, 0))  # noqa: E731
    return w.returns(*{
        "the input": lambda: (w.x,),
        "a view of the input": lambda: (turned(w.x),),
        "the input and a result": lambda: (w.x, t),
        "a constant": lambda: (constant,),
        "a view of a constant": lambda: (turned(constant),),
        "one value twice": lambda: (t, t),
        "a value and a view of it": lambda: (t, turned(t)),
        "a view and what it views": lambda: (turned(t), t),
        "only a view": lambda: (turned(t),),
    }[kind]())  # fmt: skip


KINDS = [
    "the input",
    "a view of the input",
    "the input and a result",
    "a constant",
    "a view of a constant",
    "one value twice",
    "a value and a view of it",
    "a view and what it views",
    "only a view",
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("kind", KINDS)
def test_no_output_shares_memory_with_anything(kind, backend):
    run, x = backends.build(backend, returning(kind)), np.arange(12, dtype="f4").reshape(4, 3)
    first = run(x)
    kept = [a.copy() for a in first]
    for array in first:
        assert array.flags.writeable and array.flags.c_contiguous
        array += 100
    second = run(x)
    np.testing.assert_array_equal(x, np.arange(12).reshape(4, 3))
    for have, want in zip(second, kept, strict=True):
        np.testing.assert_array_equal(have, want)
    everything = [x, *first, *second]
    for index, one in enumerate(everything):
        assert not any(np.shares_memory(one, other) for other in everything[:index])


@needs_machine
@pytest.mark.parametrize("size", [100, 1 << 16])
def test_a_result_that_is_held_is_never_written_again(size):
    run, x = backends.build("cython", chain((size,))), np.ones(size, "f4")
    held = [run(x * k, x)[0] for k in range(6)]
    views = [h[::2] for h in held]
    copies = [h.copy() for h in held]
    del held
    for k in range(6):
        run(x * -k, x)
    for view, copy in zip(views, copies, strict=True):
        np.testing.assert_array_equal(view, copy[::2])


@needs_machine
def test_memory_that_was_let_go_is_used_again_and_can_be_given_back():
    module = compiled_machine()
    module.pool(0)
    module.pool(1 << 28)
    x = module.empty((1 << 16,), np.dtype("f4"))
    place = x.ctypes.data
    assert module.pool()[:2] == (0, 0)
    del x
    assert module.pool()[:2] == (1, 4 << 16)
    assert module.empty((64, 1 << 10), np.dtype("f4")).ctypes.data == place
    module.pool(0)
    assert module.pool() == (0, 0, 0)
    module.pool(1 << 28)


def test_threads_call_one_executable_at_once():
    run = backends.build("cython", chain((30_000,)))
    x, y = np.random.default_rng(0).normal(size=(2, 30_000)).astype("f4")
    want, wrong = [run(x * k, y)[0] for k in range(4)], []

    def work(k):
        for _ in range(20):
            if not np.array_equal(run(x * k, y)[0], want[k]):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# exactness -----------------------------------------------------------------------------

SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    math.inf,
    -math.inf,
    math.nan,
    1e-45,
    -1e-45,
    1e-39,
    3.4e38,
    -3.4e38,
    1e-30,
]
UNARY = (
    "Neg Abs Square Sqrt Rsqrt Reciprocal Exp Log Tanh Sigmoid Erf Sign Floor Ceil Round Trunc "
    "ReLU IsNan Sin Cos Atan Log1p Expm1"
).split()
BINARY = (
    "Add Sub Mul Div Maximum Minimum Less LessEqual Greater GreaterEqual Equal NotEqual"
).split()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", UNARY + BINARY)
def test_special_values(each_machine, name, dtype):
    binary = name in BINARY
    values = np.array(SPECIAL, dtype)
    arrays = [a.ravel().copy() for a in np.meshgrid(values, values)] if binary else [values]
    kind = floats(arrays[0].size, dtype=dtypes.named(dtype))
    w = Writer(x=kind, y=kind)
    graph = w.returns(w(name, w.x, w.y) if binary else w(name, w.x))
    arrays = arrays if binary else [*arrays, arrays[0]]
    (have,), (want,) = (
        backends.build("cython", graph)(*arrays),
        backends.build("reference", graph)(*arrays),
    )
    if have.dtype.kind == "f":
        np.testing.assert_allclose(
            have, want, rtol=4 * np.finfo(dtype).eps, atol=1e-45 if dtype == "float32" else 0
        )
        if name not in ("Maximum", "Minimum", "ReLU"):  # of two zeros NumPy may take either
            zeros = want == 0
            np.testing.assert_array_equal(np.signbit(have[zeros]), np.signbit(want[zeros]))
    else:
        np.testing.assert_array_equal(have, want)


# (range, most units in the last place from the exact value), as fused_math.h states them
STATED = {
    "Exp": (-103, 88, 2),
    "Log": (1e-38, 1e38, 2),
    "Tanh": (-9, 9, 3),
    "Sigmoid": (-80, 80, 3),
    "Erf": (-4, 4, 2),
}
EXACT = {
    "Exp": np.exp, "Log": np.log, "Tanh": np.tanh, "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "Erf": np.vectorize(math.erf),
}  # fmt: skip


@pytest.mark.parametrize("build", MACHINES[:-1])
@pytest.mark.parametrize("name", STATED)
def test_polynomials_are_as_exact_as_stated(name, build, monkeypatch):
    machine(build, monkeypatch)
    low, high, stated = STATED[name]
    rng = np.random.default_rng(1)
    x = rng.uniform(low, high, 40_000)
    if name == "Log":
        x = np.concatenate(
            [
                np.exp(rng.uniform(math.log(low), math.log(high), 40_000)),
                rng.uniform(0.5, 2, 40_000),
            ]
        )
    else:
        x = np.concatenate([x, rng.normal(size=40_000), rng.normal(size=10_000) * 1e-3])
    x = x.astype("f4")
    w = Writer(x=floats(x.size))
    have = backends.build("cython", w.returns(w(name, w.x)))(x)[0].astype("f8")
    exact = EXACT[name](x.astype("f8"))
    error = np.abs(have - exact) / np.spacing(np.abs(exact).astype("f4")).astype("f8")
    assert error.max() <= stated, f"{error.max():.2f} ulp at {x[error.argmax()]}"


def test_the_table_of_exactness_names_ops_that_exist():
    assert {*STATED, *UNARY, *BINARY} <= primitive.OPS.keys()
