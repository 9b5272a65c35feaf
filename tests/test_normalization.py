"""Batch, group and instance normalization: float64 references, and what moving statistics do."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, mint, nn, ops

ROWS = np.array([[1, 2, 3], [4, 8, 6]], np.float32)


def normalized(x, axes, eps=1e-5):
    x = np.asarray(x, np.float64)
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)


def test_moving_statistics_of_one_batch(mode):
    """N13: not being trained unless told; 0.1 of the new, and of the variance the unbiased one."""
    layer = nn.BatchNorm1d(3)
    x = Tensor(ROWS)
    np.testing.assert_allclose(layer(x).asnumpy(), ROWS / np.sqrt(1 + 1e-5), rtol=1e-6)
    assert layer.moving_mean.asnumpy().tolist() == [0, 0, 0]
    layer.set_train()
    np.testing.assert_allclose(layer(x).asnumpy(), normalized(ROWS, 0), rtol=1e-5)
    np.testing.assert_allclose(layer.moving_mean.asnumpy(), [0.25, 0.5, 0.45], rtol=1e-6)
    np.testing.assert_allclose(layer.moving_variance.asnumpy(), [1.35, 2.7, 1.35], rtol=1e-6)
    layer.set_train(False)
    mean, variance = np.array([0.25, 0.5, 0.45]), np.array([1.35, 2.7, 1.35])
    want = (ROWS - mean) / np.sqrt(variance + 1e-5)
    for _ in range(2):
        np.testing.assert_allclose(layer(x).asnumpy(), want, rtol=1e-5)
    np.testing.assert_allclose(layer.moving_mean.asnumpy(), mean, rtol=1e-6)


@pytest.mark.parametrize("known", [True, False])
def test_use_batch_statistics_decides_alone(mode, known):
    layer = nn.BatchNorm1d(3, use_batch_statistics=known)
    for train in (False, True):
        layer.set_train(train)
        out = layer(Tensor(ROWS)).asnumpy()
        assert np.allclose(out, normalized(ROWS, 0), rtol=1e-4) is known
    assert (layer.moving_mean.asnumpy() != 0).all() == known


def test_statistics_move_once_a_step_where_gradients_are_taken(mode):
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3, weight_init=0.1), nn.BatchNorm2d(2)).set_train()
    norm = net[1]
    x = Tensor(np.arange(32, dtype=np.float32).reshape(2, 1, 4, 4))
    step = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
    mean = np.zeros(2)
    for _ in range(3):
        _, grads = step(x)
        batch = net[0](x).asnumpy().mean((0, 2, 3))
        mean = 0.9 * mean + 0.1 * batch
        np.testing.assert_allclose(norm.moving_mean.asnumpy(), mean, rtol=1e-5)
    assert [p.name for p in net.trainable_params()] == ["0.weight", "1.gamma", "1.beta"]
    assert [g.shape for g in grads] == [(2, 1, 3, 3), (2,), (2,)]


def test_names_and_what_is_learned():
    net = nn.CellList([nn.BatchNorm2d(2, affine=False)])
    found = {p.name: p.requires_grad for p in net.get_parameters()}
    names = ["0.moving_mean", "0.moving_variance", "0.gamma", "0.beta"]
    assert found == dict.fromkeys(names, False)
    assert [p.name for p in nn.BatchNorm1d(2).get_parameters()][:2] == ["mean", "variance"]


@pytest.mark.parametrize("shape", [(4, 3), (4, 3, 5), (4, 3, 1), (2, 3, 4, 5), (3, 3, 1, 1)])
def test_values_of_a_batch(shape, mode):
    x = np.random.default_rng(0).uniform(-3, 3, shape).astype(np.float32)
    kind = nn.BatchNorm1d if len(shape) < 4 else nn.BatchNorm2d
    layer = kind(3, gamma_init=2, beta_init=0.5).set_train()
    axes = (0, *range(2, len(shape)))
    want = 2 * normalized(x, axes) + 0.5
    np.testing.assert_allclose(layer(Tensor(x)).asnumpy(), want, rtol=1e-4, atol=1e-5)


def test_the_gradient_of_a_batchs_own_statistics_is_that_of_the_formula():
    """The primitive's gradient is what the ops of the formula give, to second order."""
    rng = np.random.default_rng(1)
    x, w = Tensor(rng.uniform(-2, 2, (3, 2, 2, 2))), Tensor(rng.uniform(-1, 1, (3, 2, 2, 2)))
    scale, bias = Tensor(rng.uniform(1, 2, 2)), Tensor(rng.uniform(1, 2, 2))
    ones = ops.ones((2,), ms.float64)

    def by_op(x):
        y = ops.BatchNorm(x, scale, bias, ones, ones, is_training=True, epsilon=0.1)[0]
        return (y * y * w).sum()

    def by_formula(x):
        centred = x - x.mean((0, 2, 3), True)
        variance = (centred * centred).mean((0, 2, 3), True)
        y = centred / ops.sqrt(variance + 0.1) * scale.reshape(1, 2, 1, 1)
        y = y + bias.reshape(1, 2, 1, 1)
        return (y * y * w).sum()

    for one, other in ((by_op, by_formula), (ms.grad(by_op), ms.grad(by_formula))):
        first = ms.grad(lambda x, f=one: (f(x) * w).sum())(x).asnumpy()
        second = ms.grad(lambda x, f=other: (f(x) * w).sum())(x).asnumpy()
        np.testing.assert_allclose(first, second, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_groups(groups, mode):
    x = np.random.default_rng(2).uniform(-3, 3, (2, 4, 3, 2)).astype(np.float32)
    want = normalized(x.reshape(2, groups, -1), 2).reshape(x.shape)
    got = nn.GroupNorm(groups, 4)(Tensor(x))
    np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-4, atol=1e-5)


def test_instances(mode):
    x = np.random.default_rng(3).uniform(-3, 3, (2, 4, 3, 2)).astype(np.float32)
    layer = nn.InstanceNorm2d(4).set_train()
    want = normalized(x, (2, 3))
    np.testing.assert_allclose(layer(Tensor(x)).asnumpy(), want, rtol=1e-4, atol=1e-5)
    mean = 0.1 * x.mean((2, 3)).mean(0)
    np.testing.assert_allclose(layer.moving_mean.asnumpy(), mean, rtol=1e-4, atol=1e-6)
    layer.set_train(False)(Tensor(x))
    np.testing.assert_allclose(layer.moving_mean.asnumpy(), mean, rtol=1e-4, atol=1e-6)


def test_root_mean_squares(mode):
    x = np.random.default_rng(4).uniform(-3, 3, (2, 4)).astype(np.float32)
    y, inverse = ops.rms_norm(Tensor(x), Tensor(np.full(4, 2, np.float32)))
    root = np.sqrt((x.astype(np.float64) ** 2).mean(1, keepdims=True) + 1e-6)
    np.testing.assert_allclose(y.asnumpy(), 2 * x / root, rtol=1e-5)
    np.testing.assert_allclose(inverse.asnumpy(), 1 / root, rtol=1e-5)


def test_half_floats_are_normalized_in_float32():
    x = (np.random.default_rng(5).uniform(-1, 1, (64, 2, 8, 8)) * 100).astype(np.float16)
    layer = nn.BatchNorm2d(2).set_train()
    got = layer(Tensor(x))
    assert got.dtype is ms.float16 and layer.moving_mean.dtype is ms.float32
    np.testing.assert_allclose(got.asnumpy(), normalized(x, (0, 2, 3)), atol=2e-3)


def test_mint_counts_its_batches(mode):
    layer = mint.nn.BatchNorm1d(3, momentum=None).set_train()
    for _ in range(3):
        layer(Tensor(ROWS))
    assert int(layer.num_batches_tracked) == 3
    np.testing.assert_allclose(layer.running_mean.asnumpy(), ROWS.mean(0), rtol=1e-6)
    np.testing.assert_allclose(layer.running_var.asnumpy(), ROWS.var(0, ddof=1), rtol=1e-6)
