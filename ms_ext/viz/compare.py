"""``viz.compare(wanted, yours)``: what is missing in your graph, and what should not be there?

The union of both graphs, drawn once: nodes that compute the same share a place.
"""

from typing import NamedTuple

from ..engine import errors, making
from ..engine.ir import FuncGraph
from .assets import style
from .comparing.pairing import listings
from .drawing import labels
from .drawing.scene import scenes
from .drawing.svg import draw
from .drawing.union import union
from .markup import tag
from .markup import text as escaped
from .palette import GLYPHS
from .panel import report, text

BUDGET = 60  # nodes that are drawn: a verdict answers within a second
_LINES = 100  # of the text
_MOST = 20_000  # nodes of a graph that are compared at all
_ROW, _PAD = 22, 12


class Words(NamedTuple):
    """What a comparison says of its two sides: the title, the four states, and of no difference."""

    title: str
    removed: str
    added: str
    rewritten: str
    unchanged: str
    same: str

    def of(self, state):
        """What a state means here."""
        return getattr(self, state)


WORDS = Words(
    "your graph and the wanted one",
    removed="wanted, missing in yours",
    added="in yours, not wanted",
    rewritten="in both, with other operands",
    unchanged="in both",
    same="your graph is the wanted one",
)


class Comparison:
    """Two graphs drawn as one; the last value of a cell draws itself."""

    def __init__(self, first, second, words=WORDS, budget=BUDGET):
        for each in (first, second):
            refuse_too_large(each)
        self._words = words
        with making.paused():
            both = union(*listings(first, second)[:2], 1)
            self._step = report.of_union(words.title, both, _summary(both, words), budget)

    def sentence(self):
        """The picture in one sentence, for those who cannot see it."""
        return self._step.said["summary"]

    def text(self):
        """The same content as text."""
        _, *lines = text.step(self._step.said | {"ops": []})
        if len(lines) > _LINES:
            lines[_LINES:] = [f"  ... and {len(lines) - _LINES} more lines"]
        told = [f"{GLYPHS[state]} {meaning}" for state, meaning in self._legend()[:-1]]
        return "\n".join([line.removeprefix("  ") for line in lines] + told)

    def svg(self):
        """One self-contained picture, in the page's theme."""
        step = self._step
        (scene,) = scenes([step.union], [step.shown])
        drawn = draw(scene, step.union, title=self.sentence())
        legend, wide, high = _drawn(self._legend())
        width, height = max(wide, round(scene.width)), high + round(scene.height)
        return tag(
            "svg",
            tag("style", style(".msx-compare", "graph.css")),
            tag("g", *legend, class_="msx-graph"),
            drawn.replace("<svg ", f'<svg y="{high}" ', 1),
            class_="msx-compare",
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width} {height}",
            width=width,
            height=height,
            role="img",
            aria_label=self.sentence(),
        )

    def _legend(self):
        """(state, meaning) of the states that occur; unchanged nodes always do, and come last."""
        counts = self._step.said["counts"]
        changed = [state for state in ("removed", "added", "rewritten") if counts[state]]
        return [(state, self._words.of(state)) for state in (*changed, "unchanged")]

    def __repr__(self):
        return self.text()

    def _repr_html_(self):
        told = tag("details", tag("summary", "in words"), tag("pre", escaped(self.text())))
        return tag("div", self.svg(), told, style="overflow-x: auto")


def compare(wanted, yours, budget=None):
    """The difference between two FuncGraphs (the one that was wanted and yours), or between two
    runs (``viz.run``), two panels or two records of passes.

    >>> from ms_ext.engine.ir import FuncGraph
    >>> compare(FuncGraph("wanted"), FuncGraph("yours")).sentence()
    'your graph is the wanted one'
    """
    if isinstance(wanted, FuncGraph) and isinstance(yours, FuncGraph):
        return Comparison(wanted, yours, WORDS, budget or BUDGET)
    from .comparing import comparables, difference

    for each in (wanted, yours):
        if isinstance(each, FuncGraph) or not comparables.comparable(each):
            raise errors.InvalidType(
                "These two cannot be compared.",
                given=f"{type(wanted).__name__} and {type(yours).__name__}",
                hint="Compare two FuncGraphs; or two runs (viz.run), panels (viz.passes) or "
                "records of passes (jit.explain).",
            )
    return difference.Difference(wanted, yours, budget or difference.BUDGET)


def refuse_too_large(graph):
    """An error for a graph that no picture of a difference could show in time."""
    many = sum(len(each.order()) for each in graph.all_graphs())
    if many > _MOST:
        raise errors.InvalidValue(
            f"A graph of {many} nodes is too large to be compared node by node.",
            hint=f"Compare a smaller case; {_MOST} nodes are the most.",
        )


def _summary(both, words):
    states = [state for node, state in both.states.items() if both.rows[node].op != "Return"]
    changed = ("removed", "added", "rewritten")
    said = [f"{states.count(each)} {words.of(each)}" for each in changed if each in states]
    if not said and any(both.counts()[state] for state in changed):
        said = ["the same nodes, but other ones are returned"]
    return f"{words.title}: {'; '.join(said)}" if said else words.same


def _drawn(legend):
    """(elements, width, height): a sample of each state with its meaning."""
    rows, wide = [], 0.0
    for at, (state, meaning) in enumerate(legend):
        y = _PAD + at * _ROW
        sample = tag("rect", class_="body", x=_PAD, y=y, width=30, height=16, rx=5)
        glyph = tag("text", GLYPHS[state], class_="op glyph", x=_PAD + 15, y=y + 12.5)
        told = tag("text", escaped(meaning), class_="op start", x=_PAD + 40, y=y + 12.5)
        rows.append(tag("g", sample, glyph, told, class_=f"node {state}"))
        wide = max(wide, _PAD + 40 + labels.width(meaning, labels.SIZE) + _PAD)
    return rows, round(wide), _PAD + len(rows) * _ROW
