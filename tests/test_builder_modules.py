"""CustomOpBuilder: C++ with pybind11 and ms_extension/api.h, and the headers read once for all."""

import shutil
import subprocess
from pathlib import Path

import pytest
from builder_sources import (  # noqa: F401  (a fixture)
    KEPT,
    needs_compiler,
    needs_pybind11,
    own_folder,
    source,
)

import ms_ext as ms
from ms_ext import kernels, ops
from ms_ext.engine import toolchain
from ms_ext.engine.custom.builder import flags, headers, kinds

pytestmark = [needs_compiler, needs_pybind11]
needs_gcc = pytest.mark.skipif(
    toolchain.cxx_compiler() is None or headers.lacking(toolchain.cxx_compiler(), ()) is not None,
    reason="headers are precompiled by GCC",
)
#: A file whose first line is another #include, of a header that has all the long ones in it.
BOUND = """
#include <vector>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
std::vector<double> scale(std::vector<double> x, double factor) {
  for (auto &each : x) each *= factor;
  return x;
}
PYBIND11_MODULE(MS_EXTENSION_NAME, m) {
  m.def("scale", &scale, "each times the factor", pybind11::arg("x"), pybind11::arg("factor") = 2);
}
"""
ADD3 = """
#include "ms_extension/api.h"
class CustomAdd3 : public ms::pynative::PyboostRunner {
 public:
  using PyboostRunner::PyboostRunner;
  void LaunchKernel() override {
    auto x = static_cast<const int32_t *>(inputs()[0].GetDataPtr());
    auto y = static_cast<const int32_t *>(inputs()[1].GetDataPtr());
    auto z = static_cast<const int32_t *>(inputs()[2].GetDataPtr());
    auto out = static_cast<int32_t *>(outputs()[0].GetDataPtr());
    for (size_t i = 0; i < inputs()[0].numel(); i++) out[i] = x[i] + y[i] + z[i];
  }
  static ms::Tensor Eval(const ms::Tensor &x, const ms::Tensor &y, const ms::Tensor &z) {
    auto out = ms::Tensor(x.data_type(), x.shape());
    std::make_shared<CustomAdd3>("Add3")->Run({x, y, z}, {out});
    return out;
  }
};
auto add3(const ms::Tensor &x, const ms::Tensor &y, const ms::Tensor &z) {
  return ms::pynative::PyboostRunner::Call<1>(CustomAdd3::Eval, x, y, z);
}
PYBIND11_MODULE(MS_EXTENSION_NAME, m) {
  m.def("add3", &add3, "x+y+z", pybind11::arg("x"), pybind11::arg("y"), pybind11::arg("z"));
}
"""


def kept(name, text, **words):
    """A module that is built once, and found again in the next run."""
    path = source(KEPT / f"{name}.cpp", text) if not _holds(name, text) else KEPT / f"{name}.cpp"
    return ops.CustomOpBuilder(name, str(path), build_dir=str(KEPT / name), **words).load()


def _holds(name, text):
    path = KEPT / f"{name}.cpp"
    return path.exists() and path.read_text() == text


def test_a_bound_function_takes_its_keywords_and_has_its_text():
    module = kept("builder_scale", BOUND)
    assert module.scale([1.0, 2.0]) == [2.0, 4.0] == module.scale(factor=1.0, x=[2.0, 4.0])
    assert "each times the factor" in module.scale.__doc__
    with pytest.raises(TypeError, match="incompatible function arguments"):
        module.scale()


@pytest.mark.skipif("extension" not in kernels.available(), reason="the kernels are not built")
def test_a_tutorials_operator_runs_as_it_stands():
    module = kept("builder_add3", ADD3, backend="CPU")
    x, y, z = (ms.Tensor(v, ms.int32) for v in ([1, 2], [3, 4], [5, 6]))
    assert module.add3(z=z, x=x, y=y).tolist() == [9, 12]


def test_what_does_not_compile_behind_the_long_header_names_the_learners_line():
    path = source("wrong.cpp", BOUND.replace("return x;", "return y;"))
    with pytest.raises(RuntimeError, match="Error building extension 'wrong'") as caught:
        ops.CustomOpBuilder("wrong", path).load()
    assert caught.value.where.text == "  return y;"
    assert "'y' was not declared" in str(caught.value)


# the headers -------------------------------------------------------------------------------------


def test_flags_that_a_header_depends_on():
    usual = flags.mindspores("one", None, False, ())
    unread = ("-DMS_EXTENSION_NAME=one", "-DENABLE_FAST_HASH_TABLE=1")  # by any header of ours
    assert headers.lasting(usual) == [flag for flag in usual if flag not in unread]
    added = ["-DMINE=1", "-Ihere", "-I", "there", "-include", "x.h"]
    assert headers.lasting([*usual, *added]) == headers.lasting(usual)
    assert headers.lasting(["-DNDEBUG", "-O3", "-D_GLIBCXX_DEBUG", "-DCUSTOM_ASCEND_OP"]) == [
        "-DNDEBUG", "-O3", "-D_GLIBCXX_DEBUG", "-DCUSTOM_ASCEND_OP",
    ]  # fmt: skip


def test_headers_of_the_same_names_are_not_replaced(tmp_path):
    compiler = toolchain.Compiler("/usr/bin/g++", "g++ 12")
    assert headers.lacking(compiler, [flags.INCLUDE, str(tmp_path)]) is None
    (tmp_path / "pybind11").mkdir()
    assert "has headers of these names too" in headers.lacking(compiler, [str(tmp_path)])
    assert headers.lacking(toolchain.Compiler("clang++", "clang version 16"), ()) == "it needs GCC"


def test_who_includes_it():
    assert kinds.binds(b'#include "ms_extension/api.h"') and kinds.binds(
        b"#include <pybind11/stl.h>"
    )
    assert not kinds.binds(b"#include <vector>")


def test_who_has_them_read_anew():
    known = headers.words()
    asks = b"#define PYBIND11_DETAILED_ERROR_MESSAGES\n#include <pybind11/pybind11.h>\n"
    assert kinds.changes(asks, known) and kinds.changes(b"#undef NDEBUG\n" + asks, known)
    assert not kinds.changes(b"#include <pybind11/pybind11.h>\n#define PYBIND11_MODULE 3", known)
    assert not kinds.changes(b"#define MINE 1\n#include <pybind11/pybind11.h>\n", known)


@needs_gcc
def test_the_copies_are_declared_only_and_errors_name_the_originals(tmp_path):
    support = headers._written(str(tmp_path / "made"))
    copy = (tmp_path / "made" / "include" / "ms_extension" / "api.h").read_text()
    original = Path(flags.INCLUDE, "ms_extension", "api.h")
    assert copy == f'#line 0 "{original}"\n#pragma interface\n{original.read_text()}'
    named = Path(support).read_text()
    assert '#pragma implementation "pybind11.h"' in named and '"runner.h"' in named
    unused = tmp_path / "made" / "include" / "pybind11" / "eigen.h"
    assert not unused.exists() or not unused.read_text().startswith("#line")


@needs_gcc
@pytest.mark.long
def test_a_header_is_made_once_and_an_op_profits(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(headers, "home", lambda: str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    path = source("add3.cpp", ADD3)
    ops.CustomOpBuilder("first", path).build()
    (made,) = (tmp_path / "home").iterdir()
    assert sorted(each.name for each in made.iterdir()) == [
        "all.hpp", "all.hpp.gch", "include", "support.cpp", "support.o",
    ]  # fmt: skip
    before = made.stat().st_ino
    ops.CustomOpBuilder("second", path, cflags="-DMINE=1").build()
    assert [each.stat().st_ino for each in (tmp_path / "home").iterdir()] == [before]
    command = Path("kernel_meta/second/.build_log.txt").read_text().splitlines()[0]
    checked = f"{command} -Winvalid-pch -H -fsyntax-only"
    told = subprocess.run(checked, shell=True, capture_output=True, text=True).stderr
    assert told.startswith(f"! {made / 'all.hpp.gch'}")
    shutil.rmtree(made)
    ops.CustomOpBuilder("first", path).build()  # nothing changed for it
    assert list((tmp_path / "home").iterdir()) == []
