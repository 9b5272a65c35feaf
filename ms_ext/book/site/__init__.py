"""How is the static book built? Chapters, reference, passes, errors, codes: one source each.

``build`` runs what has to be run (or takes what an earlier build kept), writes the pages as
Markdown and notebooks into build/book/source, and has Sphinx make HTML of them in
build/book/html. Nothing is fetched; the result opens from a file, with no network and no kernel.
"""

from .building import HTML, build

__all__ = ["HTML", "build"]
