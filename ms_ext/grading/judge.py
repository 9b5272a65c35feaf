"""The checker's own process: fresh, so nothing the learner's session has patched reaches it.

One line of JSON comes in (the exercise's name, the learner's cells), one goes out: the verdict. The
learner's code runs in a second process (``child``), under a clock; this one only reads its answer.
"""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START = 30.0  # seconds for a Python and NumPy to start on a busy machine
RUN = 4.0  # seconds for the learner's code
BYTES = 32 << 20
KEPT = (
    "PATH",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TMPDIR",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "MS_EXT_CORE",
    "MS_EXT_CPU",
)


def command(module):
    """One of our modules in a Python that reads no variables and no folder of the learner's."""
    code = (
        f"import sys; sys.path.append({str(ROOT)!r}); "
        f"from ms_ext.grading import {module}; {module}.main()"
    )
    return [sys.executable, "-I", "-c", code]


def surroundings():
    """The few variables that a checking process gets; its backend never changes by itself."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {**kept, "MS_EXT_JIT": "fixed", "OPENBLAS_NUM_THREADS": "1"}


class Child:
    """The learner's process: what it sends is collected by a thread, up to a limit."""

    def __init__(self):
        self.process = subprocess.Popen(
            command("child"), env=surroundings(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=os.name != "nt",
        )  # fmt: skip
        self.ready, self.done, self.answer = threading.Event(), threading.Event(), b""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        if self.process.stdout.readline(64) == b"ready\n":
            self.ready.set()
            self.answer = self.process.stdout.readline(BYTES)
        self.ready.set()
        self.done.set()

    def ask(self, request):
        """The child's answer as data, or {"stopped": why}."""
        try:
            self.ready.wait(START)
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
            in_time = self.done.wait(RUN)
            return self._read_answer() if in_time else {"stopped": "time"}
        except BrokenPipeError:
            return self._read_answer()
        finally:
            self.end()

    def _read_answer(self):
        try:
            answer = json.loads(self.answer)
        except ValueError:
            return {"stopped": self._how_it_ended()}
        return answer if isinstance(answer, dict) else {"stopped": "nonsense"}

    def _how_it_ended(self):
        try:
            code = self.process.wait(2)
        except subprocess.TimeoutExpired:
            return "nonsense"
        return "time" if code in (-9, -24) else f"exit {code}"

    def end(self):
        """Nothing of the learner's process lives on."""
        try:
            os.killpg(self.process.pid, 9) if os.name != "nt" else self.process.kill()
        except (ProcessLookupError, PermissionError):
            pass
        self.process.wait()


def main():
    """Read one request, write one verdict."""
    begin = time.perf_counter()
    request = json.loads(sys.stdin.buffer.readline())
    child = Child()
    try:
        from . import report  # NumPy starts here, beside the child's

        verdict = report.judge(request, child.ask)
    finally:
        child.end()
    data = {**verdict.data(), "seconds": round(time.perf_counter() - begin, 3)}
    sys.stdout.write(json.dumps(data) + "\n")
    sys.stdout.flush()
