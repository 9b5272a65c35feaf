"""Sliders for a simulated program: the time of each stage, the queues, the waits of the caller.

Where all calls are alike a slider is a stage's time; where they differ it is a factor, in quarters.
ipywidgets is imported when the sliders are asked for.
"""

from fractions import Fraction

from ...engine import errors
from ...engine.stages import STAGES
from ...engine.stages.simulated import StageCall, StageSync, simulate_stages
from . import stages_page

MOST = 64  # calls that the slider offers


class Changed:
    """A program with other times: what the sliders say, without any of them.

    >>> changed = Changed(simulate_stages([(1, 2, 1, 4)] * 3))
    >>> changed.alike, changed.schedule((1, 2, 1, 6), calls=5).makespan
    (True, 34)
    >>> changed.schedule((1, 2, 1, 6), calls=5, every=1).makespan
    50
    """

    def __init__(self, schedule):
        self.calls, self.steps = schedule.calls, schedule.program
        self.capacity, self.unit = schedule.capacity, schedule.unit
        times = {call.times for call in self.calls}
        whole = all(type(time) is int for call in self.calls for time in call.times)
        plain = not any(call.needs or call.fails for call in self.calls)
        self.alike = len(times) == 1 and whole and plain and all(map(_is_call, self.steps))

    def start(self):
        """What the four sliders begin at."""
        return self.calls[0].times if self.alike else (1,) * len(STAGES)

    def schedule(self, times, calls=None, capacity=None, every=0, waits=True):
        """The schedule with these times, or factors.

        Where calls are alike the caller waits after ``every`` so many, otherwise where it did, or
        nowhere without ``waits``.
        """
        capacity = self.capacity if capacity is None else capacity
        if not self.alike:
            steps = [step for step in self.steps if waits or not isinstance(step, StageSync)]
            return simulate_stages(map(self._scaled(times), steps), capacity, unit=self.unit)
        program = []
        for number in range(1, (calls or len(self.calls)) + 1):
            program.append(self.calls[0]._replace(**dict(zip(_FIELDS, times, strict=True))))
            program += [StageSync()] * (every > 0 and number % every == 0)
        return simulate_stages(program, capacity, unit=self.unit)

    def _scaled(self, factors):
        def said(step):
            if not _is_call(step):
                return step
            pairs = zip(_FIELDS, step.times, factors, strict=True)
            return step._replace(**{field: time * factor for field, time, factor in pairs})

        return said


_SIDE = {"style": {"description_width": "9em"}}
_FIELDS = StageCall._fields[: len(STAGES)]


def _is_call(step):
    return isinstance(step, StageCall)


def form(shown):
    """The sliders with the picture below them: a box of ipywidgets."""
    try:
        import ipywidgets
    except ImportError:
        raise errors.NotRunnable(
            "Sliders need ipywidgets.",
            hint="pip install ipywidgets. The picture itself does not: leave it as the last value "
            "of a cell, and change the numbers of the program.",
        ) from None
    title, found = next(iter(shown.schedules.items()), ("", None))
    if found is None or not found.calls:
        raise errors.InvalidValue(
            "Sliders change a simulated program.",
            given="a recording alone" if shown.parts else "nothing",
            hint="viz.stages([(1, 2, 1, 4)] * 8).widget()",
        )
    return _box(ipywidgets, Changed(found), title or shown.title)


def _box(ipywidgets, changed, title):
    """The controls and the place of the picture."""
    controls = _controls(ipywidgets, changed)
    shown = ipywidgets.HTML()

    def draw(_=None):
        values = {name: control.value for name, control in controls.items()}
        times = [_exact(values.pop(stage), changed) for stage in STAGES]
        shown.value = stages_page.drawn(title, changed.schedule(times, **values))

    for control in controls.values():
        control.observe(draw, "value")
    draw()
    return ipywidgets.VBox([*controls.values(), shown])


def _controls(ipywidgets, changed):
    """Name -> a slider."""
    wide = _SIDE | {"continuous_update": False}
    found = {}
    for stage, start in zip(STAGES, changed.start(), strict=True):
        if changed.alike:
            most = max(4 * int(max(changed.start())), 8)
            found[stage] = ipywidgets.IntSlider(int(start), 0, most, description=stage, **wide)
        else:
            found[stage] = ipywidgets.FloatSlider(
                1.0, min=0.0, max=4.0, step=0.25, description=f"{stage} ×", **wide
            )
    if changed.alike:
        calls = len(changed.calls)
        found["calls"] = ipywidgets.IntSlider(
            calls, 1, max(MOST, calls), description="calls", **wide
        )
        found["every"] = ipywidgets.IntSlider(0, 0, calls, description="waits after every", **wide)
    elif any(isinstance(step, StageSync) for step in changed.steps):
        found["waits"] = ipywidgets.Checkbox(True, description="the caller waits", **_SIDE)
    most = max(changed.capacity or 0, 8)
    capacity = most if changed.capacity is None else changed.capacity
    found["capacity"] = ipywidgets.IntSlider(
        capacity, 0, most, description="room in a queue", **wide
    )
    return found


def _exact(value, changed):
    """What a slider says, without rounding: quarters are exact."""
    return value if changed.alike else Fraction(value)
