"""How does an error of your function reach the loop? As one error, with the function's own lines.

>>> try:
...     1 / 0
... except ZeroDivisionError as error:
...     failure = failed(error, "map", "the function 'f'")
>>> failure.message
"map: the function 'f' raised ZeroDivisionError: division by zero"
"""

import linecache
import pickle
import traceback

from .. import errors


class FunctionFailed(errors.NotRunnable):
    """A function of the user's raised an error while a row was made."""

    def _render_traceback_(self):
        """In a notebook: the message, which holds the function's own lines."""
        return [f"{type(self).__name__}: {self}"]


def failed(error, node, what, place=""):
    """The error that the loop gets, with ``error`` as its cause."""
    if isinstance(error, FunctionFailed):
        return error
    told = "".join(traceback.format_exception_only(error)).strip()
    return _made(f"{node}: {what} raised {told}{place}", frames(error), error)


def _made(message, where, cause):
    shown = "\n".join(
        f"  {errors.place(f, n)}, in {name}\n    {_text(f, n)}" for f, n, name in where
    )
    failure = FunctionFailed(message, hint=f"Its own lines:\n{shown}" if shown else None)
    failure.frames, failure.__cause__ = where, cause
    return failure


def frames(error):
    """(file, line, function), outermost first, without those of this package."""
    found = traceback.extract_tb(error.__traceback__)
    return [(f.filename, f.lineno, f.name) for f in found if not errors.inside(f.filename)]


def _text(file, line):
    return linecache.getline(file, line).strip()


def named(function):
    """How a function is called in an error."""
    name = getattr(function, "__qualname__", None)
    return f"the function {name!r}" if name else f"{type(function).__name__}"


def packed(failure):
    """A failure as what can be sent; its cause stays itself only if it can be pickled.

    The lines are looked up on the other side, which has the text of a notebook's cells.
    """
    cause = failure.__cause__
    try:
        pickle.loads(pickle.dumps(cause))
    except Exception:
        cause = None  # its kind and text are in the message
    return failure.message, getattr(failure, "frames", []), cause


def unpacked(message, where, cause):
    """The failure again, on the other side."""
    return _made(message, where, cause)
