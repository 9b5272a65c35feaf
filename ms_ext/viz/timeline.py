"""``viz.timeline``: who worked when, in the four stages, and what asynchronous dispatch gains.

>>> from ms_ext import ops, Tensor
>>> shown = timeline(lambda x: ops.exp(x) + x, Tensor([1.0, 2.0]))
>>> [run.title for run in shown.runs], shown.runs[0].calls
(['async', 'sync'], 2)
>>> print(shown)  # doctest: +ELLIPSIS
async: 2 calls in ..., serial sum ..., overlap ...×
...
"""

import dataclasses
import json
from pathlib import Path

from ..engine import errors, events, stages
from ..engine.events import Recording
from .markup import tag
from .markup import text as escaped
from .panel import page
from .timing import chrome_trace
from .timing import figure as timeline_drawing
from .timing import page as timeline_page
from .timing import text as timeline_text
from .timing.recorded import recorded

CAPACITY = 1 << 18  # events: some 40,000 calls
FIGURES = (".svg", ".png", ".pdf")


def timeline(what=None, *args, compare=True, select=None, **kwargs):
    """The lanes of a function call, of a ``with`` block, or of a recording.

    A function is run once to warm up, then with every op going through the stages, then blocking
    (``compare``). Streams, compilations and the kernels of compiled graphs have lanes of their own
    below the four stages. ``select`` chooses a call from the start. Slices from elsewhere:
    ``viz.lanes``.

    >>> from ms_ext import Tensor
    >>> with timeline() as shown:
    ...     _ = (Tensor([1.0]) * 2.0).asnumpy()
    >>> shown.runs[0].calls
    1
    """
    if what is None:
        return _Block(select)
    if isinstance(what, Recording):
        return Timeline([recorded(what)], select=select)
    if not callable(what):
        raise errors.InvalidType(
            "A timeline is drawn of a function, a recording, or a with block.",
            given=f"{what!r:.60} of type {type(what).__name__}",
            hint="viz.timeline(f, x), or `with viz.timeline() as t:`; slices: viz.lanes(rows).",
        )
    _run(what, args, kwargs, "stages")
    modes = {"async": "stages"} | ({"sync": "blocking"} if compare else {})
    runs, result = [], None
    for title, policy in modes.items():
        recording, ended, result = _run(what, args, kwargs, policy)
        runs.append(recorded(recording, title, ended))
    if runs[0].kernels and not runs[0].calls:  # a compiled graph alone: no stage, so one way only
        runs = [dataclasses.replace(runs[0], title="")]
    return Timeline(runs, result, select)


def _run(function, args, kwargs, policy):
    before = stages.use(policy)
    try:
        with events.record(CAPACITY) as recording:
            result = function(*args, **kwargs)
            ended = events.now()
            stages.synchronize()
        return recording, ended, result
    finally:
        stages.use(before)


class Timeline:
    """What ran when: a page in a notebook, text when printed, a figure, a trace, a file."""

    def __init__(self, runs, result=None, select=None):
        self.runs, self.result, self.select = list(runs), result, select

    def text(self):
        """The lanes as text: the same numbers, digits where a call (its last digit) is at work."""
        return timeline_text.page(self.runs) if self._any() else NOTHING

    def html(self):
        """The interactive picture with its tables: one piece of HTML, no kernel, no network."""
        if not self._any():
            return tag("p", escaped(NOTHING))
        return timeline_page.card(self._shown(), self.select)

    def figure(self, printed=False):
        """The same picture by matplotlib; ``printed``: hatches instead of colours, for paper."""
        return timeline_drawing.figure(self._shown(), self.select, printed)

    def svg(self, printed=False):
        """The figure as an SVG element."""
        return timeline_drawing.svg(self._shown(), self.select, printed)

    def trace(self):
        """Chrome's trace format as a dictionary: for Perfetto and chrome://tracing."""
        return chrome_trace.trace(self.runs)

    def part(self, first, last):
        """The timeline of calls ``first`` to ``last`` alone.

        >>> from . import lanes
        >>> rows = [("load", "in", 0, 3, 1), ("load", "in", 3, 6, 2), ("add", "vector", 6, 8, 2)]
        >>> lanes(rows).part(2, 2).runs[0].makespan
        5
        """
        runs = [run.part(first, last) for run in self.runs]
        if not any(run.slices for run in runs):
            most = max((run.calls for run in self.runs), default=0)
            raise errors.InvalidIndex(
                f"There is no call from {first} to {last}.", given=f"calls 1 to {most}"
            )
        return Timeline(runs, self.result, self.select)

    def save(self, path, printed=False):
        """Write ``path``: .svg, .png, .pdf (the figure), .html, .json (Chrome trace) or .txt."""
        path = Path(path)
        makers = {
            ".html": lambda: page.document("Timeline", self.html()),
            ".json": lambda: json.dumps(self.trace()),
            ".txt": self.text,
        }
        if path.suffix in FIGURES:
            timeline_drawing.save(self._shown(), path, self.select, printed)
        elif path.suffix in makers:
            path.write_text(makers[path.suffix](), encoding="utf-8")
        else:
            raise errors.InvalidValue(
                f"A timeline cannot be written as {path.suffix!r}.",
                hint=errors.did_you_mean(path.suffix, [*FIGURES, *makers]),
            )
        return path

    def _any(self):
        return any(run.slices for run in self.runs)

    def _shown(self):
        shown = [run for run in self.runs if run.slices]
        if not shown:
            raise errors.InvalidValue("There is nothing to draw.", hint=NOTHING)
        return shown

    def _repr_html_(self):
        return self.html()

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self.html(), "text/plain": self.text()}

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
        self._record = events.record(CAPACITY)
        self._recording = self._record.__enter__()
        return self.shown

    def __exit__(self, *error):
        ended = events.now()
        try:
            if error[0] is None:
                stages.synchronize()
        finally:
            self._record.__exit__(*error)
            stages.use(self._before)
            self.shown.runs.append(recorded(self._recording, ended=ended))

    def __getattr__(self, name):
        raise errors.InvalidType(
            "viz.timeline() without a function records a block.",
            hint="Write `with viz.timeline() as shown: ...`, or viz.timeline(f, x).",
        )
