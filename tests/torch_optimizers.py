"""Record what torch's optimizers and schedules give: python tests/torch_optimizers.py

To be run with a Python that has torch; test_experimental_optim.py compares. ``OPTIMIZERS`` and
``SCHEDULES`` are called with torch's modules, and with ours.
"""

import json
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden" / "optimizers_torch.json"
STARTS = ([1.0, -2.0, 3.0], [[0.5]])
GRADIENTS = ([1.0, -1.0, 0.5], [0.25, 2.0, 0.5], [-0.5, 1.0, 0.0], [1.5, 0.25, -3.0])
METRICS = (1.0, 0.5, 0.5, 0.5, 0.6, 0.5, 0.5, 0.4, 0.4, 0.4, 0.4, 0.4)
#: What differs in name only: ``module`` is torch.optim or ms_ext.experimental.optim.
OPTIMIZERS = {
    "sgd": lambda module, p: module.SGD(p, 0.1),
    "sgd, all": lambda module, p: module.SGD(p, 0.1, momentum=0.9, dampening=0.5, weight_decay=0.1),
    "sgd, nesterov": lambda module, p: module.SGD(
        p, 0.1, momentum=0.9, nesterov=True, weight_decay=0.1, maximize=True
    ),
    "adam": lambda module, p: module.Adam(p, 0.1),
    "adam, all": lambda module, p: module.Adam(p, 0.1, (0.8, 0.9), 1e-3, 0.1, True),
    "adam, up": lambda module, p: module.Adam(p, 0.1, maximize=True),
    "adamw": lambda module, p: module.AdamW(p, 0.1),
    "adamw, all": lambda module, p: module.AdamW(p, 0.1, (0.8, 0.9), 1e-3, 0.5, True),
    "groups": lambda module, p: module.AdamW(
        [{"params": p[:1]}, {"params": p[1:], "lr": 0.5, "weight_decay": 0.0}], 0.1
    ),
}
SCHEDULES = {
    "StepLR": lambda module, o: module.StepLR(o, 3, 0.5),
    "MultiStepLR": lambda module, o: module.MultiStepLR(o, [2, 5, 5], 0.5),
    "ExponentialLR": lambda module, o: module.ExponentialLR(o, 0.9),
    "ConstantLR": lambda module, o: module.ConstantLR(o, 0.25, 4),
    "LinearLR": lambda module, o: module.LinearLR(o, 0.25, 1.0, 4),
    "PolynomialLR": lambda module, o: module.PolynomialLR(o, 5, 2.0),
    "CosineAnnealingLR": lambda module, o: module.CosineAnnealingLR(o, 4, 0.1),
    "LambdaLR": lambda module, o: module.LambdaLR(o, lambda epoch: 0.9**epoch),
    "MultiplicativeLR": lambda module, o: module.MultiplicativeLR(o, lambda epoch: 0.9),
    "SequentialLR": lambda module, o: module.SequentialLR(
        o, [module.ConstantLR(o, 0.1, 2), module.ExponentialLR(o, 0.9)], [3]
    ),
    "ReduceLROnPlateau": lambda module, o: module.ReduceLROnPlateau(o, "min", 0.5, 1, cooldown=1),
}


def moved(make):
    """torch's Parameters after each step."""
    own = [torch.nn.Parameter(torch.tensor(start)) for start in STARTS]
    optimizer, seen = make(torch.optim, own), []
    for step in GRADIENTS:
        own[0].grad, own[1].grad = torch.tensor(step), torch.tensor([[sum(step)]])
        optimizer.step()
        seen.append([each.detach().tolist() for each in own])
    return seen


def rates(make):
    """torch's learning rates, at first and after each step."""
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], 0.5)
    schedule = make(torch.optim.lr_scheduler, optimizer)
    found = [optimizer.param_groups[0]["lr"]]
    for metric in METRICS:
        optimizer.step()
        schedule.step(*([metric] if hasattr(schedule, "patience") else []))
        found.append(optimizer.param_groups[0]["lr"])
    return found


if __name__ == "__main__":
    import torch

    found = {
        "moved": {name: moved(make) for name, make in OPTIMIZERS.items()},
        "rates": {name: rates(make) for name, make in SCHEDULES.items()},
    }
    GOLDEN.write_text(json.dumps(found, indent=0) + "\n")
