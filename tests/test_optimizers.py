"""Optimizers: known steps, groups, one's own, float16, many Parameters, what is remembered.

What MindSpore gives for each of them is in conformance/programs_optimizers.py.
"""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import nn, ops
from ms_ext.engine import backends, events


def parameter(values, name="w", dtype=np.float32):
    return ms.Parameter(ms.Tensor(np.array(values, dtype)), name=name)


def steps(make, values, gradients):
    """The Parameter after each gradient, in both modes."""
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        try:
            own = parameter(values)
            optimizer, seen = make([own]), []
            for each in gradients:
                optimizer((ms.Tensor(np.array(each, np.float32)),))
                seen.append(own.asnumpy().copy())
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
        yield seen


ONES = ([1.0, 1.0],) * 3
THREE = ([1.0, 1.0], [1.0, -1.0], [0.5, 2.0])
KNOWN = {
    "SGD": (  # N05
        lambda p: nn.SGD(p, 0.1, momentum=0.9, weight_decay=0.1), ONES,
        [[0.89, 1.88], [0.6821, 1.6532], [0.388169, 1.332548]],
    ),
    "Momentum": (lambda p: nn.Momentum(p, 0.1, 0.9), ONES, [None, None, [0.439, 1.439]]),  # N06
    "Adam": (  # N07
        lambda p: nn.Adam(p, 0.1), THREE, [[0.9, 1.9], [0.8, 1.905263], [0.70582, 1.855439]],
    ),
    "AdamWeightDecay": (  # N08
        lambda p: nn.AdamWeightDecay(p, 0.1, weight_decay=0.1), THREE,
        [[0.67378, 1.66378], [0.24209, 1.669508], [-0.226544, 1.406173]],
    ),
    "Nesterov": (
        lambda p: nn.SGD(p, 0.1, momentum=0.9, nesterov=True), ONES, [None, None, [0.1951, 1.1951]],
    ),
    "Nesterov's Momentum": (
        lambda p: nn.Momentum(p, 0.1, 0.9, use_nesterov=True), ONES,
        [None, None, [0.1951, 1.1951]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_the_steps_are_known(name):
    make, gradients, wanted = KNOWN[name]
    for seen in steps(make, [1.0, 2.0], gradients):
        for step, want in zip(seen, wanted, strict=True):
            assert want is None or step == pytest.approx(want, abs=2e-6)


def test_a_group_has_its_rate_and_the_others_the_list(mode):  # N28
    a, b = parameter([1.0], "a"), parameter([1.0], "b")
    optimizer = nn.SGD([{"params": [a], "lr": 0.1}, {"params": [b]}], [0.5, 0.25, 0.125])
    for _ in range(2):
        optimizer((ms.Tensor([1.0]), ms.Tensor([1.0])))
    assert a.asnumpy() == pytest.approx([0.8]) and b.asnumpy() == pytest.approx([0.25])


@pytest.mark.parametrize(
    "name", ["SGD", "Adam", "AdamWeightDecay", "FTRL", "Lamb", "ASGD", "Rprop"]
)
@pytest.mark.parametrize("given", [iter, tuple, lambda own: (each for each in own)])
def test_parameters_come_in_any_form(name, given):
    """Also from a generator, which is read once."""
    own = [parameter([1.0], "a"), parameter([2.0], "b")]
    optimizer = getattr(nn, name)(given(own), learning_rate=0.1)
    optimizer((ms.Tensor([1.0]), ms.Tensor([1.0])))
    assert [each.name for each in optimizer.parameters] == ["a", "b"]
    assert own[0].asnumpy() < 1 and own[1].asnumpy() < 2 and not optimizer.is_group


def test_where_a_list_of_rates_ends_a_step_is_refused_and_nothing_moves():
    own = parameter([1.0])
    optimizer = nn.SGD([own], [0.5])
    optimizer((ms.Tensor([1.0]),))
    with pytest.raises(IndexError):
        optimizer((ms.Tensor([1.0]),))
    assert own.asnumpy() == [0.5]


def test_gradients_are_centralized_where_a_group_says_so():
    own = [parameter(np.zeros((2, 16)), "w"), parameter(np.zeros((2, 3)), "v")]
    nn.SGD([{"params": own, "grad_centralization": True}], 1.0)(
        (ms.Tensor(np.arange(32.0).reshape(2, 16), ms.float32), ops.ones((2, 3)))
    )
    assert own[0].asnumpy().sum(1) == pytest.approx([0.0, 0.0], abs=1e-5)
    assert (own[1].asnumpy() == -1).all()  # its second size is no multiple of 16


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_ones_own_optimizer(mode):
    class Signs(nn.Optimizer):
        def __init__(self, params, learning_rate):
            super().__init__(learning_rate, params)

        def construct(self, gradients):
            lr = self.get_lr()
            for i, each in enumerate(self.parameters):
                ops.assign(each, each - lr * ops.sign(gradients[i]))
            return True

    ms.set_context(mode=mode)
    try:
        own = parameter([1.0, 1.0])
        Signs([own], 0.25)((ms.Tensor([7.0, -3.0]),))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert own.asnumpy().tolist() == [0.75, 1.25]


@pytest.mark.parametrize("make", [nn.SGD, nn.Adam, nn.AdamWeightDecay, nn.RMSProp])
def test_half_precision_stays_half(make):
    own = parameter([1.0, 2.0], dtype=np.float16)
    optimizer = make([own], learning_rate=0.125)
    optimizer((ms.Tensor(np.array([1.0, 1.0], np.float16)),))
    assert own.dtype == ms.float16 and (own.asnumpy() < [1.0, 2.0]).all()


def test_a_rate_that_is_set_holds_from_the_next_step_and_nothing_is_compiled_again():
    own = parameter([1.0])
    optimizer = nn.SGD([own], 0.5)
    optimizer((ms.Tensor([1.0]),))
    with events.record() as seen:
        optimizer.learning_rate.set_data(ms.Tensor(0.25))
        optimizer((ms.Tensor([1.0]),))
    assert own.asnumpy() == [0.25]
    assert not [each for each in seen if each.kind == "compiled"]


def test_what_is_remembered_can_be_saved_and_given_back():
    """The Parameters of an optimizer are all of its memory."""
    gradients = [(ms.Tensor(np.array([g, -g], np.float32)),) for g in (1.0, 0.5, 2.0, -1.0)]
    whole, first, second = parameter([1.0, 2.0]), parameter([1.0, 2.0]), parameter([1.0, 2.0])
    going, before, after = nn.Adam([whole], 0.1), nn.Adam([first], 0.1), nn.Adam([second], 0.1)
    for each in gradients:
        going(each)
    for each in gradients[:2]:
        before(each)
    for old, new in zip(before.get_parameters(), after.get_parameters(), strict=True):
        assert old.name == new.name
        new.set_data(ms.Tensor(old.asnumpy()))
    for each in gradients[2:]:
        after(each)
    np.testing.assert_array_equal(second.asnumpy(), whole.asnumpy())


WRONG = {
    "one for two": lambda: nn.SGD([parameter([1.0], "a"), parameter([1.0], "b")])((ops.ones(1),)),
    "no tuple": lambda: nn.SGD([parameter([1.0])])(None),
    "another shape": lambda: nn.SGD([parameter([1.0, 2.0])])((ops.ones((1,)),)),
}


@pytest.mark.parametrize("what", WRONG)
def test_gradients_that_do_not_fit_are_refused(what):
    with pytest.raises((RuntimeError, ValueError)) as caught:
        WRONG[what]()
    assert str(caught.value).startswith("For 'SGD', ")


def test_a_step_of_many_parameters_is_few_kernels():
    """Each Parameter's formula is one fused kernel."""
    own = [parameter(np.ones(4), f"w{i}") for i in range(5)]
    optimizer = nn.Adam(own, 0.1)
    graph = optimizer.graph(tuple(ops.ones(4) for _ in own))
    assert sum(node.kind == "call" for node in graph.order()) > 40
    fused = [each for each in backends.build("cython", graph).kernels if each.kind == "fused"]
    assert len(fused) <= 2 * len(own) + 2


def test_the_flags_of_a_formula_stand_in_mindspores_order():
    def moved(step):
        return step(parameter([1.0]), parameter([0.0]), 0.1, ms.Tensor([1.0]), 0.5).asnumpy()

    assert moved(ops.ApplyMomentum(True)) == moved(ops.ApplyMomentum(use_nesterov=True))
    assert moved(ops.ApplyMomentum(True)) != moved(ops.ApplyMomentum())


@pytest.mark.parametrize("make", [lambda: ops.SGD(0.0, 0.0, False, 1), lambda: ops.SGD(speed=1.0)])
def test_a_flag_that_a_formula_has_not_is_refused(make):
    with pytest.raises(TypeError, match="The flags of SGD are: dampening, weight_decay, nesterov"):
        make()
