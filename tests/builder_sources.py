"""What the tests of CustomOpBuilder share: small sources, a folder of their own, builders.

A module without pybind11 compiles in half a second, plain C in a tenth; what includes api.h is
built once and kept below build/ from run to run.
"""

import textwrap
from pathlib import Path

import pytest

from ms_ext.engine import toolchain
from ms_ext.engine.custom.builder import headers
from ms_ext.engine.custom.builder.builder import CustomOpBuilder

#: Kept from run to run.
KEPT = Path(__file__).parents[1] / "build" / "builder_cache"

needs_compiler = pytest.mark.skipif(
    toolchain.cxx_compiler() is None or toolchain.python_headers() is None,
    reason="no C++ compiler, or no Python.h, is here",
)
needs_pybind11 = pytest.mark.skipif(headers.pybind11() is None, reason="pybind11 is not here")

#: A module of Python's by hand: `answer` gives a number.
BARE = """
#include <Python.h>
#define ENTRY2(name) PyInit_##name
#define ENTRY(name) ENTRY2(name)
#define TEXT2(name) #name
#define TEXT(name) TEXT2(name)
int number();
static PyObject *answer(PyObject *, PyObject *) { return PyLong_FromLong(number()); }
static PyMethodDef methods[] = {{"answer", answer, METH_NOARGS, ""}, {}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, TEXT(MS_EXTENSION_NAME), "", -1, methods};
PyMODINIT_FUNC ENTRY(MS_EXTENSION_NAME)() { return PyModule_Create(&definition); }
"""
NUMBER = "int number() { return %d; }\n"
#: A plain C function as ops.Custom calls it.
PLAIN = """
#include <stdint.h>
int %s(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes,
       void *stream, void *extra) {
  float *x = params[0], *y = params[1], *out = params[nparam - 1];
  int64_t n = 1;
  for (int k = 0; k < ndims[nparam - 1]; k++) n *= shapes[nparam - 1][k];
  for (int64_t i = 0; i < n; i++) out[i] = x[i] * y[i];
  return 0;
}
"""


@pytest.fixture(autouse=True)
def own_folder(monkeypatch, tmp_path):
    """Each test works in a folder of its own, and no builder remembers another test's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MS_COMPILER_CACHE_PATH", raising=False)
    monkeypatch.setattr(CustomOpBuilder, "_loaded_ops", {})
    monkeypatch.setattr(CustomOpBuilder, "_states", {})
    return tmp_path


def source(name, text):
    """A source in the current folder."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text))
    return str(path)


def bare(number=42, name="bare.cpp"):
    """A module that answers with a number."""
    return source(name, BARE + NUMBER % number)


def load(name, *sources, **words):
    """The module of a builder."""
    return CustomOpBuilder(name, list(sources), **words).load()
