"""What happens at ``check(name)``? Collect the cells, ask the checker, read its verdict."""

import json
import os
import subprocess
import sys
from pathlib import Path

from ms_ext.engine import errors

from . import find, judge
from .exercise import find as find_exercise
from .verdict import Verdict

PATIENCE = 60.0


def check(name, answer=None):
    """Check an exercise; answers within a second, without a network.

    ``answer``: a notebook or .py file to read instead of the running session.
    """
    find_exercise(name)  # a name that does not exist is told at once
    cells = cells_of(answer) if answer is not None else session_cells()
    request = {"name": name, "cells": cells, "path": [os.getcwd()]}
    try:
        done = subprocess.run(
            judge.command("judge"), input=json.dumps(request).encode() + b"\n",
            env=judge.surroundings(), capture_output=True, timeout=PATIENCE,
        )  # fmt: skip
        return Verdict.of(json.loads(done.stdout))
    except subprocess.TimeoutExpired:
        told = f"no verdict within {PATIENCE:.0f} s"
    except ValueError:
        told = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
    raise errors.NotRunnable(
        "The checker itself failed: this is no verdict on your work.",
        given=f"{told}",
        hint="Try again; `ms-ext doctor` says what is missing here.",
    )


def session_cells():
    """The cells run so far, as (name, text); outside IPython the text of the program."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is not None:
        history = enumerate(shell.history_manager.input_hist_parsed)
        return [(f"In[{number}]", text) for number, text in history if text]
    file = getattr(sys.modules.get("__main__"), "__file__", None)
    return cells_of(file) if file and os.path.exists(file) else []


def cells_of(path):
    """The cells of a notebook, or a whole Python file as one."""
    path = Path(path)
    try:
        if path.suffix == ".ipynb":
            return find.notebook_cells(path)
        return [(path.name, path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, KeyError) as error:
        raise errors.InvalidValue("This file cannot be read.", given=f"{path}: {error}") from None
