"""C++ with pybind11, plain C functions, or Cython: which one are these sources?

| kind | sources | what the loaded module's attributes are |
|---|---|---|
| "stages" | C++ that includes ms_extension/api.h | what pybind11 bound |
| "module" | other C++ | what pybind11 bound |
| "functions" | C or C++ without pybind11: ``int f(int, void **, ...)`` | ops.Custom each |
| "cython" | one .pyx | its functions, on tensors |

>>> import os
>>> kind_of([os.path.join("ops", "add.pyx")], b"")
'cython'
"""

import os
import re
import types

from ... import errors, strict
from ..loading import clinic, elf

C_ABI = re.compile(rb"\bint\s+(\w+)\s*\(\s*int\s+\w+\s*,\s*void\s*\*\s*\*")
_BOUND = re.compile(rb"\bPYBIND11_MODULE\s*\(")
_DEFINED = re.compile(rb"^[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w+)", re.M)
_STAGES = re.compile(rb'#\s*include\s*["<](?:ms_extension|include/pynative)')
_PYBIND11 = re.compile(rb'#\s*include\s*["<](?:ms_extension|include/pynative|pybind11)')


def kind_of(sources, text):
    """The kind of sources, whose text (that of the headers beside them too) is ``text``."""
    cython = [each for each in sources if each.endswith(".pyx")]
    if cython:
        if len(sources) > 1:
            raise errors.NotRunnable(
                "A builder takes one .pyx, and no other source beside it.",
                given=", ".join(sources),
                hint="Give each its own builder; a .pyx can `cdef extern` what a header defines.",
            )
        return "cython"
    if C_ABI.search(text) and not _BOUND.search(text) and not strict.on():
        return "functions"
    return "stages" if _STAGES.search(text) else "module"


def binds(text):
    """Whether a source includes pybind11, itself or by our headers."""
    return bool(_PYBIND11.search(text))


def changes(text, known):
    """Whether a source defines something before the long headers that they would notice: then they
    have to be read anew. ``known``: the words that are in them."""
    includes = list(_PYBIND11.finditer(text))
    before = text[: includes[-1].start()] if includes else b""
    return any(found[1].decode() in known for found in _DEFINED.finditer(before))


def functions(path, name, sources):
    """The kernels of a library, each an op: its result is like the first input, unless the library
    itself says what it is (``fInferShape``, ``fInferType``). Other functions that the sources
    define are not for Python: a library does not tell what arguments they take."""
    from ..custom import Custom

    exported = elf.read(path).exported
    found = clinic.kernels(exported)
    if not found:
        raise clinic.no_kernel(path, exported).error()
    seen = _kernels_in(sources)
    found = [each for each in found if each in seen] or found  # all, where macros name them
    space = types.SimpleNamespace()
    for each in found:
        shape = None if f"{each}InferShape" in exported else _first
        kind = None if f"{each}InferType" in exported else _first
        op = Custom(f"{path}:{each}", out_shape=shape, out_dtype=kind, func_type="aot")
        op.__doc__ = f"{each} of {os.path.basename(path)}, a C function of the builder {name!r}."
        setattr(space, each, op)
    return space


def _kernels_in(sources):
    names = set()
    for source in sources:
        with open(source, "rb") as file:
            names |= {name.decode() for name in C_ABI.findall(file.read())}
    return names


def _first(*inputs):
    return inputs[0]


def on_tensors(module):
    """A module whose functions take tensors where the Cython ones take arrays."""
    space = types.SimpleNamespace(__doc__=module.__doc__, __name__=module.__name__)
    for name, value in vars(module).items():
        if not name.startswith("_") and callable(value) and not isinstance(value, type):
            setattr(space, name, _on_tensors(value))
    return space


def _on_tensors(function):
    import functools

    from ....common import Tensor

    def handed(value):
        return value.asnumpy() if isinstance(value, Tensor) else value

    def back(value):
        if isinstance(value, tuple):
            return tuple(map(back, value))
        if type(value).__name__ in ("_memoryviewslice", "memoryview", "ndarray"):
            import numpy as np

            return Tensor(np.asarray(value))
        return value

    @functools.wraps(function)
    def called(*args, **kwargs):
        named = {key: handed(value) for key, value in kwargs.items()}
        return back(function(*map(handed, args), **named))

    return called
