"""What is declared in files that are imported late is found under each of its names."""

import subprocess
import sys
from pathlib import Path

import pytest

from ms_ext import ops
from ms_ext.engine.later import LaterMethod, Table

ROOT = Path(__file__).parents[1]

FOUND = """
import json, random, sys
import ms_ext as ms
from ms_ext import mint, ops
from ms_ext.engine import primitive
from ms_ext.ops.composite import COMPOSITES

tables = {"ops": primitive.OPS, "names": primitive.NAMES, "functions": COMPOSITES}
rows = [
    (kind, name)
    for kinds in json.loads(ops.DECLARED.read_text()).values()
    for kind, names in kinds.items()
    for name in names
]
random.Random(int(sys.argv[1])).shuffle(rows)
places = {"Tensor": ms.Tensor, "mint": mint}
for kind, name in rows:
    assert tables[kind].get(name) is not None, name
    *path, last = name.split(".")
    if len(path) < 2:
        assert getattr(places[path[0]] if path else ops, last) is not None, name
print(len(rows))
"""


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_every_name_is_found_in_any_order(seed):
    command = [sys.executable, "-c", FOUND, str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 500


def test_a_method_that_is_declared_late_is_a_method():
    code = "import ms_ext as ms; print(ms.Tensor([3, 1, 2]).sort()[0].asnumpy().tolist())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "[1, 2, 3]\n", done.stderr


def test_a_text_with_such_an_op_is_read():
    code = """if True:
        import ms_ext as ms
        from ms_ext import ops
        from ms_ext.engine.ir import text
        print("TopK" in dict.keys(ops.primitive.OPS), ops.primitive.OPS.get("TopK").name)
    """
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "False TopK\n", done.stderr


# the table ----------------------------------------------------------------------------------------


def table(imported):
    made = Table()
    made["now"] = 0

    def enter(module):
        imported.append(module)
        made[f"{module} name"] = module

    made.promise({"a name": "a", "b name": "b"}, enter)
    return made


def test_a_look_imports_one_module_and_only_once():
    imported = []
    made = table(imported)
    assert "a name" in made and "c name" not in made and imported == []
    assert sorted(made.names()) == ["a name", "b name", "now"] and imported == []
    assert made["a name"] == made.get("a name") == "a" and imported == ["a"]
    assert made.get("c name", 7) == 7
    with pytest.raises(KeyError):
        made["c name"]


@pytest.mark.parametrize(
    "look", [list, len, dict, lambda t: t.items(), lambda t: t.values(), lambda t: t | {}, set]
)
def test_who_goes_through_all_imports_all(look):
    imported = []
    assert len(look(table(imported)) if look is not len else [0] * look(table(imported))) == 3
    assert imported == ["a", "b"]


def test_what_is_entered_otherwise_is_not_imported_again():
    imported = []
    made = table(imported)
    made["a name"] = "own"
    assert dict(made)["a name"] == "own" and imported == ["b"]


def test_a_later_method_looks_when_it_is_asked_for():
    made = Table()
    made.promise({"twice": "module"}, lambda module: made.update(twice=lambda self: self.n * 2))

    class Owner:
        n, twice = 4, LaterMethod("twice", made)

    assert Owner().twice() == 8


def test_a_list_that_names_a_file_which_is_gone_says_so():
    with pytest.raises(ImportError, match="nowhere.py is gone.*\n.*ms-ext sync"):
        ops._import("nowhere")
