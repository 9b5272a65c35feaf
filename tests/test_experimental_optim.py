"""ms.experimental.optim and ms.mint.optim: every step and every rate is torch's."""

import json

import numpy as np
import pytest
from torch_optimizers import GOLDEN, GRADIENTS, METRICS, OPTIMIZERS, SCHEDULES, STARTS

import ms_ext as ms
from ms_ext import mint, nn, ops
from ms_ext.experimental import optim

RECORDED = json.loads(GOLDEN.read_text())


def parameters():
    names = zip("wb", STARTS, strict=True)
    return [ms.Parameter(ms.Tensor(np.array(v, np.float32)), name=name) for name, v in names]


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_every_step_is_torchs(name, mode):
    own = parameters()
    optimizer = OPTIMIZERS[name](optim, own)
    for step, wanted in zip(GRADIENTS, RECORDED["moved"][name], strict=True):
        first = ms.Tensor(np.array(step, np.float32))
        assert optimizer((first, ms.Tensor(np.array([[sum(step)]], np.float32)))) is True
        for each, want in zip(own, wanted, strict=True):
            np.testing.assert_allclose(each.asnumpy(), want, rtol=2e-5, atol=1e-5)


@pytest.mark.parametrize("name", SCHEDULES)
def test_every_rate_is_torchs(name):
    optimizer = optim.SGD(parameters()[:1], 0.5)
    schedule = SCHEDULES[name](optim.lr_scheduler, optimizer)
    found = [schedule.get_last_lr()[0].item()]
    for metric in METRICS:
        schedule.step(*([metric] if hasattr(schedule, "patience") else []))
        found.append(schedule.get_last_lr()[0].item())
    assert found == pytest.approx(RECORDED["rates"][name], rel=1e-5)


def test_a_schedule_moves_the_rate_of_the_next_step(mode):
    own = parameters()[:1]
    optimizer = optim.SGD(own, 1.0)
    schedule = optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
    moves = []
    for _ in range(3):
        before = own[0].asnumpy().copy()
        optimizer((ops.ones(3),))
        moves.append(before[0] - own[0].asnumpy()[0])
        schedule.step()
    assert moves == pytest.approx([1.0, 0.5, 0.25])


@pytest.mark.parametrize(
    "mode, metrics", [("min", [-1.0, -0.95, -0.8]), ("max", [-1.0, -1.05, -1.2])]
)
def test_a_share_of_a_number_below_zero_is_as_torchs(mode, metrics):
    optimizer = optim.SGD(parameters()[:1], 1.0)
    schedule = optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode, 0.5, 0, threshold=0.1)
    found = []
    for metric in metrics:  # the second is within a tenth of the first, on the other side
        schedule.step(metric)
        found.append(schedule.get_last_lr()[0].item())
    assert found == [1.0, 1.0, 0.5]


def test_rates_stop_at_the_least_of_their_group():
    groups = [{"params": [each]} for each in parameters()]
    optimizer = optim.SGD(groups, 1.0)
    schedule = optim.lr_scheduler.ReduceLROnPlateau(
        optimizer, factor=0.5, patience=0, min_lr=[0.8, 0]
    )
    for metric in (1.0, 2.0):
        schedule.step(metric)
    assert [rate.item() for rate in schedule.get_last_lr()] == pytest.approx([0.8, 0.5])
    with pytest.raises(ValueError, match="min_lrs"):
        optim.lr_scheduler.ReduceLROnPlateau(optimizer, min_lr=[0.1])


def test_mint_shows_the_same():
    assert mint.optim.AdamW is optim.AdamW and mint.optim.SGD is optim.SGD


WRONG = {
    "no Parameter": (TypeError, lambda: optim.SGD([ms.Tensor(1.0)], 0.1)),
    "none at all": (ValueError, lambda: optim.SGD([], 0.1)),
    "twice": (ValueError, lambda: optim.SGD([{"params": (p := parameters())}, {"params": p}], 0.1)),
    "rate": (ValueError, lambda: optim.SGD(parameters(), -0.1)),
    "rate's type": (TypeError, lambda: optim.SGD(parameters(), "a")),
    "momentum": (ValueError, lambda: optim.SGD(parameters(), 0.1, momentum=-1)),
    "nesterov": (ValueError, lambda: optim.SGD(parameters(), 0.1, nesterov=True)),
    "beta": (ValueError, lambda: optim.Adam(parameters(), betas=(1.0, 0.9))),
    "gradients": (RuntimeError, lambda: optim.SGD(parameters(), 0.1)((ops.ones(3),))),
    "no optimizer": (TypeError, lambda: optim.lr_scheduler.StepLR(nn.ReLU(), 1)),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_is_refused(what):
    kind, make = WRONG[what]
    with pytest.raises(kind):
        make()
