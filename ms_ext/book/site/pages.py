"""What does a site consist of? Parts of pages; and how do they reach the folder Sphinx reads?"""

import json
import shutil
from typing import NamedTuple

from .markdown import fence

CONTENTS = "contents.json"


class Page(NamedTuple):
    """One page. ``name`` is its path in the site without an ending, such as "ops/arithmetic"."""

    name: str
    title: str
    text: str
    language: str = "en"
    ending: str = ".md"


class Part(NamedTuple):
    """Pages that belong together. A folded one shows its first page until a reader is inside."""

    title: str
    pages: tuple
    folded: bool = False


def trees(parts):
    """Name of a page -> the pages that follow below it, so that each page has one place.

    >>> one, two = Page("codes/index", "Codes", ""), Page("codes/race", "race", "")
    >>> trees([Part("Codes", (one, two), folded=True)])
    {'index': ['codes/index'], 'codes/index': ['codes/race']}
    """
    below = {"index": []}
    for part in parts:
        names = [page.name for page in part.pages]
        below["index"] += names[:1] if part.folded else names
        if part.folded and names[1:]:
            below[names[0]] = names[1:]
    return below


def contents(parts):
    """What the sidebar lists, as plain data."""
    return [
        {
            "title": part.title,
            "folded": part.folded,
            "pages": [[page.name, page.title, page.language] for page in part.pages],
        }
        for part in parts
    ]


def write(folder, front, parts, pictures=()):
    """Bring ``folder`` to these pages and no others, the sidebar's list and the pictures.

    A page whose text is the same keeps its file, so Sphinx need not read it again.
    """
    below = trees(parts)
    pages = [front, *[page for part in parts for page in part.pages]]
    texts = {f"{page.name}{page.ending}": _text(page, below) for page in pages}
    listed = json.dumps(contents(parts), ensure_ascii=False, indent=1)
    copies = {f"pictures/{path.name}": path for path in pictures}
    kept = {*texts, *copies, CONTENTS}
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_file() and path.relative_to(folder).as_posix() not in kept:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    for name, text in texts.items():
        _put(folder / name, text)
    _put(folder / CONTENTS, listed)
    for name, path in copies.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / name)


def _text(page, below):
    if page.name not in below:
        return page.text
    entries = "\n".join(f"/{name}" for name in below[page.name])
    tree = fence("{toctree}", f":hidden:\n:titlesonly:\n\n{entries}")
    return f"{page.text.rstrip()}\n\n{tree}\n"


def _put(path, text):
    """Write a file if that changes it."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
