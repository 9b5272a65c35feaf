"""Write the generated files of the repository anew: [--check] only compares, [PATH ...] a few.

A generated file is never edited. ``./lab check`` makes each one again and fails on a difference.
"""

import difflib
import importlib.metadata
import re
import sys
from pathlib import Path

from ms_ext.book import source, ways
from ms_ext.cli import notice
from ms_ext.cli.grading import codes
from ms_ext.cli.steps import ROOT
from ms_ext.grading.sandbox import Nursery
from ms_ext.ops import later


class CannotSay(Exception):
    """This machine lacks what a file is made from."""


def chapter(path):
    """A chapter in the form in which JupyterLab saves it."""
    return source.normal(path.read_text(encoding="utf-8"), path.parent.name)


def codes_page(path):
    """The page of all diagnosis codes, with an example of each, run now."""
    with Nursery() as nursery:
        return codes.page(nursery.child)


def ways_page(path):
    """The page of the ways into ``ops.Custom``."""
    return ways.page()


def notices(path):
    """The licences of the pinned packages, as those installed here state them."""
    pins = (ROOT / "constraints").glob("py*.txt")
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", "\n".join(map(_text, pins)), re.M):
        try:
            installed = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            raise CannotSay(f"{name} is not installed here") from None
        if installed != version:
            raise CannotSay(f"{name} {installed} is installed here, {version} is pinned")
    return notice.text()


def declared(path):
    """Which names each file of ops/ declares that is not imported with the package."""
    return later.text()


def _text(path):
    return path.read_text(encoding="utf-8")


#: Which files are generated, and by what: a pattern below the repository, its writer.
GENERATED = {
    "book/[0-9]*/chapter.md": chapter,
    "book/appendix/codes.md": codes_page,
    "book/appendix/ways.md": ways_page,
    "NOTICE": notices,
    "ms_ext/ops/declared.json": declared,
}


def files():
    """(path, writer) of every generated file that is there."""
    return [(path, make) for pattern, make in GENERATED.items() for path in ROOT.glob(pattern)]


def differences(chosen):
    """(path, new text, difference in lines) of files that are not what their writers make now.

    A file that cannot be made here is told, and left out.
    """
    for path, make in chosen:
        try:
            made = make(path)
        except CannotSay as why:
            print(f"  {path.name}: not compared, {why}", flush=True)
            continue
        kept = _text(path)
        if made != kept:
            pair = kept.splitlines(), made.splitlines()
            yield (
                path,
                made,
                list(difflib.unified_diff(*pair, "kept", "made now", lineterm="", n=0)),
            )


def main(arguments):
    """Write them, or only compare."""
    checking, names = "--check" in arguments, [a for a in arguments if a != "--check"]
    known = {path: make for path, make in files()}
    asked = [Path(name).resolve() for name in names]
    if wrong := [path for path in asked if path not in known]:
        print(
            f"{wrong[0]} is no generated file; these are: {', '.join(GENERATED)}", file=sys.stderr
        )
        return 2
    chosen = [(path, known[path]) for path in asked] or list(known.items())
    found = 0
    for path, made, lines in differences(chosen):
        found += 1
        place = path.relative_to(ROOT)
        if checking:
            shown = "\n      ".join(lines[2:8])
            print(f"{place} is not what its source makes now:\n      {shown}\n"
                  f"    to do: .venv/bin/ms-ext sync {place}", file=sys.stderr)  # fmt: skip
        else:
            path.write_text(made, encoding="utf-8")
            print(f"{place}: written")
    if not found:
        print(f"{len(chosen)} generated files are what their sources make.")
    return 1 if found and checking else 0
