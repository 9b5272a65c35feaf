"""The page of ``viz.stages``: the lanes, why it takes as long as it does, and the queues."""

import re

from ..assets import style
from ..card import block
from ..markup import tag, text
from ..pictures import picture
from ..timing.picture import picture as lanes
from ..timing.sheet import sheet
from ..timing.simulated import simulated
from ..timing.words import label
from . import stages_drawing as drawing

_RULES = re.compile(r"(?s)<style>.*?</style>")
_FULL = "A dashed line is a full queue: whoever wants to put a call into it waits."


def card(shown):
    """The lanes and below them the reasons, as HTML."""
    return shown.timeline.html() + reasons(shown.schedules)


def reasons(schedules):
    """Why each schedule takes as long as it does, and what its queues were."""
    if not schedules:
        return ""
    inner = [_why(title, found) for title, found in schedules.items()]
    used = {title: found for title, found in schedules.items() if drawing.waiting(found)}
    inner += [_queues(title, found) for title, found in used.items()]
    full = any(
        found.capacity and found.longest_queue(stage) == found.capacity
        for found in used.values()
        for stage in drawing.waiting(found)
    )
    inner += [tag("p", text(_FULL), class_="note")] * full
    return block(
        "stages",
        "Why so long?",
        *inner,
        sheets=("stages.css",),
        scripts=("inline.js", "stages.js"),
    )


def alone(shown):
    """The lanes as one SVG with the rules and colours that it needs."""
    svg = lanes(sheet(shown.timeline.runs), label(shown.timeline.runs), shown.select)
    rules = tag("style", style(".msx-lanes", "lanes.css"))
    return re.sub(_RULES, lambda _: rules, svg, count=1)


def drawn(title, found):
    """One schedule without script: for a place that is drawn anew again and again."""
    inner = []
    if found.makespan:
        runs = [simulated(found)]
        inner.append(_bare(lanes(sheet(runs), label(runs))))
    inner.append(_why("", found))
    if drawing.waiting(found):
        inner.append(_bare(drawing.svg(found)))
    inner = tag("div", *inner, class_="wide")
    return block("stages", title, inner, sheets=("lanes.css", "stages.css"))


def _bare(svg):
    """A picture without rules of its own: the block around it has them, and knows the theme."""
    return re.sub(_RULES, "", svg, count=1)


def _why(title, found):
    name = tag("b", text(f"{title}: ")) if title else ""
    return tag("p", name, text(found.why()), class_="why")


def _queues(title, found):
    image = picture(drawing.svg(found, title), drawing.sentence(found, title))
    return tag("figure", image, tabindex="0")
