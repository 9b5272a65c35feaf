"""The static book for tests: built as `./lab book` builds it, by one test process at a time."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def built():
    """Build the site (quick where an earlier build kept its runs); its folder."""
    folder = ROOT / "build" / "book"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = [sys.executable, "-m", "ms_ext.cli.main", "book", "build"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "html"
