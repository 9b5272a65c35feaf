"""Programs about optimizers: formulas, groups, rates, decays, and what is refused."""

import mindspore as ms
import numpy as np
from cases import in_all_modes
from mindspore import nn

MODES = ("eager", "graph mode")
GRADIENTS = ([1.0, -1.0, 0.5], [0.25, 2.0, 0.5], [-0.5, 1.0, 0.0], [1.5, 0.25, -3.0])


def parameter(values, name):
    return ms.Parameter(ms.Tensor(np.array(values, np.float32)), name=name)


def parameters():
    return [parameter([1.0, -2.0, 3.0], "w"), parameter([[0.5]], "layer.gamma")]


def moved(make):
    """The Parameters after each of four steps, and what the optimizer is left with."""
    own = parameters()
    optimizer = make(own)
    seen = []
    for step in GRADIENTS:
        first = ms.Tensor(np.array(step, np.float32))
        optimizer((first, ms.Tensor(np.array([[sum(step)]], np.float32))))
        seen.append([each.asnumpy().copy() for each in own])
    rest = [each for each in optimizer.get_parameters() if each.name != "global_step"]
    return seen, [(each.name, each.asnumpy()) for each in rest], int(optimizer.global_step[0])


def declared(name, make):
    """A case under a name: ``make(parameters)`` gives the optimizer."""

    def program():
        return moved(make)

    program.__name__ = name
    in_all_modes(modes=MODES)(program)


OPTIMIZERS = {
    "sgd": lambda p: nn.SGD(p, 0.1),
    "sgd_momentum": lambda p: nn.SGD(p, 0.1, momentum=0.9),
    "sgd_dampening": lambda p: nn.SGD(p, 0.1, momentum=0.9, dampening=0.5),
    "sgd_nesterov": lambda p: nn.SGD(p, 0.1, momentum=0.9, nesterov=True),
    "sgd_decay": lambda p: nn.SGD(p, 0.1, momentum=0.9, weight_decay=0.1),
    "sgd_loss_scale": lambda p: nn.SGD(p, 0.1, weight_decay=0.1, loss_scale=4.0),
    "momentum": lambda p: nn.Momentum(p, 0.1, 0.9),
    "momentum_decay": lambda p: nn.Momentum(p, 0.1, 0.9, weight_decay=0.1, loss_scale=2.0),
    "adam": lambda p: nn.Adam(p, 0.1),
    "adam_decay": lambda p: nn.Adam(p, 0.1, 0.8, 0.9, 1e-3, weight_decay=0.1),
    "adam_nesterov": lambda p: nn.Adam(p, 0.1, use_nesterov=True),
    "adam_amsgrad": lambda p: nn.Adam(p, 0.1, beta2=0.5, use_amsgrad=True),
    "adam_weight_decay": lambda p: nn.AdamWeightDecay(p, 0.1),
    "adam_weight_decay_decays": lambda p: nn.AdamWeightDecay(p, 0.1, weight_decay=0.1),
    "adamax": lambda p: nn.AdaMax(p, 0.1, weight_decay=0.1),
    "adagrad": lambda p: nn.Adagrad(p, 0.1, 0.5),
    "adagrad_as_it_is": lambda p: nn.Adagrad(p, 0.1, 0.5, update_slots=False),
    "adadelta": lambda p: nn.Adadelta(p, 1.0, 0.8, 1e-3, weight_decay=0.1),
    "rmsprop": lambda p: nn.RMSProp(p, 0.1),
    "rmsprop_momentum": lambda p: nn.RMSProp(p, 0.1, 0.8, 0.9, 1e-3),
    "rmsprop_centered": lambda p: nn.RMSProp(p, 0.1, 0.8, 0.9, 1e-3, centered=True),
    "ftrl": lambda p: nn.FTRL(p, learning_rate=0.1),
    "ftrl_costs": lambda p: nn.FTRL(p, 0.2, 0.1, -0.25, 0.5, 0.1),
    "proximal_adagrad": lambda p: nn.ProximalAdagrad(p, 0.1, 0.5, l1=0.01, l2=0.1),
    "asgd": lambda p: nn.ASGD(p, 0.1, t0=1.0),
    "rprop": lambda p: nn.Rprop(p, 0.1),
    "lazy_adam": lambda p: nn.LazyAdam(p, 0.1),
    "rates_listed": lambda p: nn.Momentum(p, [0.5, 0.25, 0.125, 0.0625], 0.9),
    "rates_scheduled": lambda p: nn.Momentum(p, nn.ExponentialDecayLR(0.5, 0.5, 2), 0.9),
    "rates_cosine": lambda p: nn.Adam(p, nn.CosineDecayLR(0.0, 0.1, 4)),
    "rates_polynomial": lambda p: nn.SGD(p, nn.PolynomialDecayLR(0.1, 0.01, 2, 0.5, True)),
    "rates_warm": lambda p: nn.AdamWeightDecay(p, nn.WarmUpLR(0.1, 3)),
    "groups": lambda p: nn.SGD(
        [{"params": p[:1], "lr": 0.5, "weight_decay": 0.1}, {"params": p[1:]}], 0.1, momentum=0.9
    ),
    "groups_ordered": lambda p: nn.Adam(
        [{"params": p[1:], "lr": 0.5}, {"params": p[:1]}, {"order_params": p}], 0.1
    ),
    "groups_decay": lambda p: nn.AdamWeightDecay(
        [{"params": p[:1], "weight_decay": 0.5}, {"params": p[1:]}], 0.1, weight_decay=0.1
    ),
    "groups_scheduled": lambda p: nn.Momentum(
        [{"params": p[:1], "lr": 0.1}, {"params": p[1:]}], nn.InverseDecayLR(0.5, 0.5, 1), 0.9
    ),
    "groups_listed": lambda p: nn.SGD(
        [{"params": p[:1], "lr": 0.1}, {"params": p[1:]}], [0.5, 0.25, 0.125, 0.1]
    ),
    "decay_scheduled": lambda p: nn.AdamWeightDecay(
        p, 0.1, weight_decay=nn.ExponentialDecayLR(0.5, 0.5, 1)
    ),
}  # fmt: skip
for _name, _make in OPTIMIZERS.items():
    declared(f"optimizer_{_name}", _make)


@in_all_modes(modes=MODES)
def optimizer_tells_rates():
    own = parameters()
    one = nn.SGD(own, 0.5)
    groups = nn.SGD([{"params": own[:1], "lr": 0.25}, {"params": own[1:]}], 0.5)
    named = [each.name for each in groups.get_lr_parameter(own)]
    return one.get_lr(), groups.get_lr(), named, one.get_weight_decay(), groups.get_weight_decay()


REFUSED = {
    "none": lambda p: nn.SGD(None),
    "number": lambda p: nn.SGD(3),
    "empty": lambda p: nn.SGD([]),
    "mixed": lambda p: nn.SGD([p[0], {"params": p[1:]}]),
    "key": lambda p: nn.SGD([{"params": p, "rate": 1}]),
    "no_members": lambda p: nn.SGD([{"params": []}]),
    "twice": lambda p: nn.SGD([p[0], p[0]]),
    "twice_in_groups": lambda p: nn.SGD([{"params": p}, {"params": p[:1]}]),
    "order": lambda p: nn.SGD([{"params": p[:1]}, {"order_params": p}]),
    "order_and_rate": lambda p: nn.SGD([{"params": p}, {"order_params": p, "lr": 0.1}]),
    "rate_below_zero": lambda p: nn.SGD(p, -1.0),
    "rate_text": lambda p: nn.SGD(p, "a"),
    "decay_below_zero": lambda p: nn.SGD(p, 0.1, weight_decay=-0.1),
    "decay_text": lambda p: nn.SGD(p, 0.1, weight_decay="a"),
    "decay_scheduled": lambda p: nn.SGD(p, weight_decay=nn.ExponentialDecayLR(0.1, 0.9, 2)),
    "scale": lambda p: nn.SGD(p, 0.1, loss_scale=0.0),
    "centralization": lambda p: nn.SGD([{"params": p, "grad_centralization": 1}]),
    "momentum": lambda p: nn.SGD(p, 0.1, momentum=-1.0),
    "momentum_text": lambda p: nn.SGD(p, 0.1, momentum="a"),
    "dampening": lambda p: nn.SGD(p, 0.1, dampening=-1.0),
    "nesterov": lambda p: nn.SGD(p, 0.1, nesterov=True),
    "momentum_int": lambda p: nn.Momentum(p, 0.1, 1),
    "no_rate": lambda p: nn.Momentum(p),
    "beta": lambda p: nn.Adam(p, beta1=1.0),
    "beta_int": lambda p: nn.Adam(p, beta1=1),
    "eps": lambda p: nn.Adam(p, eps=0.0),
    "unknown": lambda p: nn.Adam(p, foo=1),
    "both_ways": lambda p: nn.Adam(p, use_lazy=True, use_offload=True),
    "etas": lambda p: nn.Rprop(p, etas=(1.0, 0.5)),
    "step_sizes": lambda p: nn.Rprop(p, step_sizes=(5.0, 1.0)),
}


def _refused(name, make):
    def program():
        make(parameters())

    program.__name__ = name
    in_all_modes(modes=("eager",), says="")(program)


for _name, _make in REFUSED.items():
    _refused(f"optimizer_refuses_{_name}", _make)


@in_all_modes(modes=MODES)
def adam_finds_a_line():
    """Losses of fifty steps on three features, and the weights at the end."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((32, 3)).astype(np.float32)
    y = x @ np.array([[1.0], [-2.0], [0.5]], np.float32) + np.float32(0.3)
    net = nn.Dense(3, 1, weight_init="zeros", bias_init="zeros")
    loss_fn, optimizer = nn.MSELoss(), nn.Adam(net.trainable_params(), 0.1)

    def forward(x, y):
        return loss_fn(net(x), y)

    gradient = ms.value_and_grad(forward, None, optimizer.parameters)
    losses = []
    for _ in range(50):
        loss, gradients = gradient(ms.Tensor(x), ms.Tensor(y))
        optimizer(gradients)
        losses.append(loss.asnumpy())
    weights = [each.asnumpy().round(4) for each in net.get_parameters()]
    return [np.round(each, 4) for each in losses[::10]], weights
