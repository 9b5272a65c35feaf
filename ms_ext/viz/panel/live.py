"""``panel.widget()``: the panel with a line to Python, so what is chosen in it is an object here.

With anywidget it is the panel's own script, and its state are traits that both sides may set. With
ipywidgets alone it is a form: a slider and a picture. Neither is imported before it is asked for.
"""

import functools

from ...engine import errors
from ..markup import tag
from ..markup import text as escaped
from . import page, text

VIEWS = ("before", "diff", "after")


def widget(panel):
    """The live form of a Panel: an AnyWidget, or a form of ipywidgets."""
    try:
        import anywidget  # noqa: F401
    except ImportError:
        return _form(panel)
    return _of(panel)


class Chosen:
    """What a live panel knows in Python of the node that is chosen in it."""

    @property
    def row(self):
        """The chosen node as the shown pass knows it, a Row; None if no node is chosen."""
        return _rows(self.panel, self.number).get(self.selected)

    @property
    def node(self):
        """The chosen node of the graph after the last pass; its Row if a pass removed it."""
        chosen = self.selected
        return None if chosen is None else self.panel.node(chosen) or self.row

    def _repr_mimebundle_(self, **options):
        bundle = super()._repr_mimebundle_(**options)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        data |= {"text/html": self._page, "text/plain": self.panel.text()}
        return bundle


@functools.cache
def _live():
    """The widget class, made when anywidget is known to be there."""
    import anywidget
    from traitlets import Dict, Enum, Int, Unicode, validate

    class Live(Chosen, anywidget.AnyWidget):
        """A panel whose state is known to Python: set a trait and the picture follows.

        ``number``: the pass. ``match``: 0 for all. ``view``: before, diff or after. ``picture``:
        "whole", "scopes" or "inside ...". ``selected``: the id of the chosen node, or None.
        """

        _esm = page.module()
        _page = Unicode().tag(sync=True)
        _known = Dict().tag(sync=True)
        number = Int().tag(sync=True)
        match = Int().tag(sync=True)
        view = Enum(VIEWS, "diff").tag(sync=True)
        picture = Unicode().tag(sync=True)
        selected = Int(None, allow_none=True).tag(sync=True)

        @validate("number")
        def _a_pass(self, proposal):
            return _checked("pass", proposal["value"], [s["number"] for s in self.panel.report])

        @validate("selected")
        def _a_node(self, proposal):
            node = proposal["value"]
            return node if node is None else _checked("node", node, _rows(self.panel, self.number))

    return Live


def _of(panel):
    known = {str(said["number"]): panel.names(i) for i, said in enumerate(panel.report)}
    live = _live()(_page=page.shown(panel), _known=known)
    live.panel, live.number = panel, panel.start
    live.on_msg(_answer)
    return live


def _checked(what, value, known):
    if value not in known:
        listed = ", ".join(map(str, list(known)[:8])) + ", ..." * (len(known) > 8)
        raise errors.InvalidIndex(
            f"There is no such {what}.", given=f"{what} {value}", hint=f"There are {listed}."
        )
    return value


def _rows(panel, number):
    """id -> Row of every node of a pass."""
    for step in panel.steps:
        if step.said["number"] == number:
            return step.union.rows
    return {}


def _answer(live, content, buffers):
    """Draw a picture that the page does not have, and send it; or say why not."""
    number, name = content.get("number"), content.get("name")
    reply = {"number": number, "name": name, "svg": "", "problem": ""}
    try:
        reply["svg"] = live.panel.picture(number, name)
        reply["problem"] = "" if reply["svg"] else f"{name} could not be laid out in time"
    except Exception as problem:  # said in the panel: a learner sees no traceback of the drawing
        reply["problem"] = f"{name} could not be drawn ({page.why(problem)})"
    live.send(reply)


# without anywidget --------------------------------------------------------------------------------


def _form(panel):
    """A slider over the passes, a choice of the view, and the picture with its numbers."""
    try:
        import ipywidgets
    except ImportError:
        raise errors.NotRunnable(
            "A live panel needs anywidget, or at least ipywidgets.",
            hint="pip install anywidget. The panel itself needs neither: leave it as the last"
            " value of a cell.",
        ) from None
    numbers = [said["number"] for said in panel.report] or [0]
    chosen = ipywidgets.SelectionSlider(
        options=numbers,
        value=panel.start or numbers[0],
        description="pass",
        continuous_update=False,
    )
    view = ipywidgets.ToggleButtons(options=VIEWS, value="diff", description="view")
    shown = ipywidgets.HTML()

    def draw(_=None):
        shown.value = _step(panel, chosen.value, view.value)

    for each in (chosen, view):
        each.observe(draw, "value")
    draw()
    more = "With anywidget installed this is the whole panel: matches, search, zoom, a chosen node."
    return ipywidgets.VBox([ipywidgets.HTML(tag("i", more)), chosen, view, shown])


def _step(panel, number, view):
    """One pass as HTML: its picture if it can be drawn, and always its text."""
    said = next((each for each in panel.report if each["number"] == number), None)
    if said is None:
        return tag("p", "There is nothing to show.")
    try:
        picture = panel.svg(view, number)
    except Exception as problem:  # the text below has the same content
        picture = tag("p", escaped(f"The picture could not be drawn ({page.why(problem)})."))
    return picture + tag("pre", escaped("\n".join(text.step(said))))
