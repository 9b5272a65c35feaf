"""`import ms_ext` brings NumPy, the standard library and itself: no thread, no lock, no fork."""

import functools
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: What the everyday names may load of ms_ext; a lazy mirror that stops being lazy shows here.
MOST_MODULES = 190

LOADED = """
import json, sys, threading
import numpy
before = set(sys.modules)
{code}
after = set(sys.modules) - before
print(json.dumps(dict(loaded=sorted(after), threads=threading.active_count())))
"""
BARE = "import ms_ext"
USED = "import ms_ext as ms; ms.Tensor, ms.ops, ms.nn, ms.mint, ms.context, ms.jit, ms.grad"

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


@functools.cache
def seen(code):
    """What a child loaded by running `code`, and how many threads it then had."""
    return json.loads(run(LOADED.format(code=code)))


@pytest.mark.parametrize("code", [BARE, USED])
def test_only_numpy_the_standard_library_and_itself_are_loaded(code):
    tops = {name.partition(".")[0] for name in seen(code)["loaded"]}
    within = {name for name in tops if name.startswith(("_cython_", "cython_runtime"))}  # no files
    assert tops - sys.stdlib_module_names - {"ms_ext", "numpy"} - within == set()


@pytest.mark.parametrize("code", [BARE, USED])
def test_no_thread_is_started(code):
    assert seen(code)["threads"] == 1


@pytest.mark.parametrize(("code", "most"), [(BARE, 5), (USED, MOST_MODULES)])
def test_few_modules_of_ours_are_loaded_and_no_leaf(code, most):
    own = [name for name in seen(code)["loaded"] if name.partition(".")[0] == "ms_ext"]
    assert len(own) <= most, own
    leaves = ("ms_ext.viz", "ms_ext.grading", "ms_ext.book", "ms_ext.cli")
    assert [name for name in own if name.startswith(leaves)] == []


def test_import_and_use_without_fcntl_resource_and_fork():
    assert run(BLOCKED).split() == ["[4.", "6.]"]


def test_import_gives_no_warning():
    run(USED, "-W", "error")
