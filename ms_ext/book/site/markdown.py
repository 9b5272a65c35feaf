"""How is a text, a table or a piece of HTML written so that MyST shows it as it is?"""

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#$|~&])")


def plain(text):
    """Words in which nothing means anything to Markdown.

    >>> plain("x * 1 -> x_")
    'x \\\\* 1 -\\\\> x\\\\_'
    """
    return _SPECIAL.sub(r"\\\1", str(text))


def words(text):
    """Words of a docstring: ``code`` between backticks stays code, the rest is plain.

    >>> words("give ``x * 1``, or *y*")
    'give `x * 1`, or \\\\*y\\\\*'
    """
    pieces = re.split(r"(`+)(.+?)\1", str(text), flags=re.DOTALL)
    return "".join(
        code(piece) if at % 3 == 2 else plain(piece)
        for at, piece in enumerate(pieces)
        if at % 3 != 1
    )


def code(text):
    """A piece of code within a line.

    >>> code("a`b")
    '`` a`b ``'
    """
    text = str(text).replace("\n", " ")
    ticks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if text[:1] == "`" or text[-1:] == "`" or len(ticks) > 1 else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def fence(language, text):
    """A block of code, or of anything that a MyST directive takes.

    >>> print(fence("python", "x = 1"))
    ```python
    x = 1
    ```
    """
    longest = max(map(len, re.findall("^ *(`+)", text, re.MULTILINE)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{text.strip(chr(10))}\n{ticks}"


def raw(html):
    """A piece of HTML as it is."""
    return fence("{raw} html", html)


def table(heads, rows):
    """A table; the cells are Markdown.

    >>> print(table(("a", "b"), [("1", "x|y")]))
    | a | b |
    |---|---|
    | 1 | x\\|y |
    """
    lines = [_row(heads), f"|{'---|' * len(heads)}", *map(_row, rows)]
    return "\n".join(lines)


def _row(cells):
    safe = (re.sub(r"(?<!\\)\|", r"\\|", str(cell)).replace("\n", " ") for cell in cells)
    return f"| {' | '.join(safe)} |"


def target(name, heading, level=2):
    """A heading that other pages link to as ``(#name)``."""
    return f"({name})=\n{'#' * level} {heading}"


def rubric(heading):
    """A heading that no table of contents lists."""
    return fence(f"{{rubric}} {heading}", ":heading-level: 3")
