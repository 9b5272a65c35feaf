"""The calls of ``viz.compilations`` as bars: how long each took, and which ones compiled."""

from .. import palette
from ..assets import asset
from ..markup import classes, tag
from ..markup import text as escaped
from . import compilations_words as words

MOST = 40  # calls that are drawn
_PITCH, _BAR, _HIGH, _LEFT, _TOP = 46, 26, 84, 86, 26


def svg(shown):
    """The bars as SVG; their length is the time of a call."""
    calls = shown.calls[:MOST]
    longest = max(each.took for each in calls)
    wide, foot = _LEFT + _PITCH * len(calls) + 8, _TOP + _HIGH
    rows = [("call", foot + 16), ("graph", foot + 36)]
    beside = [tag("text", word, class_="name", x=_LEFT - 14, y=y) for word, y in rows]
    took = tag("text", "time", class_="name", x=_LEFT - 14, y=foot - 4)
    return tag(
        "svg",
        tag("style", palette.system_tokens(".msx-calls"), asset("calls.css")),
        *beside,
        took,
        tag("path", class_="ground", d=f"M{_LEFT - 6} {foot}H{wide - 8}"),
        *(_call(each, at, longest, foot) for at, each in enumerate(calls)),
        class_="msx-calls",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {wide} {foot + 44}",
        width=wide,
        height=foot + 44,
        role="img",
        aria_label=shown.title,
    )


def _call(call, at, longest, foot):
    x = _LEFT + _PITCH * at + _PITCH / 2
    high = max(_HIGH * call.took / longest, 2.0)
    state = "failed" if call.error else "new" if call.new else "again"
    said = f"call {call.number}, {words.brief(call.took)}: {words.told(call)}"
    mark = {"new": "+", "failed": "✗"}.get(state, "")
    return tag(
        "g",
        tag("title", escaped(said)),
        tag("rect", class_="bar", x=x - _BAR / 2, y=round(foot - high, 1), width=_BAR, height=high),
        tag(
            "text", escaped(words.brief(call.took)), class_="took", x=x, y=round(foot - high - 5, 1)
        ),
        tag("text", f"{call.number}", x=x, y=foot + 16),
        tag("text", f"{mark}{call.graph or ''}", class_="graph", x=x, y=foot + 36),
        class_=classes("call", state),
    )
