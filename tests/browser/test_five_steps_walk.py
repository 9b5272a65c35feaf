"""A learner walks through chapter 01's picture of training and the live plot of the losses.

Quick: both views in a page. Long: the chapter in JupyterLab, its loop written by typing.
"""

import pytest
from lab_server import RUN, open_notebook

from ms_ext import viz
from ms_ext.book import learner, source
from ms_ext.viz.loss_plot import Curve
from ms_ext.viz.widgets import training_words

pytestmark = pytest.mark.browser
STATIONS = training_words.STATIONS


def chapter_picture():
    """The first picture of the chapter, from its own cells."""
    space = {}
    code = [cell.text for cell in source.read("01").cells if cell.kind == "code"]
    for text in code[:2]:  # the imports, then the line and its optimizer
        exec(text, space)
    batches = [(space["x"], space["y"])]
    return viz.training(space["line"], space["distance"], space["downhill"], batches, steps=4)


def test_play_begins_and_goes_through_every_station_to_all(open_views):
    page = open_views(chapter_picture())
    status, card = page.locator(".status"), page.locator(".msx-card")
    said = []
    for _ in range(21):
        page.locator("button.more").click()
        said.append(status.inner_text())
    expected = [f"step {step}, {station}" for step in range(1, 5) for station in STATIONS]
    assert [each.partition(":")[0] for each in said] == [*expected, "every step at once"]
    assert "1.7 → 1.84 (by 0.142, its gradient is −2.83)" in said[19]  # what the chapter says
    card.press("ArrowRight")
    assert status.inner_text().startswith("step 1, batch: x: float32[3, 1], 1 2 3")


@pytest.mark.parametrize(("wide", "shown"), [(360, 1), (700, 5), (1400, 5)])
def test_what_is_written_in_a_station_can_be_read(open_views, wide, shown):
    page = open_views(chapter_picture(), viewport={"width": wide, "height": 900})
    page.locator("button.more").click()
    assert page.locator("section:visible .station:visible").count() == shown
    text = page.locator(".station.now text").first
    assert text.evaluate("e => e.getBoundingClientRect().height") >= 11
    clipped = """() => [...document.querySelectorAll('.station svg')].flatMap(svg => {
      const room = svg.getBoundingClientRect();
      return [...svg.querySelectorAll('text')].map(text => [text, text.getBoundingClientRect()])
        .filter(([text, box]) => box.left < room.left - 1 || box.right > room.right + 1)
        .map(([text]) => text.textContent); })"""
    page.locator(".msx-card").press("0")
    assert page.evaluate(clipped) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("wide", [360, 1000])
def test_the_loss_plot_fits_and_says_what_it_shows(open_views, wide, scheme):
    losses = [3.0, 0.0123, 2.0, float("nan"), 1.0]
    plots = (Curve(losses, [1, 3], "loss 1 at step 5, epoch 2"), Curve([5.0], [1], "loss 5"))
    page = open_views(*plots, color_scheme=scheme, viewport={"width": wide, "height": 600})
    assert page.evaluate("document.documentElement.scrollWidth") <= wide
    plot = page.locator(".msx-loss").first
    assert plot.locator("p").inner_text() == "loss 1 at step 5, epoch 2"
    assert plot.locator("path.none").count() == 1 and plot.locator("line.epoch").count() == 1
    outside = """plot => [...plot.querySelectorAll('text')].filter(text => {
      const box = text.getBoundingClientRect(), room = plot.getBoundingClientRect();
      return box.left < room.left || box.right > room.right; }).length"""
    assert plot.evaluate(outside) == 0


# in JupyterLab -----------------------------------------------------------------------------------

FINISHED = """() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
  .filter(cell => cell.cell_type === 'code').every(cell => cell.execution_count)"""
ERRORS = """() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
  .flatMap(cell => [...(cell.outputs || [])].filter(output => output.output_type === 'error')
    .map(output => output.evalue))"""
STUB = "losses.append(loss_of_line())"
#: JupyterLab indents what follows a line, and ends it where the cursor stands.
LOOP = [
    "    one_step = ms.value_and_grad(loss_of_line, None, optimizer.parameters)",
    "for _ in range(steps):",
    "now, slopes = one_step()",
    "losses.append(now)",
]


@pytest.fixture(scope="module")
def walk(lab, browser_process):
    """The chapter after "Run All"."""
    learner.write_learner_copy("01", lab.folder, source.ENGLISH)
    watched = open_notebook(browser_process, lab.address("01_five_steps.ipynb"))
    watched.page.evaluate(RUN)
    watched.page.wait_for_function(FINISHED)
    yield watched
    watched.page.context.close()


def typed(page, stub, lines):
    """Write lines over the stub of an exercise, and run its cell and the two behind it."""
    cell = page.locator(".jp-CodeCell", has_text="def fit_line(")
    cell.scroll_into_view_if_needed()
    cell.locator(".cm-line", has_text=stub).first.click()
    for key in ("End", "Shift+Home", "Shift+Home"):
        page.keyboard.press(key)
    for number, line in enumerate(lines):
        if number:
            page.keyboard.press("Enter")
        page.keyboard.type(line)
    for _ in range(3):
        page.keyboard.press("Shift+Enter")


@pytest.mark.long
def test_the_chapter_runs_and_its_error_says_what_to_do(walk):
    [error] = walk.page.evaluate(ERRORS)
    assert "one gradient for each Parameter" in error and "given: one value" in error
    assert "Take them with value_and_grad(forward, None, optimizer.parameters)." in error
    shown = walk.page.locator(".jp-CodeCell", has_text="optimizer(wrong)")
    assert "contextlib" not in shown.locator(".jp-OutputArea-output").inner_text()


@pytest.mark.long
def test_the_keys_of_the_picture_change_no_cell(walk):
    page, card = walk.page, walk.page.locator(".msx-card.training.ready").nth(1)
    sources = """() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
      .map(cell => cell.source)"""
    before = page.evaluate(sources)
    card.locator("button.more").focus()
    for key in ("Home", *["ArrowRight"] * 9, "d", "d", "x"):
        page.keyboard.press(key)
    assert card.locator(".status").inner_text().startswith("step 2, update: hidden.weight: ")
    assert page.evaluate(sources) == before


@pytest.mark.long
def test_the_loop_is_written_by_typing_and_the_verdict_knows_the_mistake(walk):
    page = walk.page
    cell = page.locator(".jp-CodeCell", has_text='ms.check("01.fit_line")')
    typed(page, STUB, LOOP)
    page.wait_for_function(
        "() => [...document.querySelectorAll('.ms-verdict.failed')]"
        ".some(each => each.textContent.includes('No Parameter moves.'))"
    )
    typed(page, "losses.append(now)", ["        losses.append(now)", "optimizer(slopes)"])
    page.wait_for_selector(".ms-verdict.passed")
    assert "3 of 3 points" in cell.locator(".ms-verdict").inner_text()


@pytest.mark.long
def test_nothing_failed_and_nothing_called_out(walk):
    assert (walk.errors, walk.outside) == ([], [])
