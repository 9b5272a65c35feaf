"""What ``jit`` may be told, checked when a function is decorated, as MindSpore checks it.

>>> check("ast", "O2", 0, False, {})
Traceback (most recent call last):
    ...
ms_ext.engine.errors.InvalidValue: For 'jit', the 'jit_level' must be str and must be in '['O0', \
'O1']', but got 'O2'.
"""

import functools
import inspect
import types
import warnings

from .. import context
from . import errors
from .frontend.source import source_of

#: What MindSpore adds where a Cell in graph mode gets too few arguments.
SET_INPUTS = (
    " When using set_inputs, please make sure that all networks and loss functions are configured "
    "with set_inputs."
)
MODES = ["ast", "bytecode", "trace"]
LEVELS = ["O0", "O1"]

#: What MindSpore's compiler for other devices is told; here each is checked and has no effect.
#: name -> (type, the values allowed or None)
OPTIONS = {
    "disable_format_transform": (bool, None),
    "exec_order": (str, ["bfs", "dfs"]),
    "auto_offload": (str, ["weight", "activation", "all"]),
    "ge_options": (dict, None),
    "infer_boost": (str, ["on", "off"]),
}


def check(capture_mode, jit_level, dynamic, fullgraph, options):
    """Raise for a value that an option cannot have; an option nobody knows is a warning."""
    _one_of("capture_mode", capture_mode, MODES)
    _one_of("jit_level", jit_level, LEVELS)
    if type(dynamic) is not int:
        raise errors.InvalidType(
            f"For 'jit', the 'dynamic' must be 'int',  but got '{type(dynamic).__name__}'."
        )
    if dynamic not in (0, 1):
        raise errors.InvalidValue(
            f"For 'jit', the 'dynamic' must be in range of [0, 1], but got {dynamic} with type "
            "'int'."
        )
    if type(fullgraph) is not bool:
        raise errors.InvalidType(
            f"For 'jit', the 'fullgraph' must be a bool, but got {type(fullgraph).__name__}."
        )
    for name, value in options.items():
        _check_option(name, value)


def _one_of(name, value, known):
    if value not in known:
        raise errors.InvalidValue(
            f"For 'jit', the '{name}' must be str and must be in '{known}', but got '{value}'."
        )


def _check_option(name, value):
    if name not in OPTIONS:
        _warn(
            f"For 'jit(options)', the option argument '{name}' is not recognized, please check! "
            + errors.did_you_mean(name, [*OPTIONS, "backend", "fullgraph", "jit_level", "passes"])
        )
        return
    kind, known = OPTIONS[name]
    if not isinstance(value, kind):
        raise errors.InvalidType(
            f"For 'jit(options)', the type of '{name}' must be {kind.__name__}, but got "
            f"{type(value)}."
        )
    if known is not None and value not in known:
        raise errors.InvalidValue(
            f"For '{name}', the value of '{name}' must be one of {known}, but got '{value}'."
        )
    if kind is dict:
        _check_ge_options(value)
    if name == "infer_boost":
        _warn(
            "For 'jit', the parameter 'infer_boost' is deprecated from version 2.10.0 and will be "
            "removed in a future version. It has no effect here."
        )


def _check_ge_options(options):
    for name, value in options.items():
        if name not in ("global", "session"):
            raise errors.InvalidValue(
                "For 'ge_options', the key of 'ge_options' must be one of ['global', 'session'], "
                f"but got '{name}'."
            )
        if not isinstance(value, dict):
            raise errors.InvalidType(
                f"For 'ge_options', the type of {name} options must be dict, but got "
                f"{type(value)}. The error options: {value}."
            )


def _warn(text):
    warnings.warn(text, errors.MsExtWarning, stacklevel=5)


# what is compiled ---------------------------------------------------------------------------------


def check_arity(function, args, kwargs):
    """Raise, in MindSpore's words, if a Python function cannot be called with these arguments.

    What ends up elsewhere than in a Python function (an op, a gradient) checks for itself.
    """
    of_cell = not _is_cell(function) and context.get_context("mode") == context.GRAPH_MODE
    function, args = _behind(function, args)
    if type(function) is not types.FunctionType:
        return
    of_cell = of_cell and bool(args) and _is_cell(args[0])  # MindSpore does not count self then
    message = _misfit(function, args, kwargs, of_cell)
    if message is None:
        return
    source, names = source_of(function), list(inspect.signature(function).parameters)[of_cell:]
    hint = f"Its parameters are: {', '.join(names) or 'none'}."
    kind = errors.InvalidType
    if missing := _missing_before_the_rest(function, args, kwargs):
        kind, message = errors.MissingArgument, f"Miss argument input for parameter:{missing}"
    raise kind(message, hint=hint, where=source.where(source.node))


def _is_cell(value):
    return hasattr(type(value), "construct") and hasattr(type(value), "graph_function")


def _behind(function, args):
    """The function that takes the arguments, and they with those that are given already."""
    while True:
        if isinstance(function, types.MethodType):
            function, args = function.__func__, (function.__self__, *args)
        elif isinstance(function, functools.partial) and not function.keywords:
            function, args = function.func, (*function.args, *args)
        elif hasattr(type(function), "graph_function"):
            function = function.graph_function()
        else:
            return function, args


def _missing_before_the_rest(function, args, kwargs):
    """The first parameter that nothing is given for, of a Cell's method with ``*rest``; or None."""
    code, optional = function.__code__, len(function.__defaults__ or ())
    if kwargs or not args or not _is_cell(args[0]) or not code.co_flags & inspect.CO_VARARGS:
        return None
    needed = code.co_varnames[: code.co_argcount - optional]
    return needed[len(args)] if len(args) < len(needed) else None


def _misfit(function, args, kwargs, of_cell):
    """What is wrong with the arguments, or None."""
    if kwargs:
        try:
            inspect.signature(function).bind(*args, **kwargs)
        except TypeError as error:
            return str(error)
        return None
    code, optional = function.__code__, len(function.__defaults__ or ())
    most, given = code.co_argcount - of_cell, len(args) - of_cell
    needs = "For 'Cell', the function {} requires" if of_cell else "Function {} needs"
    needs = f"{needs.format(function.__name__)} {most - optional} positional argument"
    if given < most - optional:
        return f"{needs}, but got {given}.{SET_INPUTS if of_cell else ''}"
    if given > most and not code.co_flags & inspect.CO_VARARGS:
        return f"{needs} and {optional} default argument, total {most}, but got {given}."
    return None
