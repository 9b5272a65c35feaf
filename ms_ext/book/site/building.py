"""What happens, in which order, when the site is built, and what is said while it does?"""

import os
import shutil
import sys
import time
from pathlib import Path

from ms_ext.engine import errors

from .. import source
from . import cached, chapters, codes, keyboard, mistakes, modules, operators, pages, passes, prose

FOLDER = source.ROOT / "build" / "book"
PAGES, TREES, HTML = FOLDER / "source", FOLDER / "trees", FOLDER / "html"
DONE = FOLDER / "done"
HERE = Path(__file__).parent


def build(*words):
    """Build the site; the path of its first page. "--fresh": run everything again."""
    if set(words) - {"--fresh"}:
        raise errors.InvalidValue(
            "The book takes one word at most, '--fresh'.", given=" ".join(words)
        )
    if words:
        for folder in (cached.KEPT, PAGES, TREES, HTML):
            shutil.rmtree(folder, ignore_errors=True)
    begin = time.perf_counter()
    parts = collect()
    front = prose.front()
    pages.write(PAGES, front, parts, sorted((source.BOOK / "pictures").glob("*.png")))
    word = _word()
    anew = not DONE.exists() or DONE.read_text() != word
    DONE.unlink(missing_ok=True)  # a build that stops half way is no earlier build
    count = 1 + sum(len(part.pages) for part in parts)
    with _step(f"{count} pages, by Sphinx"):
        _sphinx(anew)
    DONE.write_text(word)
    _leave_out()
    _tell_sizes()
    print(f"  {(HTML / 'index.html').as_uri()}: {time.perf_counter() - begin:.1f} s", flush=True)
    return HTML / "index.html"


def collect():
    """The parts of the book, everything that has to be run included."""
    with _step("reference and passes"):
        of_passes, of_ops = passes.pages(), operators.pages()
        of_modules, of_errors = modules.pages(), mistakes.pages()
    english, others = [], []
    for name in source.chapters():
        ran, seconds = cached.ran(name)
        _say(f"chapter {name}", seconds)
        first, *more = chapters.pages(name, ran)
        english.append(first)
        others += more
    found, seconds = codes.verdicts()
    _say(f"{sum(each.verdict is not None for each in found)} verdicts", seconds)
    about, teachers, seconds = prose.appendix()
    _say("appendix", seconds)
    spoken = [pages.Part("简体中文", tuple(others))] if others else []
    return [
        pages.Part("Chapters", tuple(english)),
        *spoken,
        pages.Part("Look things up", (keyboard.page(), *about)),
        *[
            pages.Part(made[0].title, tuple(made), folded=True)
            for made in (of_modules, of_ops, of_passes, of_errors, codes.pages(found))
        ],
        pages.Part("For the teacher", tuple(teachers)),
    ]


def _word():
    """A checksum of what every page shows or is made by: then all pages are made again."""
    files = [path for path in HERE.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return cached.checksum(*files, source.BOOK / "conf.py", PAGES / pages.CONTENTS)


def _sphinx(anew):
    """Have Sphinx make the pages; any warning stops the build, after all of them were told."""
    sys.modules.setdefault("rfc3987_syntax", None)  # for addresses in schemas; loading takes 3 s
    from sphinx.application import Sphinx

    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")
    app = Sphinx(
        srcdir=PAGES,
        confdir=source.BOOK,
        outdir=HTML,
        doctreedir=TREES,
        buildername="html",
        freshenv=anew,
        status=None,
        exception_on_warning=False,
        warningiserror=True,
        keep_going=True,
        parallel=min(os.cpu_count() or 1, 4),
    )
    app.build(force_all=anew)
    if app.statuscode:
        raise errors.NotRunnable(
            "Sphinx warned about pages; the lines above name them.",
            hint="Mend the sources that they were made from, then build again.",
        )
    _remove_gone(app.env.found_docs)


def _remove_gone(names):
    """Pages of an earlier build that this one does not have."""
    kept = {f"{name}.html" for name in names} | {"search.html", "genindex.html"}
    for path in HTML.rglob("*.html"):
        inside = path.relative_to(HTML).as_posix()
        if not inside.startswith("_") and inside not in kept:
            path.unlink()


def _leave_out():
    """Source maps are for who develops the theme, and a folder for sources stays empty here."""
    for path in HTML.rglob("*.map"):
        path.unlink()
    shutil.rmtree(HTML / "_sources", ignore_errors=True)


# what is said -------------------------------------------------------------------------------------


class _step:
    """Says what was done and how long it took."""

    def __init__(self, what):
        self.what = what

    def __enter__(self):
        self.begin = time.perf_counter()

    def __exit__(self, kind, *_error):
        if kind is None:
            _say(self.what, time.perf_counter() - self.begin)


def _say(what, seconds):
    told = "kept from an earlier build" if seconds is None else f"{seconds:.1f} s"
    print(f"  {what:<34} {told}", flush=True)


def _tell_sizes():
    """The largest pages, and everything."""
    sizes = sorted(((p.stat().st_size, p) for p in HTML.rglob("*.html")), reverse=True)
    for size, path in sizes[:6]:
        print(f"  {path.relative_to(HTML).as_posix():<34} {size / 1000:.0f} kB", flush=True)
    total = sum(path.stat().st_size for path in HTML.rglob("*") if path.is_file())
    print(f"  {'all of it':<34} {total / 1e6:.1f} MB, {len(sizes)} pages", flush=True)
