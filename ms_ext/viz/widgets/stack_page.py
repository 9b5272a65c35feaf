"""The page of ``viz.stack``: a strip of boxes; each opens to the thing itself, script or not."""

from ..card import block, live
from ..markup import tag, text
from ..pictures import picture

_LINES = 60  # of one layer
_HINT = "Each box is one layer, with what was measured on it. Open it by click or Enter."


def card(shown):
    """The map as HTML."""
    arrows = tag("kbd", "←"), " ", tag("kbd", "→"), " go from box to box."
    return block(
        "stack",
        shown.title,
        tag("p", _HINT, " ", live("span", *arrows, class_="keys"), class_="note"),
        tag("div", *map(_layer, shown.layers), class_="strip"),
        sheets=("graph.css", "lanes.css", "stack.css"),
        scripts=("inline.js", "stack.js"),
    )


def _layer(layer):
    drawn = picture(layer.svg, f"{layer.name}: {layer.number}") if layer.svg else ""
    lines = layer.lines[:_LINES]
    left = len(layer.lines) - len(lines)
    more = tag("p", f"and {left} more lines; text() has all", class_="note") if left else ""
    listing = tag("pre", tag("code", text("\n".join(lines))), class_="wide") if lines else ""
    return tag(
        "details",
        tag("summary", tag("span", text(layer.name)), " ", tag("b", text(layer.number))),
        tag("p", text(layer.about)),
        tag("div", drawn, class_="wide", tabindex="0") if drawn else "",
        _folded(listing, more) if drawn else listing + more,
        class_="layer",
    )


def _folded(*listing):
    return tag("details", tag("summary", "as text"), *listing, class_="told")
