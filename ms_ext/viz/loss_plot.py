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
from .markup import tag, text

#: Seconds between two drawings: more would slow the training down, and the browser.
PAUSE = 0.5
#: The most points of a curve; of more, the least and the greatest of each part are drawn.
POINTS = 400
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 200, 52, 12, 12, 28
STYLE = """
.msx-loss { display: block; max-width: 100%; font: 11px sans-serif; }
.msx-loss text { fill: var(--msx-fg); }
.msx-loss .axis { stroke: var(--msx-rule); fill: none; }
.msx-loss .epoch { stroke: var(--msx-rule); stroke-dasharray: 2 3; }
.msx-loss .curve { stroke: var(--msx-accent); fill: none; stroke-width: 1.6; }
.msx-loss .now { fill: var(--msx-accent); }
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
        self.logarithmic = min(losses) > 0 and max(losses) > 100 * min(losses)
        self.low, self.high = _limits(min(losses), max(losses), self.logarithmic)

    def __str__(self):
        return self.said

    def html(self):
        """The picture, with its colours, as SVG for a page."""
        points = list(thinned(self.losses))
        line = "M" + "L".join(f"{self.across(x):.1f} {self.up(y):.1f}" for x, y in points)
        last = len(self.losses), self.losses[-1]
        drawing = tag(
            "svg",
            *self._axes(),
            tag("path", d=line, class_="curve"),
            tag("circle", cx=self.across(last[0]), cy=self.up(last[1]), r=3, class_="now"),
            class_="msx-loss", role="img", aria_label=self.said, width=WIDTH, height=HEIGHT,
            viewBox=f"0 0 {WIDTH} {HEIGHT}", xmlns="http://www.w3.org/2000/svg",
        )  # fmt: skip
        return tag("style", palette.tokens(".msx-loss"), STYLE) + drawing

    def _axes(self):
        floor, right = HEIGHT - BOTTOM, WIDTH - RIGHT
        yield tag("path", d=f"M{LEFT} {TOP}V{floor}H{right}", class_="axis")
        for step in self.epochs[1:] if len(self.epochs) <= 40 else ():
            x = f"{self.across(step - 0.5):.1f}"
            yield tag("line", x1=x, x2=x, y1=TOP, y2=floor, class_="epoch")
        for value in sorted({min(self.losses), max(self.losses)}):
            y = self.up(value) + 4
            yield tag("text", text(f"{value:.4g}"), x=LEFT - 6, y=y, text_anchor="end")
        count, scale = len(self.losses), ", log scale" if self.logarithmic else ""
        yield tag("text", text(f"loss{scale}"), x=LEFT + 6, y=TOP + 8)
        yield tag("text", text(f"step {count}"), x=right, y=HEIGHT - 10, text_anchor="end")

    def across(self, step):
        """Where a step stands."""
        return LEFT + (WIDTH - LEFT - RIGHT) * (step - 1) / max(len(self.losses) - 1, 1)

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
    """(step, loss), of a long list the least and the greatest of each part only.

    >>> [step for step, _ in thinned([5, 1, 9, 4, 2, 3], most=4)]
    [2, 3, 5, 4]
    """
    points = list(enumerate(losses, start=1))
    if len(points) <= most:
        return points
    size = math.ceil(2 * len(points) / most)
    parts = (points[start : start + size] for start in range(0, len(points), size))
    ends = ((min(part, key=_loss), max(part, key=_loss)) for part in parts)
    return [*itertools.chain.from_iterable(ends)]


def _loss(point):
    return point[1]
