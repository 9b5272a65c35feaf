"""What the articles on custom operators print runs as printed, with kernels for this CPU."""

import shutil

import article_kernels
import article_snippets as printed
import numpy as np
import pytest
from custom_kernels import compiled, make
from custom_rows import said

import ms_ext as ms
from ms_ext import Tensor, grad, jit, nn, ops, resolve, runtime
from ms_ext.engine import strict

FIXTURES = (make,)
X, Y = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[5.0, 6.0], [7.0, 8.0]])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty current folder; ``mindspore`` is ms_ext, and what snippets set is put back."""
    before = ms.get_context("device_target")
    monkeypatch.chdir(tmp_path)
    resolve.here()
    yield tmp_path
    runtime.synchronize()
    resolve.withdraw()
    ms.set_context(device_target=before)


@pytest.fixture
def my_mul(folder, make):
    """libmy_mul.so in the current folder."""
    shutil.copy(make(article_kernels.MY_MUL, "my_mul"), folder / "libmy_mul.so")


def ran(folder, *snippets, **names):
    """The names after the snippets of one program have run in the current folder."""
    text = "\n".join(snippets)
    (folder / "program.py").write_text(text, encoding="utf-8")
    exec(compile(text, str(folder / "program.py"), "exec"), names)
    return names


def half(array):
    """A tensor of float16."""
    return Tensor(array, ms.float16)


# 003: func_type and bprop ------------------------------------------------------------------------


def test_003_the_whole_example(folder, my_mul, mode, capsys):
    ran(folder, printed.REGISTER, printed.VERIFY)
    out, dx, dy = "[[ 5. 12.]\n [21. 32.]]\n", "[[5. 6.]\n [7. 8.]]\n", "[[1. 2.]\n [3. 4.]]\n"
    assert capsys.readouterr().out == out + dx + dy


def test_003_the_whole_example_in_compiled_code(folder, my_mul):
    op = ran(folder, printed.REGISTER)["my_mul_op"]
    dx, dy = jit(lambda x, y: grad(op, grad_position=(0, 1))(x, y))(half(X), half(Y))
    assert dx.dtype == ms.float16
    assert (dx.asnumpy().tolist(), dy.asnumpy().tolist()) == (Y.tolist(), X.tolist())


def test_003_a_cell_is_trained_through_the_kernel(folder, my_mul, mode):
    op = ran(folder, printed.REGISTER)["my_mul_op"]

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = ms.Parameter(half(Y), name="weight")

        def construct(self, x):
            return op(x, self.weight)

    net = Net()
    slope = ms.grad(net, grad_position=None, weights=net.trainable_params())(half(X))
    slope = slope[0] if isinstance(slope, tuple) else slope
    assert slope.asnumpy().tolist() == X.tolist()


def test_003_mindspore_asks_for_a_file_and_gives_lists(folder, my_mul):
    with strict.as_mindspore():
        op = ran(folder, printed.REGISTER)["my_mul_op"]
        words = said(AttributeError, lambda: op(half(X), half(Y)).asnumpy())
        assert "'list' object has no attribute 'shape'" in words
        op = ops.Custom("my_mul", lambda x, y: x, lambda x, y: x, "aot")
        words = said(RuntimeError, lambda: op(half(X), half(Y)).asnumpy())
        assert "user defined function path 'my_mul' is illegal" in words
        words = said(TypeError, lambda: ops.Custom("my_mul", (2, 2), ms.float16, "aot"))
        assert "'func' should be like 'file_name:func_name', but got my_mul" in words


def test_003_a_symbol_of_another_name(folder, make):
    source = article_kernels.MY_MUL.replace("int my_mul(", "int my_mul_kernel(")
    shutil.copy(make(source, "my_mul_kernel"), folder / "libmy_mul.so")
    op = ran(folder, printed.REGISTER)["my_mul_op"]
    text = said(RuntimeError, lambda: op(half(X), half(Y)).asnumpy())
    assert (
        "undefined symbol: my_mul" in text and "exports my_mul_kernel; did you mean that?" in text
    )


def test_003_no_library(folder):
    op = ran(folder, printed.REGISTER)["my_mul_op"]
    text = said(RuntimeError, lambda: op(half(X), half(Y)).asnumpy())
    assert "couldn't find the AOT binary file: my_mul" in text and str(folder) in text


def test_003_a_library_elsewhere(folder, my_mul, monkeypatch):
    away = folder / "away"
    away.mkdir()
    shutil.move(folder / "libmy_mul.so", away)
    monkeypatch.setenv("MS_EXT_CUSTOM_PATH", str(away))
    op = ran(folder, printed.REGISTER)["my_mul_op"]
    assert op(half(X), half(Y)).asnumpy().tolist() == (X * Y).tolist()


def test_003_two_libraries_of_one_name(folder, my_mul, monkeypatch):
    away = folder / "away"
    away.mkdir()
    shutil.copy(folder / "libmy_mul.so", away)
    monkeypatch.setenv("MS_EXT_CUSTOM_PATH", str(away))
    op = ran(folder, printed.REGISTER)["my_mul_op"]
    with pytest.warns(UserWarning, match=r"libmy_mul\.so is loaded, .*away.* is shadowed by it"):
        op(half(X), half(Y)).asnumpy()


def test_003_the_device_kernel_is_told_from_a_host_kernel(folder):
    (folder / "my_mul.cpp").write_text(printed.DEVICE_KERNEL)
    op = ops.Custom("./my_mul.cpp:my_mul", lambda x, y: x, lambda x, y: x, "aot")
    text = said(RuntimeError, lambda: op(half(X), half(Y)).asnumpy())
    assert "`__aicore__` marks code for Ascend" in text and 'extern "C" int my_mul(' in text


def test_003_bprop_of_section_3(folder, my_mul, mode):
    bprop = ran(folder, printed.BPROP)["my_mul_bprop"]
    like = lambda x, y: x  # noqa: E731
    op = ops.Custom("my_mul", like, like, "aot", bprop=bprop)
    dx, dy = ms.grad(op, grad_position=(0, 1))(half(X), half(Y))
    assert (dx.asnumpy().tolist(), dy.asnumpy().tolist()) == (Y.tolist(), X.tolist())


@pytest.mark.parametrize(
    ("snippet", "slope"), [("TWO_RESULTS", [4, 7]), ("TWO_RESULTS_AS_DERIVED", [6, 12])]
)
def test_003_a_bprop_with_every_result_by_name(snippet, slope, folder, mode):
    bprop = ran(folder, getattr(printed, snippet))["multi_out_bprop"]
    shapes, types = ((2,), (2,)), (ms.float32, ms.float32)
    op = ops.Custom(lambda x: (2 * x, x * x), shapes, types, bprop=bprop)
    dx = ms.grad(lambda x: op(x)[0] + op(x)[1])(Tensor([2.0, 5.0]))
    assert dx.asnumpy().tolist() == slope
    right = snippet == "TWO_RESULTS_AS_DERIVED"
    assert bool(ms.gradcheck(op, Tensor([2.0, 5.0]))) is right


def test_003_a_great_constant_shows_that_the_bprop_runs(folder, my_mul, mode):
    def probe(x, y, out, dout):
        return dout * y + 9999.0, dout * x

    op = ops.Custom("my_mul", lambda x, y: x, lambda x, y: x, "aot", bprop=probe)
    dx = ms.grad(op)(Tensor(X, ms.float32), Tensor(Y, ms.float32))
    assert dx.asnumpy().tolist() == (Y + 9999).tolist()


def test_003_central_differences_agree_with_the_bprop(folder, my_mul):
    op = ran(folder, printed.REGISTER)["my_mul_op"]
    x, y = Tensor(X, ms.float64), Tensor(Y, ms.float64)
    slope, step = ms.grad(lambda x, y: op(x, y).sum())(x, y).asnumpy(), 1e-6
    for place in np.ndindex(2, 2):
        move = np.zeros((2, 2))
        move[place] = step
        ahead, behind = (op(Tensor(X + m), y).sum().asnumpy() for m in (move, -move))
        assert abs((ahead - behind) / (2 * step) - slope[place]) < 1e-6
    assert ms.gradcheck(op, x, y)


# 002: a fused attention --------------------------------------------------------------------------


@pytest.fixture
def attention(folder, request):
    """attention_fused.so in the current folder."""
    from custom_kernels import HEAD

    kept = str(request.config.cache.mkdir("custom_kernels"))
    made = compiled(HEAD + article_kernels.ATTENTION, kept, "attention_fused", ("-O3",))
    shutil.copy(made, folder / "attention_fused.so")
    return folder


def reference(x, wq, wk, wv, wo, bq, causal=False):
    """The same attention in NumPy, in double precision."""
    x, wq, wk, wv, wo, bq = (np.float64(each) for each in (x, wq, wk, wv, wo, bq))
    split = lambda t: t.reshape(*t.shape[:2], article_kernels.HEADS, -1).swapaxes(1, 2)  # noqa: E731
    q, k, v = split(x @ wq + bq), split(x @ wk), split(x @ wv)
    score = q @ k.swapaxes(2, 3) / np.sqrt(q.shape[-1])
    if causal:
        score = np.where(np.triu(np.ones(score.shape[-2:], bool), 1), -1e4, score)
    weight = np.exp(score - score.max(-1, keepdims=True))
    mixed = (weight / weight.sum(-1, keepdims=True)) @ v
    return mixed.swapaxes(1, 2).reshape(x.shape) @ wo


def test_002_attention_against_the_reference(attention):
    np.random.seed(2)
    small = np.random.randn(512, 512).astype(np.float16) / np.float16(16)
    bias = np.random.randn(512).astype(np.float16)
    operands = [small, small, small, small, bias]
    names = {"num_heads": article_kernels.HEADS, "others": list(map(Tensor, operands))}
    with pytest.warns(UserWarning, match="Ascend"):
        told = ran(attention, printed.ATTENTION, printed.COMPARE, **names)
    y_ms = told["y_ms"]
    assert (y_ms.dtype, y_ms.shape) == (np.float16, (1, 128, 512))
    np.testing.assert_allclose(y_ms, reference(told["x_np"], *operands), rtol=1e-2, atol=1e-2)


def test_002_with_a_mask_in_both_modes(attention, mode):
    rng = np.random.default_rng(1)
    operands = [rng.normal(size=s).astype(np.float16) for s in [(2, 6, 16), *[(16, 16)] * 4, (16,)]]
    told = ran(attention, printed.ATTENTION, num_heads=article_kernels.HEADS)
    mask = half(np.ones((6, 6)))
    y = told["fused_attention"](*map(Tensor, operands), mask).asnumpy()
    wanted = reference(*operands, causal=True)
    np.testing.assert_allclose(y, wanted, rtol=1e-2, atol=1e-2 * np.abs(wanted).max())


def test_002_section_2_ahead_of_time(attention):
    op = ran(attention, "from mindspore.ops import Custom", printed.AHEAD)["op"]
    words = said(TypeError, lambda: op(half(np.ones((1, 2, 8)))))  # the dots are no shape
    assert "'out_shape' must be one of [tuple, list, function]" in words


def test_002_section_2_the_only_kernel_of_a_library_is_meant(attention):
    like = lambda *all_of_them: all_of_them[0]  # noqa: E731
    op = ops.Custom("./attention_fused.so", like, like, "aot")
    ones = [half(np.ones(s)) for s in [(1, 2, 8), *[(8, 8)] * 4, (8,)]]
    assert op(*ones, half([])).shape == (1, 2, 8)
    assert "attention_fused_kernel" in op.describe()


def test_002_section_2_source_text(folder):
    source = "from mindspore.ops import Custom"
    with pytest.raises(Exception) as caught:
        ran(folder, source, printed.TEXT)["op"](half(X))
    assert "cce code string" in str(caught.value)


def test_002_mindspore_has_no_reg_format(attention):
    told = ran(attention, printed.ATTENTION, num_heads=article_kernels.HEADS)
    with strict.as_mindspore():
        call = lambda: told["fused_attention"](*[half(np.ones((1, 2, 8)))] * 6)  # noqa: E731
        assert "unexpected keyword argument 'reg_format'" in said(TypeError, call)
