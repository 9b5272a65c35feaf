"""The tour in JupyterLab, as a learner opens it: every cell runs and the pass slider moves."""

import pytest
from lab_server import RUN, open_notebook

from ms_ext.book import learner, source

pytestmark = pytest.mark.browser
CELLS = """() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
  .filter(cell => cell.cell_type === 'code')
  .map(cell => ({tags: (cell.metadata.tags || []), count: cell.execution_count,
                 outputs: cell.outputs.map(output => output.output_type)}))"""
FINISHED = """cells.every(cell => cell.count) ||
  cells.some(cell => cell.outputs.includes('error') && !cell.tags.includes('raises-exception'))"""


@pytest.fixture(scope="module")
def tour(lab, browser_process):
    """The tour after "Run All", in a browser."""
    learner.write_learner_copy("tour", lab.folder)
    watched = open_notebook(browser_process, lab.address("00_tour.ipynb"))
    page = watched.page
    page.evaluate(RUN)
    page.wait_for_function(f"() => {{ const cells = ({CELLS})(); return {FINISHED}; }}")
    yield watched
    page.context.close()


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


def shown(found, state):
    return found.locator(f".picture:not([hidden]) g.node.{state}").count()


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
    assert "failed" in verdict.get_attribute("class")
    assert "not written yet" in verdict.inner_text()


def test_nothing_failed_and_nothing_called_out(tour):
    assert tour.errors == []
    assert tour.outside == []
