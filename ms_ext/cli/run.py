"""Run a MindSpore script here: ms-ext run [--engine mindspore] SCRIPT [ARGUMENTS]."""

import os
import runpy
import sys
from pathlib import Path

from ms_ext import resolve


def main(arguments):
    """Run one script as ``python SCRIPT`` does, with ``mindspore`` meaning ms_ext.

    ``--engine mindspore``, or the variable MS_EXT_ENGINE: the other way round.
    """
    rest = list(arguments)
    chosen = os.environ.get("MS_EXT_ENGINE") or resolve.OURS
    if rest[:1] == ["--engine"]:
        chosen, rest = rest[1] if len(rest) > 1 else "", rest[2:]
    if not rest or chosen not in (resolve.OURS, resolve.THEIRS):
        print("ms-ext run [--engine ms_ext|mindspore] SCRIPT [ARGUMENTS]", file=sys.stderr)
        return 2
    if not Path(rest[0]).is_file():
        print(f"ms-ext run: there is no file {rest[0]}.", file=sys.stderr)
        return 2
    os.environ["MS_EXT_ENGINE"] = chosen  # for what the script starts, too
    resolve.here() if chosen == resolve.OURS else resolve.there()
    sys.argv = rest
    sys.path.insert(0, str(Path(rest[0]).resolve().parent))
    runpy.run_path(rest[0], run_name="__main__")
    return 0
