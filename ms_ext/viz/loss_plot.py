"""The losses of a training as a curve, drawn anew in its place while they come.

>>> plot = LossPlot(show=print)
>>> for loss in (4.0, 2.0, 1.0):
...     plot.add(1, loss)
loss 4 at step 1, epoch 1
>>> plot.finish()
loss 1 at step 3, epoch 1; it began at 4, the least is 1
"""

import itertools
import math
import time

from . import palette
from .drawing import labels
from .markup import short, tag, text

#: Seconds between two drawings: more would slow the training down, and the browser.
PAUSE = 0.5
#: The most points of a curve; of more, the least and the greatest of each part are drawn.
POINTS = 400
WIDTH, HEIGHT, RIGHT, TOP, BOTTOM = 440, 190, 12, 12, 28
SIZE = 12  # of the font
STYLE = """
.msx-loss { max-width: 440px; background: var(--msx-bg); color: var(--msx-fg); padding: 6px 10px; }
.msx-loss p { margin: 0; padding: 0 0 2px; font: 13px/1.4 sans-serif; overflow-wrap: anywhere; }
.msx-loss svg { display: block; width: 100%; height: auto; font: 12px sans-serif; }
.msx-loss text { fill: var(--msx-muted); }
.msx-loss .axis { stroke: var(--msx-edge); fill: none; }
.msx-loss .epoch { stroke: var(--msx-edge); stroke-dasharray: 2 3; }
.msx-loss .curve { stroke: var(--msx-accent); fill: none; stroke-width: 1.6; }
.msx-loss path { stroke-linecap: round; }
.msx-loss .now { fill: var(--msx-accent); }
.msx-loss .none { stroke: var(--msx-fg); fill: none; stroke-width: 1.6; }
"""


class LossPlot:
    """A curve that grows: ``add`` each loss, ``finish`` behind the last."""

    def __init__(self, show=None):
        self.losses, self.epochs = [], []  # epochs: the step at which each began
        self._epoch, self._drawn = None, -math.inf
        self._show = _Place() if show is None else show

    def add(self, epoch, loss):
        """One more step; now and then it is drawn."""
        if epoch != self._epoch:
            self._epoch = epoch
            self.epochs.append(len(self.losses) + 1)
        self.losses.append(loss)
        if time.monotonic() - self._drawn >= PAUSE:
            self._draw(self._now())

    def finish(self):
        """Draw all."""
        if self.losses:
            first, least = self.losses[0], min(self.losses)
            self._draw(f"{self._now()}; it began at {first:.4g}, the least is {least:.4g}")

    def _now(self):
        return f"loss {self.losses[-1]:.4g} at step {len(self.losses)}, epoch {self._epoch}"

    def _draw(self, said):
        self._show(Curve(self.losses, self.epochs, said))
        self._drawn = time.monotonic()


class _Place:
    """The place below a cell where the curve stands; each new one takes the old one's place."""

    def __init__(self):
        self.handle = None

    def __call__(self, curve):
        from IPython.display import display

        shown = {"text/html": curve.html(), "text/plain": str(curve)}
        if self.handle is None:
            self.handle = display(shown, raw=True, display_id=True)
        else:
            self.handle.update(shown, raw=True)


class Curve:
    """A picture of losses: steps to the right, with a line where an epoch begins.

    >>> curve = Curve([3.0, 1.0], [1], "loss 1 at step 2")
    >>> str(curve), curve.html().count("<path")
    ('loss 1 at step 2', 2)
    """

    def __init__(self, losses, epochs, said):
        self.losses, self.epochs, self.said = losses, epochs, said
        finite = [loss for loss in losses if math.isfinite(loss)] or [0.0]
        self.ends = min(finite), max(finite)
        self.logarithmic = self.ends[0] > 0 and self.ends[1] > 100 * self.ends[0]
        self.low, self.high = _limits(*self.ends, self.logarithmic)
        self.left = max(labels.width(f"{end:.4g}", SIZE) for end in self.ends) + 12

    def __str__(self):
        return self.said

    def html(self):
        """The sentence and the picture below it, with its colours, for a page."""
        drawing = tag(
            "svg", *self._axes(), *self._line(), role="img", aria_label=self.said,
            viewBox=f"0 0 {WIDTH} {HEIGHT}", xmlns="http://www.w3.org/2000/svg",
        )  # fmt: skip
        said = tag("p", text(self.said), aria_hidden="true")  # the picture is called that, too
        style = tag("style", palette.tokens(".msx-loss"), STYLE)
        return style + tag("div", said, drawing, class_="msx-loss")

    def _line(self):
        """The curve, the newest point, and a cross above each loss that is no number."""
        points = thinned(self.losses)
        for finite, part in itertools.groupby(points, lambda point: math.isfinite(point[1])):
            places = [(self.across(step), self.up(loss) if finite else TOP) for step, loss in part]
            if finite:
                line = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
                yield tag("path", d=f"M{line}h0", class_="curve")
            else:
                crosses = "".join(f"M{x - 3:.1f} {y - 3}l6 6m0 -6l-6 6" for x, y in places)
                yield tag("path", d=crosses, class_="none")
        step, loss = points[-1]
        if math.isfinite(loss):
            yield tag("circle", cx=self.across(step), cy=self.up(loss), r=3, class_="now")

    def _axes(self):
        floor, right = HEIGHT - BOTTOM, WIDTH - RIGHT
        yield tag("path", d=f"M{short(self.left)} {TOP}V{floor}H{right}", class_="axis")
        begun = self.epochs[1:] if len(self.epochs) <= 40 else ()
        for step in begun:
            x = f"{self.across(step - 0.5):.1f}"
            yield tag("line", x1=x, x2=x, y1=TOP, y2=floor, class_="epoch")
        for value in sorted(set(self.ends)):
            y = self.up(value) + 4
            yield tag("text", text(f"{value:.4g}"), x=self.left - 6, y=y, text_anchor="end")
        notes = {"dotted: a new epoch": begun, "log scale": self.logarithmic}
        said, low = ", ".join(note for note, holds in notes.items() if holds), HEIGHT - 10
        yield tag("text", text(said), x=self.left, y=low)
        yield tag("text", text(f"step {len(self.losses)}"), x=right, y=low, text_anchor="end")

    def across(self, step):
        """Where a step stands."""
        room = WIDTH - self.left - RIGHT
        return self.left + room * (step - 1) / max(len(self.losses) - 1, 1)

    def up(self, loss):
        """Where a loss stands."""
        share = (self._scaled(loss) - self.low) / (self.high - self.low)
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share

    def _scaled(self, loss):
        return math.log(loss) if self.logarithmic else loss


def _limits(low, high, logarithmic):
    low, high = (math.log(low), math.log(high)) if logarithmic else (low, high)
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def thinned(losses, most=POINTS):
    """(step, loss), of a long list the least and the greatest of each part, and the last.

    >>> [step for step, _ in thinned([5, 1, 9, 4, 2, 3, 3], most=6)]
    [2, 3, 6, 7]
    """
    points = list(enumerate(losses, start=1))
    if len(points) <= most:
        return points
    size = math.ceil(2 * len(points) / (most - 3))
    parts = (points[start : start + size] for start in range(0, len(points), size))
    ends = {end for part in parts for end in (min(part, key=_loss), max(part, key=_loss))}
    return sorted({*ends, points[-1]})


def _loss(point):
    return point[1]
