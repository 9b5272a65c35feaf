"""How do the pages that people write come to the site? The front page, and book/appendix."""

import re

from .. import links, source
from . import cached, chapters
from .pages import Page

FRONT = "index.md"
APPENDIX = source.BOOK / "appendix"
TEACHERS = ("instructor", "grading", "trust")
GENERATED = ("codes",)
_HEAD = re.compile(r"---\n(.*?)\n---\n", re.DOTALL)


def front():
    """The first page of the site."""
    text = _without_head((source.BOOK / FRONT).read_text(encoding="utf-8"))
    return Page("index", _title(text), links.on_the_site(text))


def appendix():
    """(pages for learners, for teachers, seconds that cells took or None if all were kept)."""
    names = sorted(path.stem for path in APPENDIX.glob("*.md") if path.stem not in GENERATED)
    own = [name for name in TEACHERS if name in names]
    made, seconds = {}, None
    for name in names:
        made[name], took = _page(name)
        seconds = (seconds or 0.0) + took if took else seconds
    others = [made[name] for name in names if name not in own]
    return others, [made[name] for name in own], seconds


def _page(name):
    path = APPENDIX / f"{name}.md"
    text = path.read_text(encoding="utf-8")
    if links.has_cells(path):
        return _with_cells(name, text, path)
    text = links.on_the_site(_without_head(text), "appendix")
    return Page(f"appendix/{name}", _title(text), text), None


def _with_cells(name, text, path):
    """A page whose cells are run: written like a chapter, and shown like one."""
    chapter = source.parse(text, f"appendix/{name}")
    word = cached.checksum(*cached.sources(), path)
    ran, seconds = cached.kept(name, word, lambda: cached.run(chapter))
    shown = chapters.notebook(chapter, chapters.outputs(ran), "appendix")
    title = _title(text)
    return Page(f"appendix/{name}", title, chapters.as_text(shown), ending=".ipynb"), seconds


def _without_head(text):
    return _HEAD.sub("", text, count=1)


def _title(text):
    """The first heading."""
    return re.search(r"^# (.+)$", text, re.MULTILINE)[1]
