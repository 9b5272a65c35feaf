"""CustomOpBuilder: folders, files, and what is compiled again when (row 24 among them)."""

import os
import types
from pathlib import Path

import numpy as np
import pytest
from builder_sources import (  # noqa: F401  (a fixture)
    NUMBER,
    PLAIN,
    bare,
    load,
    needs_compiler,
    own_folder,
    source,
)

import ms_ext as ms
from ms_ext import ops
from ms_ext.engine import strict
from ms_ext.engine.custom.builder import kinds, making

pytestmark = needs_compiler
X, Y = ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])


@pytest.fixture
def compiled(monkeypatch):
    """The sources that were compiled, one entry for each compiler that ran."""
    ran = []
    run = making.compilers.compiling.run

    def counting(command, file, *rest, **more):
        ran.append(os.path.basename(file))
        return run(command, file, *rest, **more)

    monkeypatch.setattr(making.compilers.compiling, "run", counting)
    return ran


def test_folders_and_files(monkeypatch, tmp_path):
    bare()
    path = ops.CustomOpBuilder("one", "bare.cpp").build()
    folder = tmp_path / "kernel_meta" / "one"
    assert path == str(folder / "one.so")
    files = {each.name for each in folder.iterdir()}
    assert files == {"one.so", "bare.o", ".build_log.txt", ".one.json"}
    assert "-DMS_EXTENSION_NAME=one" in (folder / ".build_log.txt").read_text()


def test_row_24_the_variable_names_the_folder(monkeypatch, tmp_path):
    bare()
    monkeypatch.setenv("MS_COMPILER_CACHE_PATH", str(tmp_path / "p"))
    builder = ops.CustomOpBuilder("one", "bare.cpp")
    assert builder.build() == str(tmp_path / "p" / "one" / "one.so")
    assert builder.build_dir == str(tmp_path / "p" / "one")


def test_a_build_dir_is_taken_as_it_is_with_its_links_resolved(tmp_path):
    bare()
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    path = ops.CustomOpBuilder("one", "bare.cpp", build_dir="link/a b").build()
    assert path == str(tmp_path / "real" / "a b" / "one.so")
    assert load("one", "bare.cpp", build_dir="link/a b").answer() == 42


def test_a_source_with_a_blank_in_its_path():
    assert load("one", bare(7, "my ops/the source.cpp")).answer() == 7


def test_nothing_is_compiled_twice(compiled):
    bare()
    first = ops.CustomOpBuilder("one", "bare.cpp").build()
    before = os.stat(first).st_ino
    assert ops.CustomOpBuilder("one", "bare.cpp").build() == first
    os.utime("bare.cpp")  # its time is another, its text is not
    assert ops.CustomOpBuilder("one", "bare.cpp").build() == first
    Path("notes.txt").write_text("")
    assert ops.CustomOpBuilder("one", "bare.cpp").build() == first
    assert compiled == ["bare.cpp", "bare.cpp"]  # compiled, linked
    assert os.stat(first).st_ino == before


CHANGES = {
    "text": lambda: bare(43),
    "text of the same length and time": lambda: _same_time("bare.cpp", "42", "43"),
    "flag": lambda: dict(cflags="-DX=1"),
    "linker's flag": lambda: dict(ldflags="-lm"),
    "debug mode": lambda: dict(debug_mode=True),
    "the library is gone": lambda: os.remove("kernel_meta/one/one.so"),
    "the library is another": lambda: Path("kernel_meta/one/one.so").write_text("x"),
    "the object is gone": lambda: [os.remove(f"kernel_meta/one/{n}") for n in ("bare.o", "one.so")],
}


def _same_time(path, old, new):
    before = os.stat(path)
    Path(path).write_text(Path(path).read_text().replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("change", CHANGES)
def test_what_has_it_made_again(change, compiled):
    bare()
    path = ops.CustomOpBuilder("one", "bare.cpp").build()
    compiled.clear()
    words = CHANGES[change]()
    again = ops.CustomOpBuilder("one", "bare.cpp", **(words if isinstance(words, dict) else {}))
    assert again.build() == path and compiled


def test_a_header_counts_and_one_that_comes_before_it(compiled):
    source("inc/number.h", NUMBER % 1)
    source(
        "bare.cpp", '#include "number.h"\n' + Path(bare(0)).read_text().rpartition("int number")[0]
    )
    words = dict(include_paths="inc")
    assert load("one", "bare.cpp", **words).answer() == 1
    source("inc/number.h", NUMBER % 2)
    assert load("two", "bare.cpp", **words).answer() == 2
    ops.CustomOpBuilder("two", "bare.cpp", **words).build()
    compiled.clear()
    source("number.h", NUMBER % 3)  # beside the source: it is found first now
    ops.CustomOpBuilder("two", "bare.cpp", **words).build()
    assert compiled


def test_an_edit_is_a_new_builder_of_another_name_in_one_process():
    bare(1)
    first = load("one", "bare.cpp")
    bare(2)
    assert (load("two", "bare.cpp").answer(), first.answer()) == (2, 1)


def test_building_a_loaded_name_again_leaves_its_module_alone():
    bare(1)
    module = load("one", "bare.cpp")
    bare(2)
    builder = ops.CustomOpBuilder("one", "bare.cpp")
    path = builder.build()
    assert module.answer() == 1
    ops.CustomOpBuilder._loaded_ops.clear()
    assert load("one", "bare.cpp").answer() == 2 and path == builder.build()


def test_sources_of_one_base_name_do_not_collide(compiled):
    source("a/part.cpp", Path(bare()).read_text().rpartition("int number")[0])
    source("b/part.cpp", NUMBER % 8)
    assert load("one", "a/part.cpp", "b/part.cpp").answer() == 8
    compiled.clear()
    source("b/part.cpp", NUMBER % 9)
    ops.CustomOpBuilder("one", ["a/part.cpp", "b/part.cpp"]).build()
    assert len(compiled) == 2  # one of the two sources, and the linker


def test_methods_may_be_overridden():
    class Mine(ops.CustomOpBuilder):
        def get_sources(self):
            return [*super().get_sources(), "more.cpp"]

        def get_cflags(self):
            return [*super().get_cflags(), "-DNUMBER=5"]

    source("bare.cpp", Path(bare()).read_text().rpartition("int number")[0])
    source("more.cpp", "int number() { return NUMBER; }")
    assert Mine("one", "bare.cpp").load().answer() == 5

    class Ready(ops.CustomOpBuilder):
        def build(self):
            return "kernel_meta/one/one.so"

    ops.CustomOpBuilder._loaded_ops.clear()
    assert Ready("one", "nothing.cpp").load().answer() == 5


# plain C, and Cython -----------------------------------------------------------------------------


def test_plain_c_functions_are_ops_in_both_modes(mode, compiled):
    source("plain.c", PLAIN % "my_mul" + (PLAIN % "second").replace("* y[i]", "+ y[i]"))
    module = load("plain", "plain.c")
    np.testing.assert_array_equal(module.my_mul(X, Y).asnumpy(), [3, 8])
    np.testing.assert_array_equal(ms.jit(lambda x, y: module.second(x, y))(X, Y).asnumpy(), [4, 6])
    assert compiled == ["plain.c"] and dir(module) == ["my_mul", "second"]
    assert isinstance(module.my_mul, ops.Custom) and module.so_module is None


def test_plain_functions_in_cpp(compiled):
    text = PLAIN.replace("stdint.h", "cstdint").replace("= params[", "= (float *)params[")
    text = text.replace(", *y =", ", *y =").replace("\nint %s", '\nextern "C" int %s') % "my_mul"
    source("plain.cpp", text)
    np.testing.assert_array_equal(load("plain", "plain.cpp").my_mul(X, Y).asnumpy(), [3, 8])
    assert len(compiled) == 1
    source("mangled.cpp", text.replace('extern "C" ', ""))
    with pytest.raises(RuntimeError, match="exports no kernel"):
        load("mangled", "mangled.cpp")


def test_strict_wants_a_module():
    source("plain.cpp", PLAIN.replace("= params[", "= (float *)params[") % "my_mul")
    with strict.as_mindspore(), pytest.raises(ImportError, match=r"\(PyInit_plain\)"):
        load("plain", "plain.cpp")


def test_cython_is_one_file():
    with pytest.raises(RuntimeError, match="takes one .pyx"):
        load("pyx_three", source("twice.pyx", ""), source("plus.pyx", ""))


def test_functions_of_arrays_take_and_give_tensors():
    module = types.ModuleType("made")
    module.twice = lambda x: 2 * x
    module.np = np
    found = kinds.on_tensors(module)
    assert isinstance(found.twice(X), ms.Tensor) and found.twice(X).tolist() == [2.0, 4.0]
    assert not hasattr(found, "np")


@pytest.mark.long
def test_cython():
    pytest.importorskip("Cython")
    source("twice.pyx", "def twice(float[:] x):\n    return [2 * each for each in x]\n")
    source("plus.pyx", "import numpy as np\ndef plus(x, y):\n    return np.add(x, y), 1\n")
    assert load("pyx_one", "twice.pyx").twice(X) == [2.0, 4.0]
    found, number = load("pyx_two", "plus.pyx").plus(X, y=Y)
    assert isinstance(found, ms.Tensor) and found.tolist() == [4.0, 6.0] and number == 1
    source("wrong.pyx", "def f(x):\n    return y z\n")
    with pytest.raises(RuntimeError, match="Error building extension 'pyx_four'") as caught:
        load("pyx_four", "wrong.pyx")
    assert caught.value.where.line == 2
