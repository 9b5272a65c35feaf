"""Which learning rate and weight decay does each Parameter have? One for all, or one per group.

An optimizer is given a list of Parameters, or of groups: ``{"params": [...], "lr": 0.1}``; what a
group does not say is as it is for all.
"""

import numbers
from collections.abc import Iterable
from typing import Any, NamedTuple

from ...common.initializer import initializer
from ...common.parameter import Parameter, ParameterTuple
from ...common.tensor import Tensor
from ...dtype import float32
from ...engine import errors
from ..arguments import check_number
from ..cell import Cell
from ..learning_rate_schedule import IteratorLearningRate, LearningRateSchedule

KEYS = ("params", "lr", "weight_decay", "grad_centralization", "order_params")


class Setting(NamedTuple):
    """One Parameter and what holds for it."""

    parameter: Parameter
    rate: Any  # a Parameter, or a schedule: global step -> rate
    decay: Any  # a number, or a Cell: global step -> decay
    centralized: bool = False


def settings(owner, parameters, rate, decay):
    """(a Setting for each Parameter, whether a group has a learning rate of its own).

    ``owner``: the optimizer's name, for refusals.
    """
    given = _listed(parameters)
    shared = rate_of(owner, rate, "learning_rate")
    if not isinstance(given[0], dict):
        return [Setting(each, shared, decay_of(owner, decay)) for each in given], False
    found = []
    for place, group in enumerate(given):
        if "order_params" not in group:
            found += _of_group(owner, group, place, shared, decay)
    _check_once(found)
    orders = [_order(group) for group in given if "order_params" in group]
    own = any("lr" in group for group in given)
    return (_ordered(found, orders[-1]) if orders else found), own


def listed(given, word="parameters"):
    """What an optimizer is given, as a list; ``word`` is how its argument is called."""
    if given is None:
        raise errors.InvalidValue(f"For 'Optimizer', the argument {word} can not be None.")
    if not isinstance(given, Iterable):
        raise errors.InvalidType(
            f"For 'Optimizer', the argument {word} must be Iterable type, but got {type(given)}."
        )
    given = list(given)
    if not given:
        raise errors.InvalidValue(
            f"For 'Optimizer', the argument {word} must not be empty.",
            hint="Give net.trainable_params(); the network has Parameters to train, has it?",
        )
    return given


def state_of(parameters, prefix, init):
    """Parameters like these, which begin with ``init``; their names are ``prefix.name``."""
    return ParameterTuple(
        Parameter(initializer(init, each.shape, each.dtype), name=f"{prefix}.{each.name}")
        for each in parameters
    )


def _listed(parameters):
    given = listed(parameters)
    kind = dict if isinstance(given[0], dict) else Parameter
    wrong = [each for each in given if not isinstance(each, kind)]
    if wrong:
        raise errors.InvalidType(
            "For 'Optimizer', all elements of the argument 'parameters' must be 'Parameter' or "
            "'dict', please check the 'parameters'.",
            given=f"a {type(wrong[0]).__name__} among them",
        )
    for group in given if kind is dict else ():
        _check_keys(group)
    return given


def _check_keys(group):
    unknown = [key for key in group if key not in KEYS]
    if unknown or not {"params", "order_params"} & {*group}:
        raise errors.MissingKey(
            f"For 'Optimizer', the key in group params must be one of in {KEYS}.",
            given=", ".join(map(str, group)),
            hint=errors.did_you_mean(str(unknown[0]), KEYS) if unknown else "Say 'params'.",
        )


def _of_group(owner, group, place, shared, decay):
    rate = shared
    if "lr" in group:
        rate = rate_of(owner, group["lr"], f"learning_rate_group_{place}")
    own = decay_of(owner, group.get("weight_decay", decay))
    centralized = group.get("grad_centralization", False)
    if not isinstance(centralized, bool):
        raise errors.InvalidType(
            "For 'Optimizer', the 'gradients_centralization' must be bool type, "
            f"but got {type(centralized)}."
        )
    members = list(group["params"])
    for each in members:
        if not isinstance(each, Parameter):
            raise errors.InvalidType(
                "For 'Optimizer', the element in group parameters must be Parameter type, "
                f"but got {type(each)}."
            )
    if not members:
        raise errors.InvalidValue(
            "For 'Optimizer', the argument group 'params' must not be empty.",
            given=f"group {place}",
        )
    return [Setting(each, rate, own, centralized) for each in members]


def _check_once(found):
    seen = set()
    for each in found:
        if id(each.parameter) in seen:
            raise errors.NotRunnable(
                f"For 'Optimizer', the {each.parameter.name} parameter already exists, it does not "
                "support repeated setting.",
                hint="Put each Parameter into one group.",
            )
        seen.add(id(each.parameter))


def _order(group):
    if len(group) > 1:
        raise errors.InvalidValue(
            "For 'Optimizer', the order params dict in group parameters should only include the "
            f"'order_params' key, but got {list(group)}."
        )
    if not isinstance(group["order_params"], Iterable):
        raise errors.InvalidType(
            "For 'Optimizer', the value of 'order_params' in group parameters should be Iterable "
            f"type, but got {type(group['order_params'])}."
        )
    return list(group["order_params"])


def _ordered(found, order):
    by_name = {each.parameter.name: each for each in found}
    if sorted(by_name) != sorted(each.name for each in order):
        raise errors.InvalidValue(
            "For 'Optimizer', the order parameters must be those of the groups.",
            given=f"{len(order)} of them, and {len(found)} in the groups",
        )
    return [by_name[each.name] for each in order]


def rate_of(owner, given, name):
    """A learning rate as an optimizer keeps it: a Parameter of this name, or a schedule."""
    if isinstance(given, numbers.Real):
        return Parameter(Tensor(_from_zero(owner, "learning rate", given), float32), name)
    if isinstance(given, LearningRateSchedule):
        return given
    if isinstance(given, Tensor) and given.ndim == 0:
        return Parameter(Tensor(given, float32), name)
    if isinstance(given, Tensor) and given.ndim > 1:
        raise errors.InvalidValue(
            "For 'Optimizer', if 'learning_rate' is Tensor type, then the dimension of it should "
            f"be 0 or 1, but got {given.ndim}."
        )
    if isinstance(given, Iterable) and not isinstance(given, str):
        return IteratorLearningRate(given, name)
    raise errors.InvalidValue(
        "For 'Optimizer', the argument 'learning_rate' must be int, float, Tensor, Iterable or "
        f"LearningRateSchedule, but got {type(given)}."
    )


def decay_of(owner, given):
    """A weight decay as an optimizer keeps it: a float, or a Cell that says it for each step."""
    if isinstance(given, Cell):
        return given
    if not isinstance(given, numbers.Real):
        raise errors.InvalidType(
            "For 'Optimizer', the argument 'Weight_decay' must be int, float or Cell, "
            f"but got {type(given)}."
        )
    return _from_zero(owner, "weight_decay", given)


def _from_zero(owner, name, value):
    return check_number(owner, name, float(value), least=0.0)


def tuple_of(parameters):
    """A ParameterTuple; two Parameters of one name are refused, as both would be saved as one."""
    seen = set()
    for each in parameters:
        if each.name in seen:
            raise errors.InvalidValue(
                f"The value {each!r} , its name '{each.name}' already exists. "
                "Please set a unique name for the parameter."
            )
        seen.add(each.name)
    return ParameterTuple(parameters)
