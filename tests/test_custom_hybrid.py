"""``func_type="hybrid"``: NumPy's meaning, in C and without a compiler, in both modes."""

# ruff: noqa: F821
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from custom_ops import F32, X, Y, mul_bprop, value

import ms_ext as ms
from ms_ext import Tensor, dtype, jit, ops
from ms_ext.engine import errors, toolchain
from ms_ext.engine.custom.hybrid import kernel as kernels
from ms_ext.ops import kernel

compiled = pytest.mark.skipif(toolchain.c_compiler() is None, reason="needs a C compiler")


@kernel
def add(a, b):
    c = output_tensor(a.shape, a.dtype)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            c[i, j] = a[i, j] + b[i, j]
    return c


@kernel
def product(a, b):
    c = output_tensor(a.shape, a.dtype)
    for i, j in grid(a.shape):
        c[i, j] = a[i, j] * b[i, j]
    return c


@kernel
def matmul(a, b):
    c = output_tensor((a.shape[0], b.shape[1]), a.dtype)
    with block_realize(c), attr("enable_x", True):
        for i in serial(a.shape[0]):
            for j in parallel(b.shape[1]):
                c[i, j] = 0.0
                for k in reduce(a.shape[1]):
                    c[i, j] = c[i, j] + a[i, k] * b[k, j]
    return c


@kernel
def row_sums(a):
    """Two results, a buffer, and a number that is first an int."""
    c = output_tensor((a.shape[0],), "float64")
    d = output_tensor(a.shape, a.dtype)
    e = allocate((a.shape[1],), a.dtype)
    for i in range(len(a)):
        s = 0
        for j in range(a.shape[1] - 1, -1, -1):
            e[-j - 1] = a[i, j]
            s += a[i, j]
        c[i] = s
        for j in vectorize(a.shape[1]):
            d[i, j] = e[j]
    return c, d


@kernel
def beyond(a):
    c = output_tensor(a.shape, a.dtype)
    for i in range(a.shape[0] + 1):
        c[i] = a[i]
    return c


def hybrid(function, *given, **more):
    return ops.Custom(function, *given, func_type="hybrid", **more)


@pytest.fixture
def no_compiler(monkeypatch, tmp_path):
    monkeypatch.setenv("MS_COMPILER_CACHE_PATH", str(tmp_path))  # with no library in it
    monkeypatch.setattr(toolchain, "c_compiler", lambda: None)
    monkeypatch.setattr(kernels, "_told", set())


# the decorator ------------------------------------------------------------------------------------


def test_a_kernel_runs_on_arrays_and_leaves_no_names_behind():
    ones = np.ones((2, 2), np.float32)
    assert add(ones, ones).tolist() == [[2, 2], [2, 2]]
    assert "output_tensor" not in globals() and add.__name__ == "add"
    assert kernel(compile_attrs={"x": 1}, reg_info={})(add.__wrapped__)(ones, ones).shape == (2, 2)
    assert row_sums(X)[0].tolist() == [3, 7]


@pytest.mark.parametrize(
    "given, text",
    [
        ({"compile_attrs": 3}, "The input 'compile_attrs' of @kernel must be a dict, but get a "
         "<class 'int'>"),
        ({"compile_attrs": {1: 2}}, "The key of 'compile_attrs' of @kernel must be a str, but get "
         "a <class 'int'>"),
        ({"reg_info": 3}, "The input 'reg_info' of @kernel should be one of str, dict and tuple, "
         "but get a <class 'int'>"),
        ({"fn": 3}, "The decorator @kernel takes a function."),
    ],
)  # fmt: skip
def test_what_the_decorator_refuses(given, text):
    with pytest.raises(TypeError) as caught:
        kernel(**given)
    assert caught.value.message == text


def test_the_older_name_gives_a_notice():
    with pytest.warns(errors.MsExtWarning, match="'ms_kernel' is deprecated from version 1.8"):
        assert ops.ms_kernel(add.__wrapped__)(X, Y).tolist() == (X + Y).tolist()


def test_a_kernel_as_pyfunc_gives_a_notice(monkeypatch):
    monkeypatch.setattr(kernels, "_told", set())
    with pytest.warns(errors.MsExtWarning, match="is executed as a native python function"):
        op = ops.Custom(add, (2, 2), F32)
    assert value(op(Tensor(X), Tensor(Y))) == (X + Y).tolist()


# runs ---------------------------------------------------------------------------------------------


@compiled
def test_it_is_compiled_once_for_dtypes_and_axes_and_runs_for_any_shape():
    op = hybrid(matmul)
    for m, k, n in ((2, 3, 4), (1, 1, 1), (0, 2, 2), (5, 0, 2)):
        a, b = np.ones((m, k), np.float32), np.full((k, n), 2, np.float32)
        out = op(Tensor(a), Tensor(b))
        assert (out.shape, out.dtype, value(out)) == ((m, n), F32, (a @ b).tolist())
    assert len(op.way._programs) == 1
    assert "for (int64_t k = 0; k < a_size1; k += 1) { /* reduce */" in op.source()
    assert "compiled" in op.describe()


@compiled
def test_results_buffers_and_negative_indices_in_both_modes():
    op = hybrid(row_sums)
    for run in (op, jit(op)):
        sums, turned = run(Tensor(X).T)
        assert (sums.dtype, value(sums)) == (dtype.float64, [4, 6])
        assert value(turned) == X.T[:, ::-1].tolist()


@compiled
@pytest.mark.parametrize("kind", dtype.DTYPES)
def test_every_dtype_goes_through(kind):
    x = Tensor([[0, 1], [1, 0]], kind)
    out = hybrid(product)(x, x)
    assert out.dtype is kind and value(out) == value(x)


@compiled
def test_explicit_promises_are_checked():
    assert value(hybrid(add, (2, 2), F32)(Tensor(X), Tensor(Y))) == (X + Y).tolist()
    with pytest.raises(RuntimeError, match="another shape than out_shape promises"):
        hybrid(add, (2, 3), F32)(Tensor(X), Tensor(Y)).asnumpy()
    with pytest.raises(RuntimeError, match="others than out_shape and out_dtype promise"):
        hybrid(add, (2, 2), dtype.float64)(Tensor(X), Tensor(Y)).asnumpy()


@compiled
def test_an_input_may_be_returned_and_stays_as_it_was():
    @kernel
    def first_column(a, b):
        for i in range(2):
            a[i, 0] = b[i, 1]
        return a

    x = Tensor(X)
    assert value(hybrid(first_column)(x, Tensor(Y))) == [[6, 2], [8, 4]]
    assert value(x) == X.tolist()


@pytest.mark.parametrize("there", [pytest.param(True, marks=compiled), False])
def test_an_index_out_of_range_names_the_line(there, request):
    if not there:
        request.getfixturevalue("no_compiler")
    with pytest.raises(IndexError) as caught:
        if there:
            hybrid(beyond)(Tensor([1.0, 2.0])).asnumpy()
        else:
            with pytest.warns(errors.MsExtWarning, match="There is no C compiler"):
                hybrid(beyond)(Tensor([1.0, 2.0])).asnumpy()
    assert caught.value.message == "index 2 is out of bounds for axis 0 with size 2"
    assert f"test_custom_hybrid.py:{beyond.__wrapped__.__code__.co_firstlineno + 4}" in str(
        caught.value
    )


def test_without_a_compiler_it_runs_on_numpy_and_says_so_once(no_compiler):
    with pytest.warns(errors.MsExtWarning, match="There is no C compiler") as told:
        assert value(hybrid(add)(Tensor(X), Tensor(Y))) == (X + Y).tolist()
        assert value(hybrid(product)(Tensor(X), Tensor(Y))) == (X * Y).tolist()
    assert len(told) == 1


def test_what_c_cannot_say_runs_on_numpy_with_the_reason(monkeypatch):
    monkeypatch.setattr(kernels, "_told", set())

    @kernel
    def whole(a):
        c = output_tensor(a.shape, a.dtype)
        for i in range(a.shape[0]):
            c[i] = a[i] * 2
        return c

    op = hybrid(whole)
    with pytest.warns(
        errors.MsExtWarning, match="runs on NumPy, not compiled: `c.i.` is no single"
    ):
        assert value(op(Tensor(X))) == (X * 2).tolist()
    assert "runs on NumPy" in op.describe()
    with pytest.raises(RuntimeError, match="there is no C"):
        op.source()


@compiled
def test_numbers_and_tensors_without_axes_in_both_modes():
    @kernel
    def scaled(a, s, t):
        c = output_tensor(a.shape, a.dtype)
        for i in grid(a.shape):
            c[i] = a[i] * s + t
        return c

    op = hybrid(scaled)
    assert value(op(Tensor(X), 2, Tensor(0.5))) == (X * 2 + 0.5).tolist()
    assert value(jit(lambda x, t: op(x, 2, t))(Tensor(X), Tensor(0.5))) == (X * 2 + 0.5).tolist()
    assert value(op(Tensor(1.5), 2, 3)) == 6.0  # a grid of no axes has one position


@compiled
def test_a_result_may_take_the_memory_of_an_input():
    x = Tensor(X)
    assert hybrid(add).in_place(0)(x, Tensor(Y)) is x
    assert value(x) == (X + Y).tolist()


@compiled
def test_many_threads_may_call_it_at_once():
    op, shapes = hybrid(matmul), [(n % 7 + 1, n % 5 + 1) for n in range(64)]

    def run(shape):
        a = np.full(shape, 2, np.float32)
        return value(op(Tensor(a), Tensor(a.T))) == (a @ a.T).tolist()

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(run, shapes))


@compiled
def test_a_graph_is_made_for_each_shape():
    op = hybrid(matmul)
    run = jit(lambda x, y: op(x, y) + 1)
    for n in (2, 3):
        a = np.ones((n, n), np.float32)
        assert value(run(Tensor(a), Tensor(a))) == (a @ a + 1).tolist()


@compiled
def test_source_text_is_compiled_as_jit_with_a_notice(monkeypatch):
    monkeypatch.setattr(kernels, "_told", set())
    text = """extern "C" int twice(int n, void **p, int *nd, long long **shapes, const char **t,
                     void *stream, void *extra) {
        for (int i = 0; i < shapes[0][0]; i++) ((float *)p[1])[i] = 2 * ((float *)p[0])[i];
        return 0; }"""
    with pytest.warns(errors.MsExtWarning, match="compiled as with func_type='jit'"):
        op = ops.Custom(text, (2,), F32, func_type="hybrid")
    assert value(op(Tensor([1.0, 3.0]))) == [2, 6]


# gradients ----------------------------------------------------------------------------------------


@compiled
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_gradients_through_its_bprop(mode):
    op = hybrid(product, bprop=mul_bprop)

    def net(x, y):
        return op(x, y) * 3

    run = jit(ms.grad(net, (0, 1))) if mode == "graph" else ms.grad(net, (0, 1))
    dx, dy = run(Tensor(X), Tensor(Y))
    assert (value(dx), value(dy)) == ((3 * Y).tolist(), (3 * X).tolist())


@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_without_a_bprop_one_is_asked_for(mode):
    """MindSpore has AKG derive it, past an ``if`` wrongly."""
    gradient = ms.grad(ops.Custom(product, func_type="hybrid"), (0, 1))
    with pytest.raises(errors.NotRunnable, match="bprop not defined"):
        (jit(gradient) if mode == "graph" else gradient)(Tensor(X), Tensor(Y))
