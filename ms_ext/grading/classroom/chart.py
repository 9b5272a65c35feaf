"""What is a chart on a page? A picture with the same in words and as a table; light and dark."""

from dataclasses import dataclass
from pathlib import Path

from ms_ext.viz import markup, palette

STYLE = Path(__file__).with_name("chart.css")


@dataclass(frozen=True)
class Chart:
    """A sentence, and where there is something to see a picture and the table behind it.

    >>> print(Chart("Two passed.", table=[("exercise", "passed"), ("05.x", 2)]))
    Two passed.
    exercise  passed
    05.x           2
    """

    sentence: str
    svg: str = ""
    table: tuple = ()  # lines of cells, the first names the columns

    def _repr_html_(self):
        parts = [f"<style>{style()}</style>", markup.tag("p", markup.text(self.sentence))]
        if self.svg:
            named = f'<svg role="img" aria-label="{markup.text(self.sentence)}" '
            parts.append(f'<div class="picture">{self.svg.replace("<svg ", named, 1)}</div>')
        if self.table:
            grid = _grid(self.table)
            summary = "<summary>The same as a table</summary>"
            parts.append(f"<details>{summary}{grid}</details>" if self.svg else grid)
        return markup.tag("div", *parts, class_="ms-chart")

    def __repr__(self):
        lines = [[str(cell) for cell in line] for line in self.table]
        wide = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join([self.sentence, *(_line(cells, wide) for cells in lines)])


def style():
    """The style sheet: the palette's colours, and chart.css.

    >>> ".ms-chart" in style()
    True
    """
    return palette.tokens(".ms-chart") + "\n" + STYLE.read_text(encoding="utf-8")


def listed(names, most=6):
    """Some names in a row, not too many.

    >>> listed(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    names = list(names)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _grid(table):
    head, *lines = table
    tops = "".join(markup.tag("th", markup.text(cell), scope="col") for cell in head)
    rows = [
        markup.tag("th", markup.text(name), scope="row") + "".join(_cell(cell) for cell in cells)
        for name, *cells in lines
    ]
    body = "".join(markup.tag("tr", row) for row in rows)
    inner = f"<thead><tr>{tops}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="scrolls">{markup.tag("table", inner)}</div>'


def _cell(value):
    number = str(value).replace(".", "").isdigit()
    return markup.tag("td", markup.text(value), class_="number" if number else None)


def _line(cells, wide):
    first, *others = zip(cells, wide, strict=True)
    shown = [f"{cell:>{width}}" for cell, width in others]
    return "  ".join([f"{first[0]:<{first[1]}}", *shown]).rstrip()
