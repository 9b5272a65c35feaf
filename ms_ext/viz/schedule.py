"""``viz.schedule(wanted, yours)``: who runs where and when, and which order does not hold?

A row is (task, lane, start, end). Both schedules stand one above the other on one time axis; what
must happen before something else and does not is a dashed arrow, with words.
"""

from .assets import style
from .drawing import labels
from .drawing.budget import BUDGET
from .markup import classes, short, tag
from .markup import text as words
from .timing.picture import Place, axis
from .timing.rows import checked
from .timing.slices import Slice

_WIDE, _LANE, _BOX, _TITLE, _AXIS, _PAD = 520, 32, 18, 26, 22, 10


class Schedule:
    """Two schedules on one axis; the last value of a cell draws itself."""

    def __init__(self, wanted, yours, broken, unit):
        self.parts = [(title, part) for title, part in (("wanted", wanted), ("yours", yours))]
        self.parts = [part for part in self.parts if part[1]]
        self.yours = {task.name: task for task in yours}
        self.broken = [pair for pair in broken if all(name in self.yours for name in pair)]
        self.unit = unit

    def complaints(self):
        """Each order that does not hold, as a sentence."""
        ends = [(self.yours[before], self.yours[after]) for before, after in self.broken]
        return [
            f"{after.name} must wait for {before.name}: it starts at {_number(after.start)}, "
            f"{before.name} ends at {_number(before.end)}"
            for before, after in ends
        ]

    def sentence(self):
        """The picture in one sentence, for those who cannot see it."""
        times = [f"{title} ends at {_number(_end(part))}{self.unit}" for title, part in self.parts]
        return "; ".join([f"schedules: {', '.join(times)}", *self.complaints()])

    def text(self):
        """The same content as text."""
        lines = [f"✗ {complaint}" for complaint in self.complaints()]
        for title, part in self.parts:
            lines.append(f"{title}, ends at {_number(_end(part))}{self.unit}")
            wide = max(len(task.lane) for task in part)
            for lane, tasks in _lanes(part).items():
                boxes = ", ".join(f"{task.name} {_span(task)}" for task in tasks)
                lines.append(f"  {lane:<{wide}}  {boxes}")
        return "\n".join(lines)

    def svg(self):
        """One self-contained picture, in the page's theme."""
        named = [task for _, part in self.parts for task in part]
        left = _PAD + 8 + max((labels.width(task.lane, 12) for task in named), default=0)
        latest = max((task.end for task in named), default=0) or 1
        place = Place(round(left), _WIDE, latest)
        inner, y = [], _PAD
        for title, part in self.parts:
            drawn, y = self._part(title, part, place, y)
            inner += drawn
        times = axis(place, self.unit.strip(), y, y)
        inner.append(tag("g", times, transform=f"translate({place.left} 0)"))
        y += _AXIS
        for complaint in self.complaints():
            y += 18
            inner.append(tag("text", words(f"✗ {complaint}"), class_="words", x=_PAD, y=y))
        wide = max([labels.width(each, 13) + 40 for each in self.complaints()], default=0)
        width = round(max(place.left + _WIDE + 3 * _PAD, wide))
        return _picture(inner, width, round(y + _PAD), self.sentence())

    def _part(self, title, part, place, y):
        """The drawing of one schedule from ``y`` on, and where it ends."""
        shown = self._shown(part)
        hidden = f", {len(shown)} of {len(part)} tasks shown" * (len(shown) < len(part))
        heading = f"{title}: ends at {_number(_end(part))}{self.unit}{hidden}"
        inner = [tag("text", words(heading), class_="title", x=_PAD, y=y + 14)]
        mine, y, rows = title == "yours", y + _TITLE, {}
        for lane, tasks in _lanes(shown).items():
            ground = dict(x=place.left, y=y, width=_WIDE, height=_BOX)
            inner.append(tag("rect", class_="ground", **ground))
            inner.append(tag("text", words(lane), class_="lane", x=_PAD, y=y + 13))
            inner += [_box(task, place, y, mine and self._is_broken(task)) for task in tasks]
            rows.update(dict.fromkeys([task.name for task in tasks], y))
            y += _LANE
        if mine:
            inner += [self._arrow(pair, place, rows) for pair in self.broken]
        return inner, y + _PAD

    def _shown(self, part):
        """Within the budget: the tasks whose order is broken, then the earliest."""
        ranked = sorted(part, key=lambda task: (not self._is_broken(task), task.start))
        kept = set(ranked[:BUDGET])
        return [task for task in part if task in kept]

    def _is_broken(self, task):
        return any(task.name in pair for pair in self.broken)

    def _arrow(self, pair, place, rows):
        before, after = (self.yours[name] for name in pair)
        upper, lower = rows[before.name], rows[after.name]
        down = upper < lower
        start = _x(place, before.end), float(upper + _BOX * down)
        end = _x(place, after.start), float(lower + _BOX * (not down and upper != lower))
        return _arrow(start, end, f"{before.name} must end before {after.name} starts")

    def __repr__(self):
        return self.text()

    def _repr_html_(self):
        told = tag("details", tag("summary", "in words"), tag("pre", words(self.text())))
        return tag("div", self.svg(), told, style="overflow-x: auto")


def schedule(wanted, yours, broken=(), unit=""):
    """Two schedules as one picture; ``broken``: pairs (before, after) of tasks of yours that fail.

    >>> print(schedule([], [("load", "copy", 0, 3), ("add", "vector", 2, 4)], [("load", "add")]))
    ✗ add must wait for load: it starts at 2, load ends at 3
    yours, ends at 4
      copy    load 0–3
      vector  add 2–4
    """
    return Schedule(_tasks(wanted), _tasks(yours), [tuple(map(str, pair)) for pair in broken], unit)


def _tasks(rows):
    return [Slice(*checked(row, "(task, lane, start, end)", "task")) for row in rows]


def _lanes(tasks):
    """Tasks by lane, the earliest first."""
    found = {}
    for task in tasks:
        found.setdefault(task.lane, []).append(task)
    return {lane: sorted(held, key=lambda task: task.start) for lane, held in found.items()}


def _end(tasks):
    return max(task.end for task in tasks)


def _span(task):
    """When a task runs, in words."""
    return f"{_number(task.start)}–{_number(task.end)}"


def _number(value):
    return f"{value:g}"


# drawing ------------------------------------------------------------------------------------------


def _picture(inner, width, height, sentence):
    return tag(
        "svg",
        tag("style", style(".msx-schedule", "schedule.css")),
        *inner,
        class_="msx-schedule",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_label=sentence,
    )


def _x(place, time):
    return place.left + place.x(time)


def _box(task, place, y, broken):
    x, wide = _x(place, task.start), max(place.x(task.duration), 1.5)
    name = f"! {task.name}" if broken else task.name
    fits = labels.width(name, 11) + 4 <= wide
    return tag(
        "g",
        tag("title", words(f"{task.name}: {task.lane}, {_span(task)}")),
        tag("rect", x=x, y=y, width=wide, height=_BOX, rx=3),
        tag("text", words(name), x=x + wide / 2, y=y + 13) if fits else "",
        class_=classes("task", "broken" * broken),
    )


def _arrow(start, end, title):
    """A dashed curve with a head, from the end of a task to where the other one started."""
    way = 1 if end[1] > start[1] else -1  # a task of the same lane is reached from above
    leave = way if start[1] != end[1] else -1
    bend = max(14.0, abs(end[1] - start[1]) / 2)
    one, two = (start[0], start[1] + leave * bend), (end[0], end[1] - (way * bend + 7 * way))
    if start[1] == end[1]:
        two = (end[0], end[1] - bend - 7)
        way = 1
    last = end[0], end[1] - 7 * way
    path = "M{} {}C{} {} {} {} {} {}".format(*map(short, (*start, *one, *two, *last)))
    tip = f"M{short(end[0])} {short(end[1])}l-4.5 {-8 * way}h9Z"
    curve = (
        tag("circle", class_="tip", cx=start[0], cy=start[1], r=3.0),
        tag("path", d=path),
        tag("path", class_="tip", d=tip),
    )
    return tag("g", tag("title", words(title)), *curve, class_="arrow")
