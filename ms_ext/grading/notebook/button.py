"""What does ``ms.check.button(name)`` show? A button to check, one per hint, and what they said.

The answers are displays of the cell, not of a widget: they stay in the saved notebook.
"""

import importlib.util

from ms_ext.grading.notebook import hints, session, sources
from ms_ext.grading.verdict_text import LEVELS


def button(name):
    """Show a button that checks ``name`` with the session's cells, and one for each hint."""
    shell = sources.running_shell()
    missing = "a notebook" if shell is None else "ipywidgets"
    if shell is None or not importlib.util.find_spec("ipywidgets"):
        print(f'There is no button without {missing}. Check with ms.check("{name}").')
        return
    hints.hint(name)  # a name that does not exist is told at once
    _show(name, shell)


def _show(name, shell):
    import ipywidgets
    from IPython.display import display

    def verdict():
        return session.verdict_on(name, sources.of_session(shell))

    def help(level):
        return lambda: hints.hint(name, level)

    asked = [(f"Check {name}", verdict, "primary")]
    asked += [(f"Hint {level}: {what}", help(level), "") for level, what in LEVELS.items()]
    buttons = [
        ipywidgets.Button(
            description=words, button_style=style, tooltip=words, layout={"width": "auto"}
        )
        for words, _, style in asked
    ]
    row = ipywidgets.HBox(buttons, layout={"flex_flow": "row wrap"})
    told = f'A button that needs a running notebook; the same without: ms.check("{name}")'
    display({**row._repr_mimebundle_(), "text/plain": told}, raw=True)
    for each, (_, answer, _) in zip(buttons, asked, strict=True):
        place = display({"text/plain": "", "text/html": ""}, raw=True, display_id=True)
        each.on_click(_answering(each, answer, place))


def _answering(button, answer, place):
    """What a click does: the button rests until its answer is there."""

    def clicked(_):
        words, button.disabled = button.description, True
        button.description = f"{words} ..."
        try:
            place.update(answer())
        finally:
            button.description, button.disabled = words, False

    return clicked
