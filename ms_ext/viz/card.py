"""What the small views have in common: text, HTML, a file, and a place in a notebook.

A card is one picture or table of one idea: no network, no ids, and readable without script.
"""

from pathlib import Path

from ..engine import errors
from .assets import asset, style
from .markup import tag, text
from .panel import page

_STILL = (
    "Without its script this is to be read only. To step and to search, trust the notebook: in"
    " JupyterLab and Jupyter Notebook, File, then Trust Notebook."
)


class Card:
    """Something to look at, with a ``title``, ``text()`` and ``html()``.

    >>> class Word(Card):
    ...     title = "a word"
    ...     def text(self):
    ...         return "hello"
    ...     def html(self):
    ...         return "<p>hello</p>"
    >>> Word()
    hello
    """

    title = ""

    def text(self):
        """The whole content as text."""
        raise errors.NotOffered(f"A {type(self).__name__} has no text(self).", hint="Write one.")

    def html(self):
        """The same as HTML for a notebook or any page."""
        raise errors.NotOffered(f"A {type(self).__name__} has no html(self).", hint="Write one.")

    def save(self, path):
        """Write ``path``, .html or .txt by its name. Returns the path."""
        path = Path(path)
        forms = {".html": lambda: page.document(self.title, self.html()), ".txt": self.text}
        if path.suffix not in forms:
            raise errors.InvalidValue(
                "This view is saved as .html or .txt.",
                given=path.name,
                hint="Give the file one of these endings.",
            )
        path.write_text(forms[path.suffix](), encoding="utf-8")
        return path

    def __repr__(self):
        return self.text()

    def _repr_html_(self):
        return self.html()

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self.html(), "text/plain": self.text()}


def block(kind, title, *inner, sheets=(), scripts=()):
    """The outermost element of a card: its colours, its title, its parts, its script.

    >>> block("note", "a < b").count("a &lt; b")
    2
    """
    code = "".join(map(asset, ("quiet.js", "card.js", *scripts)))
    return tag(
        "div",
        tag("style", style(".msx-card", "card.css", *sheets)),
        tag("p", text(title), class_="title"),
        tag("p", _STILL, class_="note still") if scripts else "",
        *inner,
        tag("script", f'(() => {{\n"use strict";\n{code}}})();\n') if scripts else "",
        class_=f"msx-card {kind}",
        role="region",
        aria_label=title,
    )


def live(name, /, *inner, class_="", **attributes):
    """An element whose inside only the script shows: what is pressed, and how the keys work.

    >>> live("p", "<b>on</b>")
    '<p data-live="&lt;b&gt;on&lt;/b&gt;" class="live"></p>'
    """
    kept = "".join(inner)
    return tag(name, data_live=kept, class_=f"{class_} live".strip(), **attributes)
