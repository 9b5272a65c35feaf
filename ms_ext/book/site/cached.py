"""What was run for an earlier build and still holds? Chapters and verdicts, kept under build/book.

What is kept carries a checksum of everything it was made from; another checksum, and it is made
again. ``build`` says for each of them which of the two happened.
"""

import hashlib
import json
import tempfile
import time
from pathlib import Path

from .. import execute, source

KEPT = source.ROOT / "build" / "book" / "kept"
#: Folders and files of ms_ext that no output of a cell depends on.
ELSEWHERE = ("cli/", "book/site/", "book/page", "book/languages.py", "book/myst.py")
KINDS = {".py", ".pyx", ".pxi", ".cpp", ".h", ".hpp", ".js", ".css", ".html", ".json"}
FIGURES = "svg.hashsalt: ms_ext\n"  # the same figure gets the same names inside


def checksum(*paths):
    """One word for the contents of files."""
    found = hashlib.sha256()
    for path in sorted(paths):
        found.update(path.relative_to(source.ROOT).as_posix().encode())
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:16]


def sources(*folders):
    """The files of ms_ext that outputs depend on, and all files of further folders."""
    package = source.ROOT / "ms_ext"
    inside = [path for path in package.rglob("*") if path.suffix in KINDS]
    kept = [p for p in inside if not p.relative_to(package).as_posix().startswith(ELSEWHERE)]
    more = [path for folder in folders for path in folder.rglob("*") if path.suffix in KINDS | MORE]
    return [*kept, *more]


MORE = {".md"}


def kept(name, word, make):
    """(plain data called ``name``, seconds it took or None if it was kept)."""
    path = KEPT / f"{name}.json"
    if path.exists():
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["checksum"] == word:
            return data["made"], None
    begin = time.perf_counter()
    made = make()
    seconds = time.perf_counter() - begin
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"checksum": word, "made": made}, ensure_ascii=False)
    path.write_text(text, encoding="utf-8")
    return made, seconds


def ran(name):
    """(the chapter's notebook with what its solved cells gave, seconds or None)."""
    folders = (source.BOOK / name, source.ROOT / "exercises" / name)
    word = checksum(*sources(*folders))
    return kept(name, word, lambda: run(source.read(name)))


def run(chapter):
    """The notebook of a chapter with what its solved cells give in a fresh kernel."""
    with tempfile.TemporaryDirectory(prefix="ms_ext_book") as folder:
        settings = Path(folder) / "matplotlibrc"
        settings.write_text(FIGURES)
        work = Path(folder) / "work"
        work.mkdir()
        found = {"MATPLOTLIBRC": str(settings)}
        return execute.execute(chapter, folder=work, environment=found)
