"""How is one step of `./lab` run and shown: name, seconds, and on failure why and what next?

Standard library only: the door and setup.py use this before anything is installed.
"""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / "build" / "logs"
SPINNER = "|/-\\"


class Stopped(Exception):
    """A step failed: which one, why, and what to do about it."""

    def __init__(self, step, why, advice, log=None):
        super().__init__(step)
        self.step, self.why, self.advice, self.log = step, why, advice, log

    def __str__(self):
        shown = "\n         ".join(self.why.strip().splitlines() or ["(it printed nothing)"])
        log = f"  log:   {self.log.relative_to(ROOT)}\n" if self.log else ""
        return (
            f"./lab stopped in the step '{self.step}'.\n"
            f"  why:   {shown}\n{log}  to do: {self.advice}"
        )

    def last_word(self):
        """The last line of the reason."""
        return (self.why.strip().splitlines() or ["(it printed nothing)"])[-1].strip()


def run_step(step, command, advice, environment, note=""):
    """Run a program with its output in a log; show the step, its seconds and what it says last.

    ``note`` tells beforehand what is worth waiting for, and how long.
    """
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"{step}.log"
    start = time.monotonic()
    if note or not sys.stdout.isatty():
        print(f"  {step} ... {note}".rstrip(), flush=True)
    with log.open("w") as output:
        child = subprocess.Popen(
            [str(word) for word in command],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
        try:
            code = watch(child, step, log, start)
        except BaseException:
            child.terminate()
            child.wait()
            raise
    if code:
        raise Stopped(step, "\n".join(last_lines(log, 12)), advice, log)
    show_done(step, start)


def show_done(step, start):
    """The line of a step that has ended, over its spinner if there is one."""
    wipe = "\r\033[K" if sys.stdout.isatty() else ""
    print(f"{wipe}  {step:<15} {time.monotonic() - start:6.1f} s", flush=True)


def watch(child, step, log, start):
    """Wait for a program; on a terminal, turn the spinner and show the last line of its log."""
    while (code := child.poll()) is None:
        time.sleep(0.1)
        if sys.stdout.isatty():
            passed = time.monotonic() - start
            turn = SPINNER[int(passed * 10) % 4]
            text = f"{turn} {step:<15} {passed:6.1f} s  {''.join(last_lines(log, 1))}"
            width = shutil.get_terminal_size().columns - 1
            print(f"\r\033[K{text[:width]}", end="", flush=True)
    return code


def last_lines(log, count):
    """The last non-empty lines of a log."""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 8000))
        text = file.read().decode(errors="replace")
    return [line.rstrip() for line in re.split(r"[\r\n]+", text) if line.strip()][-count:]
