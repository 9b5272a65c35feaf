"""Convolutions against direct loops in float64: drawn windows, dtypes, both modes, both engines."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, mint, nn, ops


def direct(x, w, stride, dilation, pads, groups):
    """A convolution of any number of axes by its definition: a loop over outputs."""
    axes = x.ndim - 2
    x = np.pad(x, ((0, 0), (0, 0), *pads))
    spans = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dilation, strict=True)]
    out = [(n - s) // t + 1 for n, s, t in zip(x.shape[2:], spans, stride, strict=True)]
    y, per = np.zeros((x.shape[0], w.shape[0], *out)), w.shape[0] // groups
    for place in np.ndindex(*out):
        starts = [p * t for p, t in zip(place, stride, strict=True)]
        part = (slice(s, s + n, d) for s, n, d in zip(starts, spans, dilation, strict=True))
        window = x[(slice(None), slice(None), *part)]
        for o in range(w.shape[0]):
            first = o // per * w.shape[1]
            seen = window[:, first : first + w.shape[1]] * w[o]
            y[(slice(None), o, *place)] = seen.sum(tuple(range(1, axes + 2)))
    return y


def same_pads(size, span, stride):
    total = max((-(-size // stride) - 1) * stride + span - size, 0)
    return total // 2, total - total // 2


def drawn(rng, axes):
    """(x, w, attributes of the op, padding per axis) of one convolution."""
    kernel = rng.integers(1, 4, axes)
    stride, dilation = rng.integers(1, 4, axes), rng.integers(1, 3, axes)
    spans = (kernel - 1) * dilation + 1
    sizes = np.where(rng.random(axes) < 0.2, spans, spans + rng.integers(0, 5, axes))
    groups, inner, outer, batch = rng.integers(1, 4, 4)
    mode = ("valid", "same", "pad")[rng.integers(3)]
    pads = [(0, 0)] * axes
    if mode == "same":
        pads = [same_pads(*line) for line in zip(sizes, spans, stride, strict=True)]
    if mode == "pad":
        pads = [tuple(map(int, rng.integers(0, 4, 2))) for _ in range(axes)]
    x = rng.uniform(-2, 2, (batch, groups * inner, *sizes))
    w = rng.uniform(-2, 2, (groups * outer, inner, *kernel))
    how = {
        "out_channel": w.shape[0], "kernel_size": w.shape[2:], "pad_mode": mode,
        "stride": tuple(map(int, stride)), "dilation": tuple(map(int, dilation)),
        "group": int(groups), "pad": tuple(n for p in pads for n in p) if mode == "pad" else 0,
    }  # fmt: skip
    return x, w, how, pads


def primitive(axes):
    return ops.Conv2D if axes == 2 else ops.Conv3D


@pytest.mark.parametrize("seed", range(40))
def test_drawn_convolutions(seed):
    rng = np.random.default_rng(seed)
    axes = 2 + seed % 2
    x, w, how, pads = drawn(rng, axes)
    got = primitive(axes)(Tensor(x), Tensor(w), **how)
    want = direct(x, w, how["stride"], how["dilation"], pads, how["group"])
    np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_drawn_gradients_are_the_transposed_products(seed):
    """<conv(x, w), dy> = <x, dx> = <w, dw>: what linear maps and their transposes promise."""
    rng = np.random.default_rng(1000 + seed)
    x, w, how, _ = drawn(rng, 2)
    x, w = Tensor(x), Tensor(w)
    y = ops.Conv2D(x, w, **how)
    dy = Tensor(rng.uniform(-1, 1, y.shape))
    dx = ops.Conv2DBackpropInput(dy, w, input_size=x.shape, **how)
    dw = ops.Conv2DBackpropFilter(dy, x, filter_size=w.shape, **how)
    total = float((y * dy).sum())
    assert float((x * dx).sum()) == pytest.approx(total, rel=1e-9, abs=1e-9)
    assert float((w * dw).sum()) == pytest.approx(total, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("bytes_at_a_time", [1, 1000, 20000])
def test_blocks_do_not_change_the_result(bytes_at_a_time, monkeypatch):
    from ms_ext.ops import columns

    rng = np.random.default_rng(5)
    x, w = rng.uniform(-1, 1, (5, 4, 9, 7)), rng.uniform(-1, 1, (6, 2, 3, 2))
    how = {"out_channel": 6, "kernel_size": (3, 2), "stride": (2, 1), "group": 2}

    def answers():
        f = ms.value_and_grad(lambda x, w: (ops.Conv2D(x, w, **how) ** 2).sum(), (0, 1))
        value, grads = f(Tensor(x), Tensor(w))
        return [value.asnumpy(), *(g.asnumpy() for g in grads)]

    want = answers()
    monkeypatch.setattr(columns, "BLOCK", bytes_at_a_time)
    for got, expected in zip(answers(), want, strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "dtype, tolerance",
    [(ms.float16, 2e-3), (ms.bfloat16, 2e-2), (ms.float32, 1e-5), (ms.float64, 1e-12)],
)
@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "graph"])
def test_dtypes(dtype, tolerance, compiled):
    rng = np.random.default_rng(6)
    x, w = rng.uniform(-1, 1, (2, 3, 6, 5)), rng.uniform(-1, 1, (4, 3, 3, 3))
    x, w = Tensor(x).astype(dtype), Tensor(w).astype(dtype)

    def f(x, w):
        return ops.conv2d(x, w, stride=2, pad_mode="same")

    got = (ms.jit(f) if compiled else f)(x, w)
    exact = f(x.astype(ms.float64), w.astype(ms.float64))
    assert got.dtype is dtype
    difference = np.abs(got.astype(ms.float64).asnumpy() - exact.asnumpy()).max()
    assert difference <= tolerance * np.abs(exact.asnumpy()).max()
    grads = ms.grad(lambda x, w: f(x, w).sum(), (0, 1))(x, w)
    assert [g.dtype for g in grads] == [dtype, dtype]


def test_no_samples_and_single_elements():
    w = ops.ones((4, 3, 3, 3))
    assert ops.conv2d(ops.ones((0, 3, 5, 5)), w).shape == (0, 4, 3, 3)
    grads = ms.grad(lambda x, w: ops.conv2d(x, w).sum(), (0, 1))(ops.ones((0, 3, 5, 5)), w)
    assert [g.shape for g in grads] == [(0, 3, 5, 5), (4, 3, 3, 3)]
    assert ops.conv2d(ops.ones((1, 3, 1, 1)), ops.ones((2, 3, 1, 1))).asnumpy().tolist() == [
        [[[3.0]], [[3.0]]]
    ]


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["eager", "graph"])
def test_ones_over_sixteen_numbers(mode):
    """N11: stride 2 with each way of padding; no bias unless asked for."""
    x = Tensor(np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4))
    ms.set_context(mode=mode)
    try:
        for how, want in (
            ({}, [[45, 39], [66, 50]]),
            ({"pad_mode": "valid"}, [[45]]),
            ({"pad_mode": "pad", "padding": 1}, [[10, 24], [51, 90]]),
        ):
            layer = nn.Conv2d(1, 1, 3, 2, weight_init="ones", **how)
            assert layer(x).asnumpy()[0, 0].tolist() == want
            assert [p.name for p in layer.get_parameters()] == ["weight"]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_a_filter_alone_costs_no_gradient_of_the_input(monkeypatch):
    """A first layer's data has no gradient: nothing is calculated for it."""
    asked = []
    from ms_ext.ops import convolution_rules

    known = convolution_rules.input_gradient
    monkeypatch.setattr(
        convolution_rules, "input_gradient", lambda *given: asked.append(1) or known(*given)
    )
    x, w = ops.ones((1, 1, 4, 4)), ops.ones((1, 1, 3, 3))
    ms.grad(lambda x, w: ops.conv2d(x, w).sum(), 1)(x, w)
    assert asked == []
    ms.grad(lambda x, w: ops.conv2d(x, w).sum(), 0)(x, w)
    assert asked == [1]


def test_mint_takes_one_sample_without_its_batch():
    x, w = ops.ones((2, 5, 5)), ops.ones((3, 2, 3, 3))
    whole = mint.nn.functional.conv2d(x.expand_dims(0), w, padding="same")
    alone = mint.nn.functional.conv2d(x, w, padding="same")
    assert alone.shape == (3, 5, 5) and (whole[0] == alone).asnumpy().all()


def test_the_first_weights_are_spread_by_the_inputs_of_a_window():
    ms.set_seed(1)
    layer = nn.Conv2d(8, 64, 3, has_bias=True)
    bound = 1 / np.sqrt(8 * 9)
    weight, bias = layer.weight.asnumpy(), layer.bias.asnumpy()
    for numbers in (weight, bias):
        assert np.abs(numbers).max() <= bound
    assert weight.std() == pytest.approx(bound / np.sqrt(3), rel=0.05)
