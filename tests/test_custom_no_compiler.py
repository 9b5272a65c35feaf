"""No compiler on the machine: what needs none works, and the rest says so in one error."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from custom_kernels import HEAD, elementwise, library

from ms_ext import Tensor, ops

FIXTURES = (library,)
HERE = Path(__file__).parent
WORKS = ("pyfunc", "tbe", "mindir", "a library", "compiled before", "hybrid")
REFUSED = {"a source": "C", "a text": "C", "cython": "C"}


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """A cache of builds, in which one source is compiled already; the source."""
    folder = tmp_path_factory.mktemp("no_compiler")
    source = folder / "before.cc"
    source.write_text(HEAD + elementwise("my_mul", "a * b"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MS_COMPILER_CACHE_PATH", str(folder / "cache"))
        op = ops.Custom(f"{source}:my_mul", lambda x, y: x, lambda x, y: x, "aot")
        assert op(Tensor([2.0]), Tensor([3.0])).tolist() == [6]
    return folder, source


def found(core, library, cache):
    """What the program without a compiler found out."""
    folder, source = cache
    work = folder / f"work-{core}"
    work.mkdir(exist_ok=True)
    environment = {k: v for k, v in os.environ.items() if k not in ("CC", "CXX", "PATH")}
    environment |= {"PATH": "", "MS_EXT_CORE": core, "MS_COMPILER_CACHE_PATH": f"{folder}/cache"}
    environment["PYTHONPATH"] = os.pathsep.join([str(HERE), str(HERE.parent)])
    program = [
        sys.executable,
        str(HERE / "no_compiler_program.py"),
        library,
        str(source),
        str(work),
    ]
    done = subprocess.run(program, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


CORES = [pytest.param("compiled", marks=pytest.mark.long), "reference"]


@pytest.fixture(scope="module", params=CORES)
def outcomes(request, library, cache):
    """What each way did, with the compiled core and with nothing compiled."""
    return found(request.param, library, cache)


@pytest.mark.parametrize("what", WORKS)
def test_what_needs_no_compiler_works_in_both_modes(what, outcomes):
    assert outcomes[what] == [[3, 8], [3, 8]]


@pytest.mark.parametrize("what", REFUSED)
def test_what_needs_one_says_so_in_one_error(what, outcomes):
    kind, text = outcomes[what]
    assert kind == "RuntimeError" and f"There is no {REFUSED[what]} compiler" in text
    assert "looked for $CC" in text and "apt install" in text
    assert "Traceback" not in text and text.count("There is no") == 1


def test_hybrid_runs_on_numpy_and_says_why(outcomes):
    (notice,) = outcomes["hybrid's notice"]
    assert "no C compiler" in notice and "NumPy" in notice
    assert outcomes["alone"] == [3, 8]
