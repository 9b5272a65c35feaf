"""``%%cpp_op``: an op in a notebook's cell, in a shell of IPython's own process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from builder_sources import PLAIN, needs_compiler

pytest.importorskip("IPython")
pytestmark = needs_compiler
ROOT = Path(__file__).parents[1]

PROGRAM = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

shell = InteractiveShell.instance()
shell.run_cell("%load_ext ms_ext\\nimport mindspore as ms")
said = []
for cell in json.load(sys.stdin):
    with capture_output() as captured:
        result = shell.run_cell(cell)
    error = result.error_in_exec or result.error_before_exec
    where = getattr(getattr(error, "where", None), "line", None)
    said.append([captured.stdout, str(error or ""), where, getattr(error, "hint", None)])
print("SAID" + json.dumps(said))
"""
MUL = PLAIN % "my_mul"
CALL = "print(mul.my_mul(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])).tolist())"
CELLS = {
    "op": f"%%cpp_op mul\n{MUL}",
    "call": CALL,
    "edited": f"%%cpp_op mul\n{MUL.replace('* y[i]', '+ y[i]')}",
    "call again": CALL,
    "flags": f'%%cpp_op mul --cflags "-DFACTOR=5 -Wall"\n{MUL.replace("* y[i]", "* FACTOR")}',
    "call with flags": CALL,
    "mistake": f"%%cpp_op mul\n{MUL.replace('int64_t n = 1;', 'int64_t n = one;')}",
    "call the one before": CALL,
    "no name": "%%cpp_op\nint x;",
    "no such option": "%%cpp_op mul --cflag -O3\nint x;",
    "for MindSpore": f"%%cpp_op mul --mindspore\n{MUL}",
}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """Cell -> (what it printed, its error, the line that the error names, the hint)."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
    folder = tmp_path_factory.mktemp("cells")
    environment["IPYTHONDIR"] = str(folder / "ipython")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps(list(CELLS.values())),
        capture_output=True,
        text=True,
        env=environment,
        cwd=folder,
    )
    assert "SAID" in done.stdout, done.stdout + done.stderr
    return dict(zip(CELLS, json.loads(done.stdout.rpartition("SAID")[2]), strict=True))


def test_a_cell_becomes_a_module(said):
    assert said["op"][:2] == ["mul: my_mul\n", ""]
    assert said["call"][0] == "[3.0, 8.0]\n"


def test_an_edited_cell_counts_at_once(said):
    assert said["call again"][0] == "[4.0, 6.0]\n"
    assert said["call with flags"][0] == "[5.0, 10.0]\n"


def test_a_mistake_names_the_cells_own_line(said):
    line = CELLS["mistake"].splitlines().index("  int64_t n = one;") + 1
    _, error, where, _ = said["mistake"]
    assert where == line
    assert "Error building extension 'mul_" in error and "'one' undeclared" in error
    assert f", line {line}" in error
    assert said["call the one before"][0] == "[5.0, 10.0]\n"


def test_what_the_line_lacks_is_said(said):
    assert "takes one name" in said["no name"][1] and "%%cpp_op NAME" in said["no name"][3]
    assert "Did you mean '--cflags'" in said["no such option"][3]


def test_the_line_for_mindspore(said):
    assert "ops.CustomOpBuilder(name=" in said["for MindSpore"][0]
