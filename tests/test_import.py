"""`import ms_ext` brings NumPy, the standard library and itself: no thread, no lock, no fork."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Modules of ms_ext that `import ms_ext` may load; a lazy mirror that stops being lazy shows here.
MOST_MODULES = 60

LOADED = """
import json, sys, threading
import numpy
before = set(sys.modules)
import ms_ext
after = set(sys.modules) - before
print(json.dumps({"loaded": sorted(after), "threads": threading.active_count()}))
"""

BLOCKED = """
import importlib.abc, os, sys
import numpy

class Wall(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "resource"):
            raise ImportError(f"{name} is not on this platform")

for name in ("fcntl", "resource"):
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Wall())
for name in ("fork", "forkpty", "register_at_fork"):
    if hasattr(os, name):
        delattr(os, name)
import ms_ext
from ms_ext import Tensor
print(Tensor([1.0, 2.0]) + Tensor([3.0, 4.0]))
"""


def run(code, *options):
    """A child Python's output; its errors become the test's."""
    command = [sys.executable, *options, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_loads_only_numpy_the_library_and_itself():
    seen = json.loads(run(LOADED))
    tops = {name.partition(".")[0] for name in seen["loaded"]}
    assert tops - sys.stdlib_module_names - {"ms_ext", "numpy"} <= {"__mp_main__"}
    assert not tops & {"ml_dtypes", "matplotlib", "ipywidgets", "graphviz", "IPython"}


def test_import_starts_no_thread():
    assert json.loads(run(LOADED))["threads"] == 1


def test_import_stays_small():
    loaded = json.loads(run(LOADED))["loaded"]
    own = [name for name in loaded if name.partition(".")[0] == "ms_ext"]
    assert len(own) <= MOST_MODULES, own
    leaves = ("ms_ext.viz", "ms_ext.grading", "ms_ext.book", "ms_ext.cli")
    assert [name for name in own if name.startswith(leaves)] == []


def test_import_without_fcntl_resource_and_fork():
    assert "4" in run(BLOCKED) and "6" in run(BLOCKED)


def test_import_gives_no_warning():
    run("import ms_ext", "-W", "error")
