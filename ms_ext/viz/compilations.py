"""``viz.compilations(f)``: how often a compiled function was compiled, and why each time.

>>> from ms_ext import Tensor, jit
>>> @jit
... def scaled(x, by):
...     return x * by
>>> x = Tensor([1.0, 2.0])
>>> shown = compilations(scaled, (x, 2), (x, 3), (x, 3))
>>> shown.title
'scaled: 3 calls, compiled twice'
>>> [call.graph for call in shown.calls]
[1, 2, 2]
"""

from typing import NamedTuple

from ..engine import errors, events, frontend, jit
from .card import Card
from .widgets import compilations_page, compilations_words


class Call(NamedTuple):
    """One call that was made: which graph answered it, whether that was new, nanoseconds."""

    number: int
    graph: int  # the number of the compilation that answered; 0 if the call failed
    new: bool
    took: int
    error: str = ""


class Compilations(Card):
    """The counter: ``calls`` and ``compiled`` (a list of Compilation) are its content as data."""

    def __init__(self, name, compiled, calls=()):
        self.name, self.compiled, self.calls = name, list(compiled), list(calls)
        self.title = compilations_words.title(self)

    def text(self):
        """The calls, then each compilation with its reason."""
        return compilations_words.page(self)

    def html(self):
        """The calls as bars, and the compilations as a table."""
        return compilations_page.card(self)


def compilations(f, *calls):
    """Every compilation of ``f``, a function made by ``jit``, with the reason for it.

    ``calls`` are made first, in order, and timed; each is what ``f`` is called with: one value, or
    a tuple of its arguments. Without them the calls that were made so far are told about.
    """
    if not isinstance(f, jit.JitFunction):
        raise errors.InvalidType(
            "Only a compiled function is compiled again.",
            given=f"{f!r:.60} of type {type(f).__name__}",
            hint="Compile it first: f = ms.jit(f).",
        )
    made = [_called(f, number, _arguments(each)) for number, each in enumerate(calls, 1)]
    return Compilations(frontend.name_of(f.function), f.compilations, made)


def _arguments(call):
    return call if isinstance(call, tuple) else (call,)


def _called(f, number, args):
    """Make one call and see which graph answers it."""
    before, start, error = len(f.compilations), events.now(), ""
    try:
        f(*args)
    except Exception as raised:  # whatever the learner's function raises is a fact about that call
        error = f"{type(raised).__name__}: {str(raised).partition(chr(10))[0]}"
    took = events.now() - start
    found = f.compilation_for(*args)
    return Call(number, found.number if found else 0, len(f.compilations) > before, took, error)
