"""The same tests on the other core: they run again in a child, with MS_EXT_CORE turned."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ms_ext import kernels
from ms_ext.engine.tensor import COMPILED

HERE = Path(__file__).parent
FILES = sorted(p for p in HERE.glob("test_tensor_*.py") if p.name != Path(__file__).name)


def test_on_the_other_core():
    other = "reference" if COMPILED else "compiled"
    if other == "compiled" and "tensor" not in kernels.available():
        pytest.skip("the compiled core is not built")
    cache = "cache_dir=build/pytest_cache_of_the_twin"  # not the one the caller writes to
    command = [sys.executable, "-m", "pytest", "-q", "-o", cache, *map(str, FILES)]
    done = subprocess.run(
        command,
        env=os.environ | {"MS_EXT_CORE": other},
        cwd=HERE.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-4000:]
