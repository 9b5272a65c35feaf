"""Mixed precision: which Cells calculate in half floats, and loss scales; in both modes."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, amp, nn, ops
from ms_ext.engine.errors import MsExtWarning

X = Tensor(np.float32([[1.0, 2.0], [3.0, 5.0]]))


def network():
    ms.set_seed(1)
    return nn.SequentialCell(nn.Dense(2, 3), nn.LayerNorm((3,)), nn.ReLU(), nn.Dense(3, 1))


class Kinds(nn.Cell):
    """The dtypes that the layers of a network calculate in, written down as it runs."""

    def __init__(self, net):
        super().__init__(auto_prefix=False)
        self.net, self.seen = net, []
        for layer in net:
            layer.register_forward_hook(lambda cell, args, out: self.seen.append(str(out.dtype)))

    def construct(self, x):
        return self.net(x)


H, S = "Float16", "Float32"
LEVELS = {"O0": [S, S, S, S, S], "O1": [H, S, S, H, S], "O2": [H, S, H, H, S],
          "O3": [H, H, H, H, S], "auto": [H, S, S, H, H]}  # fmt: skip


@pytest.mark.parametrize("level", LEVELS)
def test_levels(level):
    net = amp.auto_mixed_precision(network(), level)
    kinds = Kinds(net)
    out = str(kinds(X).dtype)
    assert [*kinds.seen, out] == LEVELS[level]
    assert all(p.dtype == ms.float32 for p in net.get_parameters())


@pytest.mark.parametrize("level", LEVELS)
def test_both_modes_calculate_the_same(level):
    found = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        net = amp.auto_mixed_precision(network(), level)
        loss = nn.WithLossCell(net, nn.MSELoss())
        weights = net.trainable_params()
        found.append(nn.ForwardValueAndGrad(loss, weights, get_by_list=True)(X, ops.ones((2, 1))))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    (value, gradients), (other, others) = found
    assert value.dtype == other.dtype
    assert all(g.dtype == ms.float32 for g in (*gradients, *others))
    np.testing.assert_allclose(value.asnumpy(), other.asnumpy(), 1e-3)
    for one, another in zip(gradients, others, strict=True):
        np.testing.assert_allclose(one.asnumpy(), another.asnumpy(), 1e-2, 2e-3)


def test_results_are_rounded_once(mode):
    layer = nn.Dense(2, 3).to_float(ms.float16)
    half = [p.asnumpy().astype(np.float16) for p in (layer.weight, layer.bias)]
    x = X.asnumpy().astype(np.float16)
    want = (x.astype(np.float32) @ half[0].astype(np.float32).T).astype(np.float16) + half[1]
    np.testing.assert_array_equal(layer(X).asnumpy(), want)


def test_to_float_reaches_the_cells_inside(mode):
    net = network().to_float(ms.bfloat16)
    net[1].to_float(ms.float32)
    assert net(X).dtype == ms.bfloat16
    assert net[1](X[:, :1] * ops.ones((1, 3), ms.float16)).dtype == ms.float32


def test_integers_and_bools_are_left(mode):
    class Picks(nn.Cell):
        def construct(self, x, ids, flag):
            return ops.where(flag, ops.gather(x, ids, 0), 0.0), ids

    out, ids = Picks().to_float(ms.float16)(X, Tensor([1, 0]), Tensor([True, False]))
    assert (out.dtype, ids.dtype) == (ms.float16, ms.int64)


def test_a_parameter_that_is_written_to_keeps_its_dtype(mode):
    class Counts(nn.Cell):
        def __init__(self):
            super().__init__()
            self.sum = ms.Parameter(Tensor([0.0, 0.0]), name="sum")

        def construct(self, x):
            ops.assign(self.sum, self.sum + x.sum(0))
            return x * self.sum

    net = Counts().to_float(ms.float16)
    assert net(X).dtype == ms.float16
    assert net.sum.dtype == ms.float32 and net.sum.asnumpy().tolist() == [4, 7]


def test_hooks_see_the_cast_inputs():
    seen = []
    layer = nn.Dense(2, 1).to_float(ms.float16)
    layer.register_forward_pre_hook(lambda cell, args: seen.append(args[0].dtype))
    layer(X)
    assert seen == [ms.float16]


def test_an_error_inside_leaves_nothing_behind():
    class Fails(nn.Cell):
        def construct(self, x):
            raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        Fails().to_float(ms.float16)(X)
    assert nn.Dense(2, 1)(X).dtype == ms.float32


def test_lists():
    assert nn.Dense in amp.get_white_list() and nn.LayerNorm in amp.get_black_list()
    amp.get_white_list().clear()
    assert amp.get_white_list()
    net = amp.custom_mixed_precision(network(), white_list=[nn.ReLU])
    kinds = Kinds(net)
    assert kinds(X).dtype == ms.float32 and kinds.seen == [S, S, H, S]
    kinds = Kinds(amp.custom_mixed_precision(network(), black_list=[nn.Dense]))
    assert kinds(X).dtype == ms.float32 and kinds.seen == [S, H, H, S]


def test_a_second_level_is_told_of():
    net = amp.auto_mixed_precision(network(), "O2")
    with pytest.warns(MsExtWarning, match="adjusted from O2 to O3"):
        amp.auto_mixed_precision(net, "O3")


# scalers ------------------------------------------------------------------------------------------


def test_a_scale_falls_and_grows():  # N31
    scaler = amp.DynamicLossScaler(16, 2, 1)
    assert scaler.adjust(Tensor(False)) and float(scaler.scale_value) == 8
    assert scaler.adjust(Tensor(True)) and float(scaler.scale_value) == 16
    scaler = amp.DynamicLossScaler(1, 2, 3)
    scaler.adjust(Tensor(False))
    assert float(scaler.scale_value) == 1
    scales = []
    for good in (True, True, True, True, False, True):
        scaler.adjust(Tensor(good))
        scales.append((float(scaler.scale_value), int(scaler.counter)))
    assert scales == [(1, 1), (1, 2), (2, 0), (2, 1), (1, 0), (1, 1)]


def test_scaling_and_back():
    for scaler in (amp.StaticLossScaler(8), amp.DynamicLossScaler(8, 2, 10)):
        assert float(scaler.scale(Tensor(3.0))) == 24
        half, wide = scaler.unscale((Tensor([4.0]).astype(ms.float16), Tensor([8.0])))
        assert (half.dtype, float(half[0]), float(wide[0])) == (ms.float16, 0.5, 1)
    assert amp.StaticLossScaler(8).adjust(Tensor(False)) is False


def test_all_finite():
    assert bool(amp.all_finite((X, X)))
    assert not bool(amp.all_finite((X, X / 0)))
    assert not bool(amp.all_finite(X * float("nan")))


def test_managers():
    manager = amp.DynamicLossScaleManager(16, 2, 2)
    scales = []
    for overflow in (True, False, False, False, True):
        manager.update_loss_scale(overflow)
        scales.append(manager.get_loss_scale())
    assert scales == [8, 8, 16, 16, 8]
    fixed = amp.FixedLossScaleManager(128.0, drop_overflow_update=False)
    assert fixed.get_update_cell() is None and fixed.get_loss_scale() == 128
    assert isinstance(manager.get_update_cell(), nn.DynamicLossScaleUpdateCell)


# training -----------------------------------------------------------------------------------------


def blobs():
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, 3, 96)
    centres = np.float32([[2, 0], [-2, 1], [0, -2]])
    return Tensor(np.float32(centres[kinds] + rng.normal(size=(96, 2)) * 0.4)), Tensor(
        np.int32(kinds)
    )


def classifier():
    ms.set_seed(0)
    return nn.SequentialCell(nn.Dense(2, 16), nn.ReLU(), nn.Dense(16, 3))


def test_training_in_float16(mode):
    """A training step as a function: scale, gradients, unscale, update where all is finite."""
    x, kinds = blobs()
    net = amp.auto_mixed_precision(classifier(), "O3")
    loss_fn, scaler = nn.CrossEntropyLoss(), amp.DynamicLossScaler(2.0**10, 2, 5)
    optimizer = nn.SGD(net.trainable_params(), learning_rate=0.5)

    def forward(x, kinds):
        loss = loss_fn(net(x), kinds)
        return scaler.scale(loss), loss

    gradient = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)

    @ms.jit
    def step(x, kinds):
        (_, loss), gradients = gradient(x, kinds)
        gradients = scaler.unscale(gradients)
        finite = amp.all_finite(gradients)
        if finite:
            optimizer(gradients)
        scaler.adjust(finite)
        return loss

    losses = [float(step(x, kinds)) for _ in range(30)]
    assert losses[0] > 0.9 and losses[-1] < 0.05
    right = net(x).asnumpy().argmax(1) == kinds.asnumpy()
    assert right.mean() > 0.97 and float(scaler.scale_value) > 2**10


@pytest.mark.parametrize("level", ["O0", "O2", "O3"])
def test_build_train_network(level, mode):
    x, kinds = blobs()
    net = classifier()
    optimizer = nn.SGD(net.trainable_params(), learning_rate=0.5)
    step = amp.build_train_network(net, optimizer, nn.CrossEntropyLoss(), level=level)
    found = [step(x, kinds) for _ in range(40)]
    losses = [float(each[0] if isinstance(each, tuple) else each) for each in found]
    assert isinstance(found[0], tuple) == (level == "O2") and step.training
    assert losses[-1] < 0.1 < losses[0]


def test_parts_of_a_level_are_replaced():
    net = network()
    optimizer = nn.SGD(net.trainable_params(), learning_rate=0.1)
    step = amp.build_train_network(
        net, optimizer, nn.MSELoss(), "O2", keep_batchnorm_fp32=False, loss_scale_manager=None
    )
    kinds = Kinds(net)
    step(X, ops.ones((2, 1)))
    assert isinstance(step, nn.TrainOneStepCell) and kinds.seen[:4] == [H, H, H, H]


BAD = {
    "a level": (ValueError, lambda: amp.auto_mixed_precision(network(), "O4")),
    "a dtype": (ValueError, lambda: amp.auto_mixed_precision(network(), "O2", ms.float32)),
    "no Cell": (TypeError, lambda: amp.auto_mixed_precision(print, "O2")),
    "to_float of integers": (ValueError, lambda: network().to_float(ms.int32)),
    "no list": (ValueError, lambda: amp.custom_mixed_precision(network())),
    "two lists": (
        ValueError, lambda: amp.custom_mixed_precision(network(), white_list=[], black_list=[])),
    "a tuple": (TypeError, lambda: amp.custom_mixed_precision(network(), white_list=(nn.Dense,))),
    "a list of names": (
        TypeError, lambda: amp.custom_mixed_precision(network(), white_list=["Dense"])),
    "a scale below 1": (ValueError, lambda: amp.StaticLossScaler(0.5)),
    "a scale that is a word": (TypeError, lambda: amp.StaticLossScaler("a")),
    "a window of 0": (ValueError, lambda: amp.DynamicLossScaler(2, 2, 0)),
    "half a window": (TypeError, lambda: amp.DynamicLossScaler(2, 2, 0.5)),
    "a manager's scale below 1": (ValueError, lambda: amp.FixedLossScaleManager(0.5)),
    "a manager's factor 0": (ValueError, lambda: amp.DynamicLossScaleManager(2, 0)),
    "an optimizer": (TypeError, lambda: amp.build_train_network(network(), print)),
    "a level of training": (ValueError, lambda: trained(level="O4")),
    "a level that is a number": (TypeError, lambda: trained(level=2)),
    "an option": (ValueError, lambda: trained(keep_batch_norm=True)),
    "a model type": (TypeError, lambda: trained(cast_model_type=ms.int32)),
    "a manager": (TypeError, lambda: trained(loss_scale_manager=3)),
}  # fmt: skip


def trained(**options):
    net = network()
    return amp.build_train_network(
        net, nn.SGD(net.trainable_params(), 0.1), nn.MSELoss(), **options
    )


@pytest.mark.parametrize("name", BAD)
def test_refused(name):
    kind, action = BAD[name]
    with pytest.raises(kind):
        action()
