"""Sources become libraries: the cache and its key, edits, messages, locks, and no compiler."""

import gc
import os
import subprocess
import sys
import time

import pytest
from custom_libraries import ADD, CXX, MUL, own_cache
from test_custom_loading import called, here, needs_compiler, open_it, refused

from ms_ext.engine import toolchain
from ms_ext.engine.custom.loading import cache, compiling, places, sources

pytestmark = [needs_compiler, pytest.mark.usefixtures(own_cache.__name__, here.__name__)]
BROKEN = MUL.replace("return 0", "retun 0")


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    """A cache with nothing in it."""
    monkeypatch.setenv("MS_COMPILER_CACHE_PATH", str(tmp_path / "cache"))
    return tmp_path / "cache" / "custom" / "built"


def steps(opened, kind):
    return [step.outcome for step in opened.trace.steps if step.kind == kind]


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


@pytest.mark.parametrize("name, text", [("a.c", MUL), ("b.cc", CXX), ("c.cpp", CXX)])
def test_a_source_is_compiled(name, text):
    write(name, text)
    opened = open_it(f"./{name}:my_mul")
    assert called(opened) == [3, 8]
    assert opened.source == os.path.abspath(name) and opened.path.endswith(".so")


def test_it_is_compiled_once_for_each_state_of_its_text(empty_cache):
    write("k.c", MUL)
    first, again = open_it("k.c"), open_it("k.c")
    assert (steps(first, "cache"), steps(first, "compile")) == (["miss"], ["built"])
    assert (steps(again, "cache"), steps(again, "open")) == (["hit"], ["reused"])
    write("k.c", MUL.replace("x[i] * y[i]", "x[i] - y[i]"))
    assert (called(open_it("k.c")), called(first)) == ([-2, -2], [3, 8])
    assert len(list(empty_cache.iterdir())) == 2  # and no lock or temporary file


def test_a_header_of_the_learner_belongs_to_the_text(empty_cache):
    os.makedirs("parts")
    write("parts/scale.h", "#define SCALE 1\n")
    write("parts/all.h", '#include "scale.h"\n')
    write("k.c", '#include "parts/all.h"\n' + MUL.replace("* y[i]", "* y[i] * SCALE"))
    assert called(open_it("k.c")) == [3, 8]
    write("parts/scale.h", "#define SCALE 2\n")
    assert called(open_it("k.c")) == [6, 16]


def test_flags_and_compiler_belong_to_the_key():
    write("k.c", MUL)
    keys = [
        sources.key("k.c", ["."], more, made_with)
        for more, made_with in [((), ["gcc 1"]), (("-g",), ["gcc 1"]), ((), ["gcc 2"])]
    ]
    assert len(set(keys)) == 3


def test_without_a_compiler_an_earlier_build_of_the_same_text_is_taken(empty_cache, monkeypatch):
    write("k.c", MUL)
    path = open_it("k.c").path
    monkeypatch.setattr(toolchain, "c_compiler", lambda: None)
    opened = open_it("k.c")
    assert (opened.path, called(opened)) == (path, [3, 8])
    assert "There is no compiler, but" in str(opened.trace)
    write("k.c", ADD)
    refused("k.c", "no-compiler")


def test_the_flags_are_mindspores():
    wanted = ["-std=c++17", "-fPIC", "--shared", "-D_GLIBCXX_USE_CXX11_ABI=0"]
    assert [flag for flag in wanted if flag not in compiling.CXX_FLAGS] == []


def test_the_message_is_the_compilers_at_the_learners_line():
    write("bad.c", BROKEN)
    error = refused("bad.c", "compile-error")
    path, line = os.path.abspath("bad.c"), BROKEN[: BROKEN.index("retun")].count("\n") + 1
    assert error.message.startswith(f"Compilation error in compiling {path}:\n{path}: In function")
    assert f"{path}:{line}:3: error: " in error.message
    assert (error.where.file, error.where.line) == (path, line)
    assert str(error).endswith(f"{path}:{line}\n        retun 0;\n        ^")


def test_after_a_failure_the_mended_file_works():
    write("k.c", BROKEN)
    refused("k.c", "compile-error")
    write("k.c", MUL)
    assert called(open_it("k.c")) == [3, 8]


def test_a_source_that_is_not_there():
    error = refused("nope.cc:F", "missing-file")
    assert error.message.startswith(f"Compilation error in compiling {os.getcwd()}/nope.cc:\n")


def test_a_device_kernel_is_told_from_a_wrong_one():
    write("k.cpp", '#include "no_such.h"\nextern "C" __global__ __aicore__ void my_mul(X x) {}\n')
    error = refused("k.cpp:my_mul", "device-source")
    assert "no_such.h" in error.message and "Ascend" in error.given
    assert error.hint.splitlines()[1].startswith('extern "C" int my_mul(int nparam')
    write("k.cu", "")
    assert "`.cu` marks code for a device" in refused("k.cu:my_mul", "device-source").given


def test_what_a_source_uses_but_nobody_defines():
    write("k.c", "int helper(int);\n" + MUL.replace("return 0", "return helper(1)"))
    error = refused("k.c:my_mul", "undefined-symbols")
    assert error.message.startswith(f"{os.getcwd()}/k.c uses helper, which no library")


def test_without_a_compiler_one_sentence_says_what_to_install(empty_cache, monkeypatch):
    write("k.c", MUL)
    write("k.cc", CXX)
    monkeypatch.setattr(toolchain, "c_compiler", lambda: None)
    monkeypatch.setattr(toolchain, "cxx_compiler", lambda: None)
    assert "apt install gcc" in refused("k.c", "no-compiler").hint
    assert "apt install g++" in refused("k.cc", "no-compiler").hint


def test_a_compiler_that_never_ends_is_ended(monkeypatch):
    begin = time.monotonic()
    with pytest.raises(RuntimeError) as caught:
        compiling.run(["sh", "-c", "sleep 60 & sleep 60"], "k.c", None, seconds=0.1)
    assert caught.value.reason == "compile-timeout" and time.monotonic() - begin < 30


# the cache -------------------------------------------------------------------------------------


def test_a_lock_of_a_dead_process_is_taken_over(tmp_path):
    lock = str(tmp_path / "x.lock")
    code = "import sys, os; from ms_ext.engine.custom.loading import cache\n"
    code += "with cache.held(sys.argv[1], 1): os._exit(9)"
    assert subprocess.run([sys.executable, "-c", code, lock]).returncode == 9
    assert os.path.exists(lock)
    with cache.held(lock, 1):
        pass
    assert not os.path.exists(lock)


def test_a_lock_of_a_living_process_is_waited_for_then_named(tmp_path):
    lock = str(tmp_path / "x.lock")
    with cache.held(lock, 1), pytest.raises(RuntimeError) as caught, cache.held(lock, 0.05):
        pass
    assert f"Another process (pid {os.getpid()}) has been compiling" in str(caught.value)


def test_what_another_one_made_meanwhile_is_taken():
    path = os.path.abspath("k-1.so")

    def make(temporary):
        write(temporary, "whole")

    assert cache.made(path, make, 1) and not cache.made(path, make, 1)
    assert os.listdir() == ["k-1.so"]


def test_a_failed_build_leaves_nothing():
    def fail(temporary):
        write(temporary, "half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cache.made(os.path.abspath("k-1.so"), fail, 1)
    assert os.listdir() == []


def test_only_the_newest_products_of_a_source_are_kept():
    for number in range(cache.MOST_PRODUCTS + 5):
        write(f"k-{number:04}.so", "")
        os.utime(f"k-{number:04}.so", (number, number))
    write(f".{2**22 + 1}-{'0' * 16}-k-9.so", "left behind by a dead process")
    cache.made(os.path.abspath("k-new.so"), lambda temporary: write(temporary, ""), 1)
    left = sorted(os.listdir())
    assert len(left) == cache.MOST_PRODUCTS and "k-new.so" in left and "k-0000.so" not in left


def test_a_folder_that_cannot_be_written_into(monkeypatch, tmp_path):
    write(tmp_path / "file", "")
    monkeypatch.setenv("MS_COMPILER_CACHE_PATH", str(tmp_path / "file"))
    write("k.c", MUL)
    with pytest.raises(RuntimeError, match="Set MS_COMPILER_CACHE_PATH to a folder"):
        open_it("k.c")


@pytest.mark.long
def test_two_processes_compile_it_once(empty_cache):
    write("k.c", MUL)
    code = "from ms_ext.engine.custom.loading import open_kernel\n"
    code += "t = open_kernel('k.c', name='k').trace\n"
    code += "print(sum('is compiled' in s.words for s in t.steps))"
    running = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(2)
    ]
    assert sum(int(p.communicate()[0]) for p in running) == 1


# nothing leaks ---------------------------------------------------------------------------------


def counts(cache_folder):
    """Open descriptors, mapped libraries, files in the cache that are no libraries."""
    gc.collect()  # errors and their tracebacks
    with open("/proc/self/maps") as maps:
        mapped = sum("custom" in line for line in maps)
    kept = [f for _, _, files in os.walk(cache_folder.parent) for f in files]
    return len(os.listdir("/proc/self/fd")), mapped, sum(not f.endswith(".so") for f in kept)


def cycle(number, states):
    """Build, load, fail and unload once."""
    write("k.c", BROKEN)
    refused("k.c", "compile-error") if number % 10 == 0 else None
    write("k.c", states[number % len(states)])
    opened = open_it("k.c:my_mul")
    refused("k.c:nothing", "wrong-symbol")
    refused("nowhere.so:f", "missing-file")
    with open("copy.so", "wb") as file, open(opened.path, "rb") as built:
        file.write(built.read())
    assert called(open_it("copy.so:my_mul")) == called(opened)


@pytest.mark.parametrize("cycles", [pytest.param(30), pytest.param(1000, marks=pytest.mark.long)])
def test_cycles_of_build_load_fail_and_unload_leak_nothing(empty_cache, cycles):
    states = [MUL, MUL.replace("* y", "- y")]
    for number in range(2):
        cycle(number, states)
    before = counts(empty_cache)
    for number in range(cycles):
        cycle(number, states)
    assert counts(empty_cache) == before
    assert len(list(empty_cache.iterdir())) == len(states)


# where things are kept -------------------------------------------------------------------------


def test_the_folder_is_mindspores_the_users_or_a_private_temporary_one(tmp_path, monkeypatch):
    monkeypatch.setenv("MS_COMPILER_CACHE_PATH", str(tmp_path / "said"))
    assert places.folder("built") == str(tmp_path / "said" / "custom" / "built")
    monkeypatch.delenv("MS_COMPILER_CACHE_PATH")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    assert places.folder("built") == str(tmp_path / "home" / "ms_ext" / "custom" / "built")
    write("file", "")
    monkeypatch.setenv("XDG_CACHE_HOME", os.path.abspath("file"))
    monkeypatch.setattr(places.tempfile, "gettempdir", lambda: str(tmp_path))
    private = tmp_path / f"ms_ext-{os.getuid()}"
    assert places.folder("built") == str(private / "custom" / "built")
    private.chmod(0o777)  # somebody else's, perhaps: nothing is loaded from there
    with pytest.raises(RuntimeError, match="There is no folder to keep compiled"):
        places.folder("built")
