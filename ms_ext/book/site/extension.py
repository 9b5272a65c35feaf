"""What does Sphinx not do by itself? Formulas without a network, the sidebar, a page's language."""

import json
from pathlib import Path

from docutils.utils.math.latex2mathml import tex2mathml

from .pages import CONTENTS


def setup(app):
    """Called by Sphinx."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.connect("builder-inited", _read_contents)
    app.connect("html-page-context", _context)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


# formulas -----------------------------------------------------------------------------------------


def _inline(self, node):
    from docutils import nodes

    self.body.append(_of(node.astext(), as_block=False))
    raise nodes.SkipNode


def _block(self, node):
    from docutils import nodes

    self.body.append(f'<div class="formula">{_of(node.astext(), as_block=True)}</div>\n')
    raise nodes.SkipNode


def _of(latex, as_block):
    """MathML, which a browser draws without any script, with the LaTeX as its label."""
    return tex2mathml(latex, as_block=as_block)


# the sidebar and the language ---------------------------------------------------------------------


def _read_contents(app):
    path = Path(app.srcdir) / CONTENTS
    app.ms_ext_parts = json.loads(path.read_text(encoding="utf-8"))


def _context(app, name, _template, context, _tree):
    """What the sidebar's template shows, and in which language this page is written."""
    parts = []
    for part in app.ms_ext_parts:
        inside = any(page[0] == name for page in part["pages"])
        shown = part["pages"] if inside or not part["folded"] else part["pages"][:1]
        rows = [
            {"name": page[0], "title": page[1], "language": page[2], "current": page[0] == name}
            for page in shown
        ]
        for row in rows:
            if row["current"]:
                context["language"] = row["language"]
        parts.append({"title": part["title"], "pages": rows, "folded": part["folded"]})
    context["ms_ext_parts"] = parts
