"""``viz.stages(program)``: what the four stages will do, exactly, before anything runs.

>>> from ms_ext.runtime import StageSync, simulate_stages
>>> calls = [(1, 2, 1, 4)] * 4
>>> shown = stages({"as it is": [*calls, StageSync(), *calls], "without the wait": calls * 2})
>>> [found.makespan for found in shown.schedules.values()]
[40, 36]
>>> print(stages(calls).text())  # doctest: +ELLIPSIS
4 calls in 20, serial sum 32, overlap 1.60×
...
"""

import dataclasses

from ..engine.events import Recording
from ..engine.stages.pipeline import CAPACITY
from ..engine.stages.simulated import StageSchedule, simulate_stages
from .card import Card
from .timeline import Timeline
from .timing.recorded import recorded
from .timing.simulated import simulated
from .timing.words import label
from .widgets import stages_page, stages_sliders


class Stages(Card):
    """One schedule, or several on one axis: ``schedules`` are the simulated ones by title."""

    title = "The four stages"

    def __init__(self, parts, select=None):
        self.parts, self.select = dict(parts), select
        self.schedules = {
            title: part for title, part in self.parts.items() if isinstance(part, StageSchedule)
        }
        runs = [_run(part, title) for title, part in self.parts.items()]
        self.timeline = Timeline(runs, select=select)

    def text(self):
        """The lanes as text, and in words why it takes as long as it does."""
        said = [_above(title, found.why()) for title, found in self.schedules.items()]
        return "\n\n".join([self.timeline.text(), *said])

    def html(self):
        """The lanes, how long the queues were, and why it takes as long as it does."""
        return stages_page.card(self)

    def svg(self):
        """The lanes as one picture that stands alone, in the page's theme."""
        return stages_page.alone(self)

    def sentence(self):
        """The lanes in one sentence, for those who cannot see them."""
        return label(self.timeline.runs)

    def widget(self):
        """Sliders for times, queues and waits; they need ipywidgets and a kernel."""
        return stages_sliders.form(self)


def stages(what, capacity=CAPACITY, select=None, unit=""):
    """The lanes of a program that ``runtime.simulate_stages`` takes, of a schedule that it gave, of
    a recording or a ``viz.timeline``; of several by title, one below the other on one axis.

    ``capacity``: of the queues. ``select``: a call with an arrow from its first to its last stage.
    ``unit``: of the times of a program. ``stages(program).widget()`` has sliders.
    """
    parts = what if isinstance(what, dict) else {"": what}
    return Stages({str(t): _part(part, capacity, unit) for t, part in parts.items()}, select)


def _part(part, capacity, unit):
    if isinstance(part, StageSchedule | Recording | Timeline):
        return part
    return simulate_stages(part, capacity, unit=unit)


def _run(part, title):
    if isinstance(part, Timeline):
        return dataclasses.replace(part.runs[0], title=title or part.runs[0].title)
    return recorded(part, title) if isinstance(part, Recording) else simulated(part, title)


def _above(title, text):
    return f"{title}: {text}" if title else text
