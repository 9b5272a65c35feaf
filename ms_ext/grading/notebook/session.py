"""What happens at ``check(name)``? Find the text, ask the checker, read its verdict."""

import inspect
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace

from ms_ext.engine import errors
from ms_ext.grading import exercise as exercises
from ms_ext.grading import judge
from ms_ext.grading.notebook import saved, sources, telling
from ms_ext.grading.verdict import Verdict

PATIENCE = 60.0
GIVEN = "the answer you gave"
FAREWELL = 3.0  # seconds for an interrupted checker to end what it started


def check(name, answer=None):
    """Check an exercise; answers within a second, without a network.

    Without ``answer`` the notebook's session is read, or the file that calls this. ``answer``: a
    notebook or .py file to read instead, or the function or object that you wrote.

    A notebook and Python's prompt show what is returned. A script has nothing that would, so there
    the verdict is printed; and a test prints one that is not passed, for pytest to show.
    """
    frame = sys._getframe(1)
    if frame.f_code.co_flags & inspect.CO_OPTIMIZED:  # called in a function
        sources.refuse_local(exercises.load(name).target, answer, frame)
    verdict = verdict_on(name, sources.of(answer, frame))
    return telling.told(verdict, frame, wrong=not verdict)


def verdict_on(name, source):
    """The verdict on a source, with warnings where the saved notebook says something else."""
    exercises.find(name)  # a name that does not exist is told at once
    cells = list(source.cells)
    if source.known or source.session:
        target = exercises.load(name).target
    if source.known and source.known != target:
        cells.append((GIVEN, f"{target} = {source.known}"))
    verdict = ask({"name": name, "cells": cells, "path": [source.folder]})
    warnings = [each for each in verdict.warnings if GIVEN not in each]
    if source.session:
        warnings.insert(0, sources.not_python(cells, target))
    if source.session and verdict.status in ("passed", "partly"):
        path = saved.notebook_file(sources.running_shell())
        warnings.append(saved.difference(cells, path, target) if path else "")
    return replace(verdict, warnings=tuple(filter(None, warnings)))


def ask(request):
    """The verdict of a checker of its own process; whatever happens, that process ends."""
    process = subprocess.Popen(
        judge.command(), env=judge.surroundings(), stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=os.name != "nt",
    )  # fmt: skip
    with process:
        try:
            said, told = process.communicate(json.dumps(request).encode() + b"\n", PATIENCE)
            return Verdict.read(json.loads(said))
        except subprocess.TimeoutExpired:
            told = f"no verdict within {PATIENCE:.0f} s"
        except ValueError:
            told = told.decode(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
        finally:
            _end(process)
    raise errors.NotRunnable(
        "The checker itself failed: this is no verdict on your work.",
        given=f"{told}",
        hint="Try again; `ms-ext doctor` says what is missing here.",
    )


def _end(process):
    """Interrupt the checker, so that it ends the learner's process too; then end it."""
    if process.poll() is not None:
        return
    try:
        process.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGINT)
        process.wait(FAREWELL)
    except subprocess.TimeoutExpired:
        pass
    finally:
        process.kill()


def _button(name):
    """Show a button that checks an exercise, and one for each hint."""
    from ms_ext.grading.notebook import button

    button.button(name)


check.button = _button
