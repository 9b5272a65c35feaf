"""%load_ext ms_ext in a notebook, with the kernel that notebooks have."""

import os
import re
import warnings
from pathlib import Path

import pytest

pytest.importorskip("nbclient")

ROOT = Path(__file__).parents[1]

#: One notebook, cell by cell: name -> code.
CELLS = {
    "load": "%load_ext ms_ext",
    "names": """
import mindspore as ms
import mindspore.nn as nn
from mindspore import Tensor, ops
import ms_ext
print(ms is ms_ext, nn is ms_ext.nn, ops is ms_ext.ops, Tensor is ms_ext.Tensor)
""",
    "jit": "@ms.jit\ndef f(x):\n    return ops.exp(x) - 1\n\nprint(f(Tensor([0.0])))",
    "mistake": "@ms.jit\ndef g(x):\n    return x + undefined\n\ng(Tensor(1))",
    "missing": "import mindspore.rewrite",
    "magic": "%%check no.such.exercise\n1",
    "again": "%reload_ext ms_ext\nimport mindspore\nprint(mindspore.Tensor is Tensor)",
    "unload": "%unload_ext ms_ext\nimport sys\nprint('mindspore' in sys.modules)",
    "theirs": "import types\nsys.modules['mindspore'] = types.ModuleType('mindspore')",
    "too late": "%load_ext ms_ext",
}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """Cell -> what it showed, colours left out."""
    import nbformat
    from nbclient import NotebookClient

    folder = tmp_path_factory.mktemp("notebook")
    cells = [nbformat.v4.new_code_cell(code) for code in CELLS.values()]
    client = NotebookClient(
        nbformat.v4.new_notebook(cells=cells),
        timeout=60, kernel_name="python3", resources={"metadata": {"path": str(folder)}},
        allow_errors=True, ipython_hist_file=":memory:", extra_arguments=["--log-level=ERROR"],
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pyzmq and tornado speak of the event loop they run in
        client.execute(env={**os.environ, "PYTHONPATH": str(ROOT), "MS_EXT_ENGINE": ""})
    return dict(zip(CELLS, map(shown, cells), strict=True))


def shown(cell):
    """The texts and tracebacks below a cell; a busy kernel sends one line in several pieces."""
    texts = ["\n".join(each.get("traceback", [each.get("text", "")])) for each in cell.outputs]
    return re.sub(r"\x1b\[[\d;]*m", "", "".join(texts))


def test_mindspore_is_ms_ext(said):
    assert said["load"] == "" and said["names"] == "True True True True\n"
    assert said["jit"] == "[0.]\n"


def test_errors_show_the_readers_cell_and_not_the_way_through_the_package(said):
    assert "Cell In[4], line 3\n        return x + undefined" in said["mistake"]
    assert "There is no 'mindspore.rewrite' here" in said["missing"]
    assert "There is no exercise 'no.such.exercise'" in said["magic"]
    together = said["mistake"] + said["missing"]
    assert "resolve.py" not in together and "importlib" not in together


def test_reload_and_unload(said):
    assert said["again"] == "True\n" and said["unload"] == "False\n"


def test_mindspore_itself_is_there_already(said):
    assert said["theirs"] == ""
    assert "NotRunnable: MindSpore itself has been imported" in said["too late"]
    assert "Restart (in a notebook: the kernel)" in said["too late"]
    assert len(said["too late"].splitlines()) < 8
