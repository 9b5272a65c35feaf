"""The library's aclnn: values against float64 NumPy, one kernel after the other."""

import numpy as np
import pytest
from aclnn_calls import RANDOM, X, Y, called, drawn, outputs

TOLERANCE = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-5, "float64": 1e-12}


POSITIVE = np.abs(drawn(3, 4)) + 0.1
ELEMENTWISE = {
    "aclnnAdd": ((X, Y, 2), lambda x, y: x + 2 * y),
    "aclnnSub": ((X, Y, 2), lambda x, y: x - 2 * y),
    "aclnnMul": ((X, Y), lambda x, y: x * y),
    "aclnnDiv": ((X, POSITIVE), lambda x, y: x / y),
    "aclnnExp": ((X,), np.exp),
    "aclnnLog": ((POSITIVE,), np.log),
    "aclnnSqrt": ((POSITIVE,), np.sqrt),
    "aclnnRsqrt": ((POSITIVE,), lambda x: 1 / np.sqrt(x)),
    "aclnnNeg": ((X,), np.negative),
    "aclnnAbs": ((X,), np.abs),
    "aclnnTanh": ((X,), np.tanh),
    "aclnnRelu": ((X,), lambda x: np.maximum(x, 0)),
}


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("name", ELEMENTWISE)
def test_one_element_at_a_time(name, dtype):
    import ml_dtypes  # noqa: F401  (bfloat16 is its)

    given, formula = ELEMENTWISE[name]
    arrays = [a.astype(np.dtype(dtype)) if isinstance(a, np.ndarray) else a for a in given]
    (out,) = outputs((dtype, (3, 4)))
    called(name, *arrays, out)
    wide = [a.astype(np.float64) for a in arrays if isinstance(a, np.ndarray)]
    np.testing.assert_allclose(
        out.astype(np.float64), formula(*wide), rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype]
    )


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_matmul(dtype):
    x, y = drawn(2, 3, 5, dtype=dtype), drawn(5, 4, dtype=dtype)
    (out,) = outputs((dtype, (2, 3, 4)))
    called("aclnnMatmul", x, y, out, 0)
    wanted = x.astype(np.float64) @ y.astype(np.float64)
    np.testing.assert_allclose(
        out.astype(np.float64), wanted, rtol=4 * TOLERANCE[dtype], atol=4 * TOLERANCE[dtype]
    )


@pytest.mark.parametrize("name, numpys", [("aclnnArgMin", np.argmin), ("aclnnArgMax", np.argmax)])
@pytest.mark.parametrize("dim, keeps", [(0, False), (1, True), (-1, False)])
def test_places(name, numpys, dim, keeps):
    (out,) = outputs(("int64", numpys(X, dim, keepdims=keeps).shape))
    called(name, X, dim, keeps, out)
    assert (out == numpys(X, dim, keepdims=keeps)).all()


@pytest.mark.parametrize("dims, keeps", [((0,), False), ((0, 1), True), ((), False), ((-1,), True)])
def test_sums(dims, keeps):
    wanted = np.sum(X.astype(np.float64), dims or None, keepdims=keeps)
    (out,) = outputs(("float32", wanted.shape))
    called("aclnnReduceSum", X, dims, keeps, None, out)
    np.testing.assert_allclose(out, wanted, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("dtype", ["int32", "float16", "bool", "float64"])
def test_cast(dtype):
    x = np.float32([1.9, -2.9, 0.0])
    (out,) = outputs((dtype, (3,)))
    called("aclnnCast", x, dtype, out)
    assert (out == x.astype(dtype)).all()


def softmax(x):
    """In float64."""
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_softmax_rmsnorm_and_swiglu(dtype):
    x, gamma = drawn(5, 8, dtype=dtype), drawn(8, dtype=dtype)
    wide, tolerance = x.astype(np.float64), TOLERANCE[dtype]
    seen = "float32" if dtype != "float64" else dtype
    soft, normed, rstd, half = outputs(
        (dtype, (5, 8)), (dtype, (5, 8)), (seen, (5, 1)), (dtype, (5, 4))
    )
    called("aclnnSoftmax", x, -1, soft)
    called("aclnnRmsNorm", x, gamma, 1e-6, normed, rstd)
    called("aclnnSwiGlu", x, -1, half)
    root = 1 / np.sqrt((wide**2).mean(-1, keepdims=True) + 1e-6)
    gate, up = wide[:, :4], wide[:, 4:]
    pairs = [(soft, softmax(wide)), (normed, wide * root * gamma), (rstd, root)]
    for found, wanted in [*pairs, (half, gate / (1 + np.exp(-gate)) * up)]:
        np.testing.assert_allclose(found.astype(np.float64), wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("mode", [0, 1])
def test_rotary_position_embedding(mode):
    x, angles = drawn(2, 3, 8), RANDOM.uniform(0, 3, (3, 8)).astype(np.float32)
    (out,) = outputs(("float32", (2, 3, 8)))
    called("aclnnRotaryPositionEmbedding", x, np.cos(angles), np.sin(angles), mode, out)
    for i in range(4):  # each pair by itself
        a, b = (i, i + 4) if mode == 0 else (2 * i, 2 * i + 1)
        first = x[..., a] * np.cos(angles[:, a]) - x[..., b] * np.sin(angles[:, a])
        second = x[..., b] * np.cos(angles[:, b]) + x[..., a] * np.sin(angles[:, b])
        np.testing.assert_allclose(out[..., a], first, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(out[..., b], second, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("length", [1, 63, 64, 65, 128, 200])
@pytest.mark.parametrize("sparse", [0, 2])
def test_flash_attention_is_attention(length, sparse):
    q, k, v = (drawn(2, 3, length, 8) for _ in range(3))
    most, total, out = outputs(
        ("float32", (2, 3, length, 8)), ("float32", (2, 3, length, 8)), ("float32", q.shape)
    )
    called("aclnnFlashAttentionScore", q, k, v, None, 0.35, 3, "BNSD", sparse, most, total, out)
    scores = np.float64(q) @ np.swapaxes(np.float64(k), -1, -2) * 0.35
    if sparse == 2:
        scores[..., np.triu(np.ones((length, length), bool), 1)] = -np.inf
    np.testing.assert_allclose(out, softmax(scores) @ np.float64(v), rtol=2e-5, atol=2e-5)
    np.testing.assert_allclose(most[..., 0], scores.max(-1), rtol=1e-5)
    sums = np.exp(scores - scores.max(-1, keepdims=True)).sum(-1)
    np.testing.assert_allclose(total[..., 7], sums, rtol=1e-5)


@pytest.mark.parametrize("layout, axes", [("BSND", (0, 2, 1, 3)), ("BSH", None), ("SBH", None)])
def test_attention_in_other_layouts(layout, axes):
    q = drawn(2, 3, 5, 4)  # batch, heads, length, features
    seen = ("float32", (2, 3, 5, 8))
    *_, wanted = one = outputs(seen, seen, ("float32", q.shape))
    called("aclnnFlashAttentionScore", q, q, q, None, 1.0, 3, "BNSD", 0, *one)
    x = np.moveaxis(q, 1, 2)
    given = {"BSND": x, "BSH": x.reshape(2, 5, 12), "SBH": x.reshape(2, 5, 12).swapaxes(0, 1)}[
        layout
    ]
    given = np.ascontiguousarray(given)
    *_, out = other = outputs(seen, seen, ("float32", given.shape))
    called("aclnnFlashAttentionScore", given, given, given, None, 1.0, 3, layout, 0, *other)
    back = out.swapaxes(0, 1) if layout == "SBH" else out
    assert (np.moveaxis(back.reshape(2, 5, 3, 4), 2, 1) == wanted).all()


def test_a_hidden_row_is_zeros_and_a_mask_hides():
    q = drawn(1, 1, 2, 4)
    hidden = np.array([[True, True], [False, True]])
    seen = ("float32", (1, 1, 2, 8))
    *_, out = three = outputs(seen, seen, ("float32", q.shape))
    called("aclnnFlashAttentionScore", q, q, q, hidden, 1.0, 1, "BNSD", 0, *three)
    assert (out[0, 0, 0] == 0).all() and (out[0, 0, 1] == q[0, 0, 0]).all()
