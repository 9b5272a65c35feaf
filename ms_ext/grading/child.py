"""The learner's code runs here and nowhere else: a process with limits that sends back text.

One line of JSON comes in (``pieces`` to run, the ``target`` they define, what to ``ask`` of it, and
the ``questions``), one goes out. Nothing that this process says about itself is believed: graphs
come back as text, and the judge reads, verifies and runs them itself.
"""

import ast
import importlib
import json
import linecache
import os
import sys
import tempfile
import traceback

MEMORY = 1 << 30
PROCESSOR_SECONDS = 3
FILE_BYTES = 1 << 20
PRINTED = 2000


class Printed:
    """Takes what the learner's code prints: the beginning is kept, the rest only counted."""

    def __init__(self):
        self.kept, self.dropped = "", 0

    def write(self, text):
        """Keep what still fits."""
        room = PRINTED - len(self.kept)
        self.kept += text[:room]
        self.dropped += max(0, len(text) - room)
        return len(text)

    def flush(self):
        """Nothing is waiting."""

    def isatty(self):
        """It is not a terminal."""
        return False

    def __str__(self):
        return self.kept + (f"\n... and {self.dropped} more characters" if self.dropped else "")


def main():
    """Answer one request."""
    out = _private_output()
    routines = importlib.import_module("ms_ext.grading.routines")
    os.write(out, b"ready\n")
    request = json.loads(sys.stdin.buffer.readline())
    printed = sys.stdout = sys.stderr = Printed()
    with tempfile.TemporaryDirectory(prefix="ms_ext_check", ignore_cleanup_errors=True) as folder:
        os.chdir(folder)
        _limit()
        answer = _answer(request, routines)
        os.chdir(os.path.dirname(folder))
    answer["printed"] = str(printed)
    data = json.dumps(answer).encode() + b"\n"
    while data:
        data = data[os.write(out, data) :]
    os._exit(0)  # whatever threads or exit handlers the learner's code left behind


def _private_output():
    """Our way back to the judge; prints of the learner's code and of libraries go nowhere."""
    out = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return out


def _limit():
    """Memory, processor time and file size, where the system can limit them."""
    try:
        import resource
    except ImportError:  # Windows: the judge's clock alone
        return
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    wanted = {
        "RLIMIT_AS": MEMORY,
        "RLIMIT_CPU": int(used) + PROCESSOR_SECONDS,
        "RLIMIT_FSIZE": FILE_BYTES,
        "RLIMIT_CORE": 0,
    }
    for name, value in wanted.items():
        try:
            resource.setrlimit(getattr(resource, name), (value, value))
        except (AttributeError, ValueError, OSError):
            continue


def _answer(request, routines):
    space = {"__name__": "__main__"}
    sys.path.extend(request.get("path", ()))
    try:
        for piece in request["pieces"]:
            _run(*piece, space)
        if request["target"] not in space:
            return {"missing": True}
        ask = routines.ROUTINES[request["ask"]]
        return {"answers": [ask(space[request["target"]], q) for q in request["questions"]]}
    except BaseException as error:  # sys.exit and Ctrl-C of the learner's code included
        return {"error": _told(error, {f"<{piece[0]}>" for piece in request["pieces"]})}


def _run(name, text, keep, space):
    """Run some top-level statements of a cell; tracebacks and the front end see the whole cell."""
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    tree = ast.parse(text, file)
    tree.body = [tree.body[index] for index in keep]
    exec(compile(tree, file, "exec"), space)


def _told(error, own):
    """An error as plain data: its kinds and words, and the last of the learner's lines in it."""
    chain = [error]
    while chain[-1].__cause__ is not None and len(chain) < 20:
        chain.append(chain[-1].__cause__)
    frames = [f for e in chain for f in traceback.extract_tb(e.__traceback__) if f.filename in own]
    place = (
        f"{frames[-1].filename[1:-1]}, line {frames[-1].lineno}: {frames[-1].line}"
        if frames
        else ""
    )
    kinds = [kind.__name__ for e in chain for kind in type(e).__mro__]
    return {
        "kind": type(chain[-1]).__name__,
        "kinds": kinds,
        "words": str(error)[:2000],
        "place": place,
    }
