"""How many calls wait in front of each stage: steps over the time axis, one row a queue."""

from ...engine.stages import STAGES
from .. import palette
from ..assets import asset
from ..drawing import labels
from ..markup import tag
from ..markup import text as escaped
from ..timing.picture import Place, axis

WIDE = 920
_PAD, _TITLE, _ROW, _HIGH, _AXIS = 10, 22, 40, 30, 24


def waiting(found):
    """Stage -> (time, length) whenever its queue changes; stages whose queue was never used not.

    >>> from ms_ext.runtime import simulate_stages
    >>> list(waiting(simulate_stages([(1, 2, 1, 4)] * 3)))
    ['FrontendTask', 'LaunchTask']
    """
    return {stage: found.queue(stage) for stage in STAGES[1:] if found.longest_queue(stage)}


def sentence(found, title=""):
    """What a screen reader says of the picture."""
    most = [f"{found.longest_queue(stage)} in front of {stage}" for stage in waiting(found)]
    name = f"{title}: " if title else ""
    return f"{name}calls that wait: up to {', up to '.join(most)}"


def svg(found, title=""):
    """The queues of one schedule as SVG."""
    rows = waiting(found)
    names = [f"in front of {stage}" for stage in rows]
    left = round(_PAD + 16 + max(labels.width(name, 12) for name in names) + 30)
    place = Place(left, WIDE - left - _PAD, float(found.makespan) or 1.0)
    most = max(found.longest_queue(stage) for stage in rows)
    said = f"calls that wait{f', {title}' if title else ''}"
    y = _PAD + _TITLE + _ROW * len(rows)
    times = axis(place, found.unit, y, _PAD + _TITLE)
    inner = [
        tag("text", escaped(said), class_="title", x=_PAD, y=_PAD + 12),
        tag("g", times, transform=f"translate({place.left} 0)"),
    ]
    for at, (stage, steps) in enumerate(rows.items()):
        inner += _row(stage, steps, found, place, _PAD + _TITLE + _ROW * at, most)
    return tag(
        "svg",
        tag("style", palette.system_tokens(".msx-queues"), asset("stages.css")),
        *inner,
        class_="msx-queues",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDE} {y + _AXIS}",
        width=WIDE,
        height=y + _AXIS,
        role="img",
        aria_label=sentence(found, title),
    )


def _row(stage, steps, found, place, top, most):
    """A row: its name, the most that waited, the steps, and where the queue is full."""
    floor, longest = top + _HIGH, found.longest_queue(stage)
    yield tag("text", f"in front of {stage}", class_="name", x=_PAD + 14, y=floor - 4)
    yield tag("text", f"{longest}", class_="most", x=place.left - 8, y=floor - 4)
    path, at = f"M{place.left} {floor}", floor
    for time, length in steps:
        x, at = place.left + place.x(float(time)), floor - (_HIGH - 6) * length / most
        path += f"H{x:.1f}V{at:.1f}"
    path += f"H{place.left + place.width:.1f}V{floor}Z"
    title = tag("title", f"up to {longest} calls waited in front of {stage}")
    kind = f"queue h{STAGES.index(stage) + 1}"
    yield tag("g", title, tag("path", d=path), class_=kind)
    yield tag("path", class_="axis", d=f"M{place.left} {floor}h{place.width}")
    if found.capacity == longest:
        full = floor - (_HIGH - 6) * longest / most
        line = tag("path", d=f"M{place.left} {full:.1f}h{place.width}")
        yield tag("g", tag("title", f"full: {longest}"), line, class_="full")
