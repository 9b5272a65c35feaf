"""What of a Cell, a list or a dict goes into a checkpoint: arrays and texts by name."""

import warnings

import numpy as np

from ..common.parameter import Parameter
from ..common.tensor import Tensor
from ..engine import errors
from ..nn.cell import Cell


def entries(save_obj, choice_func=None, append_dict=None):
    """Names with arrays or texts, in the order of the file.

    >>> from ms_ext import nn
    >>> list(entries(nn.Dense(2, 1), append_dict={"epoch": 3}))
    ['weight', 'bias', 'epoch']
    """
    found = {}
    for name, value in _pairs(save_obj):
        if choice_func is None or choice_func(name):
            _tell_of_lost(found, name, value)
            found[name] = value
    found |= _appended(append_dict)
    return {name: value if isinstance(value, str) else value.asnumpy()
            for name, value in found.items()}  # fmt: skip


def _pairs(save_obj):
    if isinstance(save_obj, Cell):
        return [(parameter.name, parameter) for parameter in save_obj.get_parameters()]
    if isinstance(save_obj, dict):
        return [_of_dict(key, value) for key, value in save_obj.items()]
    if isinstance(save_obj, list):
        one = _of_description if save_obj and isinstance(save_obj[0], dict) else _of_parameter
        return [one(item) for item in save_obj]
    raise errors.InvalidType(
        "For 'save_checkpoint', the parameter 'save_obj' must be nn.Cell, list or dict, "
        f"but got {type(save_obj)}."
    )


def _of_dict(key, value):
    if isinstance(key, str) and isinstance(value, np.ndarray):
        return key, Tensor(value)
    if isinstance(key, str) and isinstance(value, Tensor | str):
        return key, value
    raise errors.InvalidType(
        "For save_checkpoint, when save_obj is made up by dict, the key should be str and value "
        f"should be Parameter, but got the type of key is {type(key)} and the type of value is "
        f"{type(value)}"
    )


def _of_parameter(item):
    if isinstance(item, Parameter):
        return item.name, item
    raise errors.InvalidType(
        "For save_checkpoint, when save_obj is made up by list of Parameter, the param should be "
        f"parameter, but got {type(item)}"
    )


def _of_description(item):
    if not isinstance(item, dict) or not item.keys() >= {"name", "data"}:
        raise errors.InvalidType(
            "For save_checkpoint, save_obj should be a list of dict items, and the dict should "
            f"have key values 'name' and 'data', but got {type(item)} and {item}."
        )
    for key, kind, called in (("name", str, "string"), ("data", Tensor, "parameter")):
        if not isinstance(item[key], kind):
            raise errors.InvalidType(
                f"For save_checkpoint, when save_obj is a list of dict items, the {key} in dict "
                f"should be {called}, but got {type(item[key])}."
            )
    return item["name"], item["data"]


def _tell_of_lost(found, name, value):
    if found.get(name, value) is not value:
        warnings.warn(
            f"Two values are called {name!r}: only the last of them is saved. Give a Parameter "
            "another name to keep both.",
            errors.MsExtWarning,
            stacklevel=4,
        )


def _appended(append_dict):
    """What is saved beside the parameters: numbers as Tensors, texts as they are."""
    if append_dict is None:
        return {}
    if not isinstance(append_dict, dict):
        raise errors.InvalidType(
            "For 'save_checkpoint', the argument 'append_dict' must be dict, "
            f"but got {type(append_dict)}."
        )
    for key, value in append_dict.items():
        if not isinstance(key, str) or not isinstance(value, int | float | str | Tensor):
            raise errors.InvalidType(
                "For 'save_checkpoint', the type of dict 'append_info' must be key: string, value: "
                f"int, float, bool or Generator, but got key: {type(key)}, value: {type(value)}"
            )
    return {k: v if isinstance(v, str | Tensor) else Tensor(v) for k, v in append_dict.items()}
