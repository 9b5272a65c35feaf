"""How do the dashboard's pictures look? matplotlib's SVG, in the colours of the page around it.

One hue, stronger where there is more, which every eye can tell apart; each cell and bar has its
number printed in it. Ink and hue are those of the page, so a picture serves light and dark pages.
"""

import io
import re
from contextlib import contextmanager

from ms_ext.engine import errors
from ms_ext.viz import palette

#: What stands for a colour of the page until the SVG is written.
INK, GRAY, HUE = "#0a0b0c", "#0d0e0f", "#0e0f10"
PAGE = {
    INK: "currentColor",
    GRAY: f"var(--msx-muted, {palette.LIGHT['muted']})",
    HUE: f"var(--msx-added, {palette.LIGHT['added']})",
}
FAINT, FULL = 0.08, 0.55  # ink is well read on all of these, on a light and on a dark page
LEVELS = (0.0, 0.18, 0.36, FULL)
WIDTH = 9.0  # inches
ROW = 0.32


def strength(count, most):
    """How strong the hue is for a count.

    >>> strength(20, 20), round(strength(1, 20), 2)
    (0.55, 0.1)
    """
    return FAINT + (FULL - FAINT) * count / most


def heat_map(exercises, codes, grid):
    """Exercise by code: the number stands in the cell, nothing where it is 0."""
    size = (2.6 + 0.62 * max(len(codes), 3), 1.5 + ROW * len(exercises))
    most = max(max(line) for line in grid)
    with _figure(size) as (axis, done):
        for row, line in enumerate(grid):
            for column, count in enumerate(line):
                if count:
                    _square(axis, row, column, count, most)
        axis.set_xlim(-0.5, len(codes) - 0.5)
        axis.set_ylim(len(exercises) - 0.5, -0.5)
        axis.set_xticks(range(len(codes)), codes, rotation=35, ha="left", rotation_mode="anchor")
        axis.xaxis.tick_top()
        axis.set_yticks(range(len(exercises)), exercises)
        axis.tick_params(length=0)
        axis.spines[:].set_visible(False)
        return done()


def _square(axis, row, column, count, most):
    from matplotlib.patches import Rectangle

    alpha = strength(count, most)
    box = Rectangle((column - 0.47, row - 0.45), 0.94, 0.9, fc=HUE, ec="none", alpha=alpha)
    axis.add_patch(box)
    weight = "bold" if count > 0.7 * most else "normal"
    axis.text(column, row, str(count), ha="center", va="center", size=9, weight=weight)


def bars(rows):
    """(share of points, exercise, share attempted) as bars, the first on top."""
    with _figure((WIDTH, 0.9 + ROW * len(rows))) as (axis, done):
        for place, (share, _, attempted) in enumerate(rows):
            axis.barh(place, attempted, height=0.62, fc="none", ec=GRAY, ls="--", lw=1)
            axis.barh(place, share, height=0.62, color=HUE)
            words = f"{share:.0f} % of points, {attempted:.0f} % attempted"
            axis.text(max(share, attempted) + 1, place, words, va="center", size=8)
        axis.set_yticks(range(len(rows)), [name for _, name, _ in rows])
        axis.set_ylim(len(rows) - 0.4, -0.6)
        axis.set_xlim(0, 145)
        axis.set_xticks(range(0, 101, 25), [f"{n} %" for n in range(0, 101, 25)])
        _light_frame(axis)
        return done()


def stacked(names, levels, grid):
    """For each name how many stand at which level."""
    with _figure((WIDTH, 1.2 + ROW * len(names))) as (axis, done):
        for level, title in enumerate(levels):
            counts = [line[level] for line in grid]
            left = [sum(line[:level]) for line in grid]
            look = {"height": 0.62, "fc": HUE, "alpha": LEVELS[level], "label": title}
            axis.barh(range(len(names)), counts, left=left, **look)
            axis.barh(range(len(names)), counts, left=left, height=0.62, fc="none", ec=GRAY, lw=0.7)
            for place, (start, count) in enumerate(zip(left, counts, strict=True)):
                words = str(count or "")
                axis.text(start + count / 2, place, words, ha="center", va="center", size=8)
        axis.set_yticks(range(len(names)), names)
        axis.set_ylim(len(names) - 0.4, -0.6)
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.set_xlabel("learners")
        legend = axis.legend(ncols=4, loc="lower left", bbox_to_anchor=(0, 1), frameon=False)
        for patch in legend.get_patches():
            patch.set_edgecolor(GRAY)
        _light_frame(axis)
        return done()


def histogram(heights):
    """Ten bars: how many learners earned 0-10 %, 10-20 %, ..."""
    with _figure((WIDTH * 0.7, 2.4)) as (axis, done):
        axis.bar(range(10), heights, width=0.9, align="edge", color=HUE)
        for place, height in enumerate(heights):
            if height:
                axis.text(place + 0.45, height, str(height), ha="center", va="bottom")
        axis.set_xticks(range(0, 11, 2), [f"{10 * n} %" for n in range(0, 11, 2)])
        axis.set_ylim(0, max(heights) * 1.15)
        axis.yaxis.get_major_locator().set_params(integer=True)
        axis.set_ylabel("learners")
        _light_frame(axis)
        return done()


def _light_frame(axis):
    axis.spines[["top", "right"]].set_visible(False)
    axis.tick_params(axis="y", length=0)


@contextmanager
def _figure(size):
    """An empty axis, and a function that gives the SVG when the drawing is done."""
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError:
        raise errors.NotRunnable(
            "Drawing the dashboard needs matplotlib.",
            hint="pip install matplotlib; print(...) shows the same as a table.",
        ) from None
    inks = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
    style = dict.fromkeys(inks, INK) | {"svg.fonttype": "none", "svg.hashsalt": "ms_ext"}
    with matplotlib.rc_context(style):
        figure = matplotlib.figure.Figure(figsize=size, layout="constrained", frameon=False)
        axis = figure.subplots()
        axis.set_facecolor("none")
        yield axis, lambda: _svg(figure)


def _svg(figure):
    out = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(out, format="svg", metadata=nothing)
    text = out.getvalue()
    text = text[text.index("<svg") :]
    text = text.replace("*{stroke-", ".ms-chart svg *{stroke-")  # not the page's other pictures
    text = re.sub(r' id="[a-z_A-Z]+_\d+"', "", text)  # several figures stand on one page
    for stands_for, colour in PAGE.items():
        text = text.replace(stands_for, colour)
    return text
