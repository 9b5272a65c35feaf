"""Embeddings, dropout of channels, Linear, and layers that arrange elements: values, gradients."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, mint, nn, ops

RNG = np.random.default_rng(0)


def gradient_of_table(layer, ids):
    """What the sum of the rows gives each row of the table."""

    def loss(ids):
        return layer(ids).sum()

    (found,) = ms.grad(loss, None, tuple(layer.get_parameters()))(ids)
    return found.asnumpy()[:, 0].tolist()


IDS = Tensor(np.array([[1, 3], [1, 0]], np.int32))


def test_gradients_of_embeddings(mode):
    assert gradient_of_table(nn.Embedding(4, 2), IDS) == [1, 2, 0, 1]
    assert gradient_of_table(nn.Embedding(4, 2, padding_idx=1), IDS) == [1, 2, 0, 1]
    assert gradient_of_table(nn.Embedding(4, 2, True), IDS) == [1, 2, 0, 1]
    assert gradient_of_table(mint.nn.Embedding(4, 2, padding_idx=1), IDS) == [1, 0, 0, 1]
    assert gradient_of_table(mint.nn.Embedding(4, 2, padding_idx=-1), IDS) == [1, 2, 0, 0]
    scaled = mint.nn.Embedding(4, 2, scale_grad_by_freq=True)
    assert gradient_of_table(scaled, IDS) == [1, 1, 0, 1]


def test_rows_by_one_hot_are_the_rows(mode):
    table = Tensor(RNG.normal(size=(4, 3)).astype(np.float32))
    one, two = (nn.Embedding(4, 3, hot, table)(IDS).asnumpy() for hot in (False, True))
    assert (one == two).all() and (one == table.asnumpy()[IDS.asnumpy()]).all()


def test_rows_that_are_too_long(mode):
    table = np.array([[3.0, 4.0], [0.3, 0.4], [6.0, 8.0]], np.float32)
    weight = ms.Parameter(Tensor(table), name="w")

    def rows(ids):
        return ops.embedding(ids, weight, max_norm=1.0)

    found = rows(Tensor([0, 1])).asnumpy()
    np.testing.assert_allclose(found, [[0.6, 0.8], [0.3, 0.4]], rtol=1e-5)
    np.testing.assert_allclose(weight.asnumpy(), [[0.6, 0.8], [0.3, 0.4], [6, 8]], rtol=1e-5)
    ids = Tensor([[0, 1], [2, 0]])
    lookup = nn.EmbeddingLookup(3, 2, Tensor(table), max_norm=1.0)
    expected = table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1)
    np.testing.assert_allclose(lookup(ids).asnumpy(), expected[ids.asnumpy()], rtol=1e-6)
    assert lookup.embedding_table.asnumpy().max() == 8


def test_a_frozen_table():
    layer = mint.nn.Embedding(2, 1, _weight=Tensor([[1.0], [2.0]]), _freeze=True)
    assert not layer.trainable_params() and layer(Tensor([1])).asnumpy() == [[2]]


def test_bidense_is_a_form_of_two_rows(mode):
    x, y, w = (RNG.normal(size=s) for s in ((2, 5, 3), (2, 5, 4), (6, 3, 4)))
    b = RNG.normal(size=6)
    found = ops.bidense(Tensor(x), Tensor(y), Tensor(w), Tensor(b)).asnumpy()
    np.testing.assert_allclose(found, np.einsum("bti,oij,btj->bto", x, w, y) + b, atol=1e-12)


CHANNELS = [(ops.dropout1d, (40, 20, 3), 1), (ops.dropout1d, (400, 3), 1),
            (ops.dropout2d, (40, 20, 2, 3), 2), (ops.dropout3d, (40, 20, 2, 1, 3), 3)]  # fmt: skip


@pytest.mark.parametrize(("drop", "shape", "inside"), CHANNELS)
def test_channels_are_dropped_together(drop, shape, inside, mode):
    x = Tensor(RNG.normal(size=shape).astype(np.float32))

    def f(x):
        return drop(x, 0.25)

    out, dx = (ms.jit(ms.value_and_grad(f)) if mode == "graph" else ms.value_and_grad(f))(x)
    scale = out.asnumpy() / x.asnumpy()
    flat = scale.reshape(*shape[:-inside], -1)
    assert (np.abs(flat - flat[..., :1]) < 1e-6).all()
    assert set(np.unique(flat.round(4))) == {0.0, np.float32(1.3333)}
    assert 0.65 < (flat[..., 0] > 0).mean() < 0.85
    np.testing.assert_allclose(dx.asnumpy(), scale, rtol=1e-5)


@pytest.mark.parametrize(
    ("layer", "shape"),
    [(nn.Dropout1d, (6, 4, 2)), (nn.Dropout2d, (6, 4, 2, 2)), (nn.Dropout3d, (6, 4, 2, 2, 2)),
     (mint.nn.Dropout, (60,)), (mint.nn.Dropout2d, (6, 4, 2, 2))],
)  # fmt: skip
def test_layers_drop_only_in_training(layer, shape, mode):
    drop, x = layer(0.5), ops.ones(shape)
    assert (drop(x).asnumpy() == 1).all()
    drop.set_train()
    one, two = drop(x).asnumpy(), drop(x).asnumpy()
    assert set(np.unique(one)) == {0, 2} and (one != two).any()


def test_nothing_of_a_dropped_whole_is_left(mode):
    assert not ops.dropout2d(ops.ones((1, 2, 2, 2)), 1.0).asnumpy().any()
    assert (ops.dropout2d(ops.ones((1, 2, 2, 2)), 0.0).asnumpy() == 1).all()
    assert ops.dropout3d(ops.ones((0, 2, 1, 1, 1)), 0.5).shape == (0, 2, 1, 1, 1)


X = RNG.normal(size=(3, 4)).astype(np.float32)
ARRANGING = [
    (nn.Flatten(), X[None], X.reshape(1, 12)),
    (nn.Flatten(0), X, X.reshape(12)),
    (nn.Flatten(0, 1), X[..., None], X.reshape(12, 1)),
    (nn.Unflatten(1, (2, 2)), X, X.reshape(3, 2, 2)),
    (nn.Unflatten(-1, [4, 1]), X, X.reshape(3, 4, 1)),
    (nn.Tril(), X, np.tril(X)),
    (nn.Triu(), X, np.triu(X)),
    (nn.Roll(1, 0), X, np.roll(X, 1, 0)),
    (nn.Roll((5, -1), (-1, 0)), X, np.roll(X, (5, -1), (-1, 0))),
    (nn.Roll(0, 0), X[:1], X[:1]),
    (nn.Norm(), X, np.linalg.norm(X)),
    (nn.Norm(1, True), X, np.linalg.norm(X, axis=1, keepdims=True)),
    (nn.L1Regularizer(0.3), X, 0.3 * np.abs(X).sum()),
    (nn.Identity(7), X, X),
]


@pytest.mark.parametrize(("layer", "x", "expected"), ARRANGING)
def test_layers_that_arrange(layer, x, expected, mode):
    np.testing.assert_allclose(layer(Tensor(x)).asnumpy(), expected, rtol=2e-6)
    gradient = ms.grad(lambda x: (layer(x) * 2).sum())(Tensor(x)).asnumpy()
    assert gradient.shape == x.shape and np.isfinite(gradient).all()


def test_one_hot(mode):
    assert nn.OneHot(depth=3)(Tensor([0, 2])).asnumpy().tolist() == [[1, 0, 0], [0, 0, 1]]
    off = nn.OneHot(0, 2, 5, -1, ms.int32)(Tensor([1]))
    assert off.dtype == ms.int32 and off.asnumpy().tolist() == [[-1], [5]]


def test_linear_of_mint_is_dense_under_other_names(mode):
    layer = mint.nn.Linear(3, 2, bias=False, weight_init="ones")
    assert layer(ops.ones((4, 1, 3))).asnumpy().tolist() == [[[3, 3]]] * 4
    assert repr(layer) == "Linear(input_features=3, output_features=2)"
    assert nn.Dense(1, 1, activation=ops.ReLU()).activation(Tensor([-1.0])).asnumpy() == [0]


@pytest.mark.parametrize(
    "call",
    [
        lambda: ops.embedding(Tensor([0]), ops.ones((2, 1)), padding_idx=2),
        lambda: ops.bidense(ops.ones((1, 3)), ops.ones((1, 2)), ops.ones((1, 2, 2))),
        lambda: mint.nn.Embedding(2, 1, _weight=ops.ones((1, 2))),
        lambda: mint.nn.Embedding(2, 1, sparse=True),
        lambda: mint.nn.Dropout(0.5, inplace=True),
        lambda: nn.EmbeddingLookup(2, 1, target="GPU"),
    ],
)
def test_what_is_refused(call):
    with pytest.raises(ValueError):
        call()
