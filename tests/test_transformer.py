"""Attention and transformers: the formula in float64, and masks (values: test_recurrent)."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, nn, ops


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def reference(net, q, k, v, hidden):
    """Head after head, place after place, in float64; ``hidden``: [batch, length, count]."""
    names = {n: p.asnumpy() for n, p in net.parameters_dict().items()}
    weights = np.split(names["in_proj_weight"], 3)
    biases = np.split(names["in_proj_bias"], 3)
    q, k, v = (x @ w.T + b for x, w, b in zip((q, k, v), weights, biases, strict=True))
    size = net.head_dim
    found, seen = np.zeros_like(q), np.zeros((net.num_heads, q.shape[1], len(q), len(k)))
    for n in range(q.shape[1]):
        for head in range(net.num_heads):
            part = slice(head * size, (head + 1) * size)
            scores = q[:, n, part] @ k[:, n, part].T / np.sqrt(size)
            seen[head, n] = softmax(np.where(hidden[n], -np.inf, scores))
            found[:, n, part] = seen[head, n] @ v[:, n, part]
    return found @ names["out_proj.weight"].T + names["out_proj.bias"], seen.mean(0)


@pytest.fixture
def drawn():
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(3, 2, 6)), rng.normal(size=(4, 2, 6))
    mask = rng.random((3, 4)) < 0.3
    mask[:, 0] = False
    padding = np.array([[False] * 4, [False, False, True, True]])
    return q, k, mask, padding


def test_the_formula_in_float64(drawn):
    q, k, mask, padding = drawn
    net = nn.MultiheadAttention(6, 3, dtype=ms.float64)
    out, seen = net(
        Tensor(q), Tensor(k), Tensor(k), key_padding_mask=Tensor(padding), attn_mask=Tensor(mask)
    )
    expected, weights = reference(net, q, k, k, mask[None] | padding[:, None])
    np.testing.assert_allclose(out.asnumpy(), expected, atol=1e-13)
    np.testing.assert_allclose(seen.asnumpy(), weights, atol=1e-13)


def test_masks_of_two_kinds_hide_alike(drawn):
    q, k, mask, padding = drawn
    net = nn.MultiheadAttention(6, 3, dtype=ms.float64)
    as_numbers = np.where(mask, -np.inf, 0)
    found = [
        net(Tensor(q), Tensor(k), Tensor(k), key_padding_mask=Tensor(p), attn_mask=Tensor(m))[0]
        for m in (mask, as_numbers)
        for p in (padding, np.where(padding, -np.inf, 0))
    ]
    for each in found[1:]:
        np.testing.assert_allclose(each.asnumpy(), found[0].asnumpy(), atol=1e-14)


def test_gradients_are_slopes(drawn):
    q, k, mask, _ = drawn
    net = nn.TransformerDecoderLayer(6, 3, 8, 0.0, dtype=ms.float64)
    own = np.triu(np.ones((3, 3)), 1) == 1

    def loss(q):
        out = net(q, Tensor(k), tgt_mask=Tensor(own), memory_mask=Tensor(mask))
        return (out * Tensor(k[:3] + 1)).sum()

    step = np.random.default_rng(4).normal(size=q.shape)
    slope = (float(loss(Tensor(q + 1e-5 * step))) - float(loss(Tensor(q - 1e-5 * step)))) / 2e-5
    found = ms.grad(loss)(Tensor(q)).asnumpy()
    assert (found * step).sum() == pytest.approx(slope, rel=1e-6)


def test_what_is_hidden_changes_nothing(drawn):
    q, k, _, padding = drawn
    net = nn.TransformerDecoder(nn.TransformerDecoderLayer(6, 3, 8, 0.0), 2)
    q, k = q.astype(np.float32), k.astype(np.float32)
    other = np.where(padding.T[..., None], 9, k).astype(np.float32)
    one, two = (
        net(Tensor(q), Tensor(m), memory_key_padding_mask=Tensor(padding)).asnumpy()
        for m in (k, other)
    )
    assert (one == two).all() and not (net(Tensor(q), Tensor(other)).asnumpy() == one).all()


def test_layers_of_an_encoder_begin_with_the_same_numbers_and_go_their_ways():
    net = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 6), 2)
    one, two = net.layers[0].dense1.weight, net.layers[1].dense1.weight
    assert (one.asnumpy() == two.asnumpy()).all() and one is not two
    one.set_data(ops.zeros((6, 4)))
    assert two.asnumpy().any()


def test_dropout_only_in_training():
    net, x = nn.Transformer(4, 2, 1, 1, 6, dropout=0.3), ops.ones((3, 2, 4))
    assert (net(x, x).asnumpy() == net(x, x).asnumpy()).all()
    net.set_train()
    assert (net(x, x).asnumpy() != net(x, x).asnumpy()).any()


def test_a_transformer_under_jit_learns():
    """Copying a sequence of two letters: the loss of a small decoder falls."""
    ms.set_seed(3)
    layer = nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True)
    net = nn.SequentialCell(nn.Embedding(5, 8), nn.TransformerEncoder(layer, 1), nn.Dense(8, 5))
    ids = Tensor(np.random.default_rng(0).integers(0, 5, (4, 6)).astype(np.int32))
    optimizer = nn.Adam(net.trainable_params(), 0.02)

    @ms.jit
    def loss(ids):
        return ops.cross_entropy(net(ids).reshape((-1, 5)), ids.reshape((-1,)))

    step = ms.value_and_grad(loss, None, optimizer.parameters)
    losses = []
    for _ in range(25):
        value, gradients = step(ids)
        optimizer(gradients)
        losses.append(float(value))
    assert losses[-1] < losses[0] / 4
