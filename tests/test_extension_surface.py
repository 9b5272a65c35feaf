"""What ms_extension/api.h says that MindSpore's does not, and what cannot be asked of both."""

import subprocess
import sys

import numpy as np
import pytest
from extension_modules import SOURCES, needs_compiler, needs_pybind11, surface

import ms_ext as ms
from ms_ext import Tensor, engine
from ms_ext.engine.custom.builder import flags

FIXTURES = (surface,)
pytestmark = [needs_compiler, needs_pybind11]
X = np.array([[1, 2], [3, 4]], np.float32)


def test_documentation_says_tensor(surface):
    assert surface.add3.__doc__.startswith("add3(x: Tensor, y: Tensor, z: Tensor) -> object\n")
    assert surface.add3_caller.__doc__ == "add3_caller(*args) -> object\n"
    assert "bias: Tensor | None = None" in surface.scale.__doc__


def test_inputs_are_contiguous_unless_an_operator_wants_them_as_they_are(surface):
    view = Tensor(X).T
    assert surface.add3(view, view, view).asnumpy().tolist() == (3 * X.T).tolist()
    assert surface.seen(view).asnumpy().tolist() == [1, 1, 0]
    assert surface.seen(view, False).asnumpy().tolist() == [0, 0, 0]
    assert surface.accessed(view).asnumpy().item() == 1324


def test_results_that_are_still_computed_are_operands(surface):
    out = Tensor(X)
    for _ in range(100):
        out = surface.add3(out, Tensor(X) * 0, Tensor(X))
    assert out.asnumpy().tolist() == (101 * X).tolist()
    first, second = surface.two(surface.add3(out, out, out))
    assert surface.sum([first, second.T]).shape == (2, 2)


def test_what_is_computed_outside_of_the_stages_is_there_at_once(surface):
    total = surface.add3_here(surface.add3(Tensor(X), Tensor(X), Tensor(X)), Tensor(X), Tensor(X))
    assert total.asnumpy().tolist() == (5 * X).tolist()
    program = (
        f"import sys; sys.path[:0] = [{str(SOURCES.parent)!r}]\n"
        "import numpy as np, extension_modules, ms_ext\n"
        "x = ms_ext.Tensor(np.ones(2, np.float32))\n"
        "print(extension_modules.load('surface').add3_here(x, x, x).asnumpy().tolist())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("[3.0, 3.0]\n", 0), done.stderr


def test_levels_of_the_log(surface, capfd, monkeypatch):
    surface.say("hello")
    shown = capfd.readouterr().err
    assert "hello 2" in shown and "error hello" in shown
    assert "info hello" not in shown and "debug hello" not in shown


def test_an_error_in_a_stage_names_the_learners_line(surface):
    with pytest.raises(ms.engine.errors.MsExtError) as caught:
        surface.raise_in(Tensor(X), 6, "launch").asnumpy()
    assert isinstance(caught.value, ValueError)
    assert "value boom" in str(caught.value) and "test_extension_surface.py" in str(caught.value)


def test_more_operands_than_fit_a_call_by_itself(surface):
    many = [Tensor(X) for _ in range(40)]
    assert surface.sum(many).asnumpy().tolist() == (40 * X).tolist()


def test_nine_axes_are_refused(surface):
    with pytest.raises(ValueError, match="is invalid for input of size 4"):
        surface.method(Tensor(X), "reshape", [1] * 9).asnumpy()


def test_the_two_lists_of_dtypes_agree():
    names = (
        "Bool Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Float16 Float32 Float64 BFloat16"
    )
    checks = "".join(
        f"static_assert(int(kNumberType{name}) == int(mindspore::kNumberType{name}));\n"
        for name in [*names.split(), "BFloat16", "Complex64", "Complex128"]
    )
    source = f'#include "custom_aot_extra.h"\n#include "ms_extension/types.h"\n{checks}'
    compiler = engine.toolchain.cxx_compiler().path
    command = [compiler, "-std=c++17", f"-I{flags.INCLUDE}", "-fsyntax-only", "-x", "c++", "-"]
    subprocess.run(command, input=source, text=True, check=True)
