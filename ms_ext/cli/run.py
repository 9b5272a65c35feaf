"""Run a MindSpore program: ms-ext run [--engine mindspore] FILE|-m MODULE [ARGUMENTS].

FILE is a script, a notebook (.ipynb), or chapter.md, whose portable cells are run.
"""

import builtins
import linecache
import os
import runpy
import sys
import traceback
import types
from pathlib import Path

from ms_ext import resolve
from ms_ext.engine import errors

USAGE = "ms-ext run [--engine ms_ext|mindspore] SCRIPT|-m MODULE [ARGUMENTS]"


def main(arguments):
    """Run one script as ``python SCRIPT`` does, with ``mindspore`` meaning ms_ext.

    ``--engine mindspore``, or the variable MS_EXT_ENGINE: the other way round.
    """
    rest = list(arguments)
    chosen = os.environ.get("MS_EXT_ENGINE") or resolve.OURS
    if rest[:1] == ["--engine"]:
        chosen, rest = rest[1] if len(rest) > 1 else "", rest[2:]
    elif rest and rest[0].startswith("--engine="):
        chosen, rest = rest[0].partition("=")[2], rest[1:]
    module = rest[:1] == ["-m"]
    rest = rest[1:] if module else rest
    if not rest or chosen not in (resolve.OURS, resolve.THEIRS):
        print(USAGE, file=sys.stderr)
        return 2
    if not module and not Path(rest[0]).is_file():
        print(f"ms-ext run: there is no file {rest[0]}.", file=sys.stderr)
        return 2
    try:
        program = _module(rest[0]) if module else _file(rest[0])
    except errors.InvalidValue as error:
        print(f"ms-ext run: {error}", file=sys.stderr)
        return 2
    os.environ["MS_EXT_ENGINE"] = chosen  # for what the script starts, too
    resolve.here() if chosen == resolve.OURS else resolve.there()
    sys.argv = rest
    return _answered(program)


def _answered(program):
    """Run it; an error is shown as Python shows it, without the way through this command."""
    try:
        program()
    except KeyboardInterrupt:
        print("KeyboardInterrupt", file=sys.stderr)
        return 130
    except Exception as error:
        outside = (__file__, runpy.__file__, "<frozen runpy>")
        trace = error.__traceback__
        while trace and trace.tb_frame.f_code.co_filename in outside:
            trace = trace.tb_next
        traceback.print_exception(type(error), error, trace)
        return 1
    return 0


def _module(name):
    """As ``python -m``: from the folder where it is called, so that relative imports work."""

    def program():
        sys.path.insert(0, os.getcwd())
        runpy.run_module(name, run_name="__main__", alter_sys=True)

    return program


def _file(name):
    """A script, or the cells of a notebook or chapter, one after the other, as one program."""
    cells = _texts(name) if Path(name).suffix in (".ipynb", ".md") else _script(name)

    def program():
        sys.path.insert(0, str(Path(name).resolve().parent))
        module = types.ModuleType("__main__")
        module.__file__, module.__builtins__ = os.path.abspath(name), builtins
        sys.modules["__main__"] = module
        for place, text in cells:
            if isinstance(text, str):
                lines = [f"{line}\n" for line in text.split("\n")]
                linecache.cache[place] = len(text), None, lines, place  # graph mode reads them
            exec(compile(text, place, "exec"), vars(module))

    return program


def _script(name):
    """A script as it is: Python reads its encoding. No frame of runpy is around it, of which
    MindSpore, that prints the lines of all frames in an error, finds no lines."""
    return [(os.path.abspath(name), Path(name).read_bytes())]


def _texts(name):
    """(how it is called in errors, its text with the line numbers of the file) of each cell."""
    from .portability import reading

    parts = reading.read(name)
    if name.endswith(".ipynb"):
        return [(f"{name}[cell {part.cell}]", part.text) for part in parts]
    text = ""
    for part in parts:
        text += "\n" * (part.line - 1 - text.count("\n")) + part.text + "\n"
    return [(str(Path(name).resolve()), text)]
