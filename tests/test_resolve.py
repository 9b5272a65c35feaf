"""One source, two engines: ``import mindspore`` means ms_ext while it is asked to."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import ms_ext
from ms_ext import resolve
from ms_ext.engine import errors

ROOT = Path(__file__).parents[1]


@pytest.fixture
def resolved():
    """``mindspore`` is ms_ext inside the test."""
    resolve.here()
    yield
    resolve.withdraw()


def test_the_package_is_ms_ext_itself(resolved):
    import mindspore
    import mindspore as ms

    assert ms is ms_ext and mindspore is ms_ext
    assert ms_ext.__name__ == "ms_ext" and ms_ext.__spec__.name == "ms_ext"


def test_from_imports_and_modules(resolved):
    import mindspore.nn as layers
    import mindspore.ops as operators
    from mindspore import Tensor, mint, nn, ops

    assert (Tensor, mint, nn, ops) == (ms_ext.Tensor, ms_ext.mint, ms_ext.nn, ms_ext.ops)
    assert layers is ms_ext.nn and operators is ms_ext.ops
    assert ms_ext.nn.__spec__.name == "ms_ext.nn"


def test_modules_below_a_module(resolved):
    import mindspore.common.dtype as types
    from mindspore.common.tensor import Tensor, tensor
    from mindspore.nn.cell import Cell

    assert types is ms_ext.dtype and types.__spec__.name == "ms_ext.dtype"
    assert (Tensor, tensor, Cell) == (ms_ext.Tensor, ms_ext.tensor, ms_ext.nn.Cell)


def test_a_tensor_is_found_where_it_says_it_is():
    named = f"{ms_ext.Tensor.__module__}.{ms_ext.Tensor.__qualname__}"
    assert named == "ms_ext.common.tensor.Tensor" and named in repr(ms_ext.Tensor)
    found = importlib.import_module(ms_ext.Tensor.__module__).Tensor
    assert found is ms_ext.Tensor and type(ms_ext.tensor(1)) is found


def test_withdraw():
    before = list(sys.meta_path)
    resolve.here(), resolve.here()
    importlib.import_module("mindspore.nn")
    resolve.withdraw()
    assert sys.meta_path == before
    assert not [name for name in sys.modules if name.partition(".")[0] == "mindspore"]


def test_a_module_that_is_not_here(resolved):
    with pytest.raises(ModuleNotFoundError, match=r"'mindspore\.hub'.*'ms_ext\.hub'") as caught:
        importlib.import_module("mindspore.hub")
    assert isinstance(caught.value, errors.NoModule) and caught.value.hint


def test_a_name_that_is_not_here(resolved):
    with pytest.raises(ImportError, match="no_such_name"):
        exec("from mindspore import no_such_name", {})


def test_mindspore_itself_in_the_same_process(monkeypatch):
    monkeypatch.setitem(sys.modules, "mindspore", type(sys)("mindspore"))
    with pytest.raises(errors.NotRunnable, match="imported in this process"):
        resolve.here()


def test_the_engine_that_was_asked_for(monkeypatch):
    assert resolve.engine() == "ms_ext"
    monkeypatch.setenv("MS_EXT_ENGINE", "mindspore")
    assert resolve.engine() == "mindspore"
    monkeypatch.setenv("MS_EXT_ENGINE", "other")
    with pytest.raises(errors.InvalidValue, match="MS_EXT_ENGINE"):
        resolve.engine()


# ms-ext run ---------------------------------------------------------------------------------------

SCRIPT = """
import sys
import mindspore as ms
from mindspore import Tensor, nn
import beside

assert __name__ == "__main__"
print(ms.__name__, sys.argv[1:], beside.TWICE(Tensor(2.0)))
"""


def run(*arguments):
    program = "import sys; from ms_ext.cli.main import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "run", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_run_a_script(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    (tmp_path / "beside.py").write_text("TWICE = lambda x: float(x * 2)\n")
    done = run(script, "--epochs", "3")
    assert (done.stdout, done.stderr) == ("ms_ext ['--epochs', '3'] 4.0\n", "")
    assert done.returncode == 0


def test_run_what_is_not_there(tmp_path):
    done = run(tmp_path / "none.py")
    assert done.returncode == 2 and "there is no file" in done.stderr
    done = run("--engine", "torch", "script.py")
    assert done.returncode == 2 and "--engine" in done.stderr
