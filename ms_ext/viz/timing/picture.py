"""How does a timeline look as SVG? Lanes of bars on one time axis, with a sentence in every part.

The plot is an inner svg, which cuts off what lies outside of it; assets/timeline.js moves its parts
when the time axis is zoomed, from the times that each part carries (data-t).
"""

import math
from typing import NamedTuple

from .. import palette
from ..assets import asset
from ..drawing import labels
from ..markup import classes, tag
from ..markup import text as escaped
from .words import scale, ticks, words

WIDE = 920  # of the whole picture, before a script fits it to the page
PAD, PITCH, BAR, AXIS = 10, 26, 18, 26
_NAME = 24  # characters of a lane's name that are shown


class Place(NamedTuple):
    """Where times lie in the plot: ``left`` of it in the picture, its ``width``, its ``span``."""

    left: int
    width: float
    span: float

    def x(self, time):
        """The coordinate of a time."""
        return time * self.width / self.span


def picture(sheet, name, select=None):
    """The SVG of a Sheet; ``name``: what a screen reader says, ``select``: a call with an arrow."""
    place = _place(sheet)
    plot, beside, y = [], [], PAD
    for strip in sheet.strips:
        beside += heading(strip.title, strip.about, y)
        y += 38 if strip.about else 22
        plot.append(_strip(strip, place, y, select))
        beside += [part for row, top in _tops(strip, y) for part in _label(row, place, top)]
        y += PITCH * len(strip.rows) + 12
    grid = axis(place, sheet.unit, y, PAD + 22)
    frame = dict(x=place.left, y=0, width=place.width, height=y + AXIS)
    inner = tag("svg", grid, *plot, class_="plot", **frame)
    return tag(
        "svg",
        tag("style", palette.system_tokens(".msx-lanes"), asset("lanes.css")),
        inner,
        *beside,
        class_="msx-lanes",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDE} {y + AXIS}",
        width=WIDE,
        height=y + AXIS,
        role="img",
        aria_label=name,
        data_span=exact(sheet.span),
        data_unit=sheet.unit,
        data_left=place.left,
        data_axis=y,
    )  # fmt: skip


def _place(sheet):
    names = [_short(row.name) for strip in sheet.strips for row in strip.rows]
    left = PAD + 16 + max([labels.width(name, 12) for name in names], default=0) + 44
    return Place(math.ceil(left), WIDE - math.ceil(left) - PAD, sheet.span)


def _tops(strip, y):
    return [(row, y + PITCH * index) for index, row in enumerate(strip.rows)]


def _short(name):
    return labels.short(name, _NAME)


def exact(time):
    """A time as an attribute that a script reads back without loss.

    >>> exact(90_000), exact(1.5)
    ('90000', '1.5')
    """
    return f"{time:.12g}"


# beside the plot ----------------------------------------------------------------------------------


def heading(title, about, y):
    """The lines above the lanes of one run."""
    yield tag("text", escaped(title), class_="title", x=PAD, y=y + 14)
    if about:
        yield tag("text", escaped(about), class_="about", x=PAD, y=y + 30)


def _label(row, place, top):
    y, kind = top + BAR - 5, classes("name", "busiest" * row.busiest)
    if row.busiest:
        yield tag("text", "▸", class_="name busiest", x=PAD, y=y)
    yield tag("text", escaped(_short(row.name)), class_=kind, x=PAD + 14, y=y)
    kind = classes("share", "busiest" * row.busiest)
    yield tag("text", row.share, class_=kind, x=place.left - 8, y=y)


# in the plot --------------------------------------------------------------------------------------


def _strip(strip, place, y, select):
    inner = [_lane(row, place, top) for row, top in _tops(strip, y)]
    inner[:1] = [_lane(strip.rows[0], place, y, strip.waits)] if strip.rows else []
    tops = {row.name: top for row, top in _tops(strip, y)}
    high = PITCH * len(strip.rows) - PITCH + BAR
    inner += [_sync(line, place, y, high) for line in strip.lines]
    if strip.returned is not None:
        inner.append(_returned(strip.returned, place, y))
    inner += [_link(link, place, tops) for link in strip.run.links]
    inner += _selected(strip, place, tops, select)
    return tag("g", *inner, class_="run", data_title=strip.run.title or None)


def _lane(row, place, top, waits=()):
    inner = [tag("rect", class_="ground", x=0, y=top, width=place.width, height=BAR)]
    inner += [_gap(gap, place, top) for gap in row.gaps]
    inner += [_wait(wait, place, top) for wait in waits]
    inner += [_slice(box, place, top) for box in row.boxes]
    return tag("g", *inner, class_=f"lane h{row.hue}", data_lane=row.name)


def _slice(box, place, top):
    x, wide = place.x(box.start), max(place.x(box.end) - place.x(box.start), 1.0)
    high = max(BAR * box.share, 2.0)
    return tag(
        "g",
        tag("title", escaped(words(box.facts))),
        tag("rect", x=x, y=round(top + BAR - high, 1), width=wide, height=high),
        _inside(box, x + wide / 2, wide, top),
        class_=classes("slice", "part" * box.part, "again" * box.again),
        data_call=box.call or None,
        data_name=box.name,
        data_nodes=" ".join(map(str, box.nodes)) or None,
        data_t=f"{exact(box.start)} {exact(box.end)}",
    )


def _inside(box, x, wide, top):
    """The call's number, with the op where there is room for both; nothing where there is none."""
    if box.part:
        return ""
    number = str(box.call) if box.call else ""
    for said in (f"{number} {box.name}".strip(), number):
        if said and labels.width(said, 10.5) + 6 <= wide:
            return tag("text", escaped(said), x=x, y=top + 13)
    return ""


def _gap(gap, place, top):
    x, wide = place.x(gap.start), place.x(gap.end) - place.x(gap.start)
    return tag(
        "g",
        tag("title", escaped(gap.words)),
        tag("rect", x=x, y=top, width=wide, height=BAR),
        class_="gap",
        data_t=f"{exact(gap.start)} {exact(gap.end)}",
    )


def _wait(wait, place, top):
    x, wide = place.x(wait.start), place.x(wait.end) - place.x(wait.start)
    fits = labels.width("waits", 10.5) + 6 <= wide
    return tag(
        "g",
        tag("title", escaped(wait.words)),
        tag("rect", x=x, y=top + 3, width=wide, height=BAR - 6),
        tag("text", "waits", x=x + wide / 2, y=top + 13) if fits else "",
        class_="wait",
        data_name="waits",
        data_t=f"{exact(wait.start)} {exact(wait.end)}",
    )


def _sync(line, place, y, high):
    x = place.x(line.end)
    return tag(
        "g",
        tag("title", escaped(line.words)),
        tag("rect", x=-3, y=y - 6, width=7, height=high + 10),
        tag("path", d=f"M0 {y - 6}v{high + 10}"),
        class_="sync",
        transform=f"translate({x:.1f} 0)",
        data_t=exact(line.end),
    )


def _returned(time, place, y):
    """A solid mark in the caller's lane: from here on it was free."""
    return tag(
        "g",
        tag("title", "the function had returned: the caller is free while the lanes go on"),
        tag("path", d=f"M0 {y - 2}v{BAR + 4}m-4 0h8m-8 {-BAR - 4}h8"),
        class_="returned",
        transform=f"translate({place.x(time):.1f} 0)",
        data_t=exact(time),
    )


def _link(link, place, tops):
    one, other = tops[link.lane] + BAR / 2, tops[link.to] + BAR / 2
    return _arrow("link", link.words, (link.start, one), (link.end, other), place)


def _selected(strip, place, tops, select):
    """An arrow from the first to the last lane of the selected call."""
    found = [
        (b, row)
        for row in strip.rows
        for b in row.boxes
        if b.call == select and not (b.part or b.again)
    ]
    if select and found and found[0][1] is not found[-1][1]:
        (first, above), (_, below) = found[0], found[-1]
        last = next(box for box, row in found if row is below)
        start, end = (first.end, tops[above.name] + BAR), (last.start, tops[below.name])
        yield _arrow("arrow", f"call {select}", start, end, place)


def _arrow(kind, said, start, end, place):
    return tag(
        "g",
        tag("title", escaped(said)),
        tag("path", d=arrow_path(place.x(start[0]), start[1], place.x(end[0]), end[1])),
        class_=kind,
        data_t=f"{exact(start[0])} {exact(end[0])}",
        data_y=f"{start[1]:g} {end[1]:g}",
    )


def arrow_path(x1, y1, x2, y2):
    """A line with an open head, as path data.

    >>> arrow_path(0, 0, 0, 20)
    'M0.0 0.0L0.0 20.0M4.0 12.0L0.0 20.0L-4.0 12.0'
    """
    long = math.hypot(x2 - x1, y2 - y1) or 1
    dx, dy = 8 * (x2 - x1) / long, 8 * (y2 - y1) / long
    points = (x1, y1, x2, y2, x2 - dx + dy / 2, y2 - dy - dx / 2, x2, y2)
    points += (x2 - dx - dy / 2, y2 - dy + dx / 2)
    return "M{:.1f} {:.1f}L{:.1f} {:.1f}M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}".format(*points)


def axis(place, unit, y, top):
    """Round times under the lanes, and a faint line up from each."""
    name, factor = scale(place.span, unit)
    marks = []
    for tick in ticks(place.span / factor):
        x = place.x(tick * factor)
        side = "first" if x < 20 else "last" if x > place.width - 40 else ""
        marks.append(tag("path", class_="grid", d=f"M{x:.1f} {top}V{y}"))
        told = f"{tick:g} {name}".strip()
        marks.append(tag("text", escaped(told), class_=classes("tick", side), x=x, y=y + 14))
    return tag("g", tag("path", class_="axis", d=f"M0 {y}h{place.width}"), *marks, class_="ticks")
