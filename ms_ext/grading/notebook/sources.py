"""Which text does a check read? The session's cells, the caller's file, a file, an object's file.

Text only: nothing is run here, and the judge never sees the learner's objects.
"""

import ast
import inspect
import linecache
import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

from ms_ext.engine import errors
from ms_ext.grading import magics, submissions


class Source(NamedTuple):
    """Cells as (name, text), the folder that they import from, and what they call the answer.

    ``known``: the name of a given object, "" if none was given.
    """

    cells: tuple
    folder: str
    known: str = ""
    session: bool = False


def of(answer, frame):
    """The source that ``check(name, answer)`` means, called from ``frame``."""
    if answer is None:
        return at(frame.f_code.co_filename)
    if isinstance(answer, str | os.PathLike):
        return of_file(answer)
    file, space = _home(answer) or (frame.f_code.co_filename, frame.f_globals)
    return at(file)._replace(known=_name_of(answer, space))


def refuse_local(target, answer, frame):
    """Refuse an answer that stands inside the function of ``frame``: only top-level text is read.

    Without this a check in a test function would read another answer at the top of the file.
    """
    if answer is None:
        name, own = target, frame.f_locals.get(target)
    else:
        name = getattr(answer, "__name__", target)
        own = answer if "<locals>" in getattr(answer, "__qualname__", "") else None
    home = _home(own) if own is not None else None
    spaces = [frame.f_globals, home[1] if home else {}]
    if own is None or any(own is value for space in spaces for value in space.values()):
        return
    raise errors.InvalidValue(
        f"`{name}` is defined inside a function here; a check reads files and cells.",
        hint="Move it to the top of the file, or give ms.check a file.",
    )


def at(file):
    """The source with this file name: a file, or a cell of the session that runs it."""
    shell = running_shell()
    of_shell = shell and shell.compile.format_code_name(file)  # a debugger writes cells to files
    if os.path.isfile(file) and not of_shell:
        return of_file(file)
    if shell:
        return of_session(shell)
    typed = [(name, text) for name, text in linecache.cache.items() if _is_typed(name)]
    if typed:  # since Python 3.13 the prompt keeps what was typed
        cells = tuple((name[1:-1], "".join(entry[2])) for name, entry in typed)
        return Source(cells, os.getcwd())
    raise errors.NotRunnable(
        "What was typed here is kept nowhere, so it cannot be checked.",
        given=file,
        hint='Write it into a file: ms.check(name, "answer.py"). Or work in a notebook.',
    )


def _is_typed(name):
    return name.startswith("<python-input-")


def of_file(path):
    """The source in a notebook or a Python file."""
    read = submissions.read(path)
    if read.problem:
        raise errors.InvalidValue(submissions.PROBLEMS[read.problem], given=str(path))
    return Source(read.cells, str(Path(path).resolve().parent))


def of_session(shell):
    """The cells that were run so far, in that order; magics are taken out."""
    history = enumerate(shell.history_manager.input_hist_raw)
    cells = [(f"In[{number}]", magics.python_of(text)) for number, text in history if text]
    return Source(tuple(cells), os.getcwd(), session=True)


def not_python(cells, target):
    """What to warn of where the newest cell that writes ``target`` cannot be read, else "".

    >>> not_python([("In[1]", "f = 1"), ("In[2]", "f = 2 +")], "f")
    'the newest cell that writes `f`, In[2], is no Python, so this verdict is about In[1]: mend it \
and run it again'
    """
    writes = re.compile(rf"^(?:def|class) {target}\b|^{target} *=", re.MULTILINE)
    newest = ""
    for name, text in reversed(cells):
        if not writes.search(text):
            continue
        if not _reads(text):
            newest = newest or name
        elif newest:
            return (
                f"the newest cell that writes `{target}`, {newest}, is no Python, "
                f"so this verdict is about {name}: mend it and run it again"
            )
        else:
            return ""
    return ""


def _reads(text):
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def running_shell():
    """IPython's shell, if this is a session of it.

    >>> running_shell() is None
    True
    """
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def _home(answer):
    """The file that a function or class was written in, and its names; None of other objects."""
    function = inspect.unwrap(answer) if callable(answer) else answer
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    if inspect.isclass(answer) and hasattr(module, "__file__"):
        return module.__file__, vars(module)
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return (code.co_filename, function.__globals__) if code else None


def _name_of(answer, space):
    """Under which name does its file know an object?"""
    named = getattr(answer, "__name__", None)
    names = [named] if space.get(named) is answer else []
    names += [name for name, value in space.items() if value is answer and name[0] != "_"]
    names += [named] if isinstance(named, str) and named.isidentifier() else []
    if not names:
        raise errors.InvalidValue(
            "This object has no name, so its text cannot be found.", given=f"{answer!r:.80}",
            hint="Give it a name first: answer = ..., then ms.check(name, answer).",
        )  # fmt: skip
    return names[0]
