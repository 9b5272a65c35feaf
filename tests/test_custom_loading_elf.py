"""The tables of libraries, read without loading, and what the clinic says of what is wrong."""

import random
import struct
import sys

import pytest
from custom_libraries import CXX, MANGLED, MUL, library, needs_compiler, needs_cxx, own_cache

from ms_ext.engine.custom.loading import clinic, diagnose, elf, open_kernel, surroundings

PRINTS = "#include <stdio.h>\n" + MUL.replace("return 0", 'return !puts("")')
pytestmark = [needs_compiler, pytest.mark.usefixtures(own_cache.__name__)]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The bytes of a small library."""
    with pytest.MonkeyPatch.context() as patch:
        from custom_libraries import CACHE

        patch.setenv("MS_COMPILER_CACHE_PATH", str(CACHE))
        return library(tmp_path_factory.mktemp("elf") / "small.so", PRINTS).read_bytes()


def reasons(path, symbol=None):
    return [finding.reason for finding in diagnose(path, symbol)]


def test_what_a_library_offers_and_needs(small):
    tables = elf.parse(small)
    here = elf.read(sys.executable)
    assert "my_mul" in tables.exported
    assert (tables.machine, tables.bits, tables.kind) == (here.machine, here.bits, 3)
    assert any(name.startswith("libc.") for name in tables.needed)


def test_a_whole_system_library_is_read():
    libc = elf.read(surroundings.find("libc.so.6", sys.executable))
    assert {"malloc", "printf"} <= set(libc.exported)
    assert any(version.startswith("GLIBC_2.") for version in libc.offers)


def test_no_file_however_damaged_does_more_than_be_refused(small):
    drawn = random.Random(8)
    for _ in range(400):
        data = bytearray(small[: drawn.randrange(len(small))] if drawn.random() < 0.4 else small)
        for _ in range(drawn.randrange(0, 12)):
            if data:
                place = drawn.randrange(min(len(data), drawn.choice([64, 1024, len(data)])))
                data[place] = drawn.choice([0, 1, 0x7F, 0x80, 0xFF, drawn.randrange(256)])
        try:
            elf.parse(bytes(data))
        except elf.Malformed as why:
            assert str(why) and why.reason


def test_every_length_of_a_file_is_refused_or_read(small):
    for length in range(0, len(small), 31):
        try:
            elf.parse(small[:length])
        except elf.Malformed:
            continue


def test_a_cut_library_is_never_handed_to_the_systems_loader(small, tmp_path):
    path = tmp_path / "cut.so"
    for part in (0.2, 0.5, 0.75):
        path.write_bytes(small[: int(len(small) * part)])
        with pytest.raises(RuntimeError) as caught:
            open_kernel(f"{path}:my_mul", name="x")
        assert caught.value.reason == "truncated"
        assert caught.value.hint.startswith("It was copied or built only in part")


# the clinic ------------------------------------------------------------------------------------


def test_a_good_library_has_no_findings(small, tmp_path):
    path = tmp_path / "good.so"
    path.write_bytes(small)
    assert diagnose(path, "my_mul") == []


@pytest.mark.parametrize(
    "data, words",
    [
        (b"", "it is empty"),
        (b"!<arch>\n", "a static archive"),
        (b"MZ\x90", "a Windows library"),
        (b"\xcf\xfa\xed\xfe", "a macOS library"),
        (b"int my_mul", "it begins with b'int my_mul'"),
    ],
)
def test_what_is_no_library_is_named(tmp_path, data, words):
    path = tmp_path / "a.so"
    path.write_bytes(data)
    (finding,) = diagnose(path)
    assert finding.reason == "not-elf" and words in finding.given
    with pytest.raises(RuntimeError, match="is not a shared library"):
        open_kernel(f"{path}:f", name="x")


def test_another_machine_is_named(small, tmp_path):
    other = 183 if elf.parse(small).machine != 183 else 62
    path = tmp_path / "other.so"
    path.write_bytes(small[:18] + struct.pack("<H", other) + small[20:])
    with pytest.raises(RuntimeError) as caught:
        open_kernel(f"{path}:my_mul", name="x")
    assert caught.value.reason == "wrong-architecture"
    assert f"it is for {elf.MACHINES[other]}, 64 bit" in caught.value.given


def test_a_program_is_no_library():
    assert reasons(sys.executable)[-1:] != []
    with pytest.raises(RuntimeError):
        open_kernel(f"{sys.executable}:nothing_of_that_name", name="x")


def test_a_missing_dependency_is_named(small, tmp_path):
    path = tmp_path / "needs.so"
    path.write_bytes(small.replace(b"libc.so.6\0", b"libq.so.9\0"))
    with pytest.raises(RuntimeError) as caught:
        open_kernel(f"{path}:my_mul", name="x")
    assert caught.value.reason == "missing-dependency"
    assert caught.value.message == "needs.so needs libq.so.9, which is not on this machine."
    ascend = clinic.missing_dependency("a.so", "libascendcl.so")
    assert "runs only there" in ascend.hint


def test_a_library_beside_is_found_by_its_run_path(tmp_path):
    part = library(tmp_path / "libpart.so", MUL.replace("my_mul", "part"), "-Wl,-soname,libpart.so")
    whole = library(
        tmp_path / "whole.so", "extern int part();\n" + MUL.replace("return 0", "return 0 * !part"),
        f"-L{part.parent}", "-Wl,--no-as-needed", "-lpart", "-Wl,-rpath,$ORIGIN",
    )  # fmt: skip
    assert "libpart.so" in elf.read(whole).needed
    assert diagnose(whole) == []
    assert open_kernel(f"{whole}:my_mul", name="x").address()
    part.unlink()


def test_a_newer_system_is_named(small, tmp_path):
    tables = elf.parse(small)
    version = next(v for name, vs in tables.needs if name == "libc.so.6" for v in vs)
    newer = version[:-1] + ("8" if version[-1] != "8" else "7")
    newer = "GLIBC_9" + version[7:] if version.startswith("GLIBC_2") else newer
    path = tmp_path / "newer.so"
    path.write_bytes(small.replace(version.encode() + b"\0", newer.encode() + b"\0"))
    (finding,) = diagnose(path)
    assert finding.reason == "version-mismatch" and newer in finding.given


@needs_cxx
def test_a_mangled_name_asks_for_extern_c(tmp_path):
    path = library(tmp_path / "mangled.so", MANGLED)
    for symbol in ("my_mul", None):
        (finding,) = diagnose(path, symbol)
        assert finding.reason == "mangled-symbol"
        assert finding.hint.startswith("Declare ") and 'extern "C" int my_mul(' in finding.hint
    with pytest.raises(RuntimeError, match=r"exports _Z6my_mul\w+, C\+\+'s name for my_mul"):
        open_kernel(f"{path}:my_mul", name="x")


@needs_cxx
def test_companions_are_no_kernels(tmp_path):
    more = 'extern "C" int my_mulInit(int *, int64_t **, const char **, void *) { return 0; }\n'
    path = library(tmp_path / "init.so", CXX + more)
    assert open_kernel(str(path), name="x").symbol == "my_mul"


def test_a_library_without_kernels(tmp_path):
    path = library(tmp_path / "none.so", "static int x; int *_hidden(void) { return &x; }\n")
    assert reasons(path) == ["no-kernel"]


def test_a_file_that_is_not_there(tmp_path):
    assert reasons(tmp_path / "nope.so") == ["missing-file"]


def test_of_a_source_is_told_whether_it_is_for_a_device(tmp_path):
    (tmp_path / "k.cpp").write_text('extern "C" __global__ __aicore__ void my_mul(GM_ADDR x) {}')
    (tmp_path / "k.c").write_text(MUL)
    assert (reasons(tmp_path / "k.cpp"), reasons(tmp_path / "k.c")) == (["device-source"], [])
