"""What do both modes give? The function is run twice in each, always on the same inputs."""

import contextlib
import functools
import io
from typing import NamedTuple

import numpy as np

from ... import context
from ...engine import jit
from ...engine.frontend.values import mapped
from ...engine.tensor import Tensor
from ..comparing.agreement import agreement

EQUAL = "equal to the bit"
WIDEST = 70  # characters of a result, and of a printed line


class Ran(NamedTuple):
    """One run: what came back (None if it raised), what was printed, what was raised.

    ``again``: the next run, on the same inputs, where it gave something else; else None.
    """

    mode: str
    value: object
    printed: str
    error: str = ""
    again: object = None


def both(function, args, parsed=None):
    """The two Runs: PyNative mode, then the graph; Parameters are given their values back."""
    parameters = parsed.parameters if parsed else ()
    kept = [each.asnumpy().copy() for each in parameters]
    found = []
    modes = ("PyNative mode", uncompiled(function)), ("graph mode", _compiled_anew(function))
    for mode, run in modes:
        first, second = (_restored(mode, run, args, parameters, kept) for _ in range(2))
        same = (_compared(first, second), first.error) == (EQUAL, second.error)
        found.append(first if same else first._replace(again=second))
    return found


def _restored(mode, function, args, parameters, kept):
    """One run, after which Parameters are as they were."""
    ran = _ran(mode, function, mapped(_copied, args))
    for each, value in zip(parameters, kept, strict=True):
        each.assign_value(Tensor(value, each.dtype))
    return ran


def _compiled_anew(function):
    """A compiled function of its own: the given one does not count this call."""
    plain = uncompiled(function)
    if not isinstance(function, jit.JitFunction):
        return jit.JitFunction(plain)
    given = function.backend, function.passes, function.fullgraph, function.capture_mode
    return jit.JitFunction(plain, *given)


def uncompiled(function):
    """What a compiled function, method or Cell compiles: Python runs it line by line.

    >>> uncompiled(jit.jit(len)) is len
    True
    """
    construct = getattr(type(function), "construct", None)
    if isinstance(construct, jit.JitFunction):
        return functools.partial(construct.function, function)
    if isinstance(function, functools.partial):
        return functools.partial(uncompiled(function.func), *function.args, **function.keywords)
    return function.function if isinstance(function, jit.JitFunction) else function


def _ran(mode, function, args):
    heard, value, error = io.StringIO(), None, ""
    before = context.get_context("mode")
    try:
        context.set_context(mode=context.PYNATIVE_MODE)
        with contextlib.redirect_stdout(heard):
            value = mapped(_plain, function(*args))
    except Exception as raised:  # whatever it is, it is what this mode gives
        error = f"{type(raised).__name__}: {str(raised).partition(chr(10))[0]}"
    finally:
        context.set_context(mode=before)
    return Ran(mode, value, heard.getvalue(), error)


def _copied(value):
    return Tensor(value.asnumpy().copy(), value.dtype) if type(value) is Tensor else value


def _plain(value):
    return value.asnumpy() if isinstance(value, Tensor) else value


def verdict(runs):
    """Whether both gave the same, in words."""
    one, other = runs
    if one.error or other.error:
        return "" if one.error and other.error else "only one of them gives a result"
    if one.again or other.again:
        return "called again on the same inputs, not both give the same again"
    return _compared(one, other)


def _compared(one, other):
    try:
        return agreement(one.value, other.value).words
    except (TypeError, ValueError):  # what is no number
        return EQUAL if repr(one.value) == repr(other.value) else "not the same"


def gave(run):
    """What came back, or was raised, in one line."""
    if run.error:
        return run.error if len(run.error) <= 2 * WIDEST else f"{run.error[: 2 * WIDEST]}..."
    text = " ".join(_shown(run.value).split())
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 3]}..."


def verb(run):
    """What a run did."""
    return "raises" if run.error else "gives"


def _shown(value):
    if isinstance(value, np.ndarray):
        return np.array2string(value, separator=", ", threshold=12, precision=6)
    if isinstance(value, tuple | list):
        inner = ", ".join(map(_shown, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    return repr(value)
