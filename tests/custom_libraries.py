"""What the tests of custom libraries share: sources, a cache of their own, built libraries."""

import shutil
import subprocess
from pathlib import Path

import pytest

from ms_ext.engine import toolchain

#: Kept from run to run: what was compiled once is compiled.
CACHE = Path(__file__).parents[1] / "build" / "custom_cache"
HEAD = "int {}(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes,\n"
HEAD += "       void *stream, void *extra)"

needs_compiler = pytest.mark.skipif(toolchain.c_compiler() is None, reason="no compiler is here")
needs_cxx = pytest.mark.skipif(toolchain.cxx_compiler() is None, reason="no compiler is here")


@pytest.fixture(autouse=True)
def own_cache(monkeypatch):
    """Compiled libraries are kept below build/, not among the user's own."""
    monkeypatch.setenv("MS_COMPILER_CACHE_PATH", str(CACHE))
    monkeypatch.delenv("MS_EXT_CUSTOM_PATH", raising=False)


def kernel(name, body):
    """A kernel in C with ``x``, ``y``, ``out`` (float) and ``n``, the number of results."""
    return (
        "#include <stdint.h>\n"
        f"{HEAD.format(name)} {{\n"
        "  float *x = params[0], *y = params[1], *out = params[nparam - 1];\n"
        "  int64_t n = 1;\n"
        "  for (int k = 0; k < ndims[nparam - 1]; k++) n *= shapes[nparam - 1][k];\n"
        "  (void)x; (void)y; (void)out;\n"
        f"  {body}\n"
        "  return 0;\n"
        "}\n"
    )


MUL = kernel("my_mul", "for (int64_t i = 0; i < n; i++) out[i] = x[i] * y[i];")
ADD = kernel("my_mul", "for (int64_t i = 0; i < n; i++) out[i] = x[i] + y[i];")
RENAMED = MUL.replace("my_mul", "my_mul_kernel")
CXX = '#include <cstdint>\nextern "C" ' + MUL.partition("\n")[2].replace(
    "float *x = params[0], *y = params[1], *out = params[nparam - 1]",
    "auto *x = (float *)params[0], *y = (float *)params[1], *out = (float *)params[nparam - 1]",
)
MANGLED = CXX.replace('extern "C" ', "")


def library(path, source, *flags):
    """A library built from C (or C++, by the ending of a source file's name) at ``path``."""
    from ms_ext.engine.custom.loading import Trace, compiling, sources

    ending = ".cc" if "<cstdint>" in source else ".c"
    built = compiling.built(sources.written(source, ending), Trace(""), more=flags)
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(built, path)
    return path


def run(command):
    """Run a program that must succeed."""
    subprocess.run(command, check=True, capture_output=True)
