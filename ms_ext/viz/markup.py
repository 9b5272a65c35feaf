"""HTML and SVG as text: every attribute and every text is escaped here and nowhere else."""

from html import escape

_EMPTY = frozenset(("circle", "ellipse", "img", "input", "meta", "path", "polygon", "rect"))


def text(value):
    """Anything as text that no browser reads as markup.

    >>> text("a < b")
    'a &lt; b'
    """
    return escape(str(value))


def tag(name, /, *inner, **attributes):
    """An element around markup. ``class_`` means class, ``aria_label`` aria-label; no None.

    >>> tag("p", text("a < b"), class_="note", title=None)
    '<p class="note">a &lt; b</p>'
    >>> tag("rect", x=1.26, rx=6)
    '<rect x="1.3" rx="6"/>'
    """
    shown = "".join(
        _attribute(k, v) for k, v in attributes.items() if v is not None and v is not False
    )
    if not inner and name in _EMPTY:
        return f"<{name}{shown}/>"
    return f"<{name}{shown}>{''.join(inner)}</{name}>"


def _attribute(name, value):
    name = name.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    return f' {name}="{short(value) if isinstance(value, float) else _quoted(value)}"'


def _quoted(value):
    """As the inside of double quotes, in which an apostrophe may stay what it is."""
    return escape(str(value), quote=False).replace('"', "&quot;")


def short(value):
    """A coordinate with one digit behind the point at most.

    >>> short(12.04), short(3)
    ('12', '3')
    """
    return f"{round(value, 1):g}"


def classes(*names):
    """Those of the names that are not empty, as a class attribute; None if there are none.

    >>> classes("node", "", "added")
    'node added'
    """
    return " ".join(filter(None, names)) or None
