"""Losses and activations: what MindSpore's tutorials say of them, odd inputs, and refusals."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, mint, nn, ops
from ms_ext.engine import primitive
from ms_ext.nn.activations import ACTIVATIONS

X = Tensor(np.float32([[0.5, -1.0, 2.0], [1.0, 0.0, -0.5]]))
Y = Tensor(np.float32([[0.0, 1.0, 2.0], [0.0, 0.5, 0.5]]))
KINDS = Tensor(np.int32([2, 0]))


def test_softmax_cross_entropy_with_class_numbers(mode):  # N10
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    assert float(loss(Tensor([[1.0, 2], [3, 4]]), Tensor([0, 1]))) == pytest.approx(0.813262, 2e-6)


def test_smooth_l1_loss_is_not_reduced(mode):  # N10
    assert nn.SmoothL1Loss()(X, Y).shape == X.shape
    assert mint.nn.SmoothL1Loss()(X, Y).shape == ()


def test_cross_entropy_is_one_node_with_class_numbers():
    graph = nn.CrossEntropyLoss().graph(X, KINDS)
    assert [node.primitive.name for node in graph.order()] == ["CrossEntropyLoss"]


def test_cross_entropy_in_eager_mode_is_one_call_each_way():
    seen = []
    with primitive.interpreting(lambda op, xs, attrs: seen.append(op.name) or call(op, xs, attrs)):
        nn.CrossEntropyLoss()(X, KINDS)
    assert seen == ["CrossEntropyLoss"]


def call(op, operands, attributes):
    return primitive.default(op, operands, attributes)


def cross_entropy_by_hand(x, classes, ignored):
    rows = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    kept = [i for i, c in enumerate(classes) if c != ignored]
    return -np.mean([np.log(rows[i, classes[i]]) for i in kept])


def test_rows_that_do_not_count():
    x, classes = np.random.default_rng(0).normal(size=(6, 4)), np.array([0, 3, -100, 1, -100, 2])
    given = Tensor(x), Tensor(classes)
    loss, slope = ms.value_and_grad(ops.cross_entropy)(*given)
    assert float(loss) == pytest.approx(cross_entropy_by_hand(x, classes, -100), rel=1e-12)
    assert (slope.asnumpy()[[2, 4]] == 0).all() and (slope.asnumpy()[0] != 0).all()


def test_nothing_that_counts_has_no_mean():
    assert np.isnan(float(ops.cross_entropy(X, Tensor([2, 2]), None, 2)))
    assert float(ops.cross_entropy(X, Tensor([2, 2]), None, 2, "sum")) == 0


def test_large_scores_stay_in_range():
    x = Tensor(np.float32([[1000.0, 0.0], [0.0, -1000.0]]))
    loss, slope = ms.value_and_grad(ops.cross_entropy)(x, Tensor([1, 1]))
    assert float(loss) == 1000 and np.isfinite(slope.asnumpy()).all()
    with_logits = ops.binary_cross_entropy_with_logits(x, ops.ones_like(x))
    assert np.isfinite(float(with_logits))


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16])
def test_half_floats_are_calculated_in_float32(dtype):
    x = Tensor(np.random.default_rng(0).normal(size=(512, 10)) * 20).astype(dtype)
    kinds = Tensor(np.arange(512) % 10)
    for loss, other in (
        (ops.cross_entropy, kinds),
        (ops.smooth_l1_loss, x * 0),
        (ops.binary_cross_entropy_with_logits, ops.ones_like(x)),
    ):
        how = {"reduction": "mean"}
        wide = loss(
            x.astype(ms.float32), kinds if other is kinds else other.astype(ms.float32), **how
        )
        assert loss(x, other, **how).dtype == dtype
        near = 0.01 if dtype is ms.bfloat16 else 1e-3
        assert float(loss(x, other, **how)) == pytest.approx(float(wide), rel=near)


def test_gradients_of_half_floats_have_their_dtype():
    x = X.astype(ms.float16)
    assert ms.grad(ops.cross_entropy)(x, KINDS).dtype == ms.float16
    assert ms.grad(lambda x: ops.mish(x).sum())(x).dtype == ms.float16


def test_no_elements():
    none = Tensor(np.zeros((0, 3), np.float32))
    assert nn.SmoothL1Loss()(none, none).shape == (0, 3)
    assert float(nn.L1Loss("sum")(none, none)) == 0
    assert float(ops.cross_entropy(none, Tensor(np.zeros(0, np.int64)), reduction="sum")) == 0
    for name in ("elu", "selu", "mish", "softplus", "hardtanh", "softsign", "logsigmoid"):
        assert getattr(ops, name)(none).shape == (0, 3)


def test_reductions_agree():
    for make in (nn.L1Loss, nn.MSELoss, nn.HuberLoss, lambda how: nn.SmoothL1Loss(1.0, how)):
        each = make("none")(X, Y).asnumpy()
        assert float(make("mean")(X, Y)) == pytest.approx(each.mean(), rel=1e-6)
        assert float(make("sum")(X, Y)) == pytest.approx(each.sum(), rel=1e-6)


def test_a_loss_of_ones_own(mode):
    class Weighed(nn.LossBase):
        def construct(self, logits, labels, weights):
            return self.get_loss(ops.abs(logits - labels), weights)

    weights = Tensor(np.float32([1, 0, 2]))
    expected = (np.abs(X.asnumpy() - Y.asnumpy()) * weights.asnumpy()).mean()
    assert float(Weighed()(X, Y, weights)) == pytest.approx(expected, rel=1e-6)


def test_random_slopes_lie_between_the_bounds():
    ms.set_seed(3)
    x = Tensor(np.full(1000, -1.0, np.float32))
    found = -nn.RReLU(0.1, 0.4)(x).asnumpy()
    assert 0.1 <= found.min() < 0.12 and 0.38 < found.max() <= 0.4
    ms.set_seed(3)
    assert (-ops.rrelu(x, 0.1, 0.4).asnumpy() == found).all()


def test_gumbel_softmax_draws_by_the_probabilities():
    ms.set_seed(1)
    logits = Tensor(np.log(np.tile(np.float32([0.2, 0.5, 0.3]), (4000, 1))))
    hard = ops.gumbel_softmax(logits, 0.5, True).asnumpy()
    assert (np.sort(hard, 1) == [0, 0, 1]).all()
    np.testing.assert_allclose(hard.mean(0), [0.2, 0.5, 0.3], atol=0.03)
    soft = ops.gumbel_softmax(logits, 0.5).asnumpy()
    np.testing.assert_allclose(soft.sum(1), 1, 1e-5)
    slope = ms.grad(lambda x: ops.gumbel_softmax(x, 1.0, True)[:, 0].sum())(logits[:4])
    assert (slope.asnumpy()[:, 0] > 0).all()


def test_activations_by_name():
    for name in ACTIVATIONS:
        if name != "threshold":
            assert isinstance(nn.get_activation(name), nn.Cell)
    assert nn.get_activation(None) is None
    assert isinstance(nn.Dense(2, 2, activation="mish").activation, nn.Mish)
    assert nn.PReLU(3).w.name == "a" and mint.nn.PReLU(3).weight.name == "weight"


def test_dim_of_mint_softmax_where_none_is_given():
    for shape, dim in (((3,), 0), ((2, 3), 1), ((2, 3, 2), 0), ((1, 2, 2, 2), 1)):
        total = mint.nn.functional.softmax(ops.ones(shape)).sum(dim)
        np.testing.assert_allclose(total.asnumpy(), 1, 1e-6)


def test_clipping(mode):
    one, other = ops.clip_by_global_norm((Tensor([3.0]), Tensor([4.0])), 1.0)
    assert (float(one[0]), float(other[0])) == pytest.approx((0.6, 0.8))
    assert isinstance(ops.clip_by_value([X, Y], -1, 1), tuple)
    x = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32) * 3
    for axis in (None, 0, 1, (0, 1)):
        norm = np.sqrt((x**2).sum(axis=axis, keepdims=True))
        want = np.where(norm > 1.5, x * 1.5 / norm, x)
        found = nn.ClipByNorm(axis)(Tensor(x), Tensor(np.float32(1.5)))
        np.testing.assert_allclose(found.asnumpy(), want, 1e-6)


def test_clipping_of_half_floats_has_room():
    big = Tensor(np.full(4, 60000.0)).astype(ms.float16)
    (found,) = ops.clip_by_global_norm((big,), 2.0)
    assert found.dtype == ms.float16
    np.testing.assert_allclose(found.asnumpy(), 1.0, 1e-3)


BAD = {
    "elu with another alpha": (ValueError, lambda: ops.elu(X, 2.0)),
    "celu with alpha 0": (ValueError, lambda: ops.celu(X, 0.0)),
    "elu of integers": (TypeError, lambda: ops.elu(KINDS)),
    "softplus of integers": (TypeError, lambda: ops.softplus(KINDS)),
    "mish of integers": (TypeError, lambda: ops.mish(KINDS)),
    "softmin of integers": (TypeError, lambda: ops.softmin(KINDS)),
    "leaky_relu by a word": (TypeError, lambda: ops.leaky_relu(X, "a")),
    "leaky_relu by a bool": (TypeError, lambda: ops.leaky_relu(X, True)),
    "hardtanh to a word": (TypeError, lambda: ops.hardtanh(X, "a")),
    "threshold of a word": (TypeError, lambda: ops.threshold(X, "a", 1)),
    "rrelu upside down": (ValueError, lambda: ops.rrelu(X, 0.5, 0.1)),
    "softshrink by less than 0": (RuntimeError, lambda: ops.softshrink(X, -1.0)),
    "glu of an odd size": (ValueError, lambda: ops.glu(X)),
    "glu along no axis": (ValueError, lambda: ops.glu(X, 2)),
    "gumbel_softmax with tau 0": (ValueError, lambda: ops.gumbel_softmax(X, 0.0)),
    "gumbel_softmax with an int": (TypeError, lambda: ops.gumbel_softmax(X, 1)),
    "gumbel_softmax along no axis": (ValueError, lambda: ops.gumbel_softmax(X, 1.0, True, 4)),
    "prelu with slopes for other channels": (ValueError, lambda: ops.prelu(X, X[0][:2])),
    "prelu with a number": (ValueError, lambda: ops.prelu(X, Tensor(0.5))),
    "PReLU without channels": (ValueError, lambda: nn.PReLU(0)),
    "PReLU of half a channel": (TypeError, lambda: nn.PReLU(1.5)),
    "PReLU of a word": (TypeError, lambda: nn.PReLU(1, "a")),
    "PReLU with too many slopes": (ValueError, lambda: nn.PReLU(2, X[0])),
    "PReLU of integers": (ValueError, lambda: nn.PReLU(2, KINDS)),
    "Hardtanh upside down": (ValueError, lambda: nn.Hardtanh(2, 1)),
    "RReLU upside down": (ValueError, lambda: nn.RReLU(0.5, 0.1)),
    "HShrink by a word": (TypeError, lambda: nn.HShrink("a")),
    "Softmax2d of a matrix": (ValueError, lambda: nn.Softmax2d()(X)),
    "an unknown activation": (KeyError, lambda: nn.get_activation("rellu")),
    "softmax along a word": (TypeError, lambda: ops.softmax(X, "a")),
    "an unknown reduction": (ValueError, lambda: ops.l1_loss(X, Y, "avg")),
    "an unknown reduction of a layer": (ValueError, lambda: nn.MSELoss("avg")),
    "an unknown reduction of classes": (
        ValueError, lambda: ops.cross_entropy(X, KINDS, None, 1, "avg")),
    "a loss with a number": (TypeError, lambda: ops.l1_loss(X, 3)),
    "a layer with a number": (TypeError, lambda: nn.MSELoss()(X, 3)),
    "shapes that do not broadcast": (ValueError, lambda: nn.MSELoss()(X, Y[:, :2])),
    "smooth_l1_loss of other shapes": (ValueError, lambda: ops.smooth_l1_loss(X, Y[0])),
    "smooth_l1_loss with beta below 0": (RuntimeError, lambda: ops.smooth_l1_loss(X, Y, -1.0)),
    "SmoothL1Loss of a word": (TypeError, lambda: nn.SmoothL1Loss("a")),
    "huber_loss with delta 0": (ValueError, lambda: ops.huber_loss(X, Y, "mean", 0.0)),
    "binary_cross_entropy of other shapes": (ValueError, lambda: ops.binary_cross_entropy(X, Y[0])),
    "binary_cross_entropy of a number": (TypeError, lambda: ops.binary_cross_entropy(X, 3)),
    "kl_div of an unknown reduction": (ValueError, lambda: ops.kl_div(X, Y, "avg")),
    "scores that are integers": (TypeError, lambda: ops.cross_entropy(KINDS, Tensor(1))),
    "a class beyond": (RuntimeError, lambda: ops.cross_entropy(X, Tensor([0, 7]))),
    "too few classes": (ValueError, lambda: ops.cross_entropy(X, Tensor([0]))),
    "class numbers with an axis": (
        TypeError, lambda: nn.CrossEntropyLoss()(X, KINDS.reshape(2, 1))),
    "labels as a list": (TypeError, lambda: nn.CrossEntropyLoss()(X, [2, 0])),
    "shares of another shape": (ValueError, lambda: nn.CrossEntropyLoss()(X, Y[:, :1])),
    "Bool for classes": (TypeError, lambda: ops.cross_entropy(X, Y > 0)),
    "weights of classes that are integers": (TypeError, lambda: nn.CrossEntropyLoss(KINDS)),
    "weights of NLL that are integers": (TypeError, lambda: nn.NLLLoss(KINDS)),
    "scores with one axis more": (ValueError, lambda: nn.CrossEntropyLoss()(X[None], KINDS)),
    "a weight that is a number": (TypeError, lambda: nn.CrossEntropyLoss(3)),
    "an ignored half": (TypeError, lambda: nn.CrossEntropyLoss(None, 1.5)),
    "smoothing of 2": (TypeError, lambda: nn.CrossEntropyLoss(label_smoothing=2)),
    "smoothing of 2.0": (ValueError, lambda: nn.CrossEntropyLoss(label_smoothing=2.0)),
    "sparse 3": (TypeError, lambda: nn.SoftmaxCrossEntropyWithLogits(3)),
    "shares that are not sparse": (
        TypeError, lambda: nn.SoftmaxCrossEntropyWithLogits(True)(X, Y)),
    "classes that are not shares": (
        TypeError, lambda: nn.SoftmaxCrossEntropyWithLogits()(X, KINDS)),
    "a margin beyond": (ValueError, lambda: ops.cosine_embedding_loss(X, Y, KINDS, 2.0)),
    "a margin that is a word": (TypeError, lambda: ops.margin_ranking_loss(X, Y, Y, "a")),
    "p that is a word": (TypeError, lambda: ops.triplet_margin_loss(X, Y, Y, p="a")),
    "p 3": (ValueError, lambda: ops.multi_margin_loss(X, KINDS, 3)),
    "soft margins of other shapes": (ValueError, lambda: ops.soft_margin_loss(X, Y[0])),
    "eps below 0": (ValueError, lambda: ops.gaussian_nll_loss(X, Y, Y, eps=-1.0)),
    "smooth below 0": (ValueError, lambda: nn.DiceLoss(-1.0)),
    "dice of other shapes": (ValueError, lambda: nn.DiceLoss()(X, Y[0])),
    "gamma that is a word": (TypeError, lambda: nn.FocalLoss(None, "a")),
    "focal labels without an axis": (ValueError, lambda: nn.FocalLoss()(X, KINDS)),
    "nothing to clip by": (ValueError, lambda: ops.clip_by_value(X)),
    "a norm below 0": (ValueError, lambda: ops.clip_by_global_norm((X, Y), -1.0)),
    "a norm that is a word": (TypeError, lambda: ops.clip_by_global_norm((X, Y), "a")),
    "a norm that is given": (
        ValueError, lambda: ops.clip_by_global_norm((X, Y), 1.0, use_norm=Tensor(1.0))),
    "a norm that is not finite": (
        RuntimeError, lambda: ops.clip_by_norm(X / 0, 1.0, error_if_nonfinite=True)),
    "an axis that is a word": (TypeError, lambda: nn.ClipByNorm("a")),
    "ClipByNorm by a number": (TypeError, lambda: nn.ClipByNorm()(X, 1.0)),
    "inplace": (ValueError, lambda: mint.nn.functional.elu(X, inplace=True)),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_refused(name):
    kind, action = BAD[name]
    with pytest.raises(kind):
        action()
