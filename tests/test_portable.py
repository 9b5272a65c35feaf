"""ms-ext portable: what real MindSpore refuses is found, and nothing else."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import portable_programs
import pytest

from ms_ext import resolve
from ms_ext.cli.portability import findings, index, program, rule, scopes

ROOT = Path(__file__).parents[1]
SAID = json.loads(portable_programs.GOLDEN.read_text())
PROGRAMS = portable_programs.programs()
RULES = list(rule.RULES)


def found(text, name="program.py"):
    """(rule, line) of what is found in a program, what counts first."""
    some = program.examine_text(text, name)
    return [(each.rule, each.line) for each in some if each.counts]


# the rules ----------------------------------------------------------------------------------------


def test_every_program_of_a_rule_has_been_asked():
    assert list(SAID) == list(PROGRAMS)


@pytest.mark.parametrize("name", RULES)
def test_mindspore_refuses_what_a_rule_is_about(name):
    said, kind = SAID[f"{name}.refused"], rule.RULES[name].kind
    if kind == findings.DIFFERS:
        assert isinstance(said, str) and said != SAID[f"{name}.accepted"]
    else:
        assert isinstance(said, list), said
    assert isinstance(SAID.get(f"{name}.accepted", ""), str)


@pytest.mark.parametrize("name", RULES)
def test_a_rule_finds_its_program_and_not_the_other_one(name):
    some = program.examine_text(PROGRAMS[f"{name}.refused"])
    assert name in {each.rule for each in some if each.certain}
    other = program.examine_text(PROGRAMS.get(f"{name}.accepted", ""))
    assert [each for each in other if each.kind != findings.NOTE] == []


@pytest.mark.parametrize("name", [each for each in PROGRAMS if each.endswith(".accepted")])
def test_what_to_write_instead_answers_the_same_here(name, tmp_path):
    resolve.here()
    try:
        assert portable_programs.said(PROGRAMS[name], tmp_path) == SAID[name]
    finally:
        resolve.withdraw()


@pytest.mark.skipif(not importlib.util.find_spec("mindspore"), reason="MindSpore is not installed")
def test_mindspore_says_what_is_recorded():
    command = [sys.executable, str(ROOT / "tests" / "portable_programs.py"), "mindspore"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    lines = [each[4:] for each in done.stdout.splitlines() if each.startswith("SAID")]
    assert dict(map(json.loads, lines)) == SAID


# names --------------------------------------------------------------------------------------------

BAD_NAMES = {
    "import ms_ext as ms": "ms_ext",
    "import ms_ext as ms\nms.viz": "extra",
    "import mindspore as ms\nms.viz.passes": "extra",
    "from mindspore import viz": "extra",
    "from ms_ext import check": "extra",
    "import ms_ext.engine.jit": "extra",
    "import mindspore.nosuch": "no-module",
    "from mindspore.nosuch import x": "no-module",
    "from mindspore.nn import Denes": "unknown-name",
    "import mindspore.nn as nn\nnn.Denes(1, 2)": "unknown-name",
    "from mindspore import Tensor\nTensor.nosuch": "unknown-name",
    "import mindspore\nP = mindspore.ops.operations\nP.Nosuch()": "unknown-name",
    "from mindspore import nn\nnn.Dense(1, 2, bias=False)": "unknown-argument",
    "from mindspore import nn\nnn.Dense(1)": "missing-argument",
    "from mindspore import ops\nops.sin(1, 2)": "too-many-arguments",
    "from mindspore import ops\ndef f():\n    return ops.nosuch(1)": "unknown-name",
}


@pytest.mark.parametrize("text", BAD_NAMES)
def test_names_that_mindspore_has_not(text):
    assert BAD_NAMES[text] in {name for name, _ in found(text)}


GOOD_NAMES = [
    "import mindspore.nn as nn\nnn.Dense(1, 2)",
    "from mindspore.common.initializer import Normal\nNormal(0.02)",
    "from mindspore.common import dtype as mstype\nmstype.float32",
    "import mindspore.ops.operations as P\nP.Add()(1, 2)",
    "import mindspore._c_expression as c\nc.whatever",
    "import mindspore as ms\nms.my_own = 3",
    "from mindspore import ops\ndef f(ops):\n    return ops.nosuch(1)",
    "from mindspore import ops\nops = object()\nops.nosuch",
    "try:\n    from mindspore import viz\nexcept ImportError:\n    viz = None",
    "import mindspore as ms\nif hasattr(ms, 'viz'):\n    ms.viz.passes",
    "from . import mindspore\nmindspore.nosuch",
    "import numpy as ms\nms.nosuch",
    "from mindspore import nn\nnn.Dense(*sizes)\nnn.Dense(**words)",
    "from mindspore import *\nnosuch",
]


@pytest.mark.parametrize("text", GOOD_NAMES)
def test_names_that_are_there_or_not_known(text):
    assert found(text) == []


def test_what_the_cpu_lacks_is_a_note():
    (note,) = program.examine_text("from mindspore import mint\nmint.argmax(x)")
    assert note.kind == findings.NOTE and not note.counts
    assert "mindspore.mint.argmax" in note.says and "Ascend" in note.instead


def test_every_extra_of_this_package_is_one():
    for name in resolve.EXTRAS - {"graph"}:
        assert "extra" in {each for each, _ in found(f"import ms_ext\nms_ext.{name}")}


def test_what_may_be_two_things_is_not_refused():
    text = "try:\n    import mindspore as ms\nexcept ImportError:\n    import ms_ext as ms\nms.viz"
    assert ("extra", 5) in found(text)
    assert ("unknown-name", 6) not in found(text + "\nms.ops.add")


def test_the_index_has_every_name_that_this_package_has():
    import ms_ext

    for name in (*ms_ext.ops.__dict__["_ELSEWHERE"], *ms_ext.nn.__all__):
        module = "nn" if name in ms_ext.nn.__all__ else "ops"
        assert not index.lookup(("mindspore", module, name)).unknown


def test_the_index_is_small():
    assert index.FILE.stat().st_size < 300_000 and index.api()["version"] == "2.10.0"


def test_meanings_follow_assignments_and_scopes():
    tree = scopes.ast.parse("import mindspore as m\nadd = m.ops.add\nf = lambda m: m.x\nadd(1)")
    paths = scopes.meanings(tree).paths
    said = {".".join(path) for some in paths.values() for path in some}
    assert said == {"mindspore.ops.add"}


# what is compiled ---------------------------------------------------------------------------------

NET = """
from mindspore import nn, set_context, GRAPH_MODE, PYNATIVE_MODE, jit
class Block(nn.Cell):
    def construct(self, x):
        return {1}
class Net(Block):
    def __init__(self):
        super().__init__()
        self.block = Block()
"""

COMPILED = {
    "": [],
    "set_context(mode=GRAPH_MODE)": [5],
    "set_context(mode=0)": [5],
    "set_context(mode=PYNATIVE_MODE)": [],
    "net = Block()\n@jit\ndef f(x):\n    return net(x)": [5],
    "net = jit(Block())": [],
    "net = Block()\nfast = jit(net)": [5],
    "@jit\ndef f(x):\n    return g(x)\ndef g(x):\n    return {2}": [14],
    "@jit(capture_mode='bytecode')\ndef f(x):\n    return {2}": [],
}


@pytest.mark.parametrize("text", COMPILED)
def test_which_functions_are_compiled(text):
    lines = [line for name, line in found(NET + text) if name == "syntax-Set"]
    assert lines == COMPILED[text]


def test_a_mode_that_is_not_certain_does_not_count():
    text = NET + "set_context(mode=GRAPH_MODE if fast else PYNATIVE_MODE)"
    some = program.examine_text(text)
    assert [each.rule for each in some] == ["syntax-Set"] and not some[0].counts
    assert some[0].told("net.py").startswith("net.py:5: perhaps: ")


def test_a_tensor_of_an_initializer_has_its_values_at_once():
    import ms_ext as ms
    from ms_ext.common.initializer import One

    made = ms.Tensor(shape=(2, 2), dtype=ms.float32, init=One())
    assert (made + 1).asnumpy().tolist() == [[2.0] * 2] * 2
    assert str(made) == "[[1. 1.]\n [1. 1.]]"


def test_here_the_bare_decorator_is_called(tmp_path):
    resolve.here()
    try:
        said = portable_programs.said(PROGRAMS["decorator-left-out.refused"], tmp_path)
    finally:
        resolve.withdraw()
    assert said == "4.0\n" and SAID["decorator-left-out.refused"] == "2.0\n"
