"""``viz.symbols(library)``: what a library exports and needs, as ``nm`` and ``ldd`` tell it.

>>> import sys
>>> shown = symbols(sys.executable, find="Py_Initialise")
>>> shown.answer.partition(";")[0]
"'Py_Initialise' is neither exported nor needed"
"""

import os

from ..engine import errors
from ..engine.custom.builder.proxy import OpModule
from ..engine.custom.custom import Custom
from ..engine.custom.loading import Trace, clinic, compiling, contents, elf, search
from .card import Card
from .widgets import symbols_page, symbols_words

_HINT = 'viz.symbols("./libmy_mul.so"), of a .o, of a source, of an op, or of a loaded module.'


class Symbols(Card):
    """The tables of one file: ``contents`` holds them as data.

    ``answer`` says what became of the name looked for, and ``twice`` names what a second library
    exports too.
    """

    def __init__(self, found, find=None, other=None):
        self.contents, self.find, self.other = found, find, other
        self.twice = contents.twice(found, other) if other else []
        self.answer = symbols_words.answer(found, find) if find else ""
        self.title = symbols_words.title(found)

    def text(self):
        """What it exports, what it needs from whom, and the answers."""
        return symbols_page.page(self)

    def html(self):
        """The same as tables."""
        return symbols_page.card(self)


def symbols(library, find=None, other=None):
    """The symbol table of a file: what it exports and to whom that is of use, what it needs.

    ``library``: a path of a .so or a .o; of a source, which is compiled first; an ``ops.Custom``
    that was loaded; a module, as ``CustomOpBuilder.load`` gives it. ``find``: a name to look for.
    ``other``: a second library; names that both export are listed.
    """
    second = None if other is None else _contents(other)
    return Symbols(_contents(library), find, second)


def _contents(what):
    path = _path(what)
    if not os.path.isfile(path):
        raise errors.InvalidValue(
            f"There is no file {path}.", given=f"looked for in {os.getcwd()}", hint=_near(path)
        )
    source = os.path.basename(path) if search.is_source(path) else ""
    if source:
        path = compiling.built(path, Trace(path))
    try:
        return contents.contents(path, source)
    except elf.Malformed as why:
        raise clinic.not_a_library(path, why).error() from None


def _near(path):
    folder = os.path.dirname(path) or "."
    there = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return errors.did_you_mean(os.path.basename(path), there) or _HINT


def _path(what):
    """The file that is meant."""
    if isinstance(what, Custom):
        trace = getattr(what.way, "trace", None)
        if trace is None or trace.library is None:
            raise errors.NotRunnable(
                f"No library of {what.__name__} is loaded.",
                given=f"func_type={what.way.func_type!r}",
                hint="Ops of aot and jit have one after their first call.",
            )
        return trace.library
    if isinstance(what, OpModule):
        what = what.so_module
    file = what if isinstance(what, str | os.PathLike) else getattr(what, "__file__", None)
    if file is None:
        raise errors.InvalidType(
            "viz.symbols(library) shows what is in a library.", given=f"{what!r:.60}", hint=_HINT
        )
    return os.fspath(file)
