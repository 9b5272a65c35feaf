"""The library's aclnn: values against float64 NumPy, its two phases, the cache, its refusals."""

import numpy as np
import pytest

from ms_ext.engine import errors
from ms_ext.engine.libraries import aclnn
from ms_ext.engine.libraries.aclnn import ExecutorCache, function, kernel

RANDOM = np.random.default_rng(20)
TOLERANCE = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-5, "float64": 1e-12}


@pytest.fixture(autouse=True)
def empty_cache():
    """Every test counts from 0."""
    aclnn.CACHE.clear()


def drawn(*shape, dtype="float32"):
    """Numbers of a normal distribution."""
    return RANDOM.standard_normal(shape).astype(np.dtype(dtype))


def called(name, *arguments):
    """Both phases, with a workspace of the size that was asked for."""
    size, executor = function(f"{name}GetWorkspaceSize")(*arguments)
    workspace = np.empty(size, np.uint8) if size else None
    assert function(name)(workspace, size, executor, None) == 0
    return size


def outputs(*forms):
    """Outputs full of something else."""
    return [np.full(shape, 77, np.dtype(dtype)) for dtype, shape in forms]


X, Y, POSITIVE = drawn(3, 4), drawn(3, 4), np.abs(drawn(3, 4)) + 0.1
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


# the phases -----------------------------------------------------------------------------------


def test_the_cache_knows_names_shapes_dtypes_and_attributes():
    (out,) = outputs(("float32", (3, 4)))
    for _ in range(3):
        called("aclnnAdd", X, Y, 1, out)
    assert aclnn.CACHE.counters() == (2, 1, 1)
    called("aclnnSub", X, Y, 1, out)  # another name
    called("aclnnAdd", X, Y, 2, out)  # another attribute
    called("aclnnAdd", X, Y, 1.0, out)  # of another type
    called("aclnnAdd", X[:2], Y[:2], 1, out[:2])  # another shape
    called("aclnnAdd", X.astype(np.float64), Y, 1, out.astype(np.float64))  # another dtype
    assert aclnn.CACHE.counters() == (2, 6, 6)


def test_what_was_not_asked_for_longest_is_forgotten():
    cache, forms = ExecutorCache(capacity=2), []
    for rows in (1, 2, 1, 3, 1, 2):
        bound = {"x": X[:rows].astype(np.float64), "out": np.empty((rows, 4))}
        forms.append(cache.prepared(aclnn.KERNELS["Exp"], aclnn.KERNELS["Exp"].forms(bound))[1])
    assert forms == [False, False, True, False, True, False]


def test_a_key_that_forgets_a_field_gives_the_wrong_plan():
    cache = ExecutorCache(key=lambda kernel, forms: (kernel.name, forms["x"]))
    matmul = aclnn.KERNELS["Matmul"]
    small = {"x": X, "mat2": drawn(4, 2), "out": np.empty((3, 2), np.float32), "cubeMathType": 0}
    large = small | {"mat2": drawn(4, 50), "out": np.empty((3, 50), np.float32)}
    first, _ = cache.prepared(matmul, matmul.forms(small))
    second, known = cache.prepared(matmul, matmul.forms(large))
    assert known and second.bytes == first.bytes  # too few for the large one


def test_an_executor_is_used_up_unless_it_is_repeatable():
    (out,) = outputs(("float32", (3, 4)))
    _, executor = aclnn.aclnnExpGetWorkspaceSize(X, out)
    aclnn.aclnnExp(None, 0, executor, None)
    with pytest.raises(errors.NotRunnable, match="launched already"):
        aclnn.aclnnExp(None, 0, executor, None)
    _, executor = aclnn.aclnnExpGetWorkspaceSize(X, out)
    aclnn.aclSetAclOpExecutorRepeatable(executor)
    for _ in range(3):
        assert aclnn.aclnnExp(None, 0, executor, None) == 0
    aclnn.aclDestroyAclOpExecutor(executor)
    with pytest.raises(errors.NotRunnable, match="launched already"):
        aclnn.aclnnExp(None, 0, executor, None)


def test_a_workspace_that_is_missing_or_small_is_refused():
    (out,) = outputs(("float32", (3, 4)))
    size, executor = aclnn.aclnnSoftmaxGetWorkspaceSize(X, -1, out)
    assert size >= out.nbytes
    for workspace, said in [
        (None, size),
        (np.empty(8, np.uint8), 8),
        (np.empty(size, np.uint8), 0),
    ]:
        with pytest.raises(errors.InvalidValue, match=f"needs a workspace of {size} bytes"):
            aclnn.aclnnSoftmax(workspace, said, executor, None)
    aclnn.aclnnSoftmax(np.empty(size, np.uint8), size, executor, None)  # it was not used up


def test_an_executor_of_another_function_is_refused():
    (out,) = outputs(("float32", (3, 4)))
    _, executor = aclnn.aclnnExpGetWorkspaceSize(X, out)
    with pytest.raises(errors.InvalidValue, match="executor of another function"):
        aclnn.aclnnTanh(None, 0, executor, None)
    with pytest.raises(errors.InvalidType, match="launches an executor"):
        aclnn.aclnnExp(None, 0, "executor", None)


def test_unknown_names_say_which_was_meant():
    with pytest.raises(
        errors.UnknownAttribute, match="(?s)no function 'aclnnMatMull'.*aclnnMatmul"
    ):
        function("aclnnMatMull")
    with pytest.raises(AttributeError, match="aclnnArgMin"):
        aclnn.aclnnArgminGetWorkspaceSize  # noqa: B018
    with pytest.raises(AttributeError):
        aclnn.nothing  # noqa: B018


REFUSED = {
    "shapes": ("aclnnAdd", (X, drawn(5), 1, X), "can be broadcast"),
    "output": ("aclnnAdd", (X, Y, 1, drawn(4, 3)), "writes a float32.3,4. to 'out'"),
    "dtype": ("aclnnAdd", (X, Y, 1, np.empty((3, 4))), "writes a float32.3,4. to 'out'"),
    "matmul": ("aclnnMatmul", (X, Y, X, 0), "matrices that can be multiplied"),
    "mixed": ("aclnnMatmul", (X, Y.T.astype(np.float64), X, 0), "operands of one dtype"),
    "axis": ("aclnnSoftmax", (X, 2, X), "an axis of its input"),
    "halves": ("aclnnSwiGlu", (drawn(3, 5), -1, X), "halves an axis"),
    "too few": ("aclnnAdd", (X,), "takes .x, other, alpha, out."),
    "too many": ("aclnnExp", (X, X, X), "takes .x, out."),
    "whole": ("aclnnExp", (np.zeros(3, np.int32), X), "floating-point numbers"),
    "cast": ("aclnnCast", (X, "float31", X), "a dtype that tensors have"),
    "empty": ("aclnnArgMin", (np.empty((0, 3)), 0, False, X), "elements to choose from"),
    "layout": (
        "aclnnFlashAttentionScore", (X, X, X, None, 1.0, 1, "XYZ", 0, None, None, X), "knows the"
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_phase_one_refuses_what_does_not_fit(case):
    name, arguments, words = REFUSED[case]
    with pytest.raises(errors.MsExtError, match=words) as caught:
        function(f"{name}GetWorkspaceSize")(*arguments)
    assert "161002" in str(caught.value)
    assert aclnn.CACHE.counters().size == 0


def test_every_kernel_says_what_it_does():
    assert len(aclnn.functions()) >= 20
    assert all(entry.doc for entry in aclnn.KERNELS.values())


def test_a_kernel_of_ones_own_is_a_declaration():
    @kernel
    class Hypot:
        """The root of the sum of two squares."""

        def infer(x, y):
            return (aclnn.KERNELS["Mul"].infer(x, y)[0],)

        def body(x, y):
            return np.hypot(x, y)

    try:
        (out,) = outputs(("float32", (3, 4)))
        called("aclnnHypot", X, Y, out)
        np.testing.assert_allclose(out, np.hypot(X, Y))
    finally:
        del aclnn.KERNELS["Hypot"]
