"""Dropout: masks that are drawn once a run, scaled gradients, being trained or not."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, nn, ops

ONES = Tensor(np.ones(2000, np.float32))


def test_it_drops_while_it_is_trained(mode):
    drop = nn.Dropout(p=0.25)
    assert (drop(ONES).asnumpy() == 1).all()
    out = drop.set_train()(ONES).asnumpy()
    assert np.allclose(np.unique(out), [0, 4 / 3])
    assert 0.7 < (out > 0).mean() < 0.8
    assert (drop.set_train(False)(ONES).asnumpy() == 1).all()


def test_each_call_draws_a_mask_and_its_gradient_has_the_same(mode):
    drop = nn.Dropout(p=0.5).set_train()
    first, second = drop(ONES).asnumpy(), drop(ONES).asnumpy()
    assert (first != second).any()
    out, dx = ms.value_and_grad(drop)(ONES)
    assert (out.asnumpy() == dx.asnumpy()).all()
    assert 0 < (dx.asnumpy() == 2).sum() < 2000


def test_a_seed_begins_the_masks_anew(mode):
    drop = nn.Dropout(p=0.5).set_train()
    ms.set_seed(3)
    masks = [drop(ONES).asnumpy() for _ in range(2)]
    ms.set_seed(3)
    for mask in masks:
        assert (drop(ONES).asnumpy() == mask).all()


def test_eager_and_compiled_draws_agree():
    def f(x):
        return ops.dropout(x, 0.5)

    ms.set_seed(5)
    eager = f(ONES).asnumpy()
    ms.set_seed(5)
    assert (ms.jit(f)(ONES).asnumpy() == eager).all()


def test_each_place_of_a_graph_draws_for_itself():
    f = ms.jit(lambda x: (ops.dropout(x), ops.dropout(x)))
    one, other = f(ONES)
    assert (one.asnumpy() != other.asnumpy()).any()


@pytest.mark.parametrize("by_tensor", [False, True], ids=["range", "while"])
def test_each_turn_of_a_loop_draws_and_the_way_back_meets_the_same_masks(by_tensor):
    def f(x, n):
        if by_tensor:
            while n > 0:
                x = ops.dropout(x, 0.2)
                n = n - 1
        else:
            for _ in range(4):
                x = ops.dropout(x, 0.2)
        return x

    compiled = ms.jit(f)
    for g in (ms.value_and_grad(compiled), ms.jit(ms.value_and_grad(f))):
        out, dx = g(ONES, Tensor(4))
        assert np.allclose(out.asnumpy(), dx.asnumpy(), rtol=1e-5)
        assert 0.35 < (dx.asnumpy() > 0).mean() < 0.47  # 0.8 to the fourth: four masks


def test_second_derivatives_meet_the_same_mask(mode):
    drop = nn.Dropout(p=0.5).set_train()
    x = Tensor(np.full(50, 3.0, np.float32))
    second = ms.grad(ms.grad(lambda x: drop(x) ** 3))(x).asnumpy()
    assert set(np.unique(second)) == {0.0, 6 * 2 * 4 * 3.0}


def test_random_numbers_of_a_graph_differ_from_run_to_run():
    f = ms.jit(lambda x: x + ops.randn(3))
    one, other = f(Tensor([0.0, 0.0, 0.0])).asnumpy(), f(Tensor([0.0, 0.0, 0.0])).asnumpy()
    assert (one != other).all()
    fixed = ms.jit(lambda x: x + ops.rand(3, seed=4))
    zeros = Tensor([0.0, 0.0, 0.0])
    assert (fixed(zeros).asnumpy() == fixed(zeros).asnumpy()).all()


def test_the_draw_is_an_input_of_the_graph():
    graph = ms.jit(lambda x: ops.dropout(x)).graph(ONES)
    assert [str(p.abstract) for p in graph.parameters] == ["f32[2000]", "i64[2]"]


def test_set_train_goes_to_the_cells_inside(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.drop = nn.Dropout(p=0.5)

        def construct(self, x):
            return self.drop(x), self.training

    net = Net()
    assert [net(ONES)[1], net.set_train()(ONES)[1]] == [False, True]
    assert (net(ONES)[0].asnumpy() == 0).any()
    net.drop.set_train(False)
    assert (net(ONES)[0].asnumpy() == 1).all() and net(ONES)[1] is True
    net.drop.training = True
    assert (net(ONES)[0].asnumpy() == 0).any()


def test_a_cell_is_compiled_once_for_each_way_of_training():
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = nn.SequentialCell(nn.Dense(3, 3), nn.Dropout(p=0.5))
        x = Tensor(np.ones((2, 3), np.float32))
        for _ in range(3):
            net.set_train()(x)
            net.set_train(False)(x)
        assert sorted(f.compiled for f in net._ways.values()) == [1, 1]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_the_older_primitive_gives_the_mask(mode):
    out, mask = ops.Dropout(keep_prob=0.5)(ONES)
    assert (out.asnumpy() == 2 * mask.asnumpy()).all() and mask.dtype is ms.float32
    fixed = ops.Dropout(0.5, 1, 2)
    assert (fixed(ONES)[0].asnumpy() == fixed(ONES)[0].asnumpy()).all()


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16, ms.float32, ms.float64])
def test_dtypes(dtype):
    assert ops.dropout(ONES.astype(dtype)).dtype is dtype


@pytest.mark.parametrize(
    "call, kind, text",
    [
        (lambda: ops.dropout(Tensor([1, 2])), TypeError, "but got Tensor.Int64."),
        (lambda: ops.dropout(3.0), TypeError, "must be a Tensor, but got float"),
        (lambda: ops.dropout(ONES, "a"), TypeError, "the 'p' must be a number, but got str"),
        (lambda: ops.dropout(ONES, 1.0), RuntimeError, "must be in .0.0, 1.0., but got 0"),
        (lambda: ops.dropout(ONES, 1.5), RuntimeError, "must be in .0.0, 1.0., but got -0.5"),
        (
            lambda: ops.dropout(ONES, training=3),
            TypeError,
            "'training' must be a bool, but got int",
        ),
        (lambda: ops.dropout(ONES, seed="a"), TypeError, "'seed' must be int, but got 'str'"),
        (lambda: ops.Dropout("a")(ONES), TypeError, "must be a number, but got str"),
    ],
)
def test_what_is_refused(call, kind, text):
    with pytest.raises(kind, match=text):
        call()


@pytest.mark.parametrize("capture", ["trace", "bytecode"])
def test_masks_are_drawn_where_a_function_is_run_on_symbols(capture):
    f = ms.jit(lambda x: ops.dropout(x), capture_mode=capture)
    assert (f(ONES).asnumpy() != f(ONES).asnumpy()).any()
    out, dx = ms.value_and_grad(f)(ONES)
    assert (out.asnumpy() == dx.asnumpy()).all()


def test_what_a_traced_mask_is_may_be_asked():
    def f(x):
        dropped = ops.dropout(x)
        return x * float((dropped > 0).sum())

    found = float(ms.jit(f, capture_mode="trace")(Tensor(np.ones(100, np.float32)))[0])
    assert 20 < found < 80
