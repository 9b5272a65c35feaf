"""Where does a link between two files of book/ lead on the site?"""

import posixpath
import re

from . import source

_LINK = re.compile(r"(?<=\]\()([^)\s#]+\.md)(#[^)\s]*)?(?=\))")


def on_the_site(text, folder=""):
    """Markdown of a file in book/``folder`` with its links as the site needs them.

    >>> on_the_site("[one](../05_bprop_contract/chapter.md), [all](codes.md)", "appendix")
    '[one](/chapters/05_bprop_contract.ipynb), [all](/codes/index.md)'
    """
    return _LINK.sub(lambda found: _page(found[1], folder) + (found[2] or ""), text)


def _page(link, folder):
    if "://" in link:
        return link
    path = posixpath.normpath(posixpath.join(folder, link))
    if path == "appendix/codes.md":
        return "/codes/index.md"
    if chapter := re.fullmatch(r"(\d\d_\w+)/chapter\.md", path):
        return f"/chapters/{chapter[1]}.ipynb"
    return f"/{path.removesuffix('.md')}.ipynb" if has_cells(source.BOOK / path) else f"/{path}"


def has_cells(path):
    """Whether a page is written like a chapter, with cells to be run."""
    return path.exists() and "```{code-cell}" in path.read_text(encoding="utf-8")
