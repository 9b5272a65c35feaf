"""The tour in JupyterLab, as a learner opens it: every cell runs and the pass slider moves."""

import json
import os
import secrets
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from ms_ext.book import learner, source
from ms_ext.cli import notebook

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
OVERRIDES = {
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
}
RUN = """async () => {
  const widget = window.jupyterapp.shell.currentWidget;
  await widget.context.ready;
  await widget.sessionContext.ready;
  await widget.sessionContext.session.kernel.info;
  await window.jupyterapp.commands.execute('notebook:run-all-cells');
}"""
CELLS = """() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
  .filter(cell => cell.cell_type === 'code')
  .map(cell => ({tags: (cell.metadata.tags || []), count: cell.execution_count,
                 outputs: cell.outputs.map(output => output.output_type)}))"""
FINISHED = """cells.every(cell => cell.count) ||
  cells.some(cell => cell.outputs.includes('error') && !cell.tags.includes('raises-exception'))"""


def surroundings(home):
    """Variables of a Jupyter that knows nothing of this user."""
    folders = {
        f"JUPYTER_{kind}_DIR": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "RUNTIME")
    }
    settings = home / "config" / "labconfig" / "default_setting_overrides.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps(OVERRIDES))
    own = {
        "HOME": str(home),
        "IPYTHONDIR": str(home),
        "MPLCONFIGDIR": str(home),
        "MS_EXT_JIT": "fixed",
    }
    return {**os.environ, **folders, **own, "PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The address of the tour's learner copy in a JupyterLab of its own."""
    home = tmp_path_factory.mktemp("lab")
    learner.write_learner_copy("tour", home / "work")
    port, token = notebook.free_port(), secrets.token_hex(16)
    place = [f"--ServerApp.port={port}", f"--ServerApp.root_dir={home / 'work'}", "--allow-root"]
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        *notebook.QUIET,
        "--LabApp.expose_app_in_browser=True",
        *place,
    ]
    environment = {**surroundings(home), "JUPYTER_TOKEN": token}
    with (home / "log").open("w") as log:
        server = subprocess.Popen(command, env=environment, cwd=home, stdout=log, stderr=log)
    try:
        wait_for(server, port, token, home / "log")
        yield f"http://127.0.0.1:{port}/lab/tree/00_tour.ipynb?reset&token={token}"
    finally:
        server.terminate()
        server.wait(20)


def wait_for(server, port, token, log):
    """Until the server answers, or its log says why not."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(300):
        assert server.poll() is None, log.read_text()[-2000:]
        try:
            opener.open(f"http://127.0.0.1:{port}/api/status?token={token}", timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    pytest.fail(log.read_text()[-2000:])


class Watched:
    """A page, with what went wrong on it and what it asked for elsewhere."""

    def __init__(self, page):
        self.page, self.errors, self.outside = page, [], []
        page.on("console", lambda said: said.type == "error" and self.errors.append(said.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._request)

    def _request(self, request):
        if not request.url.startswith(("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:")):
            self.outside.append(request.url)


@pytest.fixture(scope="module")
def tour(lab, browser_process):
    """The tour after "Run All", in a browser."""
    context = browser_process.new_context(viewport={"width": 1400, "height": 1000})
    watched = Watched(context.new_page())
    page = watched.page
    page.set_default_timeout(120_000)
    page.goto(lab)
    page.wait_for_function("window.jupyterapp?.shell?.currentWidget?.context?.isReady")
    page.evaluate(RUN)
    page.wait_for_function(f"() => {{ const cells = ({CELLS})(); return {FINISHED}; }}")
    yield watched
    context.close()


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
