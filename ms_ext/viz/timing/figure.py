"""The timeline by matplotlib, for papers and slides: the same lanes, bars and sentences.

matplotlib is imported when a figure is made. In print the lanes differ by their hatches.
"""

import io
import re
from contextlib import contextmanager
from html import escape

from ...engine import errors
from .. import palette
from .sheet import sheet
from .words import label, scale, words

HATCHES = ("////", "....", "xxxx", "----")
WIDTH = 9.0  # inches
_SHADES = ("#f2f2f2", "#ffffff", "#e4e4e4", "#d6d6d6")


def figure(runs, select=None, printed=False):
    """The matplotlib figure of some runs on one time axis; ``select`` is a call's number."""
    drawn = sheet(runs)
    with _matplotlib() as matplotlib:
        high = sum(0.75 + 0.3 * len(strip.rows) for strip in drawn.strips)
        notes = [note for note in drawn.notes]
        made = matplotlib.figure.Figure(
            figsize=(WIDTH, 0.4 + high + 0.25 * len(notes)), layout="constrained"
        )
        ratios = [2 + len(strip.rows) for strip in drawn.strips]
        axes = made.subplots(
            len(ratios), 1, sharex=True, squeeze=False, height_ratios=ratios
        )[:, 0]  # fmt: skip
        unit, factor = scale(drawn.span, drawn.unit)
        for index, (axis, strip) in enumerate(zip(axes, drawn.strips, strict=True)):
            _Axis(axis, strip, index, factor, drawn.span / factor, printed).draw(select)
        axes[-1].set_xlabel("\n".join([unit, *notes]), fontsize=9)
        return made


def svg(runs, select=None, printed=False):
    """The figure as one SVG element with a sentence in every part; the same runs, the same text."""
    drawn = figure(runs, select, printed)
    with _reproducible():
        out = io.StringIO()
        nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
        drawn.savefig(out, format="svg", metadata=nothing)
    text = out.getvalue()
    return _with_hover(text[text.index("<svg") :], _sentences(runs), label(runs))


def save(runs, path, select=None, printed=False):
    """Write the figure as .svg, .png or .pdf."""
    if path.suffix == ".svg":
        path.write_text(svg(runs, select, printed), encoding="utf-8")
        return
    drawn = figure(runs, select, printed)
    nothing = {"CreationDate": None} if path.suffix == ".pdf" else {}
    with _reproducible():
        drawn.savefig(path, dpi=160, metadata=nothing)


@contextmanager
def _reproducible():
    rules = {"svg.hashsalt": "ms_ext", "svg.fonttype": "none", "hatch.linewidth": 0.6}
    with _matplotlib() as matplotlib, matplotlib.rc_context(rules):
        yield


@contextmanager
def _matplotlib():
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError:
        raise errors.NotRunnable(
            "Drawing the figure needs matplotlib.",
            hint="pip install matplotlib; the page (html, .html) and the text need nothing.",
        ) from None
    yield matplotlib


class _Axis:
    """One run on one matplotlib axis."""

    def __init__(self, axis, strip, index, factor, span, printed):
        self.axis, self.strip, self.index = axis, strip, index
        self.factor, self.span, self.printed = factor, span, printed
        self.narrow = span * 0.018  # below this a number does not fit into its bar

    def draw(self, select):
        """Gaps, waits, bars, syncs, links and the arrow of the selected call."""
        for wait in self.strip.waits:
            self.wait(wait)
        for place, row in enumerate(self.strip.rows):
            for gap in row.gaps:
                self.box(place, gap, f"gap-{place}", facecolor="#ffffff", alpha=0.01)
            for box in row.boxes:
                self.bar(place, row, box)
        for line in self.strip.lines:
            style = dict(color="#3d3d3d", linewidth=1, linestyle=(0, (4, 3)))
            self.axis.axvline(line.end / self.factor, **style).set_gid(self.name("sync", line))
        if self.strip.returned is not None:
            at = self.strip.returned / self.factor
            self.axis.plot([at, at], [-0.42, 0.42], color="#1b1b1b", linewidth=2)
        self.links()
        self.arrow(select)
        self.labels()

    def name(self, kind, part):
        """The id that a drawn part has until its sentence is put in."""
        return f"{kind}-{self.index}-{part.start:.12g}"

    def box(self, place, part, kind, share=1.0, **style):
        """A rectangle in a lane."""
        from matplotlib.patches import Rectangle

        wide, high = (part.end - part.start) / self.factor, 0.72 * share
        down = high / 2 if kind == "wait" else 0.36
        corner = (part.start / self.factor, place + down - high)
        made = self.axis.add_patch(Rectangle(corner, wide, high, **style))
        made.set_gid(self.name(kind, part))
        return wide

    def bar(self, place, row, box):
        """A slice, with the call's number where there is room."""
        wide = (box.end - box.start) / self.factor
        colour = palette.LIGHT[f"lane-{row.hue}"]
        style = dict(fc=colour, ec=palette.LIGHT[f"lane-{row.hue}-rim"])
        if self.printed:
            style = dict(fc=_SHADES[row.hue - 1], ec="#1b1b1b", hatch=HATCHES[row.hue - 1])
        if wide < self.narrow / 3 and not self.printed:
            style["ec"] = colour  # a rim of its own colour, so that the thinnest can be seen
        style["lw"] = 0 if box.part else 0.6
        self.box(place, box, f"bar-{place}", box.share, **style)
        if box.call and not box.part and wide >= self.narrow * (len(str(box.call)) + 1) / 2:
            at = ((box.start + box.end) / 2 / self.factor, place)
            ink = palette.LIGHT["lane-1-ink" if row.hue == 1 else "lane-ink"]
            words = dict(ha="center", va="center", fontsize=7, color=ink)
            if self.printed:
                words |= dict(color="#000000", bbox=dict(fc="#ffffff", ec="none", pad=0.6))
            self.axis.annotate(str(box.call), at, **words)

    def wait(self, wait):
        """The caller waiting: a dashed frame in its lane."""
        wide = self.box(0, wait, "wait", 0.6, fc="none", ec="#3d3d3d", lw=0.8, ls=(0, (3, 2)))
        if wide >= self.narrow * 3:
            middle = ((wait.start + wait.end) / 2 / self.factor, 0)
            self.axis.annotate("waits", middle, ha="center", va="center", fontsize=7)

    def links(self):
        """Events between streams as dashed arrows."""
        rows = {row.name: place for place, row in enumerate(self.strip.rows)}
        for link in self.strip.run.links:
            start = (link.start / self.factor, rows[link.lane])
            self.pointer(start, (link.end / self.factor, rows[link.to]), (0, (2, 2)))

    def arrow(self, select):
        """From the first to the last lane of the selected call."""
        found = [
            (box, place)
            for place, row in enumerate(self.strip.rows)
            for box in row.boxes
            if box.call == select and not (box.part or box.again)
        ]
        if select and found and found[0][1] != found[-1][1]:
            (first, above), (last, below) = found[0], found[-1]
            last = next(box for box, place in found if place == below)
            start = (first.end / self.factor, above + 0.36)
            self.pointer(start, (last.start / self.factor, below - 0.36), "-")

    def pointer(self, start, end, line):
        """An arrow from one place to another."""
        style = {"arrowstyle": "->", "color": "#1b1b1b", "linewidth": 1.4, "linestyle": line}
        self.axis.annotate("", end, start, arrowprops=style)

    def labels(self):
        """Title, and the lanes with their utilisation; the busiest in bold with a mark."""
        axis, rows = self.axis, self.strip.rows
        named = [f"{'▸ ' * row.busiest}{row.name}  {row.share}" for row in rows]
        axis.set_yticks(range(len(rows)), named, fontsize=9)
        for text, row in zip(axis.get_yticklabels(), rows, strict=True):
            text.set_fontweight("bold" if row.busiest else "normal")
        axis.set_ylim(len(rows) - 0.5, -0.5)
        axis.set_xlim(0, self.span * 1.01)
        axis.spines[["top", "right"]].set_visible(False)
        axis.tick_params(axis="y", length=0)
        title = [self.strip.title] + [self.strip.about] * bool(self.strip.about)
        axis.set_title("\n".join(title), loc="left", fontsize=10)


def _sentences(runs):
    """Id of a drawn part -> what hovering over it says."""
    found = {}
    for index, strip in enumerate(sheet(runs).strips):
        for place, row in enumerate(strip.rows):
            for box in row.boxes:
                found[f"bar-{place}-{index}-{box.start:.12g}"] = words(box.facts)
            for gap in row.gaps:
                found[f"gap-{place}-{index}-{gap.start:.12g}"] = gap.words
        for kind, marks in (("sync", strip.lines), ("wait", strip.waits)):
            for mark in marks:
                found[f"{kind}-{index}-{mark.start:.12g}"] = mark.words
    return found


def _with_hover(text, sentences, name):
    """The SVG with a title in every part that has a sentence, and a name for the whole."""

    def titled(match):
        said = sentences.get(match[1])
        return "<g>" + (f"<title>{escape(said)}</title>" if said else "")

    text = re.sub(r'<g id="((?:bar|gap|sync|wait)-[^"]+)">', titled, text)
    text = text.replace("*{stroke-", ".ms-timeline *{stroke-")  # not the page's other pictures
    return text.replace(
        "<svg ", f'<svg class="ms-timeline" role="img" aria-label="{escape(name)}" ', 1
    )
