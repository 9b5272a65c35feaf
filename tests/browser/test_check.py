"""A check in JupyterLab: %%check, hints and the button by keyboard, in light and dark, saved."""

import json

import pytest
from lab_server import RUN, open_notebook

pytestmark = pytest.mark.browser
NAME = "05.mul_bprop"
RIGHT = "def mul_bprop(x, y, out, dout):\n    return dout * y, dout * x"
WRONG = "def mul_bprop(x, y, out, dout):\n    return dout * x, dout * y"
CELLS = (
    "import ms_ext as ms",
    f"%%check {NAME}\n{WRONG}",
    f"%%check {NAME}\nmul_bprop = 1 / 0",
    f'ms.hint("{NAME}", 2)',
    RIGHT,
    f'ms.check.button("{NAME}")',
)
COUNTS = """() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
  .every(cell => cell.execution_count)"""
CHANGE = """async ([at, text]) => {
  const panel = window.jupyterapp.shell.currentWidget;
  panel.content.model.sharedModel.cells[at].setSource(text);
  panel.content.activeCellIndex = at;
  await window.jupyterapp.commands.execute('notebook:run-cell');
}"""
SAVE = "() => window.jupyterapp.shell.currentWidget.context.save()"
THEME = "name => window.jupyterapp.commands.execute('apputils:change-theme', {theme: name})"


def notebook(texts):
    """A notebook with these code cells."""
    about = {"outputs": [], "metadata": {}, "execution_count": None}
    cells = [{"cell_type": "code", "source": text, "id": f"c{at}", **about}
             for at, text in enumerate(texts)]  # fmt: skip
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


@pytest.fixture(scope="module")
def walk(lab, browser_process):
    """The notebook after "Run All"."""
    path = lab.folder / "check.ipynb"
    path.write_text(json.dumps(notebook(CELLS)))
    watched = open_notebook(browser_process, lab.address(path.name))
    watched.path = path
    watched.page.evaluate(RUN)
    watched.page.wait_for_function(COUNTS)
    watched.page.wait_for_selector(".jupyter-button")
    yield watched
    watched.page.context.close()


def change_theme(walk, name):
    """JupyterLab in another theme, its curtain gone: two at once would make it stumble."""
    walk.page.evaluate(THEME, f"JupyterLab {name}")
    light = str(name == "Light").lower()
    walk.page.wait_for_selector(f'[data-jp-theme-light="{light}"]', state="attached")
    walk.page.wait_for_selector("#jupyterlab-splash", state="detached")


def cell(walk, number):
    return walk.page.locator(".jp-Notebook-cell").nth(number)


def test_a_cell_that_checks_itself(walk):
    verdict = cell(walk, 1).locator(".ms-verdict")
    assert "failed" in verdict.get_attribute("class")
    assert "0 of 2 points" in verdict.inner_text() and "ms.hint(" in verdict.inner_text()
    assert cell(walk, 2).locator(".ms-verdict").count() == 0
    stopped = cell(walk, 2).inner_text()
    assert "was not checked: the cell stopped" in stopped and "In[3], line 1" in stopped
    assert "Hint 2 of 3" in cell(walk, 3).locator(".ms-verdict.hint").inner_text()


def test_the_button_by_keyboard(walk):
    buttons = cell(walk, 5).locator(".jupyter-button")
    assert buttons.all_inner_texts()[0] == f"Check {NAME}" and buttons.count() == 4
    buttons.nth(0).focus()
    walk.page.keyboard.press("Enter")
    walk.page.wait_for_selector(".ms-verdict.passed")
    assert "not saved" not in cell(walk, 5).locator(".ms-verdict").inner_text()
    buttons.nth(0).focus()
    walk.page.keyboard.press("Tab")
    walk.page.keyboard.press("Space")
    hint = cell(walk, 5).locator(".ms-verdict.hint")
    hint.wait_for()
    assert "Hint 1 of 3" in hint.inner_text()


def test_light_and_dark(walk):
    verdict = cell(walk, 1).locator(".ms-verdict")
    ground = "verdict => getComputedStyle(verdict).backgroundColor"
    light = verdict.evaluate(ground)
    change_theme(walk, "Dark")
    assert verdict.evaluate(ground) != light
    change_theme(walk, "Light")


def test_what_is_not_saved_is_told(walk):
    walk.page.evaluate(CHANGE, [4, RIGHT.replace("dout * y", "y * dout")])
    cell(walk, 5).locator(".jupyter-button").nth(0).click()
    walk.page.wait_for_selector(".ms-verdict.passed .warning")
    assert "not saved yet" in cell(walk, 5).locator(".ms-verdict.passed").inner_text()


def test_the_saved_notebook_keeps_verdicts_and_hints(walk):
    walk.page.evaluate(SAVE)
    outputs = [
        output.get("data", {})
        for each in json.loads(walk.path.read_text())["cells"]
        for output in each["outputs"]
    ]
    verdicts = [data["application/vnd.ms-ext.verdict+json"] for data in outputs
                if "application/vnd.ms-ext.verdict+json" in data]  # fmt: skip
    hints = [data["application/vnd.ms-ext.hint+json"] for data in outputs
             if "application/vnd.ms-ext.hint+json" in data]  # fmt: skip
    assert [each["status"] for each in verdicts] == ["failed", "passed"]
    assert hints == [{"name": NAME, "level": 2}, {"name": NAME, "level": 1}]


def test_nothing_failed_and_nothing_called_out(walk):
    assert walk.errors == []
    assert walk.outside == []
