"""The page of ``viz.loop``: each loop with its picture, a slider over its turns, and tables."""

from ..card import block
from ..markup import tag, text
from ..pictures import picture
from . import loop_drawing
from . import loop_words as words
from .stepping import stepper

_LOOPS = 8  # that are drawn
_HINT = (
    "A turn is a column. Forwards (→, blue) each turn puts values on the stacks; the way back"
    " (←, dashed) takes them off again, the last turn first. A box shows what its turn begins with."
)


def card(shown):
    """The loops as HTML."""
    found = shown.survey.keepers
    left = len(found) - _LOOPS
    more = tag("p", f"and {words.many(left, 'more loop')}; text() has all", class_="note")
    return block(
        "loop",
        shown.title,
        tag("p", _HINT, class_="note") if found else "",
        *(_section(keeper) for keeper in found[:_LOOPS]),
        more if left > 0 else "",
        _trade(shown),
        sheets=("steps.css", "loop.css"),
        scripts=("inline.js", "steps.js", "loop.js"),
    )


def _section(keeper):
    label = f"{words.heading(keeper)}. {words.kept(keeper)}"
    where = tag("span", text(keeper.where), class_="note")
    return tag(
        "section",
        tag("p", tag("b", tag("code", text(words.heading(keeper)))), " ", where, class_="heading"),
        tag("p", text(words.kept(keeper))),
        *(_figure(keeper, label) if any(keeper.turns) else [tag("p", "It made no turn.")]),
        tag("div", _kept(keeper), _unkept(keeper), class_="tables"),
        tabindex="-1",
        role="group",
        aria_label=label,
    )


def _figure(keeper, label):
    runs = keeper.turns
    run = next(at for at, turns in enumerate(runs) if turns)
    steps = list(words.steps(keeper, run, words.chosen(runs[run])))
    drawing = loop_drawing.svg(keeper, run, label)
    if len(runs) > 1:
        others = ", ".join(map(str, runs[:12])) + (", ..." if len(runs) > 12 else "")
        yield tag("p", f"Drawn is run {run + 1} of {len(runs)}; turns: {others}.", class_="note")
    yield stepper(len(steps), "step through the turns", "every turn at once")
    yield tag("figure", picture(drawing, label), class_="wide", tabindex="0")
    rows = [tag("li", text(said), data_step=number) for number, (_, _, said) in enumerate(steps)]
    listed = tag("ol", *rows, class_="steps")
    yield tag("details", tag("summary", "step by step, in words"), listed)
    yield tag("details", tag("summary", "turn by turn, as a table"), _turns(keeper, run))


# tables -----------------------------------------------------------------------------------------


def _turns(keeper, run):
    """A row for each turn, a column for each stack."""
    turns = words.chosen(keeper.turns[run], words.ROWS + words.AT_THE_END, words.ROWS,
                         words.AT_THE_END)  # fmt: skip
    head = [_head(f"{c.code}  {c.kind}") for c in keeper.columns]
    rows = []
    for turn in turns:
        cells = ["⋯" if turn is None else words.held(keeper, c, run, turn) for c in keeper.columns]
        name = tag("th", "⋯" if turn is None else f"{turn}", scope="row")
        rows.append(tag("tr", name, *(tag("td", tag("code", text(cell))) for cell in cells)))
    return tag(
        "div",
        tag("table", tag("thead", tag("tr", _head("turn"), *head)), tag("tbody", *rows)),
        class_="wide",
        tabindex="0",
        role="group",
        aria_label="what is kept, turn by turn",
    )


def _kept(keeper):
    heads = ("kept of every turn", "", "type", "a turn", "read by")
    rows = [((code, when), *rest) for code, when, *rest in words.kept_rows(keeper)]
    return _table(heads, rows, "kept")


def _unkept(keeper):
    return _table(("not kept", "", "type", "why"), words.unkept_rows(keeper), "unkept")


def _trade(shown):
    rows = words.trade_rows(shown)
    return _table(("the trade", "values kept", "recomputed"), rows, "trade")


def _table(heads, rows, kind):
    body = [
        tag("tr", tag("td", *_named(first)), *(tag("td", text(each)) for each in rest))
        for first, *rest in rows
    ]
    if not body:
        return ""
    head = tag("thead", tag("tr", *map(_head, heads)))
    return tag("div", tag("table", head, tag("tbody", *body), class_=kind), class_="wide")


def _named(first):
    """Code, or a pair of code and words about it."""
    code, said = first if isinstance(first, tuple) else (first, "")
    return tag("code", text(code)), text(said)


def _head(word):
    return tag("th", text(word), scope="col")
