"""The pictures of a step's five stations: strips of values, and the curve of the loss.

A strip's colour says the sign and its strength the size, beside the largest value of the same
tensor in any step; what is negative also has a line through it, what is no number a cross.
"""

import math

import numpy as np

from ..assets import own_style
from ..drawing import labels
from ..markup import short, tag, text
from . import training_words as words

WIDE, PAD, LINE, SMALL = 168, 6, 13, 10.5  # as wide as a fifth of a notebook: drawn 1 to 1
BROAD, TALL, LOW = 22, 11, 9  # of a cell: the most, and how high it is
LEVELS = 4
_CURVE, _LEAST = 96, 120  # the height of the curve; of the lowest picture


def svg(shown, at, station):
    """One station of one step as SVG with its own style."""
    inner, height = _DRAW[station](shown, at)
    label = words.sentence(shown, at, station)
    height = max(math.ceil(height), _LEAST)
    return tag(
        "svg",
        tag("style", own_style(".msx-training", "training.css")),
        *inner,
        class_="msx-training",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDE} {height}",
        width=WIDE,
        height=height,
        role="img",
        aria_label=label,
    )


# stations ---------------------------------------------------------------------------------------


def _batch(shown, at):
    entries = []
    for place, each in enumerate(shown.steps[at].batch):
        scale = _scale(shown, lambda step, place=place: step.batch[place])
        said = [words.labels(each)] if each.numbers else words.spread(each)
        entries.append(([each.name], [each.kind, *said], () if each.numbers else each.grids, scale))
    return _listed(entries)


def _forward(shown, at):
    entries = []
    for place, each in enumerate(shown.steps[at].layers):
        scale = _scale(shown, lambda step, place=place: step.layers[place])
        name = [each.name, each.owner]
        entries.append((name, [each.kind, *words.spread(each)], each.grids, scale))
    return _listed(entries)


def _gradients(shown, at):
    entries = []
    for place, each in enumerate(shown.steps[at].gradients):
        scale = _scale(shown, lambda step, place=place: step.gradients[place])
        entries.append(([each.name], [each.kind, words.slopes(each)], each.grids, scale))
    return _listed(entries)


def _scale(shown, of):
    """The largest value of one tensor in all steps: what shrinks is seen to shrink."""
    found = []
    for step in shown.steps:
        try:
            found.append(of(step).scale)
        except IndexError:  # a net that does not call the same layers in every step
            continue
    return max(found, default=0.0)


def _listed(entries):
    inner, y = [], PAD
    for name, said, grids, scale in entries[: words.DRAWN]:
        inner += _heading(name, y)
        for line in said:
            y += LINE
            inner.append(_line(line, y + 10))
        y += LINE + 4
        drawn, y = _side_by_side(grids, scale, PAD, y)
        inner += drawn
        y += 10
    return inner + _left_out(len(entries), y), y + (LINE if len(entries) > words.DRAWN else 0)


def _left_out(count, y):
    left = count - words.DRAWN
    return [_line(f"and {left} more", y + 8)] if left > 0 else []


def _heading(name, y):
    first = _fitted(name[0], WIDE - 2 * PAD)
    parts = [tag("tspan", text(first), class_="name")]
    room = WIDE - 2 * PAD - labels.mono(first, SMALL) - 8
    if len(name) > 1 and room > 30:
        parts.append(tag("tspan", text(_fitted(name[1], room)), dx=7, class_="said"))
    return [tag("text", *parts, x=PAD, y=y + 10)]


def _line(said, y, x=PAD):
    return tag("text", text(_fitted(said, WIDE - x - PAD)), x=x, y=y, class_="said")


def _fitted(said, room):
    most = int(room / (SMALL * 0.61))
    return said if len(said) <= most else said[: max(most - 1, 1)] + "…"


def _updates(shown, at):
    updates, inner, y = shown.steps[at].updates, [], PAD
    for place, each in enumerate(updates[: words.DRAWN]):
        inner += _heading([each.before.name], y)
        y += LINE
        for line in _moved(each):
            inner.append(_line(line, y + 10))
            y += LINE
        y += 4
        values = _scale(shown, lambda step, place=place: step.updates[place].before)
        values = max(values, _scale(shown, lambda step, place=place: step.updates[place].after))
        change = _scale(shown, lambda step, place=place: step.updates[place].change)
        three = (("before", each.before, values), ("after", each.after, values),
                 ("change", each.change, change))  # fmt: skip
        for word, seen, scale in three:
            inner.append(_line(word, y + 9))
            drawn, y = _side_by_side(seen.grids, scale, PAD + 46, y, LOW)
            inner += drawn
            y += 4
        y += 8
    return inner + _left_out(len(updates), y), y + (LINE if len(updates) > words.DRAWN else 0)


def _moved(update):
    """How the element that moved most did it, in lines that are not too long."""
    old, new, slope = map(words.figure, (update.old, update.new, update.slope))
    by = words.figure(update.new - update.old)
    for one, joint, other in (
        (words.where(update.place), " ", f"{old} → {new}"),
        (f"by {by}", ", ", f"slope {slope}"),
    ):
        whole = joint.join(filter(None, (one, other)))
        fits = labels.mono(whole, SMALL) <= WIDE - 2 * PAD
        yield from (whole,) if fits else (one, other)


# the loss ---------------------------------------------------------------------------------------


def _loss(shown, at):
    losses = [step.loss for step in shown.steps]
    inner = [
        tag("text", text(words.figure(losses[at])), x=PAD, y=PAD + 24, class_="large"),
        *_curve(losses, at, PAD + 40),
    ]
    if at:
        apart = losses[at] - losses[at - 1]
        sign = "+" if apart > 0 else ""
        inner.insert(1, tag("text", text(f"{sign}{words.figure(apart)}"), x=WIDE - PAD,
                            y=PAD + 24, class_="said end"))  # fmt: skip
    return inner, PAD + 40 + _CURVE + 24


def _curve(losses, at, top):
    """The losses so far, on an axis that is the same in every step."""
    finite = [each for each in losses if math.isfinite(each)]
    high = max(finite, default=0.0) or 1.0
    low = min(0.0, *finite) if finite else 0.0
    said = max(labels.mono(words.figure(each), SMALL) for each in (high, low))
    left, right, floor = PAD + said + 5, WIDE - PAD - 8, top + _CURVE

    def across(step):
        return left + 8 + (right - left - 8) * step / max(len(losses) - 1, 1)

    def up(loss):
        share = (loss - low) / (high - low) if math.isfinite(loss) else 1.0
        return floor - share * (_CURVE - 8)

    axis = tag("path", d=f"M{left} {top}V{floor}H{right + 8}", class_="axis")
    yield axis
    for value in (high, low):
        yield tag("text", text(words.figure(value)), x=left - 5, y=up(value) + 4, class_="said end")
    seen = [(across(step), up(loss)) for step, loss in enumerate(losses[: at + 1])]
    yield tag("path", d="M" + "L".join(f"{short(x)} {short(y)}" for x, y in seen), class_="curve")
    for x, y in seen[:-1]:
        yield tag("circle", cx=x, cy=y, r=2.5, class_="dot")
    yield tag("circle", cx=seen[-1][0], cy=seen[-1][1], r=4.5, class_="dot")
    for step in range(len(losses)):
        said = tag("text", str(step + 1), x=across(step), y=floor + 13, class_="said middle")
        yield said


# strips -----------------------------------------------------------------------------------------


def _side_by_side(grids, scale, x, y, tall=TALL):
    """Grids beside one another, and where the next thing may stand."""
    inner, deep = [], 0
    room = (WIDE - PAD - x - 6 * (len(grids) - 1)) / max(len(grids), 1)
    for grid in grids:
        rows, columns = grid.shape
        wide = min(BROAD, room / columns) if columns else 0
        high = min(tall, wide) if len(grids) > 1 else tall
        inner.append(strip(grid, scale, x, y, wide, high))
        x, deep = x + room + 6, max(deep, rows * high)
    return inner, y + deep


def strip(grid, scale, x, y, wide, high):
    """A grid of values as cells, a path for each strength that occurs."""
    levels = level(grid, scale)
    parts = []
    for value in sorted(set(levels.ravel().tolist())):
        cells = [(x + c * wide, y + r * high) for r, c in np.argwhere(levels == value)]
        box = f"h{short(wide)}v{short(high)}h-{short(wide)}z"
        drawn = "".join(f"M{short(a)} {short(b)}{box}" for a, b in cells)
        parts.append(tag("path", d=drawn, class_=_class(value)))
        if value < 0:
            parts.append(_through(cells, wide, high, value))
    rows, columns = grid.shape
    frame = tag("rect", x=x, y=y, width=columns * wide, height=rows * high, class_="frame")
    return tag("g", *parts, frame)


def _class(value):
    if value < -LEVELS:
        return "cell none"
    return f"cell {'minus' if value < 0 else 'plus'} l{abs(value)}"


def _through(cells, wide, high, value):
    """A line through what is negative, a cross through what is no number."""
    w, h = short(wide * 0.5), short(high * 0.5)
    if value < -LEVELS:
        mark = f"l{w} {h}m-{w} 0l{w} -{h}"
        at = [(a + wide * 0.25, b + high * 0.25) for a, b in cells]
    else:
        mark, at = f"h{w}", [(a + wide * 0.25, b + high * 0.5) for a, b in cells]
    drawn = "".join(f"M{short(a)} {short(b)}{mark}" for a, b in at)
    return tag("path", d=drawn, class_=f"mark m{min(abs(value), LEVELS)}")


def level(grid, scale):
    """How strong each value is drawn: −4 to 4, and −5 for what is no number.

    >>> level(np.array([[1.0, -0.3, 0.0, np.nan]]), 1.0).tolist()
    [[4, -2, 0, -5]]
    """
    with np.errstate(all="ignore"):
        share = grid / scale if scale else np.sign(grid) * ~np.isfinite(grid)
        found = np.sign(share) * np.ceil(np.clip(np.abs(share), 0.0, 1.0) * LEVELS - 1e-9)
    return np.where(np.isnan(grid), -LEVELS - 1, np.nan_to_num(found)).astype(int)


_DRAW = {
    "batch": _batch,
    "forward": _forward,
    "loss": _loss,
    "gradients": _gradients,
    "update": _updates,
}
