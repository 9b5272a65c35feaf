"""The timeline as one piece of HTML: picture, controls, and the same content as tables.

Without script the picture is an image and the tables open by their names; with it the time axis can
be zoomed, and choosing a call lights up all its slices in every run.
"""

from ..card import block, live
from ..markup import tag, text
from ..pictures import picture as image
from . import sheet as timeline_sheet
from . import words as timeline_words
from .picture import picture
from .words import amount

MOST_ROWS = 300  # of a table
_KEYS = (
    ("← →", "previous, next slice of the lane"),
    ("↑ ↓", "the lane above, below"),
    ("Home End", "first, last slice"),
    ("+ − 0", "zoom the time axis, the whole again"),
    ("/ Enter", "search, next found"),
    ("Esc", "let go"),
)


def card(runs, select=None):
    """The HTML of some runs that have slices."""
    sheet = timeline_sheet.sheet(runs)
    name = timeline_words.label(runs)
    meant = "; ".join(f"{what}: {meaning}" for what, meaning in timeline_words.MEANINGS)
    notes = [tag("p", text(note), class_="note") for note in (*sheet.notes, f"{meant}.")]
    return block(
        "timeline",
        "Timeline",
        _tools(),
        tag("p", class_="status live", role="status", aria_live="polite"),
        tag("div", image(picture(sheet, name, select), name, class_="picture"), class_="stage"),
        tag("dl", class_="detail live", aria_label="the chosen slice"),
        *notes,
        *[part for run in runs for part in _tables(run)],
        sheets=("lanes.css", "timeline.css"),
        scripts=("inline.js", "timeline.js"),
    )


def _tools():
    find = tag(
        "input", type="search", placeholder="find op, call, %node", aria_label="find a slice"
    )
    zoom = (
        ("−", "out", "zoom out"),
        ("+", "in", "zoom in"),
        ("whole", "whole", "the whole time"),
    )
    buttons = (
        tag("button", word, type="button", class_=name, aria_label=label)
        for word, name, label in zoom
    )
    keys = tag("ul", *(tag("li", tag("kbd", key), " ", what) for key, what in _KEYS))
    return live(
        "div",
        tag("span", find, " ", tag("span", class_="count", aria_live="polite")),
        tag("span", *buttons),
        tag("details", tag("summary", "keys"), keys),
        class_="tools",
    )


# tables -------------------------------------------------------------------------------------------


def _tables(run):
    title = f"{run.title}: " if run.title else ""
    inner = [_lanes(run), *_waits(run), *_links(run), _calls(run)]
    summary = tag("summary", text(f"{title}as tables"))
    yield tag("details", summary, *(tag("div", t, class_="wide") for t in inner), class_="tables")


def _table(caption, heads, rows, total=None):
    """A table; ``total`` is how many rows there would be without the limit."""
    used = [any(row[index] for row in rows) for index in range(len(heads))]
    heads = [head for head, use in zip(heads, used, strict=True) if use]
    rows = [[cell for cell, use in zip(row, used, strict=True) if use] for row in rows]
    rows = [tag("tr", *(tag("td", text(cell)) for cell in row)) for row in rows]
    if total is not None and total > len(rows):
        caption += f" ({len(rows):,} of {total:,}; save('trace.json') has all)"
    head = tag("thead", tag("tr", *(tag("th", text(head), scope="col") for head in heads)))
    return tag("table", tag("caption", text(caption)), head, tag("tbody", *rows))


def _lanes(run):
    rows = []
    for lane in run.lanes:
        mark = "▸ " * (lane.name == run.bottleneck)
        share, busy = f"{run.utilisation(lane.name):.0%}", amount(run.busy[lane.name], run.unit)
        idle = "; ".join(timeline_words.idle(run, lane.name)) or "never idle between two slices"
        rows.append((f"{mark}{lane.name}", share, busy, f"{len(run.lane(lane.name)):,}", idle))
    caption = f"{timeline_words.headline(run)} (▸ the busiest lane)"
    return _table(caption, ("lane", "of the time", "busy", "slices", "idle because"), rows)


def _waits(run):
    waits = [(wait, "sync") for wait in run.syncs] + [(wait, "stall") for wait in run.stalls]
    if waits:
        waits.sort(key=lambda pair: pair[0].start)
        rows = [
            (kind, amount(w.start, run.unit), amount(w.duration, run.unit), w.words, w.line)
            for w, kind in waits[:MOST_ROWS]
        ]
        heads = ("what", "from", "for", "in words", "line")
        yield _table("Waiting", heads, rows, len(waits))


def _links(run):
    if run.links:
        rows = [
            (link.words, amount(link.start, run.unit), amount(link.end, run.unit))
            for link in run.links[:MOST_ROWS]
        ]
        yield _table("Events", ("in words", "passed at", "work at"), rows, len(run.links))


def _calls(run):
    """One row a call: what each lane did for it, from when on and for how long."""
    calls = {}
    for each in run.slices:
        calls.setdefault(each.call or f"({each.name})", []).append(each)
    rows = []
    for call, slices in list(calls.items())[:MOST_ROWS]:
        first = slices[0]
        nodes = " ".join(f"%{node}" for each in slices for node in each.nodes)
        spent = [_spent(run, slices, lane) for lane in run.lanes]
        rows.append((call, first.name, *spent, nodes, first.line))
    lanes = [f"{lane.name}: from, for" for lane in run.lanes]
    return _table(
        f"{run.noun.capitalize()}s", (run.noun, "name", *lanes, "nodes", "line"), rows, len(calls)
    )


def _spent(run, slices, lane):
    mine = [each for each in slices if each.lane == lane.name]
    return ", ".join(
        f"{amount(each.start, run.unit)}, {amount(each.duration, run.unit)}" for each in mine
    )
