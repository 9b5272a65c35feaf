"""A learner walks through the tour in JupyterLab: runs it, writes the pass, runs all of it again.

The server is the one of ``./lab``, with its settings.
"""

import pytest
from lab_server import RUN, open_notebook
from playwright.sync_api import expect

from ms_ext.book import learner, source

pytestmark = pytest.mark.browser
CELLS = """() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
  .filter(cell => cell.cell_type === 'code')
  .map(cell => ({tags: (cell.metadata.tags || []), count: cell.execution_count,
                 outputs: cell.outputs.map(output => output.output_type),
                 printed: cell.outputs.map(output => output.text).join("")}))"""
FINISHED = f"""() => {{ const cells = ({CELLS})(); return cells.every(cell => cell.count) ||
  cells.some(cell => cell.outputs.includes('error') && !cell.tags.includes('raises-exception')); }}
"""
#: What a key that JupyterLab understands would change.
NOTEBOOK = """() => {
  const { content } = window.jupyterapp.shell.currentWidget;
  const cells = content.model.sharedModel.cells.map(cell => [cell.cell_type, cell.source]);
  return [content.mode, document.querySelectorAll('.jp-Dialog').length, cells];
}"""
#: What the learner types over each stub, line by line; JupyterLab indents what follows a colon.
TYPED = (
    ("return ops.Sub(x, ops.Neg(y))", ["    return ops.Add(x, ops.Neg(y))"]),
    ("return ops.Add(x, y)", ["    return ops.Sub(x, y)"]),
)
RERUN = "() => { window.jupyterapp.commands.execute('notebook:restart-run-all'); }"


@pytest.fixture(scope="module")
def tour(lab, browser_process):
    """The tour after "Run All", in a browser."""
    learner.write_learner_copy("tour", lab.folder)
    watched = open_notebook(browser_process, lab.address("00_tour.ipynb"))
    watched.page.evaluate(RUN)
    watched.page.wait_for_function(FINISHED)
    yield watched
    watched.page.context.close()


def cells(watched):
    return watched.page.evaluate(CELLS)


def test_every_cell_ran(tour):
    code = [cell for cell in source.read("tour").cells if cell.kind == "code"]
    ran = cells(tour)
    assert len(ran) == len(code) and all(cell["count"] for cell in ran)
    for cell in ran:
        assert ("error" in cell["outputs"]) == ("raises-exception" in cell["tags"]), cell


def panel(watched):
    """The panel that shows the passes of the block, its script at work."""
    found = watched.page.locator(".msx-panel.ready:has(input.pass)").first
    found.scroll_into_view_if_needed()
    return found


def drawn(found, state):
    return found.locator(f".picture:not([hidden]) g.node.{state}")


def shown(found, state):
    return drawn(found, state).count()


def test_the_slider_finds_added_and_removed_nodes(tour):
    found = panel(tour)
    slider = found.locator("input.pass")
    seen = {}
    slider.focus()
    slider.press("Home")
    for _ in range(int(slider.get_attribute("max"))):
        number = found.get_attribute("data-pass")
        seen[number] = (shown(found, "added"), shown(found, "removed"))
        slider.press("ArrowRight")
    assert len(seen) == int(slider.get_attribute("max"))
    assert any(added and removed for added, removed in seen.values())
    assert len({counts for counts in seen.values()}) > 1


def test_the_keys_of_a_panel_are_heard_there_and_not_by_jupyterlab(tour):
    found, keys = panel(tour), tour.page.keyboard
    found.locator(".strip button", has_text="add_neg_to_sub").click()
    before = tour.page.evaluate(NOTEBOOK)
    found.locator(".counter.matches input").focus()
    keys.press("ArrowRight")
    assert found.locator(".counter.matches .count").inner_text() == "1 of 4"
    keys.press("m")
    assert found.locator(".counter.matches .count").inner_text() == "2 of 4"
    keys.press("n")
    assert found.locator(".counter.misses .count").inner_text().startswith("1 of ")
    keys.press("j")
    assert found.locator("g.node.picked").count() == 1
    keys.press("/")
    keys.type("dd softmax")  # in the search: no cell goes
    keys.press("Escape")
    for key in ("d", "d", "x", "c", "v", "z", "a", "b", "y", "r", "1", "i", "i", "Shift+M"):
        keys.press(key)
    found.locator(".legend").click()  # beside what can be pressed
    keys.type("ddx")
    assert tour.page.evaluate(NOTEBOOK) == before
    keys.press("Control+s")  # this one is JupyterLab's
    tour.page.wait_for_function("!window.jupyterapp.shell.currentWidget.content.model.dirty")


def test_every_figure_is_there(tour):
    page = tour.page
    timeline = page.locator(".jp-CodeCell:has-text('viz.timeline(tower')")
    assert timeline.locator(".jp-OutputArea-output svg").count() >= 1
    assert (
        page.locator(
            ".jp-OutputArea-output img[src*='svg'], .jp-OutputArea-output .jp-RenderedSVG"
        ).count()
        >= 1
    )
    assert page.locator(".msx-panel.ready svg g.node").count() > 40


def test_the_check_answers_for_the_starter(tour):
    verdict = tour.page.locator(".ms-verdict")
    verdict.scroll_into_view_if_needed()
    assert "not-attempted" in verdict.get_attribute("class")
    assert "does not rewrite x + (-y)" in verdict.text_content()


def test_the_pass_is_written_and_checked_by_typing(tour):
    page = tour.page
    cell = page.locator(".jp-CodeCell", has_text="def when(x, y, match)")
    cell.scroll_into_view_if_needed()
    for stub, typed in TYPED:
        cell.locator(".cm-line", has_text=stub).first.click()
        for key in ("End", "Shift+Home", "Shift+Home"):
            page.keyboard.press(key)
        for words in typed:
            press = page.keyboard.press if words in ("Enter", "Backspace") else page.keyboard.type
            press(words)
    for _ in range(4):  # the pass, a sentence, its picture, its check
        page.keyboard.press("Shift+Enter")
    page.wait_for_selector(".ms-verdict.passed")
    assert "5 of 5 points" in page.locator(".ms-verdict").text_content()
    yours = page.locator(".msx-panel.ready:has(input.pass)").nth(1)
    for state, number in (("added", 1), ("removed", 2)):
        # The page may still hold the picture of the starter: its cell is drawn after the verdict's.
        expect(drawn(yours, state)).to_have_count(number)


@pytest.mark.long
def test_restart_and_run_all_says_the_same(tour):
    before = cells(tour)
    tour.page.evaluate(RERUN)
    tour.page.locator(".jp-Dialog .jp-mod-accept").click()
    tour.page.wait_for_function(f"() => !({FINISHED})()")
    tour.page.wait_for_function(FINISHED)
    tour.page.wait_for_selector(".ms-verdict.passed")
    after = cells(tour)
    assert [cell["count"] for cell in after] == list(range(1, len(after) + 1))
    assert [cell["outputs"] for cell in after] == [cell["outputs"] for cell in before]
    assert [cell["printed"] for cell in after] == [cell["printed"] for cell in before]


def test_nothing_failed_and_nothing_called_out(tour):
    assert tour.errors == []
    assert tour.outside == []
