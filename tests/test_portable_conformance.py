"""ms-ext portable over every conformance program: nothing is found in what MindSpore accepts."""

import ast
import json
from pathlib import Path

import pytest

from ms_ext.cli.portability import program
from ms_ext.cli.portability.findings import NOTE

HERE = Path(__file__).parent / "conformance"
RECORDED = json.loads((HERE / "recorded.json").read_text())
FILES = sorted(HERE.glob("programs_*.py"))
#: Functions of which something is found: so many at least.
FOUND = 35
#: It sets the mode in a function of another file.
IN_TWO_MODES = "cell_is_compiled_in_graph_mode"
#: What is not read stands in the __call__ of an object's class, which is not followed.
IN_AN_OBJECT = "object_whose_call_cannot_be_read"


def as_a_program(path):
    """The cases of a file as functions below @jit, and their names; others stay as they are."""
    tree, names = ast.parse(path.read_text()), []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for mark in [*node.decorator_list]:
                word = ast.unparse(mark).partition("(")[0]
                if word in ("case", "in_all_modes"):
                    node.decorator_list.remove(mark)
                    names.append(node.name)
                if word == "case" and not {"eager", "capture_mode"} & _words(mark):
                    node.decorator_list.insert(0, ast.parse("mindspore.jit").body[0].value)
    return "import mindspore\n" + ast.unparse(tree), names


def _words(call):
    return {each.arg for each in getattr(call, "keywords", ())}


def refused(name):
    """Whether MindSpore answered any call of a case with an error, in one of its modes."""
    rows = [rows for key, rows in RECORDED.items() if key.partition(" ")[0] == name]
    return any("error" in row or "ended" in row for some in rows for row in some)


def found_in(path):
    """Case -> what is found in it, certain or not."""
    text, names = as_a_program(path)
    some = [each for each in program.examine_text(text) if each.kind != NOTE]
    where = {node.name: node for node in ast.parse(text).body if hasattr(node, "decorator_list")}
    spans = {name: _span(where[name]) for name in names}
    return {
        name: [e for e in some if first <= e.line <= last] for name, (first, last) in spans.items()
    }


def _span(node):
    return min([node.lineno, *(mark.lineno for mark in node.decorator_list)]), node.end_lineno


@pytest.fixture(scope="module")
def found():
    """Case -> what is found in it, of all files."""
    return {name: some for path in FILES for name, some in found_in(path).items()}


def test_nothing_is_found_in_what_mindspore_accepts(found):
    from conformance.differences import DIFFERENCES

    known = {name.partition(" ")[0] for name in DIFFERENCES}
    accepted = {name: some for name, some in found.items() if not refused(name)}
    alarms = {name: [e for e in some if e.counts] for name, some in accepted.items()}
    assert {name: some for name, some in alarms.items() if some and name not in known} == {}


def test_what_graph_mode_does_not_read_is_found(found):
    told = {
        name: row["error"][1]
        for name, some in found.items()
        for row in RECORDED.get(name, ())
        if "error" in row and not some
    }
    unread = [name for name, says in told.items() if says.startswith("Unsupported statement")]
    unread = [name for name in unread if name not in (IN_TWO_MODES, IN_AN_OBJECT)]
    assert unread == []
    assert sum(bool(some) for some in found.values()) >= FOUND
