"""Operators in C++ and the compiled stages under AddressSanitizer, UBSan and ThreadSanitizer.

The engine's side (kernels_pyx/extension.pyx) and both modules of extension_sources are compiled
with the sanitizer; extension_sanitized.py then calls them in every policy.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy
import pytest
from extension_modules import SOURCES, needs_compiler, needs_pybind11

from ms_ext import kernels
from ms_ext.engine import errors, toolchain
from ms_ext.engine.custom.builder import flags, headers

ROOT = Path(__file__).parents[1]
GENERATED = ROOT / "build" / "kernels" / "extension.cpp"
LIBRARIES = {"address,undefined": ("libasan.so", "libubsan.so"), "thread": ("libtsan.so",)}
needs_source = pytest.mark.skipif(
    not GENERATED.is_file(), reason="the kernels' C++ is not here: ./lab build"
)
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="sanitizers are preloaded")
pytestmark = [pytest.mark.long, needs_compiler, needs_pybind11, needs_source, needs_linux]


def compiled(sanitizer, source, target, *more):
    """One library with the sanitizer in it."""
    folders = [flags.INCLUDE, ROOT / "kernels_pyx", sysconfig.get_path("include")]
    folders += [numpy.get_include(), headers.pybind11()]
    command = [toolchain.cxx_compiler().path, f"-fsanitize={sanitizer}", "-shared", "-fPIC", "-w"]
    command += ["-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-O1", "-g1"]
    command += ["-std=c++17", *more, *(f"-I{folder}" for folder in folders)]
    subprocess.run([*command, str(source), "-o", str(target)], check=True)


def where_is(library):
    """The sanitizer's library, which has to be there before Python begins; None if it is not."""
    command = [toolchain.cxx_compiler().path, f"-print-file-name={library}"]
    found = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return found if os.path.isabs(found) else None


@pytest.mark.parametrize("sanitizer", LIBRARIES)
def test_a_sanitizer_has_nothing_to_say(sanitizer, tmp_path):
    preloaded = [where_is(each) for each in LIBRARIES[sanitizer]]
    if None in preloaded:
        pytest.skip(f"the compiler has no {LIBRARIES[sanitizer]}")
    shutil.copytree(errors.PACKAGE, tmp_path / "ms_ext")
    engine = tmp_path / "ms_ext" / "kernels" / Path(kernels.get("extension").__file__).name
    compiled(sanitizer, GENERATED, engine, "-ftls-model=initial-exec")
    for name in ("surface", "gradients"):
        # Without MindSpore's flag for older strings: libstdc++ counts their copies, unseen.
        named = f"-DMS_EXTENSION_NAME={name}"
        compiled(sanitizer, SOURCES / f"{name}.cpp", tmp_path / f"{name}.so", named)
    surroundings = {
        **os.environ,
        "LD_PRELOAD": " ".join(preloaded),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT / "tests")]),
        "PYTHONMALLOC": "malloc",  # so that reads after a free are seen
        "ASAN_OPTIONS": "detect_leaks=0",  # Python keeps much until its end
        "TSAN_OPTIONS": "report_signal_unsafe=0",
    }
    program = str(ROOT / "tests" / "extension_sanitized.py")
    command = [sys.executable, "-W", "ignore", program, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings)
    assert (done.stdout, done.returncode) == ("all was done\n", 0), done.stderr[-6000:]
    assert "ERROR" not in done.stderr.replace("[ERROR] error hello", "")
    assert "WARNING: ThreadSanitizer" not in done.stderr
