"""mint's functions of windows against PyTorch's recorded answers, and its layers' options."""

import json

import numpy as np
import pytest
from mint_vision_cases import CASES, inputs, weight
from record_mint_vision import KEPT

import ms_ext as ms
from ms_ext import Tensor, mint, ops

RECORDED = json.loads(KEPT.read_text())


def close(tensors, recorded, what):
    tensors = tensors if isinstance(tensors, tuple) else (tensors,)
    for got, (shape, numbers) in zip(tensors, recorded, strict=True):
        assert list(got.shape) == shape, what
        want = np.reshape(numbers, shape)
        np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-7, atol=1e-8, err_msg=what)


@pytest.mark.parametrize("name", CASES)
def test_values_and_two_orders_of_gradients(name):
    text, _, shapes = CASES[name]
    xs = [Tensor(x) for x in inputs(shapes)]
    places = tuple(range(len(xs)))

    def call(*xs):
        return eval(text, {"mint": mint}, dict(zip("xw", xs, strict=False)))

    def total(*xs):
        out = call(*xs)
        y = out[0] if isinstance(out, tuple) else out
        return (y * y * Tensor(weight(y.shape))).sum()

    def slope(*xs):
        first = ms.grad(total, places)(*xs)
        first = first if isinstance(first, tuple) else (first,)
        return sum((g * Tensor(weight(g.shape))).sum() for g in first)

    close(call(*xs), RECORDED[name]["out"], name)
    close(ms.grad(total, places)(*xs), RECORDED[name]["first"], name)
    close(ms.grad(slope, places)(*xs), RECORDED[name]["second"], name)


LAYERS = {
    "Conv2d": (lambda: mint.nn.Conv2d(2, 4, 3, padding=1), (1, 2, 5, 5), ["weight", "bias"]),
    "Conv1d": (lambda: mint.nn.Conv1d(2, 4, 3, padding="same", bias=False), (1, 2, 5), ["weight"]),
    "Conv3d": (lambda: mint.nn.Conv3d(2, 4, 2), (1, 2, 3, 3, 3), ["weight", "bias"]),
    "circular": (
        lambda: mint.nn.Conv2d(2, 4, 3, padding=(1, 2), padding_mode="circular"),
        (1, 2, 5, 5), ["weight", "bias"],
    ),
    "ConvTranspose2d": (
        lambda: mint.nn.ConvTranspose2d(2, 4, 3, 2, 1, 1), (1, 2, 5, 5), ["weight", "bias"],
    ),
    "BatchNorm2d": (
        lambda: mint.nn.BatchNorm2d(2).set_train(), (3, 2, 5, 5),
        ["weight", "bias", "running_mean", "running_var", "num_batches_tracked"],
    ),
    "GroupNorm": (lambda: mint.nn.GroupNorm(1, 2), (3, 2, 5), ["weight", "bias"]),
    "LayerNorm": (lambda: mint.nn.LayerNorm((2, 5), bias=False), (3, 2, 5), ["weight"]),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYERS)
def test_layers_give_the_same_in_both_modes(name):
    make, shape, names = LAYERS[name]
    ms.set_seed(3)
    net = make()
    assert [p.name for p in net.get_parameters()] == names
    x = Tensor(np.random.default_rng(0).uniform(-1, 1, shape).astype(np.float32))
    weights = net.trainable_params()
    step = ms.value_and_grad(lambda x: (net(x) ** 2).sum(), 0, weights)
    eager = step(x)
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        graph = step(x)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    flat = lambda found: [found[0], found[1][0], *found[1][1]]  # noqa: E731
    for one, other in zip(flat(eager), flat(graph), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=2e-5, atol=1e-5)


@pytest.mark.parametrize(
    "call",
    [
        lambda: mint.nn.Conv2d(3, 4, 3, groups=2),
        lambda: mint.nn.Conv2d(2, 4, 3, stride=2, padding="same"),
        lambda: mint.nn.Conv2d(2, 4, 3, padding_mode="mirror"),
        lambda: mint.nn.Conv2d(2, 4, 3)(ops.ones((2, 5))),
        lambda: mint.nn.ConvTranspose2d(2, 4, 3, 2, output_padding=2)(ops.ones((1, 2, 5, 5))),
        lambda: mint.nn.MaxPool2d(2, padding=2)(ops.ones((1, 2, 5, 5))),
        lambda: mint.nn.BatchNorm1d(2)(ops.ones((1, 2, 5, 5))),
        lambda: mint.nn.LayerNorm(()),
        lambda: mint.nn.functional.batch_norm(ops.ones((3, 2)), None, None),
    ],
)
def test_what_is_refused(call):
    with pytest.raises(ValueError):
        call()
