"""The chapters' views and a live panel in one JupyterLab notebook: keys, dark, narrow, saved.

What each view does by keyboard is in test_widgets; here they meet JupyterLab and one another.
"""

import nbformat
import pytest
from lab_server import RUN, open_notebook
from nbformat.v4 import new_code_cell, new_notebook

from ms_ext.viz import palette

pytestmark = pytest.mark.browser
START = """
import numpy as np
import ms_ext as ms
from ms_ext import Tensor, ops, viz

x, y = Tensor([5.0, 7.0, 9.0]), Tensor([4.0, 4.0, 4.0])

def loss(x, y):
    t = x / y
    return (t * t).sum()

def twice(x, y):
    return (x + (-y)) * ((-y) + x)

def larger(x, y):
    return np.maximum(x, y)

rule = (lambda x, y: ops.Add(x, ops.Neg(y))), (lambda x, y: ops.Sub(x, y))
"""
#: Each view: its cell, what is focused, a click beside the controls.
VIEWS = {
    "shapes": ('viz.shapes(ops.Custom(larger, lambda *s: s[0], lambda *t: t[0], "pyfunc"))',
               ".case", ".title"),
    "backward": ("viz.backward(loss, x, y)", "figure", ".steps li li"),
    "adjoint": ("viz.adjoint(loss, x, y)", ".pane [tabindex='0']", ".title"),
    "matcher": ("viz.matcher(*rule, True, twice, x, y)", "figure.graph", "[open] ol > li"),
    "stack": ("viz.stack(twice, x, y)", ".layer > summary", ".title"),
    "timeline": ("viz.timeline(twice, x, y)", ".stage", ".title"),
}  # fmt: skip
LIVE = 'w = viz.passes(twice, x, y, passes=["add_neg_to_sub"]).widget()\nw'
CELLS = [START, *(cell for cell, _, _ in VIEWS.values()), LIVE, "w.selected, w.node and w.node.id"]
PANEL, NEXT = len(CELLS) - 2, len(CELLS) - 1
MODEL = "window.jupyterapp.shell.currentWidget.content.model"
SOURCES = f"() => {MODEL}.sharedModel.cells.map(cell => cell.source)"
RAN = f"() => {MODEL}.sharedModel.cells.slice(0, -1).every(cell => cell.execution_count)"
THEME = "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})"
SAVE = "() => window.jupyterapp.shell.currentWidget.context.save()"
#: Elements whose content is wider than they are, and who do not scroll.
WIDE = """() => [...document.querySelectorAll('.jp-OutputArea-output, .msx-card, .msx-panel')]
  .filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.className)"""


@pytest.fixture(scope="module")
def views(lab, browser_process):
    """The notebook after "Run All"."""
    path = lab.folder / "views.ipynb"
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(new_notebook(metadata=kernel, cells=[*map(new_code_cell, CELLS)]), path)
    watched = open_notebook(browser_process, lab.address(path.name))
    watched.path = path
    watched.page.set_default_timeout(30_000)
    watched.page.evaluate(RUN)
    watched.page.wait_for_function(RAN)
    watched.page.wait_for_selector(".msx-panel.ready", state="attached")
    yield watched
    watched.page.context.close()


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_keeps_its_keys_and_jupyterlab_keeps_its_cells(views, name):
    page, (_, place, beside) = views.page, VIEWS[name]
    card = page.locator(f".msx-card.{name}.ready")
    before = page.evaluate(SOURCES)
    card.locator(place).first.focus()
    page.keyboard.press("ArrowRight")
    assert card.evaluate("card => card.contains(document.activeElement)")
    page.keyboard.type("ddx")
    card.locator(beside).first.click()
    page.keyboard.press("ArrowDown")
    page.keyboard.type("ddx")
    assert card.evaluate("card => card.contains(document.activeElement)")
    assert page.evaluate(SOURCES) == before


def count(page, place):
    """How often a cell was run."""
    return page.evaluate(f"() => {MODEL}.sharedModel.cells.at({place}).execution_count")


def ran_again(page, place, before):
    page.wait_for_function(
        f"before => {MODEL}.sharedModel.cells.at({place}).execution_count > before", arg=before
    )


def test_a_clicked_node_is_known_in_the_next_cell(views):
    page, panel = views.page, views.page.locator(".msx-panel.ready")
    before = count(page, PANEL)
    panel.locator(".stage").focus()
    page.keyboard.press("Shift+Enter")  # inside the panel too this runs the cell
    ran_again(page, PANEL, before)
    panel.locator("g.node.added").click()
    chosen = panel.locator("g.node.picked").get_attribute("data-id")
    last = page.locator(".jp-CodeCell").nth(NEXT)
    before = count(page, NEXT)
    last.locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    ran_again(page, NEXT, before)
    assert last.locator(".jp-OutputArea-output").text_content().strip() == f"({chosen}, {chosen})"


def test_a_pass_chosen_in_a_cell_is_shown_in_the_panel(views):
    page, last = views.page, views.page.locator(".jp-CodeCell").nth(NEXT)
    last.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("w.number = 3")
    page.keyboard.press("Shift+Enter")
    page.wait_for_selector(".msx-panel.ready[data-pass='3']", state="attached")


def test_dark_reaches_every_picture(views):
    page = views.page
    places = ".msx-card, .msx-panel, .msx-lanes, .msx-graph"
    grounds = """places => [...document.querySelectorAll(places)]
      .map(each => [each.getAttribute('class'), getComputedStyle(each).backgroundColor])"""
    red, green, blue = (int(palette.DARK["bg"][at : at + 2], 16) for at in (1, 3, 5))
    page.evaluate(THEME, "JupyterLab Dark")
    page.wait_for_selector("[data-jp-theme-light=false]", state="attached")
    found = page.evaluate(grounds, places)
    assert len(found) >= 11
    assert [each for each in found if each[1] != f"rgb({red}, {green}, {blue})"] == []
    page.evaluate(THEME, "JupyterLab Light")
    page.wait_for_selector("[data-jp-theme-light=true]", state="attached")


def test_a_narrow_window_cuts_nothing_off(views):
    views.page.set_viewport_size({"width": 700, "height": 900})
    assert views.page.evaluate(WIDE) == []


@pytest.mark.long
def test_reopened_without_trust_it_shows_pictures_and_tables_and_nothing_dead(
    views, lab, browser_process
):
    views.page.evaluate(SAVE)
    kept = nbformat.read(views.path, 4)
    kept.metadata["note"] = "another text, so another signature"
    nbformat.write(kept, lab.folder / "stranger.ipynb")
    watched = open_notebook(browser_process, lab.address("stranger.ipynb"))
    outputs = watched.page.locator(".jp-OutputArea-output")
    outputs.nth(len(VIEWS)).wait_for(state="attached")
    assert outputs.locator("button, input, select, svg, style, script, kbd").count() == 0
    images = outputs.locator("img")
    assert images.count() >= 7 and images.evaluate_all("all => all.every(i => i.naturalWidth > 90)")
    assert outputs.locator("table").count() >= 10
    assert outputs.get_by_text("trust the notebook").count() == len(VIEWS) + 1
    words = " ".join(outputs.all_text_contents())
    code = ("--msx", "color-scheme", "const ", "=>", "data:image", "&lt;")
    assert [each for each in code if each in words] == []
    watched.page.context.close()
    assert watched.errors == [] and watched.outside == []


def test_nothing_failed_and_nothing_called_out(views):
    assert views.errors == []
    assert views.outside == []
