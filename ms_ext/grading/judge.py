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
ROOT = Path(__file__).resolve().parents[2]


def command():
    """This process: a Python that reads no variables and no folder of the learner's."""
    code = (
        f"import sys; sys.path.append({str(ROOT)!r}); "
        "from ms_ext.grading import judge; judge.main()"
    )
    return [sys.executable, "-I", "-c", code]


def main():
    """Read one request, write one verdict."""
    begin = time.perf_counter()
    request = json.loads(sys.stdin.buffer.readline())
    with Nursery() as nursery:
        verdict = verdict_on(request, nursery)
        took = round(time.perf_counter() - begin, 3)
        sys.stdout.write(json.dumps(replace(verdict, seconds=took).data()) + "\n")
        sys.stdout.flush()


def verdict_on(request, nursery):
    """The Verdict on a request; the nursery starts while the exercise is loaded."""
    from . import exercise, judging

    wanted = exercise.load(request["name"])
    folders = request.get("path", ())
    child = nursery.child(reads=folders)
    try:
        return judging.judge(wanted, request["cells"], child, nursery.child, path=folders)
    finally:
        child.close()
