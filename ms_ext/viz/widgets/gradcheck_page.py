"""The page of ``viz.gradcheck``: three heat maps for each input, side by side where there is room.

A map is a table: its numbers can be read aloud, and no colour says what they do not.
"""

from ..card import block
from ..markup import classes, tag, text
from . import gradcheck_words as words


def card(shown):
    """The maps as HTML."""
    return block(
        "gradcheck",
        shown.title,
        tag("pre", tag("code", text(shown.raised))) if shown.raised is not None else "",
        tag("p", text(words.LEGEND), class_="note") if shown.maps else "",
        *map(_input, shown.maps),
        sheets=("gradcheck.css",),
    )


def _input(each):
    glyph, _, said = words.heading(each).partition(" ")
    mark = tag("b", glyph, aria_hidden="true")
    return tag(
        "div",
        tag("p", mark, " ", text(said), class_="heading"),
        *(tag("p", text(line)) for line in words.lines(each)),
        tag("div", *(_map(each, sheet) for sheet in each.sheets), class_="maps"),
        class_=f"input {'right' if each.passed else 'wrong'}",
        role="group",
        aria_label=words.heading(each),
    )


def _map(each, sheet):
    note = tag("p", text(sheet.note), class_="note") if sheet.note else ""
    if not sheet.rows:
        return tag("div", tag("p", text(sheet.title), class_="caption"), note, class_="map")
    table = tag(
        "table",
        tag("caption", text(sheet.title)),
        tag("tbody", *(tag("tr", *map(_cell, row)) for row in sheet.rows)),
    )
    label = f"{sheet.title} of {each.name}"
    scroll = tag("div", table, class_="wide", tabindex="0", role="group", aria_label=label)
    return tag("div", scroll, note, class_="map")


def _cell(cell):
    sign = "low" if cell.level < 0 else "high"
    marks = _mark(words.WORST, "the worst element", cell.worst)
    marks += _mark(words.OFF, "too far apart", cell.off)
    marks += _mark(words.KINK, "at a kink", cell.kink)
    return tag(
        "td",
        marks,
        text(cell.said.replace("-", "−", 1) if cell.said.startswith("-") else cell.said),
        class_=classes(
            f"{sign} level-{abs(cell.level)}" if cell.level else "",
            "worst" if cell.worst else "",
            "off" if cell.off else "",
            "kink" if cell.kink else "",
        ),
        title=cell.whole,
    )


def _mark(glyph, meaning, holds):
    return tag("b", glyph, role="img", aria_label=meaning) if holds else ""
