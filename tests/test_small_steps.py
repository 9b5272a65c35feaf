"""Small programs whose answers are known by heart, in both modes: gradients, hooks, and training.

The numbers are what MindSpore gives on a CPU; N17, N18, ... as in test_small_answers.py.
"""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, nn, ops

pytestmark = pytest.mark.usefixtures("mode")

X, Y = Tensor([2.0]), Tensor([3.0])


def values(tree):
    """Tensors as lists, in the tuples that they stand in."""
    if isinstance(tree, tuple):
        return tuple(map(values, tree))
    return tree.asnumpy().tolist() if isinstance(tree, Tensor) else tree


def answered(f, *inputs, mode):
    return values((ms.jit(f) if mode == "graph" else f)(*inputs))


def weighed(**options):
    """value_and_grad of (sum(w x), w x) or, without has_aux, of sum(w x), for x and for w."""
    w = Parameter(Tensor([2.0, 3.0]), name="w")

    def loss(x):
        return (w * x).sum()

    def loss_and_parts(x):
        parts = w * x
        return parts.sum(), parts

    asked = loss_and_parts if options.get("has_aux") else loss
    return ms.value_and_grad(asked, 0, [w], **options)


def test_value_and_gradients(mode):  # N17
    x = Tensor([1.0, 4.0])
    found = answered(weighed(has_aux=True), x, mode=mode)
    assert found == ((14, [2, 12]), ([2, 3], ([1, 4],)))
    found = answered(weighed(return_ids=True), x, mode=mode)
    assert found == (14, ((0, [2, 3]), (("w", [1, 4]),)))


def test_gradients_of_several_results_are_summed(mode):  # N18
    x = Tensor([1.0, 2.0])
    assert answered(ms.grad(lambda x: (2 * x, x * x)), x, mode=mode) == [4, 6]
    assert answered(ms.grad(lambda x: x * x), x, mode=mode) == [2, 4]


class Product(nn.Cell):
    def construct(self, x, y):
        return x * y


class Told(Product):
    def bprop(self, x, y, out, dout):
        return dout * 100, out


class ToldHalf(Product):
    def bprop(self, x, y, out, dout):
        return (dout,)


def test_a_gradient_of_ones_own(mode):  # N24
    assert answered(ms.grad(Told(), (0, 1)), X, Y, mode=mode) == ([100], [6])


FEW = {
    "eager": "Grad size should lager than forward inputs, but got 1 vs 2",
    "graph": "The output size of the 'bprop' must match the number of parameters .*: 1 vs. 2",
}


def test_half_a_gradient_of_ones_own(mode):  # N25
    with pytest.raises(RuntimeError, match=FEW[mode]):
        ms.grad(ToldHalf(), (0, 1))(X, Y)


def before(cell, inputs):
    print("pre")
    return (inputs[0] + 1,)


def behind(cell, inputs, output):
    print("fwd")
    return output * 10


def before_backward(cell, dout):
    print("bwd_pre")


def behind_backward(cell, dx, dout):
    print("bwd", int(dx[0].asnumpy()[0]), int(dout[0].asnumpy()[0]))


class Doubled(nn.Cell):
    def construct(self, x):
        print("construct")
        return x * 2


def test_hooks_of_a_cell(mode, capsys):  # N26
    net = Doubled()
    net.register_forward_pre_hook(before)
    net.register_forward_hook(behind)
    net.register_backward_pre_hook(before_backward)
    net.register_backward_hook(behind_backward)
    assert values(ms.value_and_grad(net)(Tensor([1.0]))) == ([40], [20])
    told = capsys.readouterr().out.split()
    forward, backward = ["pre", "construct", "fwd"], ["bwd_pre", "bwd", "20", "1"]
    # In MindSpore's graph mode, too, what backward hooks print comes first.
    assert told == (forward + backward if mode == "eager" else backward + forward)


def test_a_hook_of_a_parameter(mode, capsys):  # N27
    p = Parameter(Tensor([2.0]), name="p")

    def five_times(gradient):
        print(gradient.asnumpy())
        return gradient * 5

    p.register_hook(five_times)
    assert answered(ms.grad(lambda x: p * x, None, [p]), X, mode=mode) == ([10],)
    assert capsys.readouterr().out == "[2.]\n"


def test_a_line_is_fitted_by_adam():  # N29
    x = np.random.RandomState(0).randn(32, 3).astype(np.float32)
    y = (x @ np.float32([1.0, -2.0, 0.5]) + np.float32(0.3))[:, None]
    net = nn.Dense(3, 1, weight_init="zeros", bias_init="zeros")
    optimizer = nn.Adam(net.trainable_params(), learning_rate=0.1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    losses = [float(step(Tensor(x), Tensor(y))) for _ in range(50)]
    wanted = [4.721589, 0.976038, 0.006897]
    assert [losses[0], losses[10], losses[49]] == pytest.approx(wanted, abs=2e-6)
    assert net.weight.asnumpy()[0] == pytest.approx([1.028689, -2.067533, 0.505508], abs=5e-6)
    assert net.bias.asnumpy() == pytest.approx([0.306794], abs=5e-6)


def test_gradients_are_made_no_longer_than_one(mode):  # N31
    clipped = answered(lambda *g: ops.clip_by_global_norm(g, 1.0), Y, Tensor([4.0]), mode=mode)
    assert clipped == (pytest.approx([0.6]), pytest.approx([0.8]))
