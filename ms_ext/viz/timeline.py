"""``viz.timeline``: who worked when, in the four stages, and what asynchronous dispatch gains.

>>> from ms_ext import ops, Tensor
>>> shown = timeline(lambda x: ops.exp(x) + x, Tensor([1.0, 2.0]))
>>> [run.title for run in shown.runs], shown.runs[0].calls
(['async', 'sync'], 2)
>>> print(shown)  # doctest: +ELLIPSIS
async: 2 calls in ..., serial sum ..., overlap ...×
...
"""

import html
import json
from pathlib import Path

from ..engine import errors, events, stages
from ..engine.events import Recording
from . import chrome_trace, timeline_drawing
from .lanes import lanes

COLUMNS = 64  # of a lane in the text


def timeline(what=None, *args, compare=True, select=None, **kwargs):
    """The four lanes of a function call, of a ``with`` block, or of a recording.

    A function is run once to warm up, then with every op going through the stages, then blocking
    (``compare``). ``select`` draws an arrow from PyTask to LaunchTask of that call.

    >>> from ms_ext import Tensor
    >>> with timeline() as shown:
    ...     _ = (Tensor([1.0]) * 2.0).asnumpy()
    >>> shown.runs[0].calls
    1
    """
    if what is None:
        return _Block(select)
    if isinstance(what, Recording):
        return Timeline([lanes(what)], select=select)
    if not callable(what):
        raise errors.InvalidType(
            "A timeline is drawn of a function, a recording, or a with block.",
            given=f"{what!r:.60} of type {type(what).__name__}",
            hint="viz.timeline(f, x), or `with viz.timeline() as t:`.",
        )
    _run(what, args, kwargs, "stages")
    modes = {"async": "stages"} | ({"sync": "blocking"} if compare else {})
    runs, result = [], None
    for title, policy in modes.items():
        recording, result = _run(what, args, kwargs, policy)
        runs.append(lanes(recording, title))
    return Timeline(runs, result, select)


def _run(function, args, kwargs, policy):
    before = stages.use(policy)
    try:
        with events.record() as recording:
            result = function(*args, **kwargs)
            stages.synchronize()
        return recording, result
    finally:
        stages.use(before)


class Timeline:
    """What was recorded: an SVG in a notebook, text when printed, saved as .svg, .json or .txt."""

    def __init__(self, runs, result=None, select=None):
        self.runs, self.result, self.select = list(runs), result, select

    def text(self):
        """The lanes as text: the same numbers, digits where a call (its last digit) is at work."""
        return "\n\n".join(map(_text, self.runs)) if any(r.bars for r in self.runs) else NOTHING

    def figure(self):
        """The matplotlib figure."""
        return timeline_drawing.figure(self._shown(), self.select)

    def svg(self):
        """The figure as an SVG element."""
        return timeline_drawing.svg(self._shown(), self.select)

    def trace(self):
        """Chrome's trace format as a dictionary: for Perfetto and chrome://tracing."""
        return chrome_trace.trace(self.runs)

    def save(self, path):
        """Write ``path``: .svg, .json (Chrome trace) or .txt."""
        makers = {".svg": self.svg, ".txt": self.text, ".json": lambda: json.dumps(self.trace())}
        kind = Path(path).suffix
        if kind not in makers:
            raise errors.InvalidValue(
                f"A timeline cannot be written as {kind!r}.", hint=errors.did_you_mean(kind, makers)
            )
        Path(path).write_text(makers[kind](), encoding="utf-8")

    def _shown(self):
        return [run for run in self.runs if run.bars] or self._nothing()

    def _nothing(self):
        raise errors.InvalidValue("There is nothing to draw.", hint=NOTHING)

    def _repr_html_(self):
        if not any(run.bars for run in self.runs):
            return f"<p>{html.escape(NOTHING)}</p>"
        try:
            return f'<div style="background:#fff;max-width:60em">{self.svg()}</div>'
        except errors.NotRunnable:  # no matplotlib
            return f"<pre>{html.escape(self.text())}</pre>"

    __repr__ = __str__ = text


NOTHING = (
    "Nothing went through the stages. Small built-in ops run at once; "
    "`runtime.dispatch('stages')` sends every op through them."
)


class _Block:
    """``with timeline() as shown:`` every op of the block goes through the stages."""

    def __init__(self, select):
        self.shown = Timeline([], select=select)

    def __enter__(self):
        self._before = stages.use("stages")
        self._record = events.record()
        self._recording = self._record.__enter__()
        return self.shown

    def __exit__(self, *error):
        try:
            if error[0] is None:
                stages.synchronize()
        finally:
            self._record.__exit__(*error)
            stages.use(self._before)
            self.shown.runs.append(lanes(self._recording))

    def __getattr__(self, name):
        raise errors.InvalidType(
            "viz.timeline() without a function records a block.",
            hint="Write `with viz.timeline() as shown: ...`, or viz.timeline(f, x).",
        )


def _text(run):
    lines = [timeline_drawing.headline(run)]
    for stage in stages.STAGES:
        mark = "*" if stage == run.bottleneck else " "
        busy = timeline_drawing.duration(run.busy[stage])
        lines.append(
            f"{stage:>12}{mark} {run.utilisation(stage):>4.0%}  {_lane(run, stage)}  {busy}"
        )
    if run.syncs:
        lines.append(f"{'sync':>12}        {_marks(run)}")
    return "\n".join(
        [*lines, f"{'':>14}* the busiest stage; | the caller got what it had waited for"]
    )


def _lane(run, stage):
    cells = ["."] * COLUMNS
    for bar in run.lane(stage):
        first, last = _column(run, bar.start), _column(run, bar.end)
        cells[first : last + 1] = str(bar.number % 10) * (last - first + 1)
    return "".join(cells)


def _marks(run):
    cells = [" "] * COLUMNS
    for sync in run.syncs:
        cells[_column(run, sync.end)] = "|"
    return "".join(cells)


def _column(run, time):
    return min(max(int(time * COLUMNS / run.makespan), 0), COLUMNS - 1)
