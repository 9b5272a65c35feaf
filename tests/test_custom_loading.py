"""From what ``func`` says to a function: search path, forms, shadows, white list, handles."""

import ctypes
import gc
import os
import warnings

import numpy as np
import pytest
from custom_libraries import ADD, CXX, MUL, RENAMED, library, needs_compiler, own_cache

from ms_ext.engine import errors, strict
from ms_ext.engine.custom.loading import Trace, open_kernel

pytestmark = [needs_compiler, pytest.mark.usefixtures(own_cache.__name__)]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty current folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def called(opened):
    """What the kernel makes of [1, 2] and [3, 4]."""
    x, y, out = np.array([1, 2], "f4"), np.array([3, 4], "f4"), np.zeros(2, "f4")
    sizes = (ctypes.c_int64 * 1)(2)
    shapes = (ctypes.c_void_p * 3)(*[ctypes.addressof(sizes)] * 3)
    params = (ctypes.c_void_p * 3)(*[a.ctypes.data for a in (x, y, out)])
    names = (ctypes.c_char_p * 3)(*[b"float32"] * 3)
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, *[ctypes.c_void_p] * 6)
    run = function(opened.address())
    assert run(3, params, (ctypes.c_int * 3)(1, 1, 1), shapes, names, None, None) == 0
    return out.tolist()


def open_it(func, **more):
    return open_kernel(func, name="Custom.my_mul", **more)


def refused(func, reason, kind=RuntimeError, **more):
    with pytest.raises(kind) as caught:
        open_it(func, **more)
    assert caught.value.reason == reason
    assert isinstance(caught.value.trace, Trace)
    return caught.value


# the forms of func ---------------------------------------------------------------------------


@pytest.mark.parametrize("func", ["./libmy_mul.so:my_mul", "libmy_mul.so:my_mul", "my_mul",
                                  "./libmy_mul.so"])  # fmt: skip
def test_every_form_leads_to_the_function(here, func):
    library(here / "libmy_mul.so", MUL)
    opened = open_it(func)
    assert called(opened) == [3, 8]
    assert (opened.path, opened.symbol) == (str(here / "libmy_mul.so"), "my_mul")
    assert opened.source is None and opened.address("nothing") is None


def test_a_bare_name_finds_any_library_that_exports_it(here):
    library(here / "many_ops.so", MUL)
    (here / "text.so").write_text("no library at all")
    assert open_it("my_mul").path == str(here / "many_ops.so")
    assert open_it(f"{here}/many_ops.so:my_mul").symbol == "my_mul"


def test_a_file_with_several_kernels_needs_a_name(here):
    library(here / "two.so", MUL + RENAMED.partition("\n")[2] + "int my_mulInit(void) {return 0;}")
    error = refused("./two.so", "many-kernels")
    assert str(error).splitlines()[1:] == [
        "    given: it exports my_mul, my_mul_kernel",
        f"    Name it after a colon: func='{here}/two.so:my_mul'.",
    ]


def test_an_environment_variable_may_name_the_file(here, monkeypatch):
    path = library(here / "deep" / "x.so", MUL)
    with pytest.raises(ValueError, match="the environment variable MY_OPS that 'func' names"):
        open_it("MY_OPS:my_mul", path_from_env=True)
    monkeypatch.setenv("MY_OPS", str(path))
    assert called(open_it("MY_OPS:my_mul", path_from_env=True)) == [3, 8]


# where it is looked for ----------------------------------------------------------------------


def test_the_search_path_is_the_current_folder_then_the_variable(here, tmp_path, monkeypatch):
    other = library(tmp_path / "other" / "libmy_mul.so", MUL)
    message = str(refused("my_mul", "missing-file"))
    assert message.splitlines()[0].endswith("couldn't find the AOT binary file: my_mul")
    assert f"in {here} (the current folder)" in message
    monkeypatch.setenv("MS_EXT_CUSTOM_PATH", f"{tmp_path}/nowhere{os.pathsep}{other.parent}")
    assert open_it("my_mul").path == str(other)
    assert open_it("libmy_mul.so:my_mul").path == str(other)
    error = refused("./libmy_mull.so:my_mul", "missing-file")
    assert error.given == (
        f"looked in {here} (the current folder), then {tmp_path}/nowhere (MS_EXT_CUSTOM_PATH), "
        f"then {other.parent} (MS_EXT_CUSTOM_PATH)"
    )
    assert error.hint.startswith("Did you mean 'libmy_mul.so'?")


def test_a_source_beside_is_pointed_at(here):
    (here / "my_mul.cc").write_text("")
    assert "func='./my_mul.cc:my_mul' compiles it" in refused("my_mul", "missing-file").hint


def test_of_two_libraries_of_one_name_both_are_named_once(here, tmp_path, monkeypatch):
    first = library(here / "libmy_mul.so", MUL)
    second = library(tmp_path / "other" / "libmy_mul.so", ADD)
    monkeypatch.setenv("MS_EXT_CUSTOM_PATH", str(second.parent))
    with pytest.warns(errors.MsExtWarning, match=f"{first} is loaded, {second} is shadowed"):
        opened = open_it("my_mul")
    assert called(opened) == [3, 8]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert open_it("my_mul").trace.shadowed == (str(second),)


def test_the_shadowed_library_is_named_where_it_has_the_function(here, tmp_path, monkeypatch):
    library(here / "libmy_mul.so", RENAMED)
    second = library(tmp_path / "other" / "libmy_mul.so", MUL)
    monkeypatch.setenv("MS_EXT_CUSTOM_PATH", str(second.parent))
    with pytest.warns(errors.MsExtWarning):
        error = refused("my_mul", "wrong-symbol")
    assert error.hint == (
        f"{second}, later on the search path, exports my_mul: remove the first file."
    )


def test_the_white_list_is_kept(here, tmp_path, monkeypatch):
    library(here / "libmy_mul.so", MUL)
    monkeypatch.setenv("MS_CUSTOM_AOT_WHITE_LIST", str(tmp_path / "allowed"))
    with pytest.raises(TypeError) as caught:
        open_it("./libmy_mul.so:my_mul")
    assert caught.value.message == (
        "For 'Custom', 'func_type': aot, 'func': ./libmy_mul.so:my_mul, the legal path for the "
        f"file is {tmp_path}/allowed, but the file is {here}/libmy_mul.so"
    )
    monkeypatch.setenv("MS_CUSTOM_AOT_WHITE_LIST", str(here))
    assert open_it("./libmy_mul.so:my_mul").symbol == "my_mul"


# MindSpore's texts ---------------------------------------------------------------------------


def test_an_undefined_symbol_in_mindspores_words_then_ours(here):
    library(here / "libmy_mul.so", RENAMED)
    error = refused("my_mul", "wrong-symbol")
    assert str(error).splitlines() == [
        "For 'Custom' on CPU, error occurs when fetching function 'my_mul'. "
        f"Error info: {here}/libmy_mul.so: undefined symbol: my_mul",
        "    given: libmy_mul.so exports my_mul_kernel; did you mean that?",
        f"    func='{here}/libmy_mul.so:my_mul_kernel', or name the function my_mul in its source.",
    ]


def test_a_missing_library_in_mindspores_words(here):
    error = refused("./nope.so:my_mul", "missing-file")
    assert error.message == ("For 'Custom' on CPU, couldn't find the AOT binary file: ./nope.so")


def test_strict_mode_wants_file_and_function_and_looks_here_only(here, tmp_path, monkeypatch):
    library(tmp_path / "other" / "libmy_mul.so", MUL)
    monkeypatch.setenv("MS_EXT_CUSTOM_PATH", str(tmp_path / "other"))
    with strict.as_mindspore():
        with pytest.raises(RuntimeError) as caught:
            open_it("my_mul")
        assert caught.value.message == (
            "For 'Custom' on CPU, user defined function path 'my_mul' is illegal. Proper function "
            "path should follow the format of 'dir_path/file_name:func_name'"
        )
        refused("libmy_mul.so:my_mul", "missing-file")


# handles -------------------------------------------------------------------------------------


def mapped(text):
    with open("/proc/self/maps") as file:
        return sum(text in line for line in file)


def test_one_handle_for_all_and_the_last_closes_it(here):
    library(here / "libmy_mul.so", MUL)
    one, two = open_it("my_mul"), open_it("./libmy_mul.so:my_mul")
    assert one.alive is two.alive and "reused" in [s.outcome for s in two.trace.steps]
    handle, before = one.alive, mapped("/open/")
    del one
    assert handle.alive and called(two) == [3, 8]
    closed = handle._close
    del two, handle
    assert not closed.alive and mapped("/open/") < before


def test_a_library_in_garbage_is_open_until_all_of_the_garbage_has_gone(here):
    """Closed earlier, it took along the code that deletes a kernel's own data."""
    library(here / "libmy_mul.so", MUL)
    seen = []

    class Holder:
        def __del__(self):
            seen.append((self.kernel.alive.alive, mapped(f"/open/{os.getpid()}-")))

    holder = Holder()
    holder.kernel, holder.itself = open_it("my_mul"), holder
    before = mapped(f"/open/{os.getpid()}-")
    del holder
    gc.collect()
    assert seen == [(False, before)] and mapped(f"/open/{os.getpid()}-") < before


def test_the_same_symbol_in_two_libraries_is_each_its_own(here):
    one, two = library(here / "one.so", MUL), library(here / "two.so", ADD)
    first, second = open_it(f"{one}:my_mul"), open_it(f"{two}:my_mul")
    assert (called(first), called(second)) == ([3, 8], [4, 6])
    twice = [s.words for s in second.trace.steps if s.outcome == "twice"]
    assert f"{one} exports my_mul too; each op runs its own library's." in twice


def test_a_library_built_again_is_the_new_one_while_the_old_one_lives(here):
    path = library(here / "libmy_mul.so", MUL)
    old = open_it("my_mul")
    assert called(old) == [3, 8]
    path.write_bytes(library(here / "new.so", ADD).read_bytes())  # written over, in place
    new = open_it("my_mul")
    assert (called(old), called(new)) == ([3, 8], [4, 6])


def test_the_trace_tells_what_was_done(here):
    library(here / "my_mul.so", MUL)
    trace = open_it("my_mul").trace
    assert [(s.kind, s.outcome) for s in trace.steps][:5] == [
        ("look", "missing"), ("look", "found"), ("look", "found"), ("symbol", "found"),
        ("open", "opened"),
    ]  # fmt: skip
    assert (trace.library, trace.symbol) == (str(here / "my_mul.so"), "my_mul")
    assert trace.exports == ("my_mul",) and trace.address and trace.seconds > 0
    assert "missing" in str(trace)


@pytest.mark.long
def test_libraries_of_c_plus_plus_with_statics_are_closed_too(here):
    text = CXX.replace("int my_mul", "inline int &counter() { static int n; return n; }\n"
                       'extern "C" int my_mul').replace('extern "C" inline', "inline")  # fmt: skip
    (here / "statics.cc").write_text(text.replace("return 0;", "return counter() * 0;"))
    opened = open_it("./statics.cc:my_mul")
    handle = opened.alive
    assert mapped("statics_cc") and called(opened) == [3, 8]
    del opened, handle
    assert not mapped("statics_cc")
