"""RNN, LSTM, GRU: the formulas in float64, MindSpore's values, both modes, gradients."""

import json

import layer_cases
import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, nn

RECORDED = json.loads(layer_cases.GOLDEN.read_text())


def close(name, found):
    """Results and gradients are those recorded."""
    recorded = RECORDED[name]
    for part in ("results", "inputs"):
        assert len(recorded[part]) == len(found[part])
        for one, other in zip(recorded[part], found[part], strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-6)
    assert list(recorded["weights"]) == list(found["weights"])
    for key, (shape, value) in recorded["weights"].items():
        assert found["weights"][key][0] == shape
        assert found["weights"][key][1] == pytest.approx(value, rel=2e-5, abs=2e-5)


@pytest.mark.parametrize("name", layer_cases.CASES)
def test_it_is_as_mindspore(name):
    close(name, layer_cases.answered(ms, name))


SLOW = {"RNN deep lengths", "GRU deep lengths", "GRU deep", "RNN deep", "transformer", "decoder"}
IN_GRAPHS = [
    pytest.param(name, marks=[pytest.mark.long] if name in SLOW else []) for name in RECORDED
]


@pytest.mark.parametrize("name", IN_GRAPHS)
def test_graph_mode_gives_the_same(name):
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        close(name, layer_cases.answered(ms, name))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def one_step(kind, x, state, w_ih, w_hh, b_ih, b_hh):
    """The formulas of the documentation, gate by gate, in float64."""
    a, b = x @ w_ih.T + b_ih, state[0] @ w_hh.T + b_hh
    if kind == "RNN":
        return (np.tanh(a + b),)
    if kind == "LSTM":
        enter, forget, new, show = np.split(a + b, 4, 1)
        c = sigmoid(forget) * state[1] + sigmoid(enter) * np.tanh(new)
        return sigmoid(show) * np.tanh(c), c
    (ar, az, an), (br, bz, bn) = np.split(a, 3, 1), np.split(b, 3, 1)
    update, new = sigmoid(az + bz), np.tanh(an + sigmoid(ar + br) * bn)
    return ((1 - update) * new + update * state[0],)


def one_direction(kind, x, lengths, weights, hidden):
    """Each sequence of the batch alone, to its length."""
    time, batch, _ = x.shape
    outputs, parts = np.zeros((time, batch, hidden)), 2 if kind == "LSTM" else 1
    ends = np.zeros((parts, batch, hidden))
    for n in range(batch):
        state = (np.zeros((1, hidden)),) * parts
        for t in range(lengths[n]):
            state = one_step(kind, x[t, n : n + 1], state, *weights)
            outputs[t, n] = state[0]
        ends[:, n] = np.concatenate(state)
    return outputs, ends


def turned(x, lengths):
    """Each sequence from its end to its beginning."""
    x = x.copy()
    for n, length in enumerate(lengths):
        x[:length, n] = x[:length, n][::-1]
    return x


def reference(kind, net, x, lengths):
    """Two directions, layer after layer."""
    named = {n: p.asnumpy() for n, p in net.parameters_dict().items()}
    ends = []
    for layer in range(net.num_layers):
        sides = []
        for end in ("", "_reverse") if net.bidirectional else ("",):
            words = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
            weights = [named[f"{word}_l{layer}{end}"] for word in words]
            seen = turned(x, lengths) if end else x
            outputs, last = one_direction(kind, seen, lengths, weights, net.hidden_size)
            sides.append(turned(outputs, lengths) if end else outputs)
            ends.append(last)
        x = np.concatenate(sides, 2)
    return x, np.stack(ends, 1)


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_the_formulas_in_float64(kind, bidirectional):
    net = getattr(nn, kind)(3, 4, 2, bidirectional=bidirectional, dtype=ms.float64)
    rng = np.random.default_rng(0)
    x, lengths = rng.normal(size=(5, 3, 3)), [5, 1, 3]
    for given, of in ((lengths, Tensor(lengths)), ([5] * 3, None)):
        outputs, end = net(Tensor(x), None, of)
        expected, last = reference(kind, net, x, given)
        np.testing.assert_allclose(outputs.asnumpy(), expected, atol=1e-13)
        found = [part.asnumpy() for part in (end if kind == "LSTM" else (end,))]
        np.testing.assert_allclose(found, last, atol=1e-13)


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
def test_gradients_are_slopes(kind):
    net = getattr(nn, kind)(2, 3, 2, bidirectional=True, dtype=ms.float64)
    rng = np.random.default_rng(1)
    x, lengths = rng.normal(size=(3, 2, 2)), Tensor([3, 2])
    weights = tuple(net.get_parameters())
    direction = [rng.normal(size=w.shape) for w in weights]

    def loss(x):
        outputs, end = net(x, None, lengths)
        return (outputs**2).sum() + (end[1] if kind == "LSTM" else end).sum()

    dx, dw = ms.grad(loss, 0, weights)(Tensor(x))
    step = rng.normal(size=x.shape)
    ahead, behind = (float(loss(Tensor(x + s * 1e-5 * step))) for s in (1, -1))
    assert (dx.asnumpy() * step).sum() == pytest.approx((ahead - behind) / 2e-5, rel=1e-6)
    along = sum((g.asnumpy() * d).sum() for g, d in zip(dw, direction, strict=True))
    sides = []
    for sign in (1, -2):
        for weight, d in zip(weights, direction, strict=True):
            weight.set_data(Tensor(weight.asnumpy() + sign * 1e-5 * d))
        sides.append(float(loss(Tensor(x))))
    assert along == pytest.approx((sides[0] - sides[1]) / 2e-5, rel=1e-6)


def test_dropout_is_between_layers_and_only_in_training():
    x = Tensor(np.ones((3, 2, 2), np.float32))
    net = nn.GRU(2, 4, 2, dropout=0.5)
    still = net(x)[0].asnumpy()
    assert (net(x)[0].asnumpy() == still).all()
    net.set_train()
    assert (net(x)[0].asnumpy() != net(x)[0].asnumpy()).any()
    with pytest.warns(UserWarning, match="there is one"):
        one = nn.GRU(2, 4, 1, dropout=0.5).set_train()
    assert (one(x)[0].asnumpy() == one(x)[0].asnumpy()).all()


def test_half_precision_stays():
    x = Tensor(np.ones((3, 2, 2)), ms.float16)
    outputs, (h, c) = nn.LSTM(2, 4)(x)
    assert {outputs.dtype, h.dtype, c.dtype} == {ms.float16}


def test_a_cell_step_by_step_is_the_layer():
    net, cell = nn.LSTM(2, 3), nn.LSTMCell(2, 3)
    for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
        getattr(cell, name).set_data(getattr(net, f"{name}_l0"))
    x = Tensor(np.random.default_rng(2).normal(size=(4, 2, 2)).astype(np.float32))
    outputs, _ = net(x)
    state = (Tensor(np.zeros((2, 3), np.float32)),) * 2
    for t in range(4):
        state = cell(x[t], state)
        np.testing.assert_allclose(outputs[t].asnumpy(), state[0].asnumpy(), atol=1e-6)


def test_a_long_sequence_is_one_graph():
    net = nn.GRU(4, 8)
    x = Tensor(np.random.default_rng(3).normal(size=(60, 2, 4)).astype(np.float32))
    eager = net(x)[0].asnumpy()
    np.testing.assert_allclose(ms.jit(net)(x)[0].asnumpy(), eager, atol=1e-6)
    products = [n for n in ms.jit(net).graph(x).order() if n.primitive.name.startswith("MatMul")]
    assert len(products) == 61  # the inputs of all steps are multiplied at once
