"""What went wrong, what was given, what to do: the one family of errors that learners see.

Every class also derives from the built-in exception that MindSpore raises in that place, so an
``except ValueError`` written for MindSpore works here too.

>>> raise InvalidValue("The axis is out of range.", given="axis 3 of [2, 3]", hint="Use -2..1.")
Traceback (most recent call last):
    ...
ms_ext.engine.errors.InvalidValue: The axis is out of range.
    given: axis 3 of [2, 3]
    Use -2..1.
"""

import difflib
import os
import sys
import traceback

__all__ = [
    "CannotWrite",
    "DivisionByZero",
    "GradientCount",
    "GraphError",
    "IsFolder",
    "IndexOutOfRange",
    "InvalidIndex",
    "InvalidSyntax",
    "InvalidType",
    "InvalidValue",
    "MissingArgument",
    "MissingKey",
    "MsExtError",
    "MsExtWarning",
    "NoFolder",
    "NoFunction",
    "NoModule",
    "NoSource",
    "NotAllowed",
    "NotAnIndex",
    "NotCallable",
    "NotDefined",
    "NotOffered",
    "NotRunnable",
    "ShapeMismatch",
    "TooFewItems",
    "UnboundName",
    "UnknownAttribute",
    "did_you_mean",
]


class MsExtError(Exception):
    """An error with a fact, what was given, a way out and the learner's line.

    >>> error = MsExtError("No such pass.", given="'foldd'", hint="Did you mean 'fold'?")
    >>> error.hint
    "Did you mean 'fold'?"
    """

    def __init__(self, message, *, given=None, hint=None, where=None):
        self.message, self.given, self.hint, self.where = message, given, hint, where
        super().__init__(message)

    def __str__(self):
        lines = [self.message]
        if self.given is not None:
            lines.append(f"    given: {self.given}")
        if self.hint is not None:
            lines.extend(f"    {line}" for line in str(self.hint).splitlines())
        if self.where is not None:
            lines.append(
                self.where.picture() if hasattr(self.where, "picture") else f"    ({self.where})"
            )
        return "\n".join(lines)

    def named(self, name):
        """The same error with ``For 'name', `` in front, unless it begins with a name already.

        >>> InvalidValue("The axis is out of range.").named("Sum").message
        "For 'Sum', the axis is out of range."
        """
        if self.message.startswith(("For '", "'")):
            return self
        message = f"For '{name}', {self.message[:1].lower()}{self.message[1:]}"
        return type(self)(message, given=self.given, hint=self.hint, where=self.where)

    def _render_traceback_(self):
        """What a notebook shows: the reader's own lines, not the way through the engine."""
        own = [f for f in traceback.extract_tb(self.__traceback__) if not inside(f.filename)]
        lines = [f"{place(f.filename, f.lineno)}\n    {f.line}" for f in own]
        notes = getattr(self, "__notes__", [])
        return [*lines, "", f"{type(self).__name__}: {self}", *notes]

    def __reduce__(self):
        return _rebuild, (
            type(self),
            self.message,
            self.given,
            self.hint,
            str(self.where or "") or None,
        )


PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep
_PYTHON = os.path.dirname(os.__file__)


def place(file, line):
    """A line as a reader finds it: ``file.py:3``, or ``Cell In[2], line 3`` in a notebook.

    >>> place("task.py", 3)
    'task.py:3'
    """
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    compiler = getattr(shell, "compile", None)
    cell = compiler and compiler.format_code_name(file)
    return f"{' '.join(cell)}, line {line}" if cell else f"{file}:{line}"


def inside(filename):
    """Whether a file is this package's own, Python's (contextlib.py), or the notebook's machinery.

    >>> inside(__file__), inside(os.__file__), inside("task.py")
    (True, True, False)
    """
    if filename.startswith((PACKAGE, "kernels_pyx/")):  # Cython names a file as it was built
        return True
    notebook = "/IPython/" in filename or "/ipykernel/" in filename
    return notebook or os.path.dirname(filename) == _PYTHON


def _rebuild(kind, message, given, hint, where):
    return kind(message, given=given, hint=hint, where=where)


class InvalidType(MsExtError, TypeError):
    """A value of the wrong type, or the wrong number of arguments."""


class InvalidValue(MsExtError, ValueError):
    """A value of the right type that makes no sense here."""


class InvalidIndex(MsExtError, IndexError):
    """A position outside a tensor or a tuple."""


class ShapeMismatch(InvalidValue, RuntimeError):
    """Shapes that do not fit together, where MindSpore raises RuntimeError."""


class IndexOutOfRange(InvalidIndex, RuntimeError):
    """An index found to be too large when its op ran; MindSpore raises RuntimeError."""


class NotRunnable(MsExtError, RuntimeError):
    """Something that cannot be run: a failed stage, a missing gradient, a broken plugin."""


class GradientCount(NotRunnable, IndexError):
    """A bprop that returned too few or too many gradients; in graph mode MindSpore's IndexError."""


class NotOffered(NotRunnable, NotImplementedError):
    """A method that every class of a kind has to write for itself, and this one did not."""


class InvalidSyntax(MsExtError, RuntimeError):
    """Python that graph mode does not understand (MindSpore raises RuntimeError there)."""


class NotDefined(MsExtError, NameError):
    """A name that means nothing here."""


class UnboundName(MsExtError, UnboundLocalError):
    """A local name that has no value on some path."""


class UnknownAttribute(MsExtError, AttributeError):
    """An attribute or method that does not exist."""


class NoModule(MsExtError, ModuleNotFoundError):
    """A module that MindSpore has and this package has not."""


# where MindSpore and Python raise different kinds: either can be caught --------------------------


class DivisionByZero(InvalidValue, ZeroDivisionError):
    """Numbers divided by zero while a graph is built; MindSpore raises ValueError."""


class MissingKey(InvalidValue, KeyError):
    """A key that a dict has not; MindSpore raises ValueError."""


class NotCallable(InvalidValue, TypeError):
    """Something called that is no function; MindSpore raises ValueError."""


class NotAnIndex(InvalidIndex, TypeError):
    """A position that is no whole number; MindSpore raises IndexError."""


class TooFewItems(InvalidIndex, ValueError):
    """A tuple with fewer items than names; MindSpore raises IndexError."""


class MissingArgument(InvalidType, RuntimeError):
    """A Cell called with too few arguments; MindSpore raises RuntimeError."""


class NoFunction(InvalidType, RuntimeError):
    """A gradient asked of what cannot be called; MindSpore raises RuntimeError in graph mode."""


class NoSource(NotRunnable, OSError):
    """A function whose Python text cannot be found; MindSpore raises OSError."""


class CannotWrite(MsExtError, OSError):
    """A file that could not be written, as the system says why: a full disk, and so on."""


class NoFolder(CannotWrite, FileNotFoundError):
    """A file to be written into a folder that does not exist."""


class NotAllowed(CannotWrite, PermissionError):
    """A file that this user must not write there."""


class IsFolder(CannotWrite, IsADirectoryError):
    """The name of a folder where a file's name is needed."""


class GraphError(MsExtError, RuntimeError):
    """A graph that breaks a rule of the IR, or an edit that would."""


class MsExtWarning(UserWarning):
    """Something worth knowing that does not stop the work."""


def did_you_mean(name, known):
    """A hint that lists the nearest known names.

    >>> did_you_mean("foldd", ["fold", "cse"])
    "Did you mean 'fold'? Known: 'cse', 'fold'."
    """
    known = sorted(map(str, known))
    # Programs that look around ask every object for names such as __wrapped__; nothing is near.
    looked_for = [] if str(name).startswith("__") else known
    near = difflib.get_close_matches(str(name), looked_for, n=1)
    if near and len(known) > 12:
        return f"Did you mean {near[0]!r}?"
    shown = ", ".join(repr(k) for k in known[:12]) + (", ..." if len(known) > 12 else "")
    listing = f"Known: {shown}." if known else "Nothing is registered yet."
    return f"Did you mean {near[0]!r}? {listing}" if near else listing
