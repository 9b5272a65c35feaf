"""How does a timeline look? Four lanes per run with matplotlib, as an SVG that can be pointed at.

matplotlib is imported when a figure is made. Each bar and gap has a sentence that shows on hover.
"""

import html
import io
import re
from contextlib import contextmanager

from ..engine import errors
from ..engine.stages import STAGES

COLOURS = {
    "PyTask": "#0072B2",
    "FrontendTask": "#E69F00",
    "DeviceTask": "#009E73",
    "LaunchTask": "#CC79A7",
}
INK = {
    "PyTask": "#ffffff",
    "FrontendTask": "#1b1b1b",
    "DeviceTask": "#1b1b1b",
    "LaunchTask": "#1b1b1b",
}
MOST_BARS = 2000  # above this, bars that touch are drawn as one
WIDTH = 9.0  # inches


def figure(runs, select=None):
    """The matplotlib figure of some ``Lanes`` on one time axis; ``select`` is a call's number."""
    with _matplotlib() as matplotlib:
        made = matplotlib.figure.Figure(
            figsize=(WIDTH, 0.5 + 1.85 * len(runs)), layout="constrained"
        )
        axes = made.subplots(len(runs), 1, sharex=True, squeeze=False)[:, 0]
        unit, factor = _unit(max(run.makespan for run in runs))
        for index, (axis, run) in enumerate(zip(axes, runs, strict=True)):
            _draw(axis, run, index, factor, max(r.makespan for r in runs) / factor)
            _mark_syncs(axis, run, factor)
            _arrow(axis, run, select, factor)
            axis.set_title(headline(run), loc="left", fontsize=10)
        axes[-1].set_xlabel(unit)
        return made


def svg(runs, select=None):
    """The figure as one SVG element, the same text for the same runs."""
    drawn = figure(runs, select)
    with (
        _matplotlib() as matplotlib,
        matplotlib.rc_context({"svg.hashsalt": "ms_ext", "svg.fonttype": "none"}),
    ):
        out = io.StringIO()
        drawn.savefig(
            out,
            format="svg",
            metadata={"Date": None, "Creator": None, "Format": None, "Type": None},
        )
    text = out.getvalue()
    return _with_hover(text[text.index("<svg") :], _sentences(runs), label(runs))


def headline(run):
    """One line about a run: calls, makespan, serial sum, overlap factor."""
    calls = f"{run.calls} {'call' if run.calls == 1 else 'calls'}"
    lost = f", {run.dropped} older events dropped" if run.dropped else ""
    title = f"{run.title}: " if run.title else ""
    return (
        f"{title}{calls} in {duration(run.makespan)}, serial sum {duration(run.serial)}, "
        f"overlap {run.overlap:.2f}×{lost}"
    )


def label(runs):
    """What a screen reader says of the figure."""
    busiest = "; ".join(f"{run.bottleneck} is busiest" for run in runs)
    return "Pipeline timeline. " + ". ".join(map(headline, runs)) + f". {busiest}."


def duration(nanoseconds):
    """A time in a readable unit.

    >>> duration(972_000), duration(2_500_000_000)
    ('972 µs', '2.5 s')
    """
    unit, factor = _unit(nanoseconds)
    return f"{nanoseconds / factor:.3g} {unit}"


def _unit(nanoseconds):
    for unit, factor in (("s", 1e9), ("ms", 1e6)):
        if nanoseconds >= factor * (1 if unit == "s" else 2):
            return unit, factor
    return "µs", 1e3


@contextmanager
def _matplotlib():
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError:
        raise errors.NotRunnable(
            "Drawing the timeline needs matplotlib.",
            hint="pip install matplotlib; or print(timeline) for the same as text.",
        ) from None
    yield matplotlib


def _draw(axis, run, index, factor, span):
    narrow = span * 0.018  # below this a number does not fit into its bar
    for row, stage in enumerate(STAGES):
        for gap in run.gaps(stage) if len(run.bars) <= MOST_BARS else ():
            box = _box(axis, row, gap, factor, facecolor="#ffffff", alpha=0.01)
            box.set_gid(f"gap-{index}-{stage}-{gap.start}")
        for bar in _merged(run.lane(stage), run.makespan, len(run.bars)):
            width = (bar.end - bar.start) / factor
            rim = 0.5 if width >= narrow / 3 else 0
            box = _box(axis, row, bar, factor, fc=COLOURS[stage], ec="#ffffff", lw=rim)
            box.set_gid(f"bar-{index}-{stage}-{bar.start}")
            if bar.number and width >= narrow * len(str(bar.number)) / 2:
                place = ((bar.start + bar.end) / 2 / factor, row)
                axis.annotate(
                    str(bar.number), place, ha="center", va="center", fontsize=7, color=INK[stage]
                )
    _label_lanes(axis, run)
    axis.set_xlim(0, span * 1.01)


def _box(axis, row, part, factor, **style):
    from matplotlib.patches import Rectangle

    width = (part.end - part.start) / factor
    return axis.add_patch(Rectangle((part.start / factor, row - 0.36), width, 0.72, **style))


def _label_lanes(axis, run):
    axis.set_yticks(
        range(len(STAGES)), [f"{s}  {run.utilisation(s):.0%}" for s in STAGES], fontsize=9
    )
    for text, stage in zip(axis.get_yticklabels(), STAGES, strict=True):
        text.set_fontweight("bold" if stage == run.bottleneck else "normal")
    axis.set_ylim(len(STAGES) - 0.5, -0.5)
    axis.spines[["top", "right"]].set_visible(False)
    axis.tick_params(axis="y", length=0)


def _merged(bars, makespan, total):
    """The bars, or where there are too many, runs of bars that nearly touch (numbered 0)."""
    if total <= MOST_BARS:
        return bars
    found = []
    for bar in bars:
        if found and bar.start - found[-1].end < makespan / 1000:
            found[-1] = found[-1]._replace(
                end=max(bar.end, found[-1].end), number=0, op="several calls"
            )
        else:
            found.append(bar)
    return found


def _mark_syncs(axis, run, factor):
    for number, sync in enumerate(run.syncs):
        line = axis.axvline(sync.end / factor, color="#3d3d3d", linewidth=1, linestyle=(0, (4, 3)))
        line.set_gid(f"sync-{number}-{sync.start}")


def _arrow(axis, run, select, factor):
    """From PyTask to LaunchTask of the selected call."""
    ends = {}
    for bar in run.bars:
        if bar.number == select:
            ends.setdefault(bar.stage, bar)
    if STAGES[0] in ends and STAGES[-1] in ends:
        start = (ends[STAGES[0]].end / factor, 0.36)
        end = (ends[STAGES[-1]].start / factor, len(STAGES) - 1.36)
        axis.annotate(
            "", end, start, arrowprops={"arrowstyle": "->", "color": "#1b1b1b", "linewidth": 1.4}
        )


def _sentences(runs):
    """Id of a drawn part -> what hovering over it says."""
    found = {}
    for index, run in enumerate(runs):
        for bar in run.bars:
            words = f"call {bar.number}, {bar.op}: {bar.stage} {duration(bar.end - bar.start)}"
            found[f"bar-{index}-{bar.stage}-{bar.start}"] = words
        for stage in STAGES:
            for gap in run.gaps(stage):
                words = f"{stage} idle {duration(gap.end - gap.start)}: {gap.reason}"
                found[f"gap-{index}-{stage}-{gap.start}"] = words
        for number, sync in enumerate(run.syncs):
            words = f"the caller waited {duration(sync.end - sync.start)} for: {sync.need}"
            found[f"sync-{number}-{sync.start}"] = words
    return found


def _with_hover(text, sentences, name):
    """The SVG with a title in every part that has a sentence, and a name for the whole."""

    def titled(match):
        words = sentences.get(match[1])
        return match[0] + (f"<title>{html.escape(words)}</title>" if words else "")

    text = re.sub(r'<g id="((?:bar|gap|sync)-[^"]+)">', titled, text)
    text = text.replace("*{stroke-", ".ms-timeline *{stroke-")  # not the page's other pictures
    return text.replace(
        "<svg ", f'<svg class="ms-timeline" role="img" aria-label="{html.escape(name)}" ', 1
    )
