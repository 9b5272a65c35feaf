"""MS_EXT_ENGINE=mindspore: the names that MindSpore has too are its own, the rest says so."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ms_ext import resolve

ROOT = Path(__file__).parents[1]

#: A package of MindSpore's name and of a few of its names, where it is not installed.
STAND_IN = {
    "__init__.py": """
from .common import dtype
from . import nn, ops
__version__ = "2.10.0"
float32, STRICT = "float32", 0
class Tensor(float): pass
def jit(function): return function
""",
    "common/__init__.py": "from .tensor import tensor",
    "common/tensor.py": "def tensor(x): return x",
    "common/dtype.py": "float32 = 'float32'",
    "nn/__init__.py": "class Cell: pass",
    "ops/__init__.py": "def add(x, y): return x + y",
    "ops/operations.py": "class Add: pass",
}

PORTABLE = """
import ms_ext as ms
import ms_ext.ops as operators
from ms_ext import Tensor, nn
from ms_ext.common import dtype
from ms_ext.common.tensor import tensor
from ms_ext.ops import operations

@ms.jit
def f(x):
    return ms.ops.add(x, Tensor(2.0))

assert ms.common.tensor is tensor and ms.dtype is dtype and ms.ops is operators and operations.Add
print(ms.__name__, nn.Cell.__module__.partition(".")[0], float(f(Tensor(1.0))), ms.STRICT)
"""


@pytest.fixture
def python(tmp_path):
    """A function python(code, engine, *words): what a new Python says, and its errors."""
    for name, text in STAND_IN.items():
        path = tmp_path / "mindspore" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run(code, engine="mindspore", *words, stand_in=True):
        folders = [str(ROOT), *[str(tmp_path)] * stand_in]
        surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
        surroundings["MS_EXT_ENGINE"] = engine
        command = [sys.executable, *words, *(["-c", code] if code else [])]
        done = subprocess.run(
            command, cwd=tmp_path, env=surroundings, capture_output=True, text=True
        )
        return done.stdout + done.stderr

    return run


def test_portable_names_are_mindspores(python):
    assert python(PORTABLE) == "ms_ext mindspore 3.0 0\n"


@pytest.mark.skipif(not importlib.util.find_spec("mindspore"), reason="MindSpore is not installed")
def test_portable_names_are_those_of_mindspore_itself(python):
    assert "ms_ext mindspore 3.0 0\n" in python(PORTABLE, stand_in=False)


def test_our_own_engine_is_in_use_unless_another_is_asked_for(python):
    code = "import ms_ext as ms, sys; print(ms.Tensor.__module__, 'mindspore' in sys.modules)"
    said = python(f"{code}; import ms_ext.resolve; ms_ext.resolve.there()", "ms_ext")
    assert said.startswith("ms_ext.") and "False" in said.splitlines()[0]
    assert "NotRunnable: ms_ext's own engine is in use" in said


EXTRAS = ["ms.viz", "ms.check('05')", "ms.engine.jit", "import ms_ext.viz", "ms.graph.dump"]


def test_what_only_ms_ext_has_says_so(python):
    tried = "".join(
        f"try:\n    {line}\nexcept RuntimeError as error:\n    print(error)\n" for line in EXTRAS
    )
    said = python(f"import ms_ext as ms\n{tried}")
    assert said.count("needs ms_ext's own engine") == len(EXTRAS) == said.count("Unset MS_EXT_EN")
    assert said.startswith("'ms_ext.viz' needs") and "'ms_ext.engine.jit' needs" in said


def test_a_name_that_mindspore_has_not(python):
    assert "AttributeError: module 'mindspore' has no attribute 'nix'" in python(
        "import ms_ext as ms\nms.nix"
    )
    assert "No module named 'mindspore.nix'" in python("import ms_ext.nix")


def test_an_engine_that_is_not_there(python):
    said = python("import ms_ext as ms\nms.Tensor", "torch")
    assert said.endswith("MS_EXT_ENGINE is 'torch'.\n    It is ms_ext (or unset) or mindspore.\n")


def test_mindspore_is_not_installed(python):
    code = "import importlib.util; importlib.util.find_spec = lambda name: None\n"
    said = python(f"{code}from ms_ext import Tensor", stand_in=False)
    assert "NoModule: MindSpore is not installed here." in said
    assert "pip install mindspore==2.10.0 'numpy<2'" in said


def test_import_costs_nothing_more_where_it_is_unset(python):
    code = "import sys, ms_ext; print([m for m in sys.modules if m.startswith('ms_ext')])"
    assert python(code, "") == "['ms_ext']\n"


# Commands ----------------------------------------------------------------------------------------


def test_run_there(python, tmp_path):
    (tmp_path / "portable.py").write_text(PORTABLE)
    words = ("-m", "ms_ext.cli.main", "run", "--engine", "mindspore", "portable.py")
    assert python("", "", *words) == "ms_ext mindspore 3.0 0\n"
    assert python("", "mindspore", "-m", "ms_ext.cli.main", "run", "portable.py") == (
        "ms_ext mindspore 3.0 0\n"
    )


def test_run_says_what_engines_there_are(python):
    said = python("", "torch", "-m", "ms_ext.cli.main", "run", "portable.py")
    assert said == "ms-ext run [--engine ms_ext|mindspore] SCRIPT|-m MODULE [ARGUMENTS]\n"


def test_other_commands_are_our_own(python):
    code = "from ms_ext.cli import main; import ms_ext; print(ms_ext.Tensor(1.0) + 1)"
    assert python(code) == "2.0\n"


def test_withdraw_forgets_what_came_from_there(python):
    code = "import ms_ext, ms_ext.nn, ms_ext.resolve as r; r.withdraw(); print(ms_ext.nn.Cell)"
    assert python(code) == "<class 'ms_ext.nn.cell.Cell'>\n"


def test_extras_are_all_that_mindspore_lacks():
    import ms_ext

    known = set(ms_ext.__all__) - {"__version__"}
    assert resolve.EXTRAS - known == {"book"}
