"""LeNet learns handwritten digits: one script that says mindspore, in both modes, to the end."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")

ROOT = Path(__file__).parents[1]


def ran(*arguments):
    """What a command of ms-ext prints."""
    command = [sys.executable, "-m", "ms_ext.cli.main", *map(str, arguments)]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    folder = tmp_path_factory.mktemp("digits")
    ran("data", "digits", folder)
    return folder


def trained(digits, mode, epochs):
    """(losses, shares that were right) of the script in a mode."""
    found = json.loads(ran("run", "tests/five_steps.py", digits, mode, epochs).splitlines()[-1])
    return found["losses"], found["right"]


def test_two_modes_take_the_same_steps(digits):
    eager, graph = [trained(digits, mode, 1) for mode in ("eager", "graph")]
    np.testing.assert_allclose(eager[0], graph[0], atol=1e-4)
    assert len(eager[0]) == 45 and eager[1] == graph[1] and eager[1][0] == eager[1][1]


@pytest.mark.long
def test_digits_are_learned_in_both_modes(digits):
    eager, graph = [trained(digits, mode, 15) for mode in ("eager", "graph")]
    np.testing.assert_allclose(eager[0], graph[0], atol=1e-4)
    assert eager[1] == graph[1] and min(eager[1]) >= 0.97
