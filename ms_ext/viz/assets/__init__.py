"""The style sheets and scripts that are written into pages, and how they are put together."""

import functools
from pathlib import Path

from .. import palette

HERE = Path(__file__).parent


@functools.cache
def asset(name):
    """The text of a file in assets/.

    >>> "msx-graph" in asset("graph.css")
    True
    """
    return (HERE / name).read_text(encoding="utf-8")


def style(selector, *names):
    """Colours and rules as one style sheet."""
    return "\n".join((palette.tokens(selector), *map(asset, names)))


def own_style(selector, *names):
    """The same for a picture that stands alone in an ``<img>``."""
    return "\n".join((palette.system_tokens(selector), *map(asset, names)))


def script(*names):
    """Files of assets/ as one script that shares no name with any other.

    >>> "\\nfunction inline(" in script("inline.js")
    True
    """
    return f'(() => {{\n"use strict";\n{"".join(map(asset, names))}}})();\n'
