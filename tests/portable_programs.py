"""The programs of the rules of ``ms-ext portable``: what they say, there or here.

python tests/portable_programs.py mindspore|ms_ext [RULE.WHICH ...]   one line of JSON for each
python tests/portable_programs.py record [PYTHON]   asks MindSpore, writes golden/portable.json
"""

import contextlib
import io
import json
import os
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
GOLDEN = HERE / "golden" / "portable.json"
ABOVE = "import mindspore as ms\n"


def programs():
    """Name -> program: "syntax-Set.refused", "syntax-Set.accepted"."""
    sys.path.insert(0, str(HERE.parent))
    from ms_ext.cli.portability import rule

    rule.load()
    found = {}
    for name, each in rule.RULES.items():
        found[f"{name}.refused"] = ABOVE + each.refused
        if each.accepted:
            found[f"{name}.accepted"] = ABOVE + each.accepted
    return found


def said(text, folder):
    """What a program prints, or the error with which it ends: [kind, its first line]."""
    import mindspore as ms

    path = Path(folder) / "program.py"
    path.write_text(text)
    stream = io.StringIO()
    try:
        with contextlib.redirect_stdout(stream):
            runpy.run_path(str(path), run_name="__main__")
    except Exception as error:  # whatever it is, it is the answer
        kinds = [k.__name__ for k in type(error).__mro__ if k.__module__ == "builtins"]
        return [kinds[0], (str(error).strip().splitlines() or [""])[0]]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    return stream.getvalue()


def main(engine, *names):
    """Run some programs, one line of JSON for each."""
    found = programs()
    if engine == "ms_ext":
        from ms_ext import resolve

        resolve.here()
    import mindspore as ms

    if engine == "mindspore":
        ms.runtime.launch_blocking()
    for name in names or found:
        with tempfile.TemporaryDirectory() as folder:
            print("SAID" + json.dumps([name, said(found[name], folder)]), flush=True)


def record(python=sys.executable):
    """Ask MindSpore about every program."""
    command = [python, __file__, "mindspore"]
    quiet = os.environ | {"GLOG_v": "4", "PYTHONWARNINGS": "ignore", "MS_EXT_CORE": "reference"}
    done = subprocess.run(
        command, env=quiet, capture_output=True, text=True, cwd=tempfile.gettempdir()
    )
    found = [json.loads(x[4:]) for x in done.stdout.splitlines() if x.startswith("SAID")]
    if len(found) != len(programs()):
        raise SystemExit(done.stderr[-2000:])
    GOLDEN.write_text(json.dumps(dict(found), indent=0) + "\n")


if __name__ == "__main__":
    record(*sys.argv[2:]) if sys.argv[1] == "record" else main(*sys.argv[1:])
