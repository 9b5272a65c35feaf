"""How does what ``func`` says become a function in memory? Find, compile if need be, open, look up.

>>> open_kernel("./nowhere.so:my_mul", name="my_mul")  # doctest: +ELLIPSIS
Traceback (most recent call last):
    ...
ms_ext.engine.errors.NotRunnable: For 'Custom' on CPU, couldn't find the AOT binary file: ...
"""

import os
import sys
import warnings

from ... import errors, strict
from . import clinic, compiling, elf, search, sources
from .library import CannotOpen, library, open_libraries
from .trace import Trace

_told = set()  # (loaded, shadowed) pairs that a warning has named


class Kernel:
    """A function of an open library. The library stays open while any of its kernels lives."""

    def __init__(self, handle, path, symbol, source, trace):
        self.alive, self.path, self.symbol = handle, path, symbol
        self.source, self.trace = source, trace

    def address(self, symbol=None):
        """Where a function of the library begins, the kernel itself if none is named, or None."""
        return self.alive.address(self.symbol if symbol is None else symbol)

    def __repr__(self):
        return f"Kernel({self.path}:{self.symbol})"


def open_kernel(func, *, name, path_from_env=False, where=None, trace=None, folders=None):
    """The kernel that a text names; `search` lists the forms it may have.

    ``path_from_env``: the part before the colon is the name of an environment variable. ``trace``
    is filled step by step, and whole up to the failure if there is one; errors have it too.
    ``folders``: the search path as `search.folders` gave it where the op was called; now if None.
    """
    trace = Trace(func) if trace is None else trace
    try:
        _refuse_other_systems(where)
        return _open(func, path_from_env, where, trace, folders or search.folders())
    except errors.MsExtError as error:
        error.trace = trace
        raise


def _refuse_other_systems(where):
    if not sys.platform.startswith("linux"):
        raise errors.NotRunnable(
            "Custom op only supported on Linux platform currently.",
            given=f"func_type='aot' on {sys.platform}",
            hint="Write the op as a Python function, func_type='pyfunc'.",
            where=where,
        )


def _open(func, path_from_env, where, trace, folders):
    file, symbol = search.split(func)
    if strict.on() and func.count(":") != 1:
        raise errors.NotRunnable(
            f"For 'Custom' on CPU, user defined function path '{func}' is illegal. Proper function "
            "path should follow the format of 'dir_path/file_name:func_name'",
            where=where,
        )
    if path_from_env:
        file = _from_environment(file or func, func, where)
    found = _found(file, symbol, func, where, trace, folders)
    _within_white_list(found.path, func, where)
    _name_shadowed(found, trace)
    return opened(found.path, symbol, where, trace, found.shadowed)


def opened(path, symbol, where, trace, shadowed=()):
    """The kernel of a file that is there."""
    source = os.path.abspath(path) if search.is_source(path) else None
    if source:
        path = compiling.built(source, trace, where)
    path = os.path.abspath(path)
    trace.library = path
    tables = _tables(path, where, trace)
    symbol = _symbol(tables, path, symbol, where, trace, shadowed, source)
    handle = _handle(path, source, where, trace)
    kernel = Kernel(handle, path, symbol, source, trace)
    trace.symbol, trace.address = symbol, kernel.address()
    return kernel


def _from_environment(variable, func, where):
    path = os.environ.get(variable)
    if path:
        return path
    raise errors.InvalidValue(
        f"For 'Custom', the environment variable {variable} that 'func' names is not set.",
        given=f"func={func!r} with path_from_env=True",
        hint=f"Set it to the library's path: os.environ[{variable!r}] = '/path/to/my_ops.so'.",
        where=where,
    )


def _found(file, symbol, func, where, trace, folders):
    path = folders[:1] if strict.on() else folders
    if file is None:
        found = search.find_symbol(symbol, path, trace)
    else:
        found = search.find_file(file, path, trace)
    if found:
        return found
    raise _missing(file, symbol, func, path).error(where)


def _missing(file, symbol, func, path):
    """The verdict on a file that is nowhere; it lists where it was looked for."""
    known = search.near(file, path)
    wanted = file or f"lib{symbol}.so"
    message = f"For 'Custom' on CPU, couldn't find the AOT binary file: {file or func}"
    if file and search.is_source(file):
        whole = os.path.normpath(os.path.join(path[0].path, file))
        message = f"Compilation error in compiling {whole}:\nthere is no such file."
    if file and os.path.isabs(file):
        return clinic.Finding("missing-file", message, hint="Is the name right?")
    looked = f"looked in {', then '.join(map(str, path))}"
    source = next((n for n in known if symbol and n in (f"{symbol}.cc", f"{symbol}.cpp")), None)
    if file is None:
        looked = f"looked for lib{symbol}.so, {symbol}.so and any library that exports {symbol}; "
        looked += f"in {', then '.join(map(str, path))}"
    if source and file is None:
        hint = f"There is a source: func='./{source}:{symbol}' compiles it."
    else:
        hint = errors.did_you_mean(os.path.basename(wanted), known) if known else ""
        hint += f"{' ' if hint else ''}Set {search.PATH_VARIABLE} to the folder that has it."
    return clinic.Finding("missing-file", message, looked, hint)


def _within_white_list(path, func, where):
    allowed = search.outside_white_list(path)
    if allowed is not None and not sources.is_text(path):
        raise errors.InvalidType(
            f"For 'Custom', 'func_type': aot, 'func': {func}, the legal path for the file is "
            f"{allowed}, but the file is {os.path.realpath(path)}",
            hint=f"Put the file there, or change {search.WHITE_LIST}.",
            where=where,
        )


def _name_shadowed(found, trace):
    trace.shadowed = found.shadowed
    for other in found.shadowed:
        trace.remark("look", other, "shadowed", f"{other} is not used: the first one found is.")
        if (found.path, other) not in _told:
            _told.add((found.path, other))
            warnings.warn(
                f"Two libraries could be meant: {found.path} is loaded, {other} is shadowed by it. "
                "Give the path to choose, or remove one.",
                errors.MsExtWarning,
                stacklevel=_learners_frame(),
            )


def _learners_frame():
    """How many frames above the warning the learner's line is."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and errors.inside(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    return level


def _tables(path, where, trace):
    """What the file says of itself; what cannot be loaded safely is refused here."""
    with trace.step("look", path) as step:
        try:
            tables = elf.read(path)
        except elf.Malformed as why:
            raise clinic.not_a_library(path, why).error(where) from None
        trace.exports = tuple(clinic.kernels(tables.exported))
        step.say("found", f"It is a library that exports {', '.join(trace.exports) or 'nothing'}.")
    return tables


def _handle(path, source, where, trace):
    others = [other for other in open_libraries() if other.path != path]
    with trace.step("open", path) as step:
        try:
            handle, was_open = library(path, source)
        except CannotOpen as why:
            raise _refused(path, source, str(why)).error(where) from None
        step.say("reused" if was_open else "opened", f"{path} is open.")
    handle.exports = trace.exports
    for other in others:
        for name in sorted(set(trace.exports) & set(other.exports)):
            words = f"{other.path} exports {name} too; each op runs its own library's."
            trace.remark("symbol", name, "twice", words)
    return handle


def _refused(path, source, text):
    """The verdict on a library that the system's loader refused, in its words if need be."""
    findings = [f for f in clinic.diagnose(path) if f.reason not in ("no-kernel", "mangled-symbol")]
    if findings:
        return findings[0]
    name = text.rpartition("undefined symbol: ")[2] if "undefined symbol: " in text else None
    if name is None:
        return clinic.Finding("refused", f"{path} cannot be loaded.", text)
    name = name.partition(",")[0].strip()
    shown = clinic.plain_name(name) or name
    named = compiling.name_of(source) if source else path
    return clinic.Finding(
        "undefined-symbols",
        f"{named} uses {shown}, which no library that it is linked with has.",
        text,
        f"Define {shown} in a source of the library, or link with the library that has it (-l...).",
    )


def _symbol(tables, path, symbol, where, trace, shadowed, source):
    with trace.step("symbol", symbol or "the only kernel") as step:
        exported = tables.exported
        named = compiling.name_of(source) if source else path
        if symbol is None:
            there = clinic.kernels(exported)
            if len(there) != 1:
                is_text = source is not None and sources.is_text(source)
                verdict = clinic.many_kernels(named, there, is_text) if there else None
                raise (verdict or clinic.no_kernel(named, exported)).error(where)
            symbol = there[0]
        elif symbol not in exported:
            raise clinic.wrong_symbol(named, symbol, exported, shadowed).error(where)
        step.say("found", f"{symbol} is exported.")
    return symbol
