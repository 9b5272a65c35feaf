"""``ms-ext run`` on scripts as people write them: their import lines, arguments and folders."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ms_ext import resolve
from ms_ext.engine import errors

ROOT = Path(__file__).parents[1]

IMPORTS = [
    "import mindspore.nn as nn; nn.Cell",
    "import mindspore.ops as ops; ops.add",
    "from mindspore import nn, ops, Tensor, context, set_context",
    "from mindspore.common import dtype as mstype; mstype.float32, mstype.bool_",
    "from mindspore.common.dtype import dtype_to_nptype",
    "from mindspore.common import Tensor, Parameter, ParameterTuple, from_numpy",
    "from mindspore.common.tensor import Tensor",
    "from mindspore.common.parameter import Parameter, ParameterTuple",
    "from mindspore.common.api import jit",
    "import mindspore.common.api as api; api.jit",
    "from mindspore.common.seed import set_seed, get_seed",
    "from mindspore.common.initializer import initializer, Normal, One, Zero",
    "from mindspore.common import initializer as init; init.Normal",
    "from mindspore.ops import operations as P; P.Add(), P.MatMul(), P.ReduceSum(), P.Cast()",
    "import mindspore.ops.operations as P; P.Reshape()",
    "from mindspore.ops.operations.math_ops import Add",
    "from mindspore.ops import functional as F; F.add, F.reshape",
    "import mindspore.ops.functional as F; F.relu",
    "from mindspore.ops import composite as C; C.GradOperation(get_all=True)",
    "import mindspore.ops.composite as C; C.GradOperation()",
    "from mindspore.ops.composite import GradOperation",
    "from mindspore.ops.function import add",
    "from mindspore.nn.cell import Cell",
    "from mindspore.nn.layer import Dense, ReLU",
    "from mindspore.nn.layer.basic import Dense",
    "from mindspore.nn.loss import MSELoss",
    "from mindspore.nn.loss.loss import CrossEntropyLoss",
    "from mindspore.nn import layer, loss, wrap, metrics; layer.Dense, loss.MSELoss, wrap",
    "from mindspore.dataset.transforms import transforms; transforms.TypeCast",
    "from mindspore.dataset.vision import transforms, utils; transforms.Rescale, utils.Inter",
    "from mindspore.train import loss_scale_manager as m; m.FixedLossScaleManager",
    "from mindspore.common import api; api.jit",
    "from mindspore.mindrecord import FileWriter; from mindspore.dataset import MindDataset",
    "from mindspore import log as logger; logger.info('quiet')",
    "import mindspore.log as logger; logger.get_level()",
    "from mindspore import jit, grad, value_and_grad, vmap, mutable, jit_class",
    "from mindspore import float16, float32, int32, bool_, uint8, bfloat16",
    "from mindspore.context import set_context, GRAPH_MODE",
    "import mindspore.mint.nn.functional as F; F.relu",
    "from mindspore.mint.nn import functional",
]


@pytest.fixture
def here():
    """``mindspore`` is ms_ext inside the test."""
    resolve.here()
    yield
    resolve.withdraw()


@pytest.mark.parametrize("line", IMPORTS)
def test_import_lines(line, here):
    exec(line, {})


def test_what_is_not_here_says_so(here):
    for path in ("mindspore.rewrite", "mindspore.numpy", "mindspore.ops._nosuch"):
        with pytest.raises(errors.NoModule, match=f"There is no '{path}' here") as caught:
            exec(f"import {path}", {})
        assert "--engine mindspore" in caught.value.hint


def test_every_path_that_is_shown_elsewhere_is_one_of_mindspores():
    from ms_ext.cli.portability import index

    for there in resolve.SHOWN_BY:
        assert index.is_module(("mindspore", *there.split("."))), there


def test_the_version_is_mindspores_while_it_is_called_so():
    import ms_ext

    own = ms_ext.__version__
    resolve.here(), resolve.here()
    try:
        import mindspore

        assert mindspore.__version__ == resolve.VERSION == "2.10.0"
    finally:
        resolve.withdraw()
    assert ms_ext.__version__ == own != resolve.VERSION


def test_what_mindspore_shows_at_the_top_too_is_there():
    import ms_ext
    from ms_ext.cli.portability import index

    for module in ("train", "runtime", "common"):
        ours = vars(getattr(ms_ext, module)).get("__all__") or dir(getattr(ms_ext, module))
        both = {name for name in ours if not name.startswith("_")} & {*index.names("")}
        assert {name for name in both if not hasattr(ms_ext, name)} == set()


# scripts ------------------------------------------------------------------------------------------


def run(*arguments, folder=ROOT, **surroundings):
    """What ``ms-ext run`` says."""
    program = "import sys; from ms_ext.cli.main import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "run", *map(str, arguments)]
    around = {**os.environ, "PYTHONPATH": str(ROOT), "MS_EXT_ENGINE": "", **surroundings}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=around)


TRAINS = '''
"""Fit a line."""
import argparse
import os.path as osp

import numpy as np
import mindspore as ms
import mindspore.nn as nn
from mindspore import Tensor, context, ops
from mindspore.common.initializer import Normal
from settings import STEPS


class Line(nn.Cell):
    def __init__(self):
        super(Line, self).__init__()
        self.fc = nn.Dense(1, 1, weight_init=Normal(0.02))

    def construct(self, x):
        return self.fc(x)


def parse(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    return parser.parse_args(arguments)


def main():
    args = parse()
    mode = context.GRAPH_MODE if args.mode == "graph" else context.PYNATIVE_MODE
    context.set_context(mode=mode, device_target="CPU")
    ms.set_seed(3)
    net = Line()
    loss_fn = nn.MSELoss()
    x = Tensor(np.linspace(-1, 1, 8).reshape(8, 1), ms.float32)
    y = 3 * x + 1

    def forward(x, y):
        return loss_fn(net(x), y)

    step = ms.value_and_grad(forward, None, net.trainable_params())
    for _ in range(STEPS):
        loss, grads = step(x, y)
        for p, g in zip(net.trainable_params(), grads):
            ops.assign(p, p - args.rate * g)
    w, b = (float(p.asnumpy().ravel()[0]) for p in net.trainable_params())
    print(f"{osp.basename(__file__)}: {w:.2f} {b:.2f}, {ms.get_context('mode')}")


if __name__ == "__main__":
    main()
'''


@pytest.fixture
def project(tmp_path):
    """A folder with a script, a module beside it, and a package."""
    (tmp_path / "train.py").write_text(TRAINS)
    (tmp_path / "settings.py").write_text("STEPS = 100\n")
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "nets.py").write_text("from mindspore import nn\nNET = nn.ReLU()\n")
    (package / "go.py").write_text(
        "from .nets import NET\nimport mindspore as ms, sys\n"
        "print(NET(ms.Tensor(-1.0)), sys.argv[1:])\n"
    )
    return tmp_path


@pytest.mark.parametrize("mode", ["graph", "pynative"])
def test_a_script_with_arguments_from_another_folder(project, mode):
    done = run(project / "train.py", "--rate", "0.5", f"--mode={mode}")
    number = 0 if mode == "graph" else 1
    assert (done.stdout, done.stderr) == (f"train.py: 3.00 1.00, {number}\n", "")


def test_its_help_is_the_scripts_own(project):
    done = run("train.py", "--help", folder=project)
    assert done.returncode == 0 and done.stdout.startswith("usage: train.py")


def test_a_module_of_a_package(project):
    done = run("-m", "pack.go", "a", "-b", folder=project)
    assert (done.stdout, done.stderr) == ("0.0 ['a', '-b']\n", "")


def test_an_error_shows_the_scripts_lines_only(tmp_path):
    script = tmp_path / "wrong.py"
    script.write_text(
        "import mindspore as ms\n\ndef f():\n    return ms.Tensor(1) + undefined\n\nf()\n"
    )
    done = run(script)
    assert done.returncode == 1 and "NameError: name 'undefined' is not defined" in done.stderr
    assert "runpy" not in done.stderr and "cli/run.py" not in done.stderr
    assert done.stderr.count("wrong.py") == 2


@pytest.mark.parametrize(("last", "code"), [("sys.exit(3)", 3), ("sys.exit()", 0), ("exit(0)", 0)])
def test_the_script_says_how_it_ends(tmp_path, last, code):
    script = tmp_path / "ends.py"
    script.write_text(f"import sys\nimport mindspore\n{last}\n")
    assert run(script).returncode == code


def test_run_check_seeds_and_log(tmp_path):
    script = tmp_path / "small.py"
    script.write_text(
        "import mindspore as ms\nfrom mindspore import log\n"
        "ms.run_check()\nms.set_seed(5)\nms.set_device('CPU')\n"
        "log.warning('seed %d', ms.get_seed())\nlog.info('quiet')\n"
    )
    done = run(script, GLOG_v="2")
    assert done.stdout.startswith("MindSpore version:  2.10.0\nThe result of multiplication")
    assert done.stderr.startswith("[WARNING] ME(") and done.stderr.endswith("small.py:6] seed 5\n")
    assert len(done.stderr.splitlines()) == 1
    assert run(script, GLOG_v="3").stderr == ""


def test_a_notebook(tmp_path):
    cells = [
        "%matplotlib inline\nimport mindspore as ms",
        "@ms.jit\ndef f(x):\n    return x + 1",
        "print(f(ms.Tensor(1.0)))",
    ]
    made = [{"cell_type": "code", "source": text} for text in cells]
    (tmp_path / "work.ipynb").write_text(json.dumps({"cells": made}))
    done = run("work.ipynb", folder=tmp_path)
    assert (done.stdout, done.stderr) == ("2.0\n", "")


CHAPTER = """# One

```{code-cell} ipython3
:tags: [portable]

import ms_ext as ms

@ms.jit
def f(x):
    return x * 2
```

```{code-cell} ipython3
ms.viz.nosuch
```

```{code-cell} ipython3
:tags: [portable]

print(f(ms.Tensor(2.0)))
f(undefined)
```
"""


def test_the_portable_cells_of_a_chapter(tmp_path):
    path = tmp_path / "chapter.md"
    path.write_text(CHAPTER)
    done = run(path)
    assert done.stdout == "4.0\n" and done.returncode == 1
    assert f'"{path}", line 21, in <module>' in done.stderr and "f(undefined)" in done.stderr


def test_a_notebook_that_is_none(tmp_path):
    (tmp_path / "work.ipynb").write_text("[")
    done = run("work.ipynb", folder=tmp_path)
    assert done.returncode == 2 and "is not a notebook that can be read" in done.stderr
    assert "Traceback" not in done.stderr


def test_how_the_engine_is_named(project):
    done = run("--engine=nosuch", "train.py", folder=project)
    assert done.returncode == 2 and done.stderr.startswith("ms-ext run [--engine ms_ext|mindspore]")
