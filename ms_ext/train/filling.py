"""How loaded values come into a network: by name, with the same shape and kind of type."""

from .. import dtype
from ..common.parameter import Parameter
from ..common.tensor import Tensor
from ..engine import errors
from ..nn.cell import Cell
from .arguments import check_bool

_FLOATS = {dtype.float16, dtype.float32, dtype.float64, dtype.bfloat16}
_INTS = {dtype.int8, dtype.int16, dtype.int32, dtype.int64}


def load_param_into_net(net, parameter_dict, strict_load=False, remove_redundancy=False):
    """Give a network's parameters the values of the same names; answers which names had none.

    The two lists: names of the network without a value, names of the dict without a parameter. If
    not ``strict_load``, values of another width of type are cast (a float to a float), and names
    in the dict may have a prefix more than the network's.

    >>> from ms_ext import nn, Parameter, Tensor
    >>> net = nn.Dense(2, 1)
    >>> load_param_into_net(net, {"bias": Parameter(Tensor([5.0])), "extra": Parameter(1.0)})
    (['weight'], ['extra'])
    >>> net.bias.asnumpy()
    array([5.], dtype=float32)
    """
    _check(net, parameter_dict, strict_load, remove_redundancy)
    missing, unused = [], list(parameter_dict)
    for parameter in net.get_parameters():
        given = parameter_dict.get(parameter.name)
        if given is None:
            if not parameter.name.startswith("accu_grads"):
                missing.append(parameter.name)
        elif isinstance(given, Parameter):
            _fill(parameter, given, strict_load)
            unused.remove(parameter.name)
    if missing and not strict_load:
        _fill_behind_prefixes(net, parameter_dict, missing)
    if remove_redundancy:
        raise errors.InvalidType(
            "The deduplication feature for loading checkpoint can only be used in parallel "
            "scenarios, but got stand_alone."
        )
    return missing, unused


def _check(net, parameter_dict, strict_load, remove_redundancy):
    if not isinstance(net, Cell):
        raise errors.InvalidType(
            f"For 'load_param_into_net', the argument 'net' should be a Cell, but got {type(net)}."
        )
    if not isinstance(parameter_dict, dict):
        raise errors.InvalidType(
            "For 'load_param_into_net', the argument 'parameter_dict' should be a dict, "
            f"but got {type(parameter_dict)}."
        )
    for key, value in parameter_dict.items():
        if not isinstance(key, str) or not isinstance(value, Parameter | str | list):
            raise errors.InvalidType(
                "For 'parameter_dict', the element in the argument 'parameter_dict' should be a "
                f"'str' and 'Parameter' , but got {type(key)} and {type(value)}."
            )
    for value in (strict_load, remove_redundancy):
        check_bool(value)


def _fill(parameter, given, strict_load):
    name, shape = parameter.name, parameter.shape
    if given.shape != shape and given.shape != shape + (1,) * (len(given.shape) - len(shape)):
        raise errors.NotRunnable(
            f"For 'load_param_into_net', {name} in the argument 'net' should have the same shape "
            f"as {name} in the argument 'parameter_dict'. But got its shape {shape} in the "
            f"argument 'net' and shape {given.shape} in the argument 'parameter_dict'.",
            hint="Is it the checkpoint of this network, with the same sizes?",
        )
    if given.dtype != parameter.dtype and (
        strict_load or not any({given.dtype, parameter.dtype} <= kind for kind in (_FLOATS, _INTS))
    ):
        raise errors.NotRunnable(
            f"For 'load_param_into_net', {name} in the argument 'net' should have the same type as "
            f"{name} in the argument 'parameter_dict'. but got its type {parameter.dtype} in the "
            f"argument 'net' and type {given.dtype} in the argument 'parameter_dict'.",
            hint="Is it the checkpoint of this network? strict_load=False casts floats to floats.",
        )
    values = Tensor(given.asnumpy().reshape(shape))
    parameter.set_data(values.astype(parameter.dtype))


def _fill_behind_prefixes(net, parameter_dict, missing):
    """As long as a name of the dict ends in one that is missing, what stands before is a prefix."""
    given = {name: v for name, v in parameter_dict.items() if isinstance(v, Parameter)}
    while prefix := _prefix(given, missing):
        for parameter in net.get_parameters():
            value = given.get(prefix + parameter.name)
            if value is not None and parameter.name in missing:
                _fill(parameter, value, False)
                missing.remove(parameter.name)


def _prefix(given, missing):
    """What the first fitting name of the dict has in front; None if no name fits."""
    fitting = (name.removesuffix(end) for end in missing for name in given if name.endswith(end))
    return next(fitting, None)
