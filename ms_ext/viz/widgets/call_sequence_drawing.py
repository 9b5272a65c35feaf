"""The sequence of calls as SVG: four lines of life, time downwards, a band for each stage."""

from itertools import groupby

from ...engine.stages import STAGES
from .. import palette
from ..assets import asset
from ..drawing import labels
from ..markup import tag
from ..markup import text as escaped
from .call_sequence_steps import LANES
from .call_sequence_words import said, sentence

_TOP, _ROW, _LEFT, _GAP, _PAD = 46, 34, 122, 246, 12
WIDE = _LEFT + _GAP * (len(LANES) - 1) + 128


def svg(shown):
    """All arrows of a CallSequence."""
    high = _TOP + _ROW * len(shown.steps) + _PAD
    inner = [*_bands(shown.steps), *_lives(high), *_arrows(shown.steps)]
    return tag(
        "svg",
        tag("style", palette.system_tokens(".msx-calls"), asset("call_sequence.css")),
        *inner,
        class_="msx-calls",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDE} {high}",
        width=WIDE,
        height=high,
        role="img",
        aria_label=sentence(shown),
    )


def _x(lane):
    return _LEFT + 60 + _GAP * LANES.index(lane)


def _bands(steps):
    """One stage after the other, as bands with their names."""
    at = _TOP
    for stage, group in groupby(steps, key=lambda step: step.stage):
        high = _ROW * len(list(group))
        kind = f"h{STAGES.index(stage) + 1}"
        yield tag(
            "rect", class_="band", x=_PAD, y=at + 2, width=WIDE - 2 * _PAD, height=high - 4, rx=4
        )
        yield tag("rect", class_=f"mark {kind}", x=_PAD, y=at + 2, width=5, height=high - 4, rx=2)
        yield tag("text", escaped(stage), class_="stage", x=_PAD + 12, y=at + 21)
        at += high


def _lives(high):
    for lane in LANES:
        x, wide = _x(lane), labels.width(lane, 13) + 22
        yield tag("path", class_="life", d=f"M{x} {_TOP - 8}V{high - 4}")
        yield tag("rect", class_="head", x=x - wide / 2, y=10, width=wide, height=26, rx=5)
        yield tag("text", escaped(lane), class_="lane", x=x, y=28)


def _arrows(steps):
    for row, step in enumerate(steps):
        y = _TOP + _ROW * row + 26
        title = tag("title", escaped(f"{step.stage}: {said(step)}"))
        yield tag("g", title, *_arrow(step, y), class_="call")


def _arrow(step, y):
    start, end = _x(step.source), _x(step.target)
    if start == end:
        path = f"M{start} {y - 10}h26v8h-19"
        yield tag("path", class_="line", d=path)
        yield tag("path", class_="tip", d=f"M{start + 1} {y - 2}l8 -4v8z")
        yield tag("text", escaped(said(step)), class_="words self", x=start + 34, y=y - 3)
        return
    way = 1 if end > start else -1
    answers = way < 0
    yield tag("path", class_="line back" if answers else "line", d=f"M{start} {y}H{end - 8 * way}")
    yield tag("path", class_="tip", d=f"M{end - way} {y}l{-8 * way} -4v8z")
    words = labels.short(said(step), 37 if abs(_x(step.source) - _x(step.target)) == _GAP else 60)
    yield tag("text", escaped(words), class_="words", x=(start + end) / 2, y=y - 6)
