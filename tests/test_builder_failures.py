"""CustomOpBuilder: what does not compile or load, and names (rows 19, 22, 23 among them)."""

import sys
import time
from pathlib import Path

import pytest
from builder_sources import bare, load, needs_compiler, own_folder, source  # noqa: F401

import ms_ext as ms
from ms_ext import ops
from ms_ext.engine import errors
from ms_ext.engine.custom.builder import making

pytestmark = needs_compiler


def test_row_22_what_does_not_compile_names_the_learners_line():
    bare()
    load("tiny_s", "bare.cpp")
    stale = Path("kernel_meta/tiny_s/tiny_s.so")
    source("bare.cpp", "int f() {\n  return x;\n}\n")
    with pytest.raises(RuntimeError, match="Error building extension 'tiny_s': ") as caught:
        ops.CustomOpBuilder("tiny_s", "bare.cpp").build()
    assert "'x' was not declared" in str(caught.value)
    assert (caught.value.where.line, caught.value.where.text) == (2, "  return x;")
    assert not stale.exists() and not Path("kernel_meta/tiny_s/build.lock").exists()
    bare(6)
    assert ops.CustomOpBuilder("tiny_s", "bare.cpp").build() == str(stale.resolve())


def test_no_module_in_it():
    source("none.cpp", "int helper() { return 1; }\n")
    words = r"dynamic module does not define module export function \(PyInit_tiny_n\)"
    with pytest.raises(ImportError, match=words) as caught:
        load("tiny_n", "none.cpp")
    assert "PYBIND11_MODULE(MS_EXTENSION_NAME, m)" in caught.value.hint
    assert "helper" in caught.value.given


def test_an_undefined_symbol():
    source("bare.cpp", Path(bare()).read_text().rpartition("int number")[0])
    with pytest.raises(ImportError, match=r"tiny_u\.so: undefined symbol: _Z6numberv") as caught:
        load("tiny_u", "bare.cpp")
    assert "bare.cpp uses number" in caught.value.given
    assert "Define number in one of the sources" in caught.value.hint


def test_no_source_at_all():
    with pytest.raises(ImportError, match=r"\(PyInit_nothing\)"):
        load("nothing")


def test_a_folder_that_cannot_be_written_into():
    bare()
    Path("file").write_text("")
    with pytest.raises(OSError, match="cannot be written into") as caught:
        load("one", "bare.cpp", build_dir="file/below")
    assert "MS_COMPILER_CACHE_PATH" in caught.value.hint


def test_no_compiler(monkeypatch):
    bare()
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(RuntimeError, match=r"There is no C\+\+ compiler") as caught:
        load("one", "bare.cpp")
    assert "apt install g++" in caught.value.hint


def test_no_pybind11(monkeypatch):
    source("a.cpp", "#include <pybind11/pybind11.h>\nPYBIND11_MODULE(MS_EXTENSION_NAME, m) {}\n")
    monkeypatch.setattr(making.headers, "pybind11", lambda: None)
    with pytest.raises(RuntimeError, match="pybind11 is not there") as caught:
        load("one", "a.cpp")
    assert "pip install pybind11" in caught.value.hint


def test_a_kernel_for_another_device():
    source("a.cu", "__global__ void add(float *x) {}\n")
    with pytest.raises(RuntimeError, match="kernel for another device"):
        load("one", "a.cu")


# names -------------------------------------------------------------------------------------------


def test_an_op_named_as_a_module_of_python_does_not_replace_it():
    import json

    bare()
    assert load("json", "bare.cpp").answer() == 42
    assert sys.modules["json"] is json


def test_the_module_is_known_by_its_name():
    bare()
    assert load("known", "bare.cpp").so_module is sys.modules["known"]


def test_row_19_a_name_is_loaded_once_and_says_so():
    bare(1)
    source("other.cpp", Path(bare(2, "x.cpp")).read_text())
    first = load("one", "bare.cpp")
    assert load("one", "bare.cpp") is first  # nothing to say
    with pytest.warns(errors.MsExtWarning, match="is loaded already, of other sources") as said:
        assert load("one", "other.cpp") is first
    assert len(said) == 1 and "'one_2'" in str(said[0].message)
    assert load("one", "other.cpp") is first  # it was said


def test_an_edited_source_under_the_same_name_is_said():
    bare(1)
    first = load("one", "bare.cpp")
    time.sleep(0.01)
    bare(100)
    with pytest.warns(errors.MsExtWarning, match="its sources or flags have changed"):
        assert load("one", "bare.cpp") is first


def test_row_23_what_a_module_answers():
    bare()
    module = load("one", "bare.cpp")
    text = "Custom op 'nosuch' is neither in func_module nor in so_module."
    with pytest.raises(AttributeError, match=text) as caught:
        module.nosuch  # noqa: B018
    assert "'answer'" in caught.value.hint and not hasattr(module, "nosuch")
    assert module.func_module is None and "answer" not in vars(module)
    assert module.answer() == 42 and vars(module)["answer"] is module.so_module.answer
    assert dir(module) == ["answer"] and "answer" in repr(module)


def test_graph_mode_finds_what_was_used_before():
    bare()
    module = load("one", "bare.cpp")
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        text = (
            "Custom op 'answer' does not support GRAPH mode. Please register it for GRAPH mode or "
            "switch to PYNATIVE mode."
        )
        with pytest.raises(AttributeError) as caught:
            module.answer()
        assert caught.value.message == text
        ms.set_context(mode=ms.PYNATIVE_MODE)
        module.answer()
        ms.set_context(mode=ms.GRAPH_MODE)
        assert module.answer() == 42
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
