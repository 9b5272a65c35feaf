"""The house's limits: files and functions stay small enough to be read in one go."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILE_LINES = {".py": 300, ".pyx": 400, ".pxi": 400, ".pxd": 400, ".js": 400}
FILE_LINES |= dict.fromkeys([".c", ".cc", ".cpp", ".h", ".hpp"], 400)
FUNCTION_LINES = {".py": 40}
OTHER_FUNCTION_LINES = 60
FORBIDDEN_NAMES = re.compile(r"(utils?|helpers?|base|.*manager|misc|common_.*)\.(py|pyx)")
#: The parts of a pass: its module's docstring, the equation, speaks for them.
PASS_WORDS = ("source", "target", "when", "run")
#: file or "file:function" -> why it may be longer. At most three.
WAIVERS: dict[str, str] = {}

DEF = re.compile(r"^(\s*)(?:def|cdef|cpdef)\b[^=]*\(.*$")
#: A line that opens a function's brace: no branch or loop, and not the wrapper of a whole script.
OPENING = re.compile(r"(\s*)(?!if\b|for\b|while\b|switch\b|\}|\(\()\S.*\(.*\{\s*$")


def sources():
    """Every source file that is ours and in the repository, or would be if it were added."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    names = done.stdout.splitlines() if done.returncode == 0 else walk()
    paths = [ROOT / name for name in sorted(set(names))]
    return [path for path in paths if path.suffix in FILE_LINES and path.is_file()]


def walk():
    """The same without git: everything outside the folders that builds and runs make."""
    made = {".venv", "build", "work", ".git"}
    for path in ROOT.rglob("*"):
        if not made & set(path.relative_to(ROOT).parts):
            yield str(path.relative_to(ROOT))


def shown(path):
    return str(path.relative_to(ROOT))


def functions(path):
    """(name, lines) of every function of a file."""
    text = path.read_text()
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name, node.end_lineno - node.lineno + 1
    elif path.suffix in (".pyx", ".pxi"):
        yield from indented(text.splitlines())
    else:
        yield from braced(text.splitlines())


def indented(lines):
    """Functions of a Cython file: a def and every line that is deeper than it."""
    for start, line in enumerate(lines):
        if not (found := DEF.match(line)):
            continue
        end = last = start
        opened = line.count("(") - line.count(")")
        for end in range(start + 1, len(lines)):
            text = lines[end]
            if opened <= 0 and text.strip() and len(text) - len(text.lstrip()) <= len(found[1]):
                break
            opened += text.count("(") - text.count(")")
            last = end if text.strip() else last
        yield line.strip(), last - start + 1


def braced(lines):
    """Functions of a C or JavaScript file: from a line that opens a brace to its closing column."""
    for start, line in enumerate(lines):
        if not (found := OPENING.match(line)):
            continue
        for end in range(start + 1, len(lines)):
            if lines[end].startswith(found[1] + "}"):
                yield line.strip(), end - start + 1
                break


def test_files_are_short():
    long = {}
    for path in sources():
        count = len(path.read_text().splitlines())
        if count > FILE_LINES[path.suffix] and shown(path) not in WAIVERS:
            long[shown(path)] = count
    assert long == {}


def test_functions_are_short():
    long = {}
    for path in sources():
        limit = FUNCTION_LINES.get(path.suffix, OTHER_FUNCTION_LINES)
        for name, count in functions(path):
            place = f"{shown(path)}:{name}"
            if count > limit and place not in WAIVERS:
                long[place] = count
    assert long == {}


def test_at_most_three_waivers_and_each_is_needed():
    assert len(WAIVERS) <= 3
    for place, reason in WAIVERS.items():
        assert reason and (ROOT / place.partition(":")[0]).exists()


def test_files_say_what_they_are():
    named = [shown(path) for path in sources() if FORBIDDEN_NAMES.fullmatch(path.name)]
    assert named == []


@pytest.mark.parametrize("folder", ["ms_ext", "tests", "benchmarks"])
def test_every_module_has_a_docstring(folder):
    assert [shown(path) for path, tree in modules(folder) if not ast.get_docstring(tree)] == []


def test_public_functions_and_classes_have_docstrings():
    silent = []
    for path, tree in modules("ms_ext"):
        names = [node.name for node in public(tree) if not ast.get_docstring(node)]
        silent += [f"{shown(path)}:{name}" for name in names]
    assert silent == []


def modules(folder):
    """(path, syntax tree) of every Python file in a folder."""
    for path in sources():
        if path.suffix == ".py" and path.is_relative_to(ROOT / folder):
            yield path, ast.parse(path.read_text())


def public(tree):
    """The functions and classes at the top of a module without an underscore."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    named = [node for node in tree.body if isinstance(node, kinds) and node.name not in PASS_WORDS]
    return [node for node in named if not node.name.startswith("_")]


def test_the_counting_of_functions_itself():
    cython = ["cdef int f(int a,", "           int b):", "    return a", "", "x = 1"]
    cython += ["def g():", "    pass"]
    assert [count for _, count in indented(cython)] == [3, 2]
    script = ["function f(a) {", "  if (a) {", "    b();", "  }", "}", "", "int g(void) {", "}"]
    assert [count for _, count in braced(script)] == [5, 2]
