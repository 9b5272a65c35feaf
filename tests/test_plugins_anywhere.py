"""One op file, one pass file, one backend file: nothing else needs an edit."""

import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "ms_ext"

OP = '''
"""Cubes: an op nobody has heard of."""

import numpy as np

from ms_ext.engine.primitive import op
from ms_ext.ops.shapes import like_first


@op(names=("cube", "Tensor.cube", "mint.cube"), operands="promote")
class Cube:
    """x * x * x, element by element."""

    infer = like_first
    expr = "{0} * {0} * {0}"

    def compute(x):
        return x * x * x

    def bprop(x, _out, dout):
        return (3 * x * x * dout,)

    def samples(rng):
        yield (rng.normal(size=(2, 3)),)
'''

PASS = '''
"""x * x * x  ->  cube(x)"""

from ms_ext import ops
from ms_ext.engine.passes import pattern_pass


def source(x):
    return ops.Mul(ops.Mul(x, x), x)


def target(x):
    return ops.Cube(x)


pattern_pass(source, target)
'''

BACKEND = '''
"""The reference backend, and a line for every graph it builds."""

from ms_ext.engine import backends


@backends.backend("talkative")
def build(graph):
    print("building", graph.name)
    return backends.build("reference", graph)
'''

PROGRAM = """
import numpy as np
import ms_ext as ms

x = ms.Tensor([1.0, 2.0])
assert x.cube().asnumpy().tolist() == ms.mint.cube(x).asnumpy().tolist() == [1.0, 8.0]
assert ms.grad(ms.ops.cube)(x).asnumpy().tolist() == [3.0, 12.0]

def power(x):
    return x * x * x

record = ms.engine.jit.explain(power, x, passes=["to_cube"])
assert [n.primitive.name for n in record.graph.order()] == ["Cube"]
for backend in ("talkative", "cython", "reference"):
    run = ms.jit(power, backend=backend, passes=["to_cube"])
    assert run(x).asnumpy().tolist() == [1.0, 8.0]
assert "talkative" in ms.engine.backends.names()
print("all there")
"""


def test_three_files_and_no_other_edit(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "ms_ext", ignore=shutil.ignore_patterns("__pycache__"))
    engine = tmp_path / "ms_ext" / "engine"
    (tmp_path / "ms_ext" / "ops" / "cubes.py").write_text(OP.lstrip())
    (engine / "passes" / "to_cube.py").write_text(PASS.lstrip())
    (engine / "backends" / "talkative.py").write_text(BACKEND.lstrip())
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["building power", "all there"]
