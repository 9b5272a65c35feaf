"""How does Cython source text become a Python function? To C by Cython, then as any C source.

The text's one public ``def`` is the function. A module of Python's cannot be unloaded, so each text
is loaded once in a process.
"""

import importlib.metadata
import importlib.util
import os
import sys
import threading
import types

from ... import toolchain
from . import cache, clinic, compiling, sources

_functions = {}  # the library of a text -> its function
_lock = threading.Lock()


def function(text, trace, where=None):
    """The function that a Cython text defines, compiled now if no build of it is there."""
    path = built(sources.written(text, ".pyx"), trace, where)
    with _lock:
        if path not in _functions:
            with trace.step("open", path) as step:
                module = _loaded(path)
                step.say("opened", f"{path} is a module of Python's now.")
            _functions[path] = _only_function(module, text, trace, where)
    return _functions[path]


def built(source, trace, where=None):
    """The extension module of a Cython file."""
    version = _version(source, where)
    compiler, flags = _tools(source, where)
    made_with = [version, sys.version, *flags, compiler.path, compiler.version]
    key = sources.key(source, [sources.folder(source)], (), made_with)
    path = cache.product("cython", key, toolchain.EXTENSION_SUFFIX)
    with trace.step("cache", path) as step:
        hit = os.path.exists(path)
        step.say("hit" if hit else "miss", "The module of this text is there already." if hit
                 else "The module of this text is not there yet.")  # fmt: skip
    if not hit:
        with trace.step("compile", f"cython {source}; {compiler.path} {' '.join(flags)}") as step:
            cache.made(path, _maker(source, f"m{key}", compiler, flags, where), compiling.SECONDS)
            step.say("built", "The text is compiled.")
    return path


def made(source, name, path, where=None):
    """Write the extension module ``name`` of a Cython file to a path of the caller's."""
    _version(source, where)
    compiler, flags = _tools(source, where)
    temporary = cache.beside(path)
    try:
        _maker(source, name, compiler, flags, where)(temporary)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


def _tools(source, where):
    compiler, headers = toolchain.c_compiler(), toolchain.python_headers()
    if compiler is None:
        raise compiling.no_compiler(source, True).error(where)
    if headers is None:
        raise _no_headers(source).error(where)
    return compiler, ["-fPIC", "-shared", "-O2", "-w", f"-I{headers}", *_numpy(source)]


def _maker(source, name, compiler, flags, where):
    def make(temporary):
        generated = f"{temporary}.c"
        command = [sys.executable, "-m", "cython", "-3", "--module-name", name]
        try:
            compiling.run([*command, "-o", generated, source], source, where)
            compiling.run([compiler.path, *flags, "-o", temporary, generated], source, where)
        finally:
            if os.path.exists(generated):
                os.remove(generated)

    return make


def _numpy(source):
    """The flags for a text that asks for NumPy's own declarations."""
    with open(source, encoding="utf-8") as file:
        if "cimport numpy" not in file.read():
            return []
    import numpy as np

    return [f"-I{np.get_include()}", "-DNPY_NO_DEPRECATED_API=NPY_1_7_API_VERSION"]


def _version(source, where):
    if importlib.util.find_spec("Cython") is None:
        raise clinic.Finding(
            "no-compiler",
            f"Cython is not installed to compile {compiling.name_of(source)} with.",
            hint="Install it: `pip install cython`; or write the kernel in C or C++.",
        ).error(where)
    return importlib.metadata.version("Cython")


def _no_headers(source):
    return clinic.Finding(
        "no-compiler",
        f"Python.h is not there to compile {compiling.name_of(source)} with.",
        hint="Install it: `sudo apt install python3-dev`; or write the kernel in C or C++.",
    )


def _loaded(path):
    name = os.path.basename(path).removesuffix(toolchain.EXTENSION_SUFFIX).rpartition("-")[2]
    spec = importlib.util.spec_from_file_location(f"m{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _only_function(module, text, trace, where):
    kinds = (types.BuiltinFunctionType, types.FunctionType)
    found = [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (isinstance(value, kinds) or type(value).__name__ == "cython_function_or_method")
        and getattr(value, "__module__", None) in (module.__name__, None)
    ]
    if len(found) != 1:
        raise clinic.Finding(
            "many-kernels" if found else "no-kernel",
            f"The Cython text defines {len(found)} public functions; one is the op's.",
            f"def {', def '.join(found)}" if found else f"{text:.60}",
            "Write `cdef` for the others, or begin their names with an underscore."
            if found
            else "Write the op's function with `def`: `def my_mul(float[:, :] x, float[:, :] y):`.",
        ).error(where)
    trace.symbol, trace.exports = found[0], tuple(found)
    return getattr(module, found[0])
