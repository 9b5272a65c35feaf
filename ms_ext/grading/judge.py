"""The checker's own process: fresh, so nothing the learner's session has patched reaches it.

One line of JSON comes in (the exercise's name, the learner's cells, the folders they import from),
one goes out: the verdict. The learner's code runs in a third process, made by the nursery.
"""

import json
import sys
import time
from dataclasses import replace
from pathlib import Path

from .sandbox import Nursery
from .sandbox.nursery import surroundings

__all__ = ["command", "main", "surroundings", "verdict_on"]
PROGRAM = "ms_ext.cli.grading.checker"  # what it runs: it knows the chapters, as this does not
ROOT = Path(__file__).resolve().parents[2]


def command():
    """This process: a Python that reads no variables and no folder of the learner's."""
    code = f"import sys; sys.path.append({str(ROOT)!r}); from {PROGRAM} import answer; answer()"
    return [sys.executable, "-I", "-c", code]


def main(starter, after):
    """Read one request, write one verdict.

    ``starter(name)``: the cells that the chapter gave, or None; ``after(name)``: what comes next.
    """
    begin = time.perf_counter()
    request = json.loads(sys.stdin.buffer.readline())
    with Nursery() as nursery:
        verdict = verdict_on(request, nursery, starter, after)
        took = round(time.perf_counter() - begin, 3)
        sys.stdout.write(json.dumps(replace(verdict, seconds=took).data()) + "\n")
        sys.stdout.flush()


def verdict_on(request, nursery, starter, after):
    """The Verdict on a request; the nursery starts while the exercise is loaded."""
    from . import exercise, judging

    wanted = exercise.load(request["name"])
    given = starter(wanted.name)
    folders = request.get("path", ())
    child = nursery.child(reads=folders)
    try:
        verdict = judging.judge(wanted, request["cells"], child, nursery.child, path=folders)
    finally:
        child.close()
    if verdict:
        return replace(verdict, next=after(wanted.name))
    return _if_touched(wanted, verdict, given, nursery)


def _if_touched(exercise, verdict, given, nursery):
    """The verdict on what is no pass: of the starter, that nobody has attempted it."""
    if given is None or not verdict.sha:
        return verdict
    from . import judging, untouched

    child = nursery.child()
    try:
        return untouched.told(exercise, verdict, judging.sha_of(exercise.target, given, child))
    finally:
        child.close()
