"""What do the modes make of one bprop? Each way is tried on copies of the same inputs."""

import contextlib
import io
from typing import NamedTuple

import numpy as np

from ... import context
from ...engine import errors, jit, strict
from ...engine.gradients.gradient import grad
from ...engine.tensor import Tensor
from .backward_words import value

MODES = ("PyNative mode", "graph mode")
HERE, THERE = MANNERS = ("here", 'strict="2.10"')


class Tried(NamedTuple):
    """What came of one call: a gradient per name, or the words of an error."""

    gradients: tuple  # (name, ndarray, None or what else a bprop gave)
    error: str = ""  # its class and its first line
    hint: str = ""


def tried(op, inputs, places, names, mode, manner):
    """The gradients of ``op`` by the inputs at ``places``, in one mode and one manner."""

    def through(*operands):
        return op(*operands)

    asked = grad(through, places)
    asked = jit.JitFunction(asked) if mode == "graph mode" else asked
    copies = [Tensor(e.asnumpy().copy(), e.dtype) if isinstance(e, Tensor) else e for e in inputs]
    try:
        with _settings(manner):
            found = asked(*copies)
            given = found if isinstance(found, tuple | list) else (found,)
            return Tried(tuple(zip(names, map(_plain, given), strict=False)))
    except Exception as raised:  # whatever it is, it is what comes of this call
        return Tried((), *_said(raised))


@contextlib.contextmanager
def _settings(manner):
    """One manner, for as long as a call takes; nothing that the bprop prints is shown."""
    before = context.get_context("mode")
    manners = strict.as_mindspore() if manner == THERE else _as_here()
    try:
        context.set_context(mode=context.PYNATIVE_MODE)
        with manners, contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        context.set_context(mode=before)


def _as_here():
    return strict.as_mindspore(None)


def _said(error):
    if isinstance(error, errors.MsExtError):
        given = f" ({' '.join(str(error.given).split())})" if error.given is not None else ""
        return f"{_family(error)}: {error.message}{given}", error.hint or ""
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}", ""


def _family(error):
    """The built-in class that an ``except`` would name."""
    built = [each for each in type(error).__mro__ if each.__module__ == "builtins"]
    return built[0].__name__


def _plain(found):
    return found.asnumpy() if isinstance(found, Tensor) else found


def said(each):
    """One gradient in a few characters.

    >>> said(np.float32([1.0, 2.5])), said(None)
    ('[1 2.5]', 'None')
    """
    return value(each, str(each.dtype) if isinstance(each, np.ndarray) else "")


def agree(one, other):
    """Whether two calls gave the same gradients, of the same kinds; errors never agree."""
    if one.error or other.error or len(one.gradients) != len(other.gradients):
        return False
    pairs = zip(one.gradients, other.gradients, strict=True)
    return all(_same(mine, its) for (_, mine), (_, its) in pairs)


def _same(mine, its):
    if not isinstance(mine, np.ndarray) or not isinstance(its, np.ndarray):
        return type(mine) is type(its) and mine == its
    if mine.shape != its.shape or mine.dtype != its.dtype:
        return False
    return bool(np.allclose(mine, its, rtol=1e-4, atol=1e-6, equal_nan=True))
