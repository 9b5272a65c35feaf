"""What a user says of a compiled function's inputs: ``set_inputs`` of a Cell, ``enable_dynamic``.

A Tensor without elements describes an input; a size of its shape that is None may be any number.
"""

import inspect

from . import errors
from .frontend.naming import parameter_names
from .tensor import Tensor


class All(dict):
    """What set_inputs was given by position: as many inputs as a call has."""


def owners(function, args, kwargs):
    """The argument that each tensor is, or is part of."""
    names = [*parameter_names(function, len(args)), *kwargs]
    values = [*args, *kwargs.values()]
    return [name for name, value in zip(names, values, strict=True) for _ in _tensors(value)]


def _tensors(value):
    if isinstance(value, tuple | list):
        return [tensor for item in value for tensor in _tensors(item)]
    if isinstance(value, dict):
        return _tensors(list(value.values()))
    return [value] if hasattr(value, "shape") and hasattr(value, "dtype") else []


def declared_shapes(function, declared, args, kwargs):
    """Per tensor of a call its declared shape, -1 where a size is open; None if not declared.

    ``declared``: what ``enable_dynamic`` was given; a Cell knows what ``set_inputs`` was.
    """
    given, source = declared, "enable_dynamic"
    if not given:
        cell = getattr(function, "__self__", args[0] if args else None)
        given, source = getattr(cell, "inputs_declared", None), "set_inputs"
    if not given:
        return ()
    names = [*parameter_names(function, len(args)), *kwargs]
    count = len(names) - (source == "set_inputs" and not hasattr(function, "__self__"))  # the Cell
    if type(given) is All and len(given) != count:
        raise errors.InvalidValue(
            "For set_inputs, the length of input must be equal to expected one, but got expected: "
            f"{len(given)} and input: {count}!",
            hint="Call set_inputs again, or by name: set_inputs(x=...).",
        )
    found = []
    for name, value in zip(names, [*args, *kwargs.values()], strict=True):
        found += _against(name, given.get(name), value, source)
    return found


def declare_inputs(construct, inputs, kwargs):
    """Name -> what ``set_inputs`` was given, checked against a Cell's ``construct``."""
    if inputs and kwargs:
        raise errors.InvalidValue(
            "For Cell, set_inputs should only set inputs or kwargs"
            f"(inputs: {inputs}, kwargs: {kwargs})!"
        )
    signature = inspect.signature(construct).parameters
    known = list(signature)
    for name in kwargs:
        if name not in known:
            raise errors.InvalidValue(f"For dict mode, valid key is {known}, but got {name}!")
    needed = [n for n, p in signature.items() if p.default is p.empty and p.kind < p.VAR_POSITIONAL]
    if not kwargs and len(inputs) < len(needed):
        raise errors.InvalidType(
            f"For 'Cell', the function construct requires {len(needed)} positional argument"
            f"{'s' if len(needed) > 1 else ''}, but got {len(inputs)}. When using set_inputs, "
            "please make sure that all networks and loss functions are configured with set_inputs."
        )
    return kwargs or All(zip(parameter_names(construct, len(inputs)), inputs, strict=True))


def _against(name, declared, value, source):
    if declared is None or not _tensors(declared):
        return [None] * len(_tensors(value))
    wanted, tensors = _tensors(declared), _tensors(value)
    if len(wanted) != len(tensors):
        raise errors.InvalidValue(
            f"For {source}, the length of input must be equal to expected one, but got expected: "
            f"{len(wanted)} and input: {len(tensors)}!",
            given=f"the argument {name!r}",
        )
    for one, two in zip(wanted, tensors, strict=True):
        _check(name, one, two, source)
    return [
        (-1,) * two.ndim if one.shape == (-2,) else one.shape
        for one, two in zip(wanted, tensors, strict=True)
    ]


def _check(name, declared, value, source):
    if declared.dtype != getattr(value, "dtype", None) and isinstance(value, Tensor):
        raise errors.InvalidType(
            f"For {source}, the type of {name!r} should be Tensor[{declared.dtype}], but got "
            f"Tensor[{value.dtype}]!"
        )
    wanted = declared.shape
    fits = wanted == (-2,) or (
        len(wanted) == len(value.shape)
        and all(w in (-1, size) for w, size in zip(wanted, value.shape, strict=True))
    )
    if not fits:
        raise errors.InvalidValue(
            f"For {source}, the shape of {name!r} must be the same as expected, but got expected: "
            f"{list(wanted)}, and input: {list(value.shape)}!",
            hint="A size that may be any is None: Tensor(shape=[None, 4], dtype=ms.float32).",
        )


def enable_dynamic(**inputs):
    """Declare open sizes of a jit-compiled function's arguments: it is compiled once for them all.

    ``inputs``: for an argument, a Tensor that says what it is like, with None for an open size; a
    tuple or list of them for a tuple or list.

    >>> import ms_ext as ms
    >>> @enable_dynamic(x=ms.Tensor(shape=[None, 2], dtype=ms.float32))
    ... @ms.jit
    ... def doubled(x):
    ...     return x * 2
    >>> for size in (3, 4, 5):
    ...     _ = doubled(ms.ops.ones((size, 2)))
    >>> doubled.compiled
    1
    """
    if not inputs:
        raise errors.InvalidValue("When using decorator enable_dynamic, the input cannot be empty!")
    for name, value in inputs.items():
        _check_declared(name, value)

    def declare(function):
        if not hasattr(function, "graph_function"):
            raise errors.InvalidValue(
                "Decorator enable_dynamic can only be used for function or method decrocated by "
                f"ms.jit, but got {function!r:.60}.",
                hint="Put @enable_dynamic(...) above @jit.",
            )
        plain = function.graph_function()
        code = plain.__code__
        known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        for name in inputs:
            if name not in known:
                raise errors.InvalidValue(
                    f"'{name}' is not in list", hint=errors.did_you_mean(name, known)
                )
        function.inputs_declared = inputs
        return function

    return declare


def _check_declared(name, value):
    tensors = _tensors(value)
    if not tensors or not isinstance(value, Tensor | tuple | list):
        raise errors.InvalidType(
            "The decorator enable_dynamic only supports Tensor or a tuple/list of Tensor, but the "
            f"argument : {name} is type of:{type(value)}."
        )
    if not any(size < 0 for tensor in tensors for size in tensor.shape):
        raise errors.InvalidType(
            f"When using decorator enable_dynamic, the shape of argument '{name}' at least have "
            "one None.",
            hint="Write Tensor(shape=[None, 4], dtype=ms.float32).",
        )
