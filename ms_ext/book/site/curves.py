"""What does an op of one number look like? Its curve and its slope, drawn from the op itself.

Colours come from the page as variables, so the picture follows its light and dark.
"""

import math

import numpy as np

from ms_ext.viz.markup import tag, text

WIDTH, HEIGHT, LEFT, BOTTOM = 440, 250, 44, 26
POINTS = 161


def picture(op):
    """The picture of an op with one operand as SVG, or None where there is no curve to draw.

    >>> from ms_ext import ops
    >>> picture(ops.Sin).count('class="slope"'), picture(ops.Softmax)
    (1, None)
    """
    if op.arity != 1 or not op.elementwise or op.attributes:
        return None
    found = _range(op)
    if found is None:
        return None
    at = np.linspace(*found, POINTS)
    curves = [("value", _values(op, at))]
    if op.bprop is not None:
        curves.append(("slope", _slope(op, at)))
    if any(curve.dtype == bool for _, curve in curves):
        return None
    return _drawn(op, at, curves)


def _range(op):
    """From where to where the op's own samples go, in halves."""
    numbers = [np.ravel(sample[0]) for sample in op.samples(np.random.default_rng(0))]
    numbers = np.concatenate([each for each in numbers if each.dtype.kind == "f"] or [[]])
    if numbers.size < 2:
        return None
    return math.floor(numbers.min() * 2) / 2, math.ceil(numbers.max() * 2) / 2


def _values(op, at):
    with np.errstate(all="ignore"):
        return np.asarray(op.compute(at))


def _slope(op, at):
    import ms_ext as ms

    with np.errstate(all="ignore"):
        return ms.grad(op)(ms.Tensor(at)).asnumpy()


# drawing ------------------------------------------------------------------------------------------


def _drawn(op, at, curves):
    numbers = np.concatenate([curve for _, curve in curves])
    numbers = numbers[np.isfinite(numbers)]
    low, high = _heights(numbers)

    def across(x):
        return LEFT + (x - at[0]) / (at[-1] - at[0]) * (WIDTH - LEFT - 8)

    def up(y):
        return HEIGHT - BOTTOM - (y - low) / (high - low) * (HEIGHT - BOTTOM - 8)

    parts = [*_axes(at, low, high, across, up)]
    for name, curve in curves:
        parts.append(tag("path", d=_path(at, curve, low, high, across, up), class_=name))
    label = f"{op.name} from {_number(at[0])} to {_number(at[-1])}"
    label += ": the curve, and dashed its slope" if len(curves) > 1 else ": the curve"
    title = tag("title", text(f"{label}."))
    shown = tag(
        "svg", title, *parts, viewBox=f"0 0 {WIDTH} {HEIGHT}", class_="op-curve", role="img"
    )
    return shown


def _heights(numbers):
    """From where to where the picture goes: what is far out is cut off."""
    low, high = np.quantile(numbers, [0.02, 0.98])
    room = 0.08 * (high - low) or 1.0
    low, high = max(low - 3 * room, numbers.min()), min(high + 3 * room, numbers.max())
    return min(low, 0.0) - room, max(high, 0.0) + room


def _axes(at, low, high, across, up):
    for y in _ticks(low, high):
        kind = "zero" if y == 0 else "grid"
        yield tag("path", d=f"M{LEFT} {up(y):.1f}H{WIDTH - 8}", class_=kind)
        yield tag("text", _number(y), x=LEFT - 6, y=f"{up(y) + 4:.1f}", text_anchor="end")
    for x in _ticks(at[0], at[-1]):
        kind = "zero" if x == 0 else "grid"
        yield tag("path", d=f"M{across(x):.1f} 8V{HEIGHT - BOTTOM}", class_=kind)
        yield tag("text", _number(x), x=f"{across(x):.1f}", y=HEIGHT - 8, text_anchor="middle")


def _ticks(low, high):
    """Round numbers between two ends, about five of them."""
    step = 10.0 ** math.floor(math.log10((high - low) / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (factor * step) <= 6)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(step * k, 10) + 0.0 for k in range(first, last + 1)]


def _number(x):
    return f"{x:g}".replace("-", "−")


def _path(at, curve, low, high, across, up):
    """A line through the points; it breaks where there is no number, or one far outside."""
    room, words, pen = high - low, [], "M"
    for x, y in zip(at, curve, strict=True):
        if not np.isfinite(y) or not low - room <= y <= high + room:
            pen = "M"
            continue
        words.append(f"{pen}{across(x):.1f} {up(min(max(y, low), high)):.1f}")
        pen = "L"
    return "".join(words)
