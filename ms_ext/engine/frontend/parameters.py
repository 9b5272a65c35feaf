"""Which parameter of a function gets which argument? MindSpore's words where that does not fit."""

import types

from .. import errors
from .values import type_of


def bind(source, function, args, kwargs):
    """Names of a function's parameters and their values."""
    spec, names = source.args, {}
    positional = [a.arg for a in (*spec.posonlyargs, *spec.args)]
    if len(args) > len(positional) and spec.vararg is None:
        raise _misfit(source, positional, args, kwargs)
    defaults, keyword_defaults = _defaults(spec, function)
    names.update(zip(positional, args, strict=False))
    kwargs = dict(kwargs)
    for name in positional[: len(args)]:
        if name in kwargs:
            raise errors.InvalidType(f"Multiply values for specific argument: {name}")
    for name in (*positional[len(args) :], *(a.arg for a in spec.kwonlyargs)):
        if name in kwargs:
            names[name] = kwargs.pop(name)
        elif name in defaults or name in keyword_defaults:
            names[name] = defaults[name] if name in defaults else keyword_defaults[name]
        else:
            raise _misfit(source, positional, args, kwargs)
    if spec.vararg:
        names[spec.vararg.arg] = tuple(args[len(positional) :])
    if spec.kwarg:
        names[spec.kwarg.arg] = kwargs
    elif kwargs:
        raise _misfit(source, positional, args, kwargs)
    return names


def _defaults(spec, function):
    positional = [a.arg for a in (*spec.posonlyargs, *spec.args)]
    if isinstance(function, types.FunctionType):
        values, keyword = function.__defaults__ or (), function.__kwdefaults__ or {}
    else:
        values, keyword = function.defaults
        pairs = zip(spec.kwonlyargs, keyword, spec.kw_defaults, strict=True)
        keyword = {a.arg: v for a, v, d in pairs if d is not None}
    return dict(zip(positional[len(positional) - len(values) :], values, strict=True)), keyword


def _misfit(source, positional, args, kwargs):
    own = 1 if args and positional[:1] == ["self"] else 0  # MindSpore does not count it either
    positional, args = positional[own:], args[own:]
    shown = [*map(_shown, args), *(f"{k}={_shown(v)}" for k, v in kwargs.items())]
    return errors.InvalidType(
        f"The parameters number of the function is {len(positional)}, but the number of provided "
        f"arguments is {len(args) + len(kwargs)}.",
        given=f"{source.name}({', '.join(shown)})",
        hint=f"Its parameters are: {', '.join(positional) or 'none'}.",
    )


def _shown(value):
    try:
        return str(type_of(value))
    except errors.MsExtError:
        return type(value).__name__


def check_self(function, given):
    """A Cell's methods call their first parameter self: graph mode goes by the name."""
    code = getattr(function, "__code__", None)
    if code is not None and code.co_argcount and code.co_varnames[0] != "self":
        raise errors.InvalidType(
            f"The parameters number of the function is {code.co_argcount}, but the number of "
            f"provided arguments is {given}.",
            given=f"the first parameter of {function.__name__} is called '{code.co_varnames[0]}'",
            hint="Call it self.",
        )
