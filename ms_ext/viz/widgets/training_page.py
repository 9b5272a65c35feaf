"""The page of ``viz.training``: each step with its five stations, and a slider over all."""

from ..card import block
from ..markup import tag, text
from ..pictures import picture
from . import training_drawing
from . import training_words as words
from .stepping import stepper

_HINT = (
    "Each step goes through five stations. A strip is a tensor in short: blue above zero, orange"
    " with a line through it below, the stronger the larger. It trained on values that were put"
    " back afterwards."
)


def card(shown):
    """The steps as HTML."""
    count = len(shown.steps)
    stations = [(at, name) for at in range(count) for name in words.STATIONS]
    rows = [
        tag("li", text(words.sentence(shown, *each)), data_step=number)
        for number, each in enumerate(stations)
    ]
    return block(
        "training",
        shown.title,
        tag("p", _HINT, class_="note"),
        stepper(len(stations), "step through the stations", "every step at once"),
        *(_section(shown, at) for at in range(count)),
        tag("details", tag("summary", "station by station, in words"),
            tag("ol", *rows, class_="steps")),
        sheets=("steps.css", "training.css", "training_page.css"),
        scripts=("inline.js", "steps.js", "training.js"),
    )  # fmt: skip


def _section(shown, at):
    heading = f"step {at + 1} of {len(shown.steps)}"
    return tag(
        "section",
        tag("p", tag("b", text(heading)), class_="heading"),
        tag("div", *(_station(shown, at, n) for n in range(len(words.STATIONS))), class_="row"),
        role="group",
        aria_label=heading,
    )


def _station(shown, at, number):
    name = words.STATIONS[number]
    drawing = training_drawing.svg(shown, at, name)
    return tag(
        "figure",
        tag("figcaption", tag("span", str(number + 1), class_="number"), f" {name}"),
        picture(drawing, words.sentence(shown, at, name)),
        class_="station",
        data_step=at * len(words.STATIONS) + number,
    )
