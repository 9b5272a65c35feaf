"""Kernels: which are there, which variant is taken, when one is out of date, how they are built."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ms_ext import kernels
from ms_ext.engine import toolchain

ROOT = Path(__file__).parents[1]
SUFFIX = toolchain.EXTENSION_SUFFIX


@pytest.fixture
def build():
    """setup.py as a module."""
    spec = importlib.util.spec_from_file_location("ms_ext_setup", ROOT / "setup.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def folder(tmp_path, monkeypatch, build):
    """Two kernels that look built: `plain`, and `hot` with a variant for newer CPUs."""
    monkeypatch.setattr(kernels, "HERE", tmp_path)
    monkeypatch.setattr(kernels, "SOURCES", tmp_path)
    monkeypatch.setattr(kernels, "RECORD", tmp_path / "built.json")
    monkeypatch.setattr(kernels, "_modules", {})
    monkeypatch.setattr(build, "SOURCES", tmp_path)
    monkeypatch.delenv("MS_EXT_CORE", raising=False)
    monkeypatch.delenv("MS_EXT_CPU", raising=False)
    for name in ("plain", "hot"):
        (tmp_path / f"{name}.pyx").write_text('include "part.pxi"\n')
    (tmp_path / "part.pxi").write_text("x = 1\n")
    names = ("plain", "hot", "hot_v3")
    for name in names:
        (tmp_path / f"{name}{SUFFIX}").write_text("not a library")
    made = {name: build.checksums(tmp_path / f"{name.removesuffix('_v3')}.pyx") for name in names}
    record = {name: {"files": files} for name, files in made.items()}
    (tmp_path / "built.json").write_text(json.dumps(record))
    return tmp_path


def test_available_lists_each_kernel_once(folder):
    assert kernels.available() == ("hot", "plain")


@pytest.mark.parametrize(("new", "taken"), [(True, "x86-64-v3"), (False, "baseline")])
def test_the_cpu_decides_about_the_variant(folder, monkeypatch, new, taken):
    monkeypatch.setattr(toolchain, "cpu_runs_v3", lambda: new)
    assert kernels.variant("hot") == taken
    assert kernels.variant("plain") == "baseline"
    assert kernels.variant("absent") is None


def test_the_baseline_can_be_asked_for(folder, monkeypatch):
    monkeypatch.setattr(toolchain, "cpu_runs_v3", lambda: True)
    monkeypatch.setenv("MS_EXT_CPU", "baseline")
    assert kernels.variant("hot") == "baseline"


def test_an_edited_part_makes_its_kernels_stale(folder):
    assert kernels.stale() == ()
    (folder / "part.pxi").write_text("x = 2\n")
    assert kernels.stale() == ("hot", "plain")


def test_a_kernel_that_does_not_load_says_run_lab_build(folder):
    with pytest.warns(kernels.KernelOutOfDate, match="does not load .*run ./lab build"):
        assert kernels.get("plain") is None


def test_a_stale_kernel_says_run_lab_build_and_is_used_all_the_same(folder, monkeypatch):
    monkeypatch.setattr(kernels.importlib, "import_module", lambda name: "the module")
    (folder / "plain.pyx").write_text("edited")
    with pytest.warns(kernels.KernelOutOfDate, match="older than plain.pyx: run ./lab build"):
        assert kernels.get("plain") == "the module"


def test_a_kernel_that_was_not_built_is_none(folder):
    assert kernels.get("absent") is None


def test_the_reference_core_uses_nothing_compiled(folder, monkeypatch):
    monkeypatch.setenv("MS_EXT_CORE", "reference")
    assert kernels.get("plain") is None


def test_the_kernels_of_this_checkout_are_up_to_date():
    assert kernels.stale() == ()


def test_no_flag_changes_arithmetic_or_needs_this_very_machine(build):
    for made in build.extensions():
        words = " ".join(made.extra_compile_args + made.extra_link_args)
        assert not re.search("fast-math|Ofast|unsafe-math|march=native", words)
        assert made.optional


def test_header_lines_are_read_from_the_comments_at_the_top(build, tmp_path):
    pyx = tmp_path / "k.pyx"
    pyx.write_text("# cython: x=1\n# cflags: -fno-math-errno -g\n\nx = 1\n# cflags: -no\n")
    assert build.header(pyx, "cflags") == ["-fno-math-errno", "-g"]
    assert build.header(pyx, "variants") == []


def test_included_and_cimported_files_belong_to_a_kernel(build, folder):
    (folder / "core.pxd").write_text('cdef extern from "core.h":\n    int f()\n')
    (folder / "core.h").write_text('#include "deep.h"\n')
    (folder / "deep.h").write_text("int f();\n")
    (folder / "plain.pyx").write_text("from ms_ext.kernels.core cimport f\n")
    names = set(build.checksums(folder / "plain.pyx"))
    assert names == {"plain.pyx", "core.pxd", "core.h", "deep.h"}


@pytest.mark.long
@pytest.mark.skipif(not toolchain.c_compiler(), reason="no C compiler")
def test_a_broken_kernel_does_not_stop_the_others(tmp_path):
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "ms_ext" / "kernels").mkdir(parents=True)
    (tmp_path / "ms_ext" / "engine").mkdir()
    for name in ("engine/toolchain.py", "kernels/__init__.py"):
        shutil.copy(ROOT / "ms_ext" / name, tmp_path / "ms_ext" / name)
    (tmp_path / "kernels_pyx").mkdir()
    (tmp_path / "kernels_pyx" / "good.pyx").write_text("def f(): return 7\n")
    (tmp_path / "kernels_pyx" / "bad.pyx").write_text("def f(: return 7\n")
    command = [sys.executable, "setup.py", "build_ext", "--inplace"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    record = json.loads((tmp_path / "ms_ext" / "kernels" / "built.json").read_text())
    assert done.returncode == 0 and "Cython refused bad.pyx" in record["bad"]["error"]
    assert "error" not in record["good"]
    code = "from ms_ext.kernels import good; print(good.f())"
    assert subprocess.check_output([sys.executable, "-c", code], cwd=tmp_path).strip() == b"7"
