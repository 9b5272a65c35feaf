"""Cells around a network: loss, gradients, one step of training; the same in both modes."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, nn, ops

X, Y = Tensor(np.float32([[1.0, 2.0]])), Tensor(np.float32([[0.0]]))


class Descent(nn.Cell):
    """An optimizer as small as can be."""

    def __init__(self, parameters, rate):
        super().__init__(auto_prefix=False)
        self.parameters, self.rate = ms.ParameterTuple(parameters), rate

    def construct(self, gradients):
        for parameter, gradient in zip(self.parameters, gradients):  # noqa: B905
            ops.assign(parameter, parameter - self.rate * gradient)
        return True


def ones():
    return nn.Dense(2, 1, weight_init="ones", bias_init="zeros")


@pytest.mark.parametrize("make", [Descent, nn.SGD], ids=["own", "SGD"])
def test_one_step(make, mode):  # N30
    net = ones()
    step = nn.TrainOneStepCell(
        nn.WithLossCell(net, nn.MSELoss()), make(net.trainable_params(), 0.1)
    )
    assert float(step(X, Y)) == 9
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.4, -0.2]], 1e-6)
    np.testing.assert_allclose(net.bias.asnumpy(), [-0.6], 1e-6)
    assert float(step(X, Y)) == pytest.approx(0.36, rel=1e-5)


def test_sens_multiplies_the_gradients(mode):
    net = ones()
    step = nn.TrainOneStepCell(
        nn.WithLossCell(net, nn.MSELoss()), Descent(net.get_parameters(), 0.1), 2.0
    )
    assert float(step(X, Y)) == 9
    np.testing.assert_allclose(net.weight.asnumpy(), [[-0.2, -1.4]], 1e-6)


def test_gradients_by_name(mode):
    net = ones()
    step = nn.TrainOneStepCell(
        nn.WithLossCell(net, nn.MSELoss()), Descent(net.get_parameters(), 0.1), return_grad=True
    )
    loss, gradients = step(X, Y)
    assert float(loss) == 9 and list(gradients) == ["weight", "bias"]
    assert gradients["weight"].asnumpy().tolist() == [[6, 12]]


def test_names_of_parameters_stay():
    net = nn.SequentialCell(nn.Dense(2, 1))
    nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), Descent(net.get_parameters(), 0.1))
    assert [p.name for p in net.get_parameters()] == ["0.weight", "0.bias"]


def test_the_network_inside():
    net = ones()
    assert nn.WithLossCell(net, nn.MSELoss()).backbone_network is net


def test_evaluation(mode):
    loss, outputs, label = nn.WithEvalCell(ones(), nn.MSELoss())(X, Y)
    assert (float(loss), outputs.asnumpy().tolist(), label.asnumpy().tolist()) == (9, [[3]], [[0]])
    half = ones().to_float(ms.float16)
    loss, outputs, _ = nn.WithEvalCell(half, nn.MSELoss(), add_cast_fp32=True)(X, Y)
    assert outputs.dtype == loss.dtype == ms.float32


def test_gradients_of_weights(mode):
    net = ones()
    found = nn.WithGradCell(net, nn.MSELoss())(X, Y)
    assert [g.asnumpy().tolist() for g in found] == [[[6, 12]], [6]]
    found = nn.WithGradCell(net, sens=Tensor([[2.0]]))(X)
    assert [g.asnumpy().tolist() for g in found] == [[[2, 4]], [2]]


def test_value_and_gradients(mode):
    net = ones()
    with_loss, weights = nn.WithLossCell(net, nn.MSELoss()), net.trainable_params()
    value, dx = nn.ForwardValueAndGrad(with_loss)(X, Y)
    assert (float(value), dx.asnumpy().tolist()) == (9, [[6, 6]])
    _, (dx, dy) = nn.ForwardValueAndGrad(with_loss, get_all=True)(X, Y)
    assert (dx.asnumpy().tolist(), dy.asnumpy().tolist()) == ([[6, 6]], [[-6]])
    _, (dw, db) = nn.ForwardValueAndGrad(with_loss, weights, get_by_list=True)(X, Y)
    assert (dw.asnumpy().tolist(), db.asnumpy().tolist()) == ([[6, 12]], [6])
    _, (inputs, of_weights) = nn.ForwardValueAndGrad(with_loss, weights, True, True)(X, Y)
    assert (len(inputs), len(of_weights)) == (2, 2)
    _, dx = nn.ForwardValueAndGrad(net, sens_param=True)(X, Tensor([[3.0]]))
    assert dx.asnumpy().tolist() == [[3, 3]]


MANAGERS = {
    "grows": (lambda: nn.DynamicLossScaleUpdateCell(1024, 2, 2), [1024, 2048, 1024, 1024]),
    "stays": (lambda: nn.FixedLossScaleUpdateCell(64), [64, 64, 64, 64]),
    "given": (lambda: Tensor(16.0), [16, 16, 16, 16]),
}


@pytest.mark.parametrize("name", MANAGERS)
def test_loss_scale(name, mode):
    """The third batch overflows: its step is left out, and a scale that moves is halved."""
    make, after = MANAGERS[name]
    net = ones()
    step = nn.TrainOneStepWithLossScaleCell(
        nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1), make()
    )
    scales = []
    for number in range(4):
        before, x = net.weight.asnumpy().copy(), X / 0 if number == 2 else X
        _, overflow, scale = step(x, Y)
        assert bool(overflow) == (number == 2)
        assert (net.weight.asnumpy() == before).all() == (number == 2)
        assert float(scale) == ([after[0], *after])[number]
        scales.append(float(step.scale_sense))
    assert scales == after


def test_another_scale():
    net = ones()
    step = nn.TrainOneStepWithLossScaleCell(
        nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1), Tensor([8.0])
    )
    step.set_sense_scale(Tensor([32.0]))
    assert step.scale_sense.asnumpy().tolist() == [32]


class Checked(nn.TrainOneStepWithLossScaleCell):
    """A step as MindSpore's tutorials write it by hand."""

    def construct(self, *inputs):
        loss = self.network(*inputs)
        status, scale = self.start_overflow_check(loss, self.scale_sense)
        gradients = ms.grad(self.network, None, self.weights)(*inputs)
        overflow = self.process_loss_scale(self.get_overflow_status(status, gradients))
        if not overflow:
            self.optimizer(gradients)
        return loss, overflow, scale


def test_a_step_of_ones_own(mode):
    net = ones()
    step = Checked(
        nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1),
        nn.DynamicLossScaleUpdateCell(16.0, 2, 10),
    )  # fmt: skip
    loss, overflow, _ = step(X, Y)
    assert float(loss) == 9 and not bool(overflow)
    np.testing.assert_allclose(net.bias.asnumpy(), [-0.6], 1e-6)


NET = ones()
BAD = {
    "sens 0": (ValueError, lambda: nn.TrainOneStepCell(NET, Descent(NET.get_parameters(), 1), 0)),
    "a scale of two numbers": (ValueError, lambda: scaled(Tensor([1.0, 2.0]))),
    "a scale that is a number": (TypeError, lambda: scaled(2.0)),
    "another scale that is a number": (
        TypeError, lambda: scaled(Tensor(2.0)).set_sense_scale(3.0)),
    "a network that is a number": (TypeError, lambda: nn.ForwardValueAndGrad(3)),
    "get_all 3": (TypeError, lambda: nn.ForwardValueAndGrad(NET, get_all=3)),
    "get_by_list without weights": (
        TypeError, lambda: nn.ForwardValueAndGrad(NET, get_by_list=True)),
    "add_cast_fp32 3": (TypeError, lambda: nn.WithEvalCell(NET, nn.MSELoss(), 3)),
}  # fmt: skip


def scaled(scale):
    optimizer = nn.SGD([Parameter(Tensor([1.0]), name="w")], 0.1)
    return nn.TrainOneStepWithLossScaleCell(NET, optimizer, scale)


@pytest.mark.parametrize("name", BAD)
def test_refused(name):
    kind, action = BAD[name]
    with pytest.raises(kind):
        action()
