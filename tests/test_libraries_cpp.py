"""Runners from C++: the tutorial's source unchanged, and extension_sources/libraries.cpp."""

from pathlib import Path

import numpy as np
import pytest
from stage_calls import fresh

import ms_ext as ms
from ms_ext import Tensor, kernels
from ms_ext.engine import errors, events, stages, toolchain
from ms_ext.engine.libraries import aclnn, asdsip, atb

pytestmark = [
    pytest.mark.usefixtures(fresh.__name__),
    pytest.mark.long,
    pytest.mark.skipif(
        kernels.get("extension") is None or not toolchain.cxx_program(), reason="no compiler"
    ),
]
SOURCES = Path(__file__).parent / "extension_sources"
X = np.random.default_rng(5).standard_normal((3, 4)).astype(np.float32)
Y = np.random.default_rng(6).standard_normal((4, 5)).astype(np.float32)


def built(tmp_path_factory, name, **enabled):
    """The module made of one source."""
    folder = str(tmp_path_factory.mktemp(name))
    builder = ms.ops.CustomOpBuilder(
        name, str(SOURCES / f"{name}.cpp"), build_dir=folder, **enabled
    )
    return builder.load()


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """extension_sources/libraries.cpp."""
    return built(tmp_path_factory, "libraries", enable_atb=True, enable_asdsip=True)


@pytest.fixture(autouse=True)
def empty_caches():
    """Every test counts from 0."""
    stages.synchronize()
    aclnn.CACHE.clear()
    atb.MANAGER.Release()
    asdsip.CACHE.clear()


def test_the_tutorials_swiglu(tmp_path_factory):
    my_ops = built(tmp_path_factory, "atb_activation", enable_atb=True)
    x = np.random.default_rng(4).random((2, 32)).astype(np.float16)
    y = my_ops.npu_swiglu(Tensor(x), -1)
    gate, up = np.split(np.float64(x), 2, -1)
    assert (y.shape, y.dtype) == ((2, 16), ms.float16)
    np.testing.assert_allclose(y.asnumpy(), gate / (1 + np.exp(-gate)) * up, rtol=2e-3, atol=1e-3)
    rows = my_ops.npu_swiglu(Tensor(x), dim=0)
    np.testing.assert_allclose(
        rows.asnumpy(), np.float64(x[:1]) / (1 + np.exp(-np.float64(x[:1]))) * x[1:], atol=1e-3
    )


@pytest.mark.parametrize("policy", ["auto", "blocking"])
def test_values(library, policy):
    stages.use(policy)
    x, y = Tensor(X), Tensor(Y)
    assert library.argmin(x, 1, True).tolist() == X.argmin(1, keepdims=True).tolist()
    assert library.argmin(x, -2, False).tolist() == X.argmin(0).tolist()
    np.testing.assert_allclose(library.matmul(x, y).asnumpy(), X @ Y, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(library.matmul(x.T, x).asnumpy(), X.T @ X, rtol=1e-5, atol=1e-6)
    assert library.cast(x, 34).tolist() == X.astype(np.int32).tolist()
    np.testing.assert_allclose(library.reduce_sum(x, [0]).asnumpy(), X.sum(0), rtol=1e-5)
    powers = np.exp(np.float64(X))
    soft = powers / powers.sum(-1, keepdims=True)
    np.testing.assert_allclose(library.softmax(x, -1).asnumpy(), soft, rtol=1e-5)
    normed = X / np.sqrt((np.float64(X) ** 2).mean(-1, keepdims=True) + 1e-6)
    found = library.rms_norm(x, Tensor(np.ones(4, np.float32)))
    np.testing.assert_allclose(found.asnumpy(), normed, rtol=1e-5)


def test_attention(library):
    q = np.random.default_rng(7).standard_normal((1, 70, 8)).astype(np.float32)
    found = library.attention(Tensor(q), Tensor(q), Tensor(q), 2).asnumpy()
    for head in (0, 1):
        part = np.float64(q[0, :, 4 * head : 4 * head + 4])
        scores = part @ part.T * 0.5
        scores[np.triu(np.ones(scores.shape, bool), 1)] = -np.inf
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        wanted = powers / powers.sum(-1, keepdims=True) @ part
        np.testing.assert_allclose(found[0, :, 4 * head : 4 * head + 4], wanted, atol=1e-5)


@pytest.mark.parametrize("shape, numpys", [((2, 16), "fft"), ((2, 8, 6), "fft2")])
def test_transforms(library, shape, numpys):
    pairs = np.random.default_rng(8).standard_normal((*shape, 2)).astype(np.float32)
    for backward, name in [(False, numpys), (True, f"i{numpys}")]:
        found = library.fft(Tensor(pairs), "asdFftExecC2C", backward).asnumpy()
        wanted = getattr(np.fft, name)(asdsip.as_complex(pairs))
        np.testing.assert_allclose(asdsip.as_complex(found), wanted, rtol=1e-3, atol=1e-3)
        np.testing.assert_allclose(asdsip.as_complex(found), wanted, rtol=1e-5, atol=1e-5)


def test_a_function_of_aclnn_calls_has_its_gradient(library):
    x, y = Tensor(X), Tensor(2 * X)
    dx, dy = ms.grad(lambda x, y: library.mul(x, y).sum(), (0, 1))(x, y)
    np.testing.assert_array_equal(library.mul(x, y).asnumpy(), X * (2 * X))
    np.testing.assert_array_equal(dx.asnumpy(), 2 * X)
    np.testing.assert_array_equal(dy.asnumpy(), X)


def test_the_stages_and_the_caches(library):
    x = Tensor(X)
    library.softmax(x, -1).asnumpy()
    with events.record() as recording:
        first = library.softmax(x, -1)
        library.softmax(first, -1).asnumpy()
    threads = {
        (e.name, recording.threads.get(e.thread, "?").removeprefix("ms_ext "))
        for e in recording.of("library")
    }
    assert threads == {
        ("CreateOperation(SoftmaxParam)", "FrontendTask"), ("Softmax.Setup", "DeviceTask"),
        ("Softmax.Execute", "LaunchTask"), ("Softmax.Free", "LaunchTask"),
    }  # fmt: skip
    found = atb.MANAGER.counters()
    assert found.misses == 1 and found.hits + found.busy == 2
    for _ in range(3):
        library.matmul(x, Tensor(Y)).asnumpy()
    assert aclnn.CACHE.counters()[:2] == (2, 1)


def test_the_size_of_the_cache_of_plans(library):
    library.set_cache_size(2)
    try:
        for size in (4, 8, 4, 16):
            library.fft(Tensor(np.ones((1, size, 2), np.float32)), "asdFftExecC2C", False).asnumpy()
        assert [param.fftXSize for param in asdsip.CACHE.kept()] == [4, 16]
        with pytest.raises(ValueError, match="holds at least one"):
            library.set_cache_size(0)
    finally:
        library.set_cache_size(64)


PAIRS = np.ones((1, 4, 2), np.float32)
REFUSED = {
    "no_hash": (
        (X,),
        NotImplementedError,
        "atb::HashOpParam<atb::infer::RopeParam> is not defined",
    ),
    "wrong_shape": ((X,), RuntimeError, "ATB function .Setup. result error. st=8, op is Softmax"),
    "not_set": ((X,), RuntimeError, "The pointer.launch_func_. is null"),
    "matmul": ((X, X), ValueError, "161002: it needs matrices that can be multiplied"),
    "fft": ((PAIRS, "asdFftExecZ2Z", False), RuntimeError, "Get api asdFftExecZ2Z from"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("policy", ["auto", "blocking"])
def test_errors_come_back_to_python(library, name, policy):
    stages.use(policy)
    arguments, kind, words = REFUSED[name]
    given = [Tensor(each) if isinstance(each, np.ndarray) else each for each in arguments]
    with pytest.raises(kind, match=words):
        getattr(library, name)(*given).asnumpy()


def test_another_type_of_transform_than_the_plans(library):
    with pytest.raises(errors.NotRunnable, match="(?s)Execute asdFftExecR2C failed, ret: 3"):
        library.fft(Tensor(PAIRS), "asdFftExecR2C", False).asnumpy()
