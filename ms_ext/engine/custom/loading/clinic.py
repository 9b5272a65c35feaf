"""What is wrong with a library, and what helps? One finding for each thing found.

| reason | what is wrong |
|---|---|
| missing-file, missing-dependency | a file is not there |
| not-elf, truncated, malformed, too-large, not-shared | it is no shared library |
| wrong-architecture, version-mismatch, undefined-symbols | it was made for another system |
| wrong-symbol, mangled-symbol, no-kernel, many-kernels | it has not the function, or too many |
| compile-error, compile-timeout, no-compiler, device-source | its source did not become one |

>>> [finding.reason for finding in diagnose(__file__)]
['not-elf']
"""

import os
import platform
import re
from dataclasses import dataclass

from ... import errors
from . import elf, surroundings
from .search import SOURCES

SIGNATURE = (
    'extern "C" int {}(int nparam, void **params, int *ndims, int64_t **shapes,\n'
    "               const char **dtypes, void *stream, void *extra)"
)
COMPANIONS = ("Init", "InferShape", "InferType")
_ASCEND = ("libascend", "libacl", "libnnopbase", "libopapi", "libruntime", "libge_", "libhccl")


@dataclass(frozen=True)
class Finding:
    """One verdict: a ``reason`` to test for, a fact, what was given, a way out."""

    reason: str
    message: str
    given: str | None = None
    hint: str | None = None

    def error(self, where=None, kind=errors.NotRunnable):
        """The verdict as an error to raise; it has the reason too."""
        error = kind(self.message, given=self.given, hint=self.hint, where=where)
        error.reason = self.reason
        return error


def diagnose(path, symbol=None):
    """What keeps a library, or a function of it, from being called here: a list of Finding.

    An empty list says that nothing was found. The library is read, not loaded; of a source is told
    whether it is written for another device.
    """
    path = os.path.abspath(path)
    if not os.path.isfile(path):
        message = f"For 'Custom' on CPU, couldn't find the AOT binary file: {path}"
        return [Finding("missing-file", message, hint="Is the name right, and was it built?")]
    if path.endswith(SOURCES):
        return [found] if (found := device_source(path, path)) else []
    try:
        library = elf.read(path)
    except elf.Malformed as why:
        return [not_a_library(path, why)]
    except OSError as why:
        return [Finding("missing-file", f"{path} cannot be read: {why.strerror}.")]
    return [*_strange(path, library), *_lacking(path, library), *_symbol(path, library, symbol)]


def kernels(exported):
    """The exported functions that can be kernels: no companions, no C++ names, no entry of Python.

    >>> kernels(["my_mul", "my_mulInit", "_Z6helperi", "_init", "PyInit_x"])
    ['my_mul']
    """
    companions = {name + ending for name in exported for ending in COMPANIONS}
    return [n for n in exported if n not in companions and not n.startswith(("_", "PyInit_"))]


def not_a_library(path, why):
    """The verdict on a file whose tables cannot be read."""
    shared = "Build it with `g++ -std=c++17 -fPIC --shared -o my_ops.so my_ops.cc`"
    hint = f"{shared}, or give the source itself: func='my_ops.cc:my_mul'."
    if why.reason == "truncated":
        hint = "It was copied or built only in part: build it again, and let that end."
    return Finding(why.reason, f"{path} is not a shared library.", str(why), hint)


def _strange(path, library):
    """A file for another machine, or no library at all."""
    here = elf.machine(surroundings.PYTHON)
    if here is not None and elf.machine(path) != here:
        yield Finding(
            "wrong-architecture",
            f"{path} was built for another kind of processor.",
            f"it is for {library.architecture}, {library.bits} bit; this Python is for "
            f"{platform.machine()}",
            "Build it on this machine, or give the source: func='my_ops.cc:my_mul'.",
        )
    elif library.kind != 3 or not library.symbols and not library.needed:
        yield Finding(
            "not-shared",
            f"{path} is {elf.KINDS.get(library.kind, 'a file')}, without functions to load.",
            hint="Link it as a shared library: add `-fPIC --shared`.",
        )


def _lacking(path, library):
    """Libraries that are not there, or too old for what was built elsewhere."""
    missing = [n for n in library.needed if not surroundings.find(n, path, library.run_path)]
    for name in missing:
        yield missing_dependency(path, name)
    for name, versions in library.needs:
        beside = surroundings.find(name, path, library.run_path)
        lacking = sorted(set(versions) - set(_offered(beside))) if beside else []
        if lacking:
            yield version_mismatch(path, name, beside, lacking)


def missing_dependency(path, name):
    """The verdict on a library that needs one which is not there."""
    device = name.startswith(_ASCEND)
    return Finding(
        "missing-dependency",
        f"{os.path.basename(path)} needs {name}, which is not on this machine.",
        f"{path} was linked with {name}",
        "That is a library of the Ascend software: the kernel runs only there. Here a host "
        "kernel of the same name and arguments can stand for it."
        if device
        else f"Install what has {name}, name its folder in LD_LIBRARY_PATH before Python starts, "
        "or link with `-Wl,-rpath,'$ORIGIN'` and put it beside the library.",
    )


def version_mismatch(path, name, beside, lacking):
    """The verdict on a library that was built with newer libraries than there are here."""
    return Finding(
        "version-mismatch",
        f"{os.path.basename(path)} was built with a newer {name} than this machine has.",
        f"it needs {', '.join(lacking)}; {beside} offers no such version",
        "Build it on this machine, or give the source: func='my_ops.cc:my_mul'.",
    )


def _offered(path):
    try:
        return elf.read(path).offers
    except (OSError, elf.Malformed):
        return ()


def _symbol(path, library, symbol):
    """A function that is not there under that name."""
    exported = library.exported
    if symbol is not None and symbol not in exported:
        yield wrong_symbol(path, symbol, exported)
    elif symbol is None and not kernels(exported):
        yield no_kernel(path, exported)


def wrong_symbol(path, symbol, exported, shadowed=()):
    """The verdict on a name that a library does not export."""
    fact = (
        f"For 'Custom' on CPU, error occurs when fetching function '{symbol}'. "
        f"Error info: {path}: undefined symbol: {symbol}"
    )
    mangled = [name for name in exported if plain_name(name) == symbol]
    if mangled:
        return Finding(
            "mangled-symbol",
            fact,
            f"{os.path.basename(path)} exports {mangled[0]}, C++'s name for {symbol}(...)",
            f'Declare it extern "C", so that it keeps its name:\n{SIGNATURE.format(symbol)}',
        )
    there = kernels(exported)
    hint = errors.did_you_mean(symbol, there) if there else f'Declare it extern "C": {symbol}.'
    given = f"{os.path.basename(path)} exports {_listed(there)}"
    near = _nearest(symbol, there)
    if near:
        given += f"; did you mean {'that' if len(there) == 1 else near}?"
        hint = f"func='{path}:{near}', or name the function {symbol} in its source."
    hidden = [p for p in shadowed if symbol in elf.read(p).exported]
    if hidden:
        hint = f"{hidden[0]}, later on the search path, exports {symbol}: remove the first file."
    return Finding("wrong-symbol", fact, given, hint)


def _nearest(symbol, there):
    """The exported name that was meant, if one is near."""
    import difflib

    within = [name for name in there if symbol in name or name in symbol]
    return next(iter(difflib.get_close_matches(symbol, there, n=1) or within), None)


def no_kernel(path, exported):
    """The verdict on a library without a function that could be a kernel."""
    plain = sorted({p for p in map(plain_name, exported) if p})
    found = f"it exports {_listed(plain)} under C++ names" if plain else "it exports no function"
    example = plain[0] if plain else "my_mul"
    return Finding(
        "mangled-symbol" if plain else "no-kernel",
        f"{path} exports no kernel.",
        found,
        f'Declare the kernel extern "C":\n{SIGNATURE.format(example)}',
    )


def many_kernels(path, there, is_text=False):
    """The verdict on a file that leaves open which kernel is meant."""
    return Finding(
        "many-kernels",
        f"{path} exports several functions; which one is the kernel?",
        f"it exports {_listed(there)}",
        "Declare the others `static`, or begin their names with an underscore."
        if is_text
        else f"Name it after a colon: func='{path}:{there[0]}'.",
    )


def device_source(source, shown):
    """The verdict on a source that is written for a device, or None."""
    try:
        with open(source, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return None
    found = next((w for w in ("__aicore__", "__global__") if re.search(rf"\b{w}\b", text)), None)
    if found is None and not source.endswith(".cu"):
        return None
    names = re.findall(r"(?:__global__|__aicore__)\s+(?:__aicore__\s+)?void\s+(\w+)\s*\(", text)
    name = names[-1] if names else "my_kernel"
    return Finding(
        "device-source",
        f"Compilation error in compiling {shown}:\nit is a kernel for another device.",
        f"`{found or '.cu'}` marks code for {'Ascend' if found == '__aicore__' else 'a device'}; "
        "this machine computes on its CPU",
        f"Write a host kernel that stands for it:\n{SIGNATURE.format(name)}",
    )


def plain_name(symbol):
    """The function's own name in a C++ one, or None.

    >>> plain_name("_Z6my_muliPPv"), plain_name("_ZN3ops6my_mulEi"), plain_name("my_mul")
    ('my_mul', 'my_mul', None)
    """
    rest, name = re.sub(r"^_Z(N[KVr]*)?", "", symbol), None
    while rest != symbol and (found := re.match(r"\d{1,4}", rest)):
        end = found.end() + int(found[0])
        name, rest = rest[found.end() : end], rest[end:]
    return name or None


def _listed(names):
    shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return shown or "no function that could be a kernel"
