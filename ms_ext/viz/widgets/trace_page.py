"""The page of ``viz.trace``: the loader's steps from what ``func`` says to an address."""

import os

from ..card import block
from ..markup import classes, tag, text

BAD = ("missing", "failed")
#: Outcome of a step -> its glyph; what is not here is a remark.
GLYPHS = {
    "found": "✓",
    "opened": "✓",
    "built": "⚙",
    "hit": "↺",
    "reused": "↺",
    "miss": "○",
    "missing": "✗",
    "failed": "✗",
    "shadowed": "!",
    "twice": "!",
}
_MOST = 40  # exported names that are shown


def took(found):
    """The time of all steps, in a unit that fits.

    >>> from types import SimpleNamespace
    >>> took(SimpleNamespace(seconds=0.25))
    '250 ms'
    """
    return _time(found.seconds)


def _time(seconds):
    if seconds is None:
        return ""
    if seconds >= 1:
        return f"{seconds:.1f} s"
    if seconds >= 0.001:
        return f"{seconds * 1e3:.0f} ms" if seconds >= 0.01 else f"{seconds * 1e3:.1f} ms"
    return f"{seconds * 1e6:.0f} µs"


def page(loading):
    """The steps as text."""
    lines = [loading.title, ""]
    if loading.found is None:
        return "\n".join([*lines, loading.note]) + "\n"
    lines.append(f"func: {_asked(loading)}")
    for number, step in enumerate(loading.found.steps, 1):
        time = f"  {_time(step.seconds)}" if step.seconds is not None else ""
        lines.append(f"  {number}. {_glyph(step)} {step.kind:<7} {_said(step)}{time}")
    lines += [f"  {word}: {said}" for word, said in _facts(loading.found)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _asked(loading):
    """What ``func`` says; of a text in the program the loader knows only where it was put."""
    return "a text in the program" if loading.way == "jit" else short(loading.found.func)


def _glyph(step):
    return GLYPHS.get(step.outcome, "·")


def _said(step):
    """What came of a step, without what an error says before it comes to the point."""
    words = step.words.rpartition("Error info: ")[2]
    return short(words or f"{step.what} {step.outcome}")


def short(path):
    """A path as a reader sees it: from the current folder, or from home.

    >>> short(os.path.join(os.getcwd(), "a.so"))
    './a.so'
    """
    for folder, word in ((os.getcwd(), "."), (os.path.expanduser("~"), "~")):
        if len(folder) > 1:
            path = str(path).replace(folder + os.sep, word + os.sep)
    return path


def _facts(found):
    """What came of it: library, symbol, address, what else the library exports."""
    pairs = [("library", short(found.library) if found.library else "")]
    pairs.append(("symbol", found.symbol or ""))
    pairs.append(("address", "" if found.address is None else f"{found.address:#x}"))
    pairs.append(("hidden by it", ", ".join(map(short, found.shadowed))))
    pairs.append(("exports", ", ".join(_exports(found))))
    return [(word, said) for word, said in pairs if said]


def _exports(found):
    names = list(found.exports)
    more = [f"and {len(names) - _MOST} more"] if len(names) > _MOST else []
    return [*names[:_MOST], *more]


# HTML ---------------------------------------------------------------------------------------------


def card(loading):
    """The steps as HTML."""
    if loading.found is None:
        return block("trace", loading.title, tag("p", text(loading.note)), sheets=("trace.css",))
    head = tag("p", tag("code", text(_asked(loading))), class_="asked")
    return block(
        "trace",
        loading.title,
        head,
        tag("ol", *map(_step, loading.found.steps), class_="steps"),
        _table(loading.found),
        sheets=("trace.css",),
    )


def _step(step):
    time = tag("span", text(_time(step.seconds)), class_="time") if step.seconds is not None else ""
    bad = step.outcome in BAD
    return tag(
        "li",
        tag("b", _glyph(step), aria_label=step.outcome, class_="glyph"),
        tag("span", text(step.kind), class_="kind"),
        tag("span", text(_said(step)), class_="said"),
        time,
        class_=classes("bad" * bad, "made" * (step.outcome == "built")),
        title=short(step.what),
    )


def _table(found):
    rows = (_fact(found, *pair) for pair in _facts(found))
    return tag("table", tag("tbody", *rows), aria_label="what was loaded")


def _fact(found, word, said):
    shown = [tag("code", text(said))]
    if word == "exports":
        shown = [_export(found, name) for name in _exports(found)]
    return tag("tr", tag("th", text(word), scope="row"), tag("td", *shown))


def _export(found, name):
    on = name == found.symbol
    shown = tag("code", "▶ " * on, text(name), class_=classes("export", "on" * on))
    return shown + " "
