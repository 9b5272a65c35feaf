"""How does a source become a library? Compiled once for each state of its text.

The flags are MindSpore's, and `-O2`; ``-fno-gnu-unique`` lets C++ libraries be closed again. An
edit has another key, so it is compiled anew in the same process; nothing remembers a failure.
"""

import os
import re
import signal
import subprocess

from ... import errors, toolchain
from ...ir import Where
from . import cache, clinic, sources

SECONDS = 120.0
CXX_FLAGS = ("-std=c++17", "-fPIC", "--shared", "-O2", "-D_GLIBCXX_USE_CXX11_ABI=0")
C_FLAGS = ("-std=gnu11", "-fPIC", "--shared", "-O2")
LINKED = ("-lm",)
MOST_LINES = 60
_DIAGNOSTIC = re.compile(
    r"^(?P<file>[^\n:]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?:fatal )?error", re.M
)
_OF_CYTHON = re.compile(r"^(?P<file>[^\n:]+\.pyx):(?P<line>\d+):(?P<column>\d+): ", re.M)


def built(source, trace, where=None, more=()):
    """The library of a source, compiled now if no build of the same text is there.

    ``more``: further arguments of the compiler. RuntimeError, with the compiler's words, if the
    source does not compile. Without a compiler, what one made of this text is taken.
    """
    source = os.path.abspath(source)
    if source.endswith(".cu"):
        raise clinic.device_source(source, name_of(source)).error(where)
    folders = [f for f in (sources.folder(source), sources.INCLUDE) if os.path.isdir(f)]
    is_c = source.endswith(".c")
    compiler = toolchain.c_compiler() if is_c else toolchain.cxx_compiler()
    try:
        if compiler is None or os.path.basename(compiler.path) in ("cl", "cl.exe"):
            return _made_before(source, folders, more, trace, where)
        flags = [*(C_FLAGS if is_c else CXX_FLAGS), *_extra_flags(compiler)]
        return _product(source, compiler, [*flags, *more], folders, more, trace, where)
    except OSError as why:
        raise errors.NotRunnable(
            f"The library of {source} could not be kept: {why.strerror or why}.",
            hint="Set MS_COMPILER_CACHE_PATH to a folder that you may write into.",
            where=where,
        ) from None


def _made_before(source, folders, more, trace, where):
    """The library that another day's compiler made of this text."""
    key = sources.key(source, folders, more)
    found = cache.newest(_stem(source), key, sources.TEXT_DIGITS)
    if found is None:
        trace.remark("cache", source, "missing", "No library of this text is there.")
        raise no_compiler(source, source.endswith(".c")).error(where)
    trace.remark("cache", found, "hit", "There is no compiler, but a library of this text.")
    return found


def _product(source, compiler, flags, folders, more, trace, where):
    for _ in range(5):
        key = sources.key(source, folders, more, [*flags, compiler.path, compiler.version])
        path = cache.product(_stem(source), key)
        with trace.step("cache", path) as step:
            hit = os.path.exists(path)
            state = "is there already" if hit else "is not there yet"
            step.say("hit" if hit else "miss", f"The library of this text {state}.")
        if hit:
            return path
        places_named = [f"-ffile-prefix-map={os.path.dirname(source)}{os.sep}="]
        includes = [f"-I{folder}" for folder in reversed(folders)]
        command = [compiler.path, *flags, *places_named, *includes]
        _make(source, command, path, trace, where)
        if sources.key(source, folders, more)[: sources.TEXT_DIGITS] == key[: sources.TEXT_DIGITS]:
            return path
        os.remove(path)  # the text was changed while it was compiled: this is nobody's build
    raise errors.NotRunnable(f"{source} is being changed all the time.", where=where)


def _stem(source):
    return re.sub(r"\W", "_", os.path.basename(source))


def _make(source, command, path, trace, where):
    def make(temporary):
        run([*command, "-o", temporary, source, *LINKED], source, where)

    words = " ".join([*command, "-o", os.path.basename(path), source, *LINKED])
    with trace.step("compile", words) as step:
        now = cache.made(path, make, SECONDS + 10)
        step.say(
            "built", f"{name_of(source)} is compiled." if now else "Another process compiled it."
        )


def no_compiler(source, is_c):
    """The verdict where nothing can compile."""
    language, names, package = (
        ("C", "$CC, gcc, clang, cc", "gcc") if is_c else ("C++", "$CXX, g++, clang++, c++", "g++")
    )
    conda = "c-compiler" if is_c else "cxx-compiler"
    return clinic.Finding(
        "no-compiler",
        f"There is no {language} compiler to compile {name_of(source)} with.",
        f"looked for {names}",
        f"Install one: `sudo apt install {package}`, or `conda install -c conda-forge {conda}`. "
        "func_type='pyfunc' needs none.",
    )


def _extra_flags(compiler):
    """What this compiler needs so that a library of C++ can be closed again."""
    return [] if "clang" in compiler.version.lower() else ["-fno-gnu-unique"]


def run(command, source, where, seconds=SECONDS, started=None):
    """Run a compiler; its words, if it fails, become the error.

    ``started``: a list that gets the process, for who may have to `end` it from another thread.
    """
    environment = {**os.environ, "LC_ALL": "C"}
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        start_new_session=True,
    )
    if started is not None:
        started.append(process)
    try:
        words = process.communicate(timeout=seconds)[0].decode("utf-8", "replace")
    except BaseException as why:  # also an interrupt of the notebook: nothing may go on alone
        end(process)
        process.communicate()
        if isinstance(why, subprocess.TimeoutExpired):
            raise _too_long(source, seconds).error(where) from None
        raise
    if process.returncode != 0:
        raise _failed(source, words, where)


def end(process):
    """End a compiler and what it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (AttributeError, OSError):
        process.kill()


def _too_long(source, seconds):
    return clinic.Finding(
        "compile-timeout",
        f"Compilation error in compiling {name_of(source)}:\n"
        f"it took more than {seconds:.0f} seconds.",
        hint="Does a template or constexpr go on without end?",
    )


def _failed(source, words, where):
    """The compiler's words, and the learner's line that the first one is about."""
    place = _place(words, source)
    device = clinic.device_source(source, name_of(source))
    lines = _readable(words, source).rstrip().splitlines()
    shown = "\n".join(lines[:MOST_LINES] + ["..."] * (len(lines) > MOST_LINES))
    message = f"Compilation error in compiling {name_of(source)}:\n{shown}"
    if device is not None:
        finding = clinic.Finding(device.reason, message, device.given, device.hint)
        return finding.error(place or where)
    return clinic.Finding("compile-error", message, hint=_advice(words)).error(place or where)


def name_of(source):
    """What a reader calls a source: its path, or for a text where it is written."""
    if not sources.is_text(source):
        return source
    file, line = sources.learners_place(source, 1)
    return file if file == sources.UNPLACED else f"the text at {errors.place(file, line)}"


def _readable(words, source):
    """The compiler's words with the places of a text's lines as the learner knows them."""

    def place(found):
        return errors.place(*sources.learners_place(source, int(found[1])))

    if not sources.is_text(source):
        return words
    here = os.path.relpath(source)  # Cython names a file below the current folder so
    words = re.sub(rf"^{re.escape(here)}:", f"{source}:", words, flags=re.M)
    words = re.sub(rf"{re.escape(source)}:(\d+)", place, words)
    return words.replace(source, sources.UNPLACED)


def _place(words, source):
    """Where the first error is, with the text of that line."""
    found = _DIAGNOSTIC.search(words) or _OF_CYTHON.search(words)
    if found is None:
        return None
    column, line = int(found["column"] or 1) - 1, int(found["line"])
    try:
        with open(found["file"], encoding="utf-8", errors="replace") as opened:
            text = opened.read().splitlines()[line - 1]
    except (OSError, IndexError):
        text = ""
    file, line = sources.learners_place(os.path.abspath(found["file"]), line)
    return Where(file, line, column, column + 1, text)


def _advice(words):
    if "No such file or directory" in words and "fatal error" in words:
        return "Put that header beside the source: its folder and this package's are looked into."
    if "int64_t" in words and "does not name a type" in words or "'int64_t' has not" in words:
        return "Write `#include <cstdint>` (in C `#include <stdint.h>`) above its first use."
    return "Mend the first error and make the op again; the others often follow from it."
