"""What a parent leaves to its subclasses: who did not write it is told so, in the family of errors.

MindSpore raises NotImplementedError in each of these places.
"""

import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, nn, ops, train
from ms_ext.engine import errors
from ms_ext.experimental import optim
from ms_ext.viz.card import Card


def weights():
    return [Parameter(Tensor([1.0]), name="w")]


class Schedule(nn.learning_rate_schedule.LearningRateSchedule):
    pass


class Optimizer(nn.Optimizer):
    def __init__(self, parameters):
        super().__init__(0.1, parameters)


class Other(optim.Optimizer):
    def __init__(self, parameters):
        super().__init__(parameters, {"lr": 0.1, "weight_decay": 0.0, "maximize": False})


class Rates(optim.lr_scheduler.LRScheduler):
    pass


class Far(nn.LossBase):
    pass


class Count(train.Metric):
    def clear(self):
        super().clear()

    def update(self, *inputs):
        super().update(*inputs)

    def eval(self):
        return super().eval()


class Picture(Card):
    pass


GRADIENTS = (Tensor([1.0]),)
LEFT_OUT = {
    "construct(self, global_step)": lambda: Schedule()(Tensor(1)),
    "construct(self, global_step).": lambda: nn.SGD(weights(), Schedule())(GRADIENTS),
    "update(self, index, gradient, lr, decay)": lambda: Optimizer(weights())(GRADIENTS),
    "update(self, index, gradient, lr, group)": lambda: Other(weights())(GRADIENTS),
    "rate(base)": lambda: Rates(optim.SGD(weights(), lr=0.1)),
    "construct(self, logits, labels)": lambda: Far()(Tensor(1.0), Tensor(2.0)),
    "clear(self)": lambda: Count().clear(),
    "update(self, *inputs)": lambda: Count().update(1),
    "eval(self)": lambda: Count().eval(),
    "text(self)": lambda: Picture().text(),
    "html(self)": lambda: Picture().html(),
}


@pytest.mark.parametrize("method", LEFT_OUT)
def test_who_did_not_write_it_is_told_so(method, mode):
    with pytest.raises(NotImplementedError) as caught:
        LEFT_OUT[method]()
    assert isinstance(caught.value, errors.NotOffered) and caught.value.hint
    assert method in caught.value.message


def test_an_error_in_a_graph_is_made_of_all_it_was_given():
    """Also of what has a name: here the hint."""

    def refused(x):
        raise errors.InvalidValue("Too small.", given=str(x.shape), hint="Give more.")

    def refused_when_it_runs(x):
        if x > 0:
            raise errors.InvalidValue("Too large.", hint="Give less.")
        return x

    for function, hint in ((refused, "Give more."), (refused_when_it_runs, "Give less.")):
        with pytest.raises(ValueError, match="Too") as caught:
            ms.jit(function)(Tensor(1.0))
        assert caught.value.hint == hint


def test_an_error_in_a_layer_shows_the_line_that_called_it():
    loss = nn.CrossEntropyLoss()

    def far(x, labels):
        return loss(x * 2, labels)

    with pytest.raises(TypeError) as caught:
        ms.jit(far)(ops.ones((2, 3)), Tensor([0, 1]))
    assert "return loss(x * 2, labels)" in str(caught.value)
    assert "class_losses.py" not in str(caught.value)
