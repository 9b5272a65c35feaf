"""What does each `./lab` command do?

Standard library only. Each function is a command, its docstring the line in `./lab help`.
"""

import inspect
import signal
import sys

from ms_ext.book import source
from ms_ext.cli.environment import (
    broken_kernels,
    ensure_environment,
    hand_over,
    python,
    run_step,
)
from ms_ext.cli.steps import ROOT, Stopped
from ms_ext.engine import errors


def open_lab(chapter="00"):
    """JupyterLab at the tour, everything made first; `./lab 05` opens chapter 05."""
    run_step("notebooks", tour("write_learner_copies()"), "Read the log.")
    return hand_over("-m", "ms_ext.cli.notebook", chapter)


def run_tour():
    """The tour without a server: leaves build/tour.html, which opens from the file."""
    run_step("notebooks", tour("write_learner_copies()"), "Read the log.")
    run_step("tour", tour("run_tour('build/tour.html')"), "Read the log: it names the cell.")
    print(f"  the tour: {(ROOT / 'build' / 'tour.html').as_uri()}")


def tour(call):
    """The command that makes one call into the book's tour module."""
    return [python(), "-c", f"from ms_ext.cli import tour; tour.{call}"]


#: What needs one process, or says itself how many.
ALONE = {"-n", "--numprocesses", "--pdb", "-s", "--update-golden"}


def run_tests(*arguments):
    """Every quick test, one worker per core; --long for all of them; the rest goes to pytest."""
    alone = ALONE & {argument.split("=")[0] for argument in arguments}
    workers = () if alone else ("-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder")
    return hand_over("-m", "pytest", *workers, *arguments)


def build():
    """The kernels again: what changed, or what failed the last time."""
    return 1 if broken_kernels() else 0


def bench(*arguments):
    """The tables of benchmarks/."""
    return hand_over("-m", "benchmarks", *arguments)


def doctor():
    """What is missing on this machine, what that costs and how to get it."""
    return hand_over("-m", "ms_ext.cli.main", "doctor")


def check():
    """The house rules: ruff, sizes, import directions; generated files are made again."""
    run_step("ruff", [python(), "-m", "ruff", "check", "."], "Mend the lines that it names.")
    again = [python(), "-m", "ms_ext.cli.main", "sync", "--check"]
    run_step("generated", again, "Each file is named with the command that writes it.")
    return hand_over("-m", "pytest", "-q", "tests/test_size.py", "tests/test_architecture.py")


def book(*arguments):
    """The static book: every page opens from a file, with no network and no kernel."""
    return hand_over("-m", "ms_ext.cli.main", "book", "build", *arguments)


def check_book(*arguments):
    """The rules R1 to R19 of every chapter, read and run; `./lab check-book 05`: of one."""
    return hand_over("-m", "ms_ext.cli.main", "book", "check", *arguments)


def record_mindspore(python_with_it=None):
    """Real MindSpore's answers to every chapter, recorded anew: [PYTHON] that has it."""
    given = ("--python", python_with_it) if python_with_it else ()
    return hand_over("-m", "ms_ext.cli.main", "book", "record", *given)


COMMANDS = {
    "": open_lab,
    "tour": run_tour,
    "test": run_tests,
    "build": build,
    "bench": bench,
    "doctor": doctor,
    "check": check,
    "book": book,
    "check-book": check_book,
    "record-mindspore": record_mindspore,
}


def usage():
    """One line per command."""
    lines = [
        f"  ./lab {name:<16} {call.__doc__.splitlines()[0]}" for name, call in COMMANDS.items()
    ]
    return "\n".join(["The commands (all of them make the environment first if need be):", *lines])


def is_chapter(name):
    """Does this word name a chapter?"""
    try:
        return bool(source.find(name))
    except errors.InvalidValue:
        return False


def enter(arguments):
    """Run one command; a failing step is explained and Ctrl-C ends quietly."""
    name, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if name in ("help", "-h", "--help"):
        print(usage())
        return 0
    if name not in COMMANDS and is_chapter(name):
        name, rest = "", arguments
    if name not in COMMANDS:
        known = ", ".join(source.chapters())
        told = f"there is no such command, and no such chapter: {known}"
        print(f"./lab {name}: {told}.\n{usage()}", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        inspect.signature(COMMANDS[name]).bind(*rest)
    except TypeError:
        most = "one chapter" if not name else "one Python" if "mind" in name else "no arguments"
        command = f"./lab {name}".strip()
        print(f"{command} takes {most}; given: {' '.join(rest)}", file=sys.stderr)
        return 2
    try:
        ensure_environment(rebuild=name == "build")
        return COMMANDS[name](*rest)
    except Stopped as stopped:
        print(f"\n{stopped}", file=sys.stderr)
    except BrokenPipeError:
        sys.stdout = None  # whoever read the output has gone, as in `./lab doctor | head -1`
    except KeyboardInterrupt:
        print("\n./lab: interrupted; the same command goes on where it stopped.", file=sys.stderr)
        return 130
    return 1
