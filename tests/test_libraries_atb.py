"""ATB: values against float64 NumPy, hashes of Params, the cache of operations, its refusals."""

import numpy as np
import pytest

from ms_ext.engine import errors
from ms_ext.engine.libraries import atb

RANDOM = np.random.default_rng(21)


@pytest.fixture(autouse=True)
def own_hashes():
    """Hashes that look at all fields, for this test alone."""
    kinds = (atb.ActivationParam, atb.SoftmaxParam)
    for kind in kinds:
        atb.HashOpParam(kind)(all_fields)
    atb.MANAGER.Release()
    yield
    for kind in kinds:
        atb.forget_hash(kind)
    atb.MANAGER.Release()


def all_fields(param):
    """Add every field to the hash."""
    for name, value in vars(param).items():
        atb.add_param_to_buf(name, value)


def drawn(*shape, dtype="float32"):
    """Numbers of a normal distribution."""
    return RANDOM.standard_normal(shape).astype(dtype)


def run(param, *inputs, shapes=None):
    """Create, set up and execute; the outputs, of the shapes given or that of the first input."""
    status, operation, why = atb.CreateOperation(param)
    assert status == 0, why
    made = [np.full(s, 77, inputs[0].dtype) for s in shapes or [inputs[0].shape]]
    pack = atb.VariantPack(inputs, tuple(made))
    status, size = operation.Setup(pack, atb.Context(None))
    assert status == 0, operation.why
    workspace = np.empty(size, np.uint8)
    assert operation.Execute(pack, workspace, size, atb.Context(None)) == 0, operation.why
    return made


def activation(kind, **fields):
    """An ActivationParam of the kind with this name."""
    return atb.ActivationParam(atb.ActivationType[f"ACTIVATION_{kind}"], **fields)


def sigmoid(x):
    """In float64."""
    return 1 / (1 + np.exp(-x))


def gelu(x):
    """The usual approximation."""
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


FORMULAS = {
    "RELU": lambda x: np.maximum(x, 0),
    "GELU": gelu,
    "FAST_GELU": lambda x: x * sigmoid(1.702 * x),
    "SWISH": lambda x: x * sigmoid(x),
    "SIGMOID": sigmoid,
    "SWIGLU_FORWARD": lambda x: x[..., :4] * sigmoid(x[..., :4]) * x[..., 4:],
}


@pytest.mark.parametrize(
    "dtype, tolerance", [("float16", 4e-3), ("float32", 1e-5), ("float64", 1e-12)]
)
@pytest.mark.parametrize("kind", FORMULAS)
def test_activations(kind, dtype, tolerance):
    x = drawn(3, 8, dtype=dtype)
    wanted = FORMULAS[kind](x.astype(np.float64))
    (found,) = run(activation(kind), x, shapes=[wanted.shape])
    np.testing.assert_allclose(found.astype(np.float64), wanted, rtol=tolerance, atol=tolerance)


def test_exact_gelu_and_log():
    x = np.abs(drawn(3, 8)) + 0.1
    (exact,) = run(activation("GELU", geluMode=atb.GeluMode.NONE_MODE), x)
    np.testing.assert_allclose(exact, gelu(np.float64(x)), atol=5e-4)
    (found,) = run(activation("LOG"), x)
    np.testing.assert_allclose(found, np.log(np.float64(x)), atol=1e-6)


def test_the_gradient_of_swiglu_is_that_of_differences():
    x, dout = drawn(2, 8, dtype="float64"), drawn(2, 4, dtype="float64")
    (found,) = run(activation("SWIGLU_BACKWARD"), dout, x, shapes=[x.shape])
    for place in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[place] = 1e-6
        forward = FORMULAS["SWIGLU_FORWARD"]
        rise = ((forward(x + step) - forward(x - step)) / 2e-6 * dout).sum()
        assert found[place] == pytest.approx(rise, abs=1e-7)


def test_swiglu_along_another_axis():
    x = drawn(6, 4)
    (found,) = run(activation("SWIGLU_FORWARD", dim=0), x, shapes=[(3, 4)])
    wanted = np.float64(x[:3]) * sigmoid(np.float64(x[:3])) * x[3:]
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_rms_norm_with_and_without_a_residual():
    x, more, gamma = drawn(3, 8), drawn(3, 8), drawn(8)
    norm = atb.NormParam(epsilon=1e-3)
    param = atb.RmsNormParam(atb.RmsNormType.RMS_NORM_NORM, norm)
    (plain,) = run(param, x, gamma)
    root = 1 / np.sqrt((np.float64(x) ** 2).mean(-1, keepdims=True) + 1e-3)
    np.testing.assert_allclose(plain, x * root * gamma, rtol=1e-5)
    norm.rstd = True
    _, rstd = run(param, x, gamma, shapes=[(3, 8), (3, 1)])
    np.testing.assert_allclose(rstd, root, rtol=1e-6)
    before = atb.RmsNormParam(atb.RmsNormType.RMS_NORM_PRENORM)
    found, summed = run(before, x, more, gamma, shapes=[(3, 8), (3, 8)])
    total = np.float64(x) + more
    root = 1 / np.sqrt((total**2).mean(-1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(summed, total, rtol=1e-6)
    np.testing.assert_allclose(found, total * root * gamma, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("coefficient, pairs", [
    (2, [(0, 4), (1, 5), (2, 6), (3, 7)]),
    (4, [(0, 2), (1, 3), (4, 6), (5, 7)]),
    (8, [(0, 1), (2, 3), (4, 5), (6, 7)]),
])  # fmt: skip
def test_rope_turns_pairs(coefficient, pairs):
    query, key = drawn(5, 16), drawn(5, 8)  # two heads, and one
    angles = RANDOM.uniform(0, 3, (5, 8)).astype(np.float32)
    cos, sin = np.cos(angles), np.sin(angles)
    turned = run(atb.RopeParam(coefficient), query, key, cos, sin, shapes=[query.shape, key.shape])
    for x, found in zip((query, key), turned, strict=True):
        for head in range(x.shape[1] // 8):
            for a, b in pairs:
                one, other = x[:, 8 * head + a], x[:, 8 * head + b]
                first = one * cos[:, a] - other * sin[:, a]
                second = other * cos[:, b] + one * sin[:, b]
                np.testing.assert_allclose(found[:, 8 * head + a], first, rtol=1e-5, atol=1e-6)
                np.testing.assert_allclose(found[:, 8 * head + b], second, rtol=1e-5, atol=1e-6)


def test_softmax_over_two_axes():
    x = drawn(2, 3, 4)
    (found,) = run(atb.SoftmaxParam((1, 2)), x)
    powers = np.exp(np.float64(x))
    np.testing.assert_allclose(found, powers / powers.sum((1, 2), keepdims=True), rtol=1e-5)


@pytest.mark.parametrize("turn_x, turn_w", [(False, True), (True, False), (False, False)])
def test_linear(turn_x, turn_w):
    x, w, bias = drawn(3, 4), drawn(4, 5), drawn(5)
    param = atb.LinearParam(turn_x, turn_w, hasBias=True)
    given = (x.T.copy() if turn_x else x), (w.T.copy() if turn_w else w)
    (found,) = run(param, *given, bias, shapes=[(3, 5)])
    np.testing.assert_allclose(found, np.float64(x) @ w + bias, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype, tolerance", [("float32", 2e-5), ("float64", 1e-12)])
def test_self_attention_with_fewer_heads_of_keys(dtype, tolerance):
    q, k, v = (
        drawn(2, 150, 16, dtype=dtype),
        drawn(2, 150, 8, dtype=dtype),
        drawn(2, 150, 8, dtype=dtype),
    )
    mask = np.where(np.triu(np.ones((150, 150), bool), 1), -1e9, 0).astype(dtype)
    heads = dict(headNum=4, kvHeadNum=2, qkScale=0.5)
    (added,) = run(atb.SelfAttentionParam(**heads, maskType=1), q, k, v, mask)
    (hidden,) = run(atb.SelfAttentionParam(**heads, isTriuMask=1), q, k, v)
    for head in range(4):
        part, kept = slice(4 * head, 4 * head + 4), slice(4 * (head // 2), 4 * (head // 2) + 4)
        scores = np.float64(q[..., part]) @ np.swapaxes(np.float64(k[..., kept]), 1, 2) * 0.5 + mask
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        wanted = powers / powers.sum(-1, keepdims=True) @ v[..., kept]
        for found in (added, hidden):
            np.testing.assert_allclose(found[..., part], wanted, rtol=tolerance, atol=tolerance)


# params and their hashes ----------------------------------------------------------------------


def test_a_param_without_a_hash_is_refused_by_name():
    with pytest.raises(
        NotImplementedError, match="The atb::HashOpParam<atb::infer::RopeParam> is not defined."
    ):
        atb.MANAGER.GetOperation(atb.RopeParam(), "Rope")


def test_every_field_makes_another_hash():
    one = atb.compute_hash(activation("RELU"))
    assert one == atb.compute_hash(activation("RELU"))
    others = [activation("GELU"), activation("RELU", scale=2.0), activation("RELU", dim=0),
              activation("RELU", geluMode=1)]  # fmt: skip
    assert len({one, *map(atb.compute_hash, others)}) == 5


def test_neighbouring_fields_do_not_run_together():
    param = atb.SoftmaxParam
    assert atb.compute_hash(param((1, 12))) != atb.compute_hash(param((11, 2)))
    assert atb.compute_hash(param((1,))) != atb.compute_hash(param((1, 0)))


def test_a_hash_that_forgets_a_field_finds_the_wrong_operation():
    @atb.HashOpParam(atb.ActivationParam)
    def forgets_dim(param):
        atb.add_param_to_buf("activationType", param.activationType)

    first = atb.MANAGER.GetOperation(activation("SWIGLU_FORWARD", dim=0), "SwiGLU")
    first.Free()
    second = atb.MANAGER.GetOperation(activation("SWIGLU_FORWARD", dim=1), "SwiGLU")
    assert second is first and second.operation.param.dim == 0


def test_what_can_be_hashed():
    atb.HashOpParam(atb.SoftmaxParam)(lambda p: atb.add_param_to_buf("axes", object()))
    with pytest.raises(errors.InvalidType, match="'axes' cannot be added to a hash"):
        atb.compute_hash(atb.SoftmaxParam())
    with pytest.raises(errors.NotRunnable, match="No hash is being made"):
        atb.add_param_to_buf("axes", 1)


# operations and their cache -------------------------------------------------------------------


def test_a_busy_operation_is_left_alone_and_a_free_one_is_found_again():
    get = atb.MANAGER.GetOperation
    first = get(activation("RELU"), "Relu")
    second = get(activation("RELU"), "Relu")
    other = get(activation("GELU"), "Gelu")
    assert first is not second and first.operation is not second.operation
    assert (first.used, second.used, other.used) == (True, True, True)
    assert atb.MANAGER.counters() == (0, 2, 1, 3)
    second.Free()
    assert get(activation("RELU"), "Relu") is second
    first.Free()
    assert get(activation("RELU"), "Relu") is first
    assert atb.MANAGER.counters() == (2, 2, 1, 3)


def test_a_context_belongs_to_a_stream():
    manager = atb.AtbContextManager()
    assert manager.GetContext(0) is manager.GetContext(0)
    assert manager.GetContext(0) is not manager.GetContext(1)


def test_each_execute_needs_a_setup_and_its_workspace():
    x, out = np.float16([[1, 2]]), np.empty((1, 2), np.float16)
    _, operation, _ = atb.CreateOperation(activation("RELU"))
    pack, context = atb.VariantPack((x,), (out,)), atb.Context(None)
    assert operation.Execute(pack, None, 0, context) == 3
    assert operation.why == "Setup comes before each Execute"
    _, size = operation.Setup(pack, context)
    assert size > 0 and operation.Execute(pack, None, size, context) == 20
    _, size = operation.Setup(pack, context)
    assert operation.Execute(pack, np.empty(size, np.uint8), size, context) == 0
    assert operation.Execute(pack, np.empty(size, np.uint8), size, context) == 3


X = np.zeros((2, 4), np.float32)
SETUP = {
    "too many inputs": (activation("RELU"), (X, X), (X,), 5, "1 input"),
    "too many outputs": (activation("RELU"), (X,), (X, X), 5, "1 result"),
    "another shape": (activation("RELU"), (X,), (X.T,), 8, "float32.2,4., not a float32.4,2."),
    "another dtype": (activation("RELU"), (X,), (X.astype("f2"),), 6, "not a float16"),
    "no halves": (activation("SWIGLU_FORWARD", dim=5), (X,), (X,), 9, "axis 5"),
    "no such axis": (atb.SoftmaxParam((7,)), (X,), (X,), 1, "not all of the axes"),
    "no product": (atb.LinearParam(hasBias=False), (X, X.T), (X,), 8, "cannot be multiplied"),
    "no heads": (atb.SelfAttentionParam(3), (X[None],) * 3, (X[None],), 8, "3 heads"),
    "no pairs": (atb.RopeParam(3), (X, X, X, X), (X, X), 1, "does not pair"),
    "no gamma": (atb.RmsNormParam(1), (X, X.T), (X,), 8, "not the last sizes"),
}


@pytest.mark.parametrize("case", SETUP)
def test_setup_says_what_it_refuses(case):
    param, inputs, outputs, wanted, words = SETUP[case]
    _, operation, _ = atb.CreateOperation(param)
    status, size = operation.Setup(atb.VariantPack(inputs, outputs), atb.Context(None))
    assert (status, size) == (wanted, 0)
    with pytest.raises(
        errors.NotRunnable, match=f"(?s)Setup. result error. st={wanted}, op is Op.*{words}"
    ):
        atb.check(status, "Setup", "Op", operation.why)


def test_an_operation_that_cannot_be_made():
    for param in (atb.ActivationParam(), atb.SoftmaxParam(), atb.RmsNormParam(), object()):
        status, operation, why = atb.CreateOperation(param)
        assert status == 1 and operation is None and why
    with pytest.raises(
        RuntimeError, match="ATB function .CreateOperation. result error. st=1, op is A"
    ):
        atb.MANAGER.GetOperation(atb.ActivationParam(), "A")
    assert atb.MANAGER.counters().operations == 0
