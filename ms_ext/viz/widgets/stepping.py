"""What is pressed to step through a view; assets/steps.js makes it work, steps.css marks the row.

The view lists its steps in an element of the class ``steps``, each row with its ``data_step``.
"""

from ..card import live
from ..markup import tag


def stepper(count, label, every="every step at once"):
    """A slider with two buttons over ``count`` steps, and the line that says which one it is.

    The steps are numbered from 0; the place behind the last one is called ``every``.

    >>> "data-live" in stepper(3, "step of the walk")
    True
    """
    slider = tag(
        "input", type="range", class_="step", min=0, max=count, value=count, step=1,
        aria_label=label, data_every=every,
    )  # fmt: skip
    keys = tag("span", tag("kbd", "←"), " ", tag("kbd", "→"), " step, ", tag("kbd", "0"), " all")
    pressed = live(
        "p",
        tag("button", "◀", type="button", class_="less", aria_label="previous step"),
        slider,
        tag("button", "▶", type="button", class_="more", aria_label="next step"),
        keys,
        class_="stepper",
    )
    return pressed + tag("p", class_="status live", role="status", aria_live="polite")
