"""The four stages in a real browser: light, dark, narrow; nothing is cut off or told by colour."""

import nbformat
import pytest
from lab_server import RUN, open_notebook
from looks import looks
from nbformat.v4 import new_code_cell, new_notebook

from ms_ext import viz
from ms_ext.runtime import StageSync
from ms_ext.viz import palette

pytestmark = pytest.mark.browser

CALLS = [(1, 2, 1, 4)] * 6


def shown():
    program = {"as it is": [*CALLS[:3], StageSync(), *CALLS[3:]], "no wait": CALLS}
    return viz.stages(program, capacity=1, select=4)


@pytest.mark.parametrize("scheme, width", looks(420, 1200))
def test_it_fits_and_has_its_colours(open_views, scheme, width):
    page = open_views(shown(), color_scheme=scheme, viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".msx-card.ready").count() == 2 and page.locator("[id]").count() == 0
    colours = palette.DARK if scheme == "dark" else palette.LIGHT
    for lane, hue in (("h2", "lane-2"), ("h4", "lane-4")):
        fill = f".msx-queues .queue.{lane} path"
        found = page.locator(fill).first.evaluate("e => getComputedStyle(e).fill")
        red, green, blue = (int(colours[hue][i : i + 2], 16) for i in (1, 3, 5))
        assert found == f"rgb({red}, {green}, {blue})"


def test_numbers_stand_in_the_bars_of_calls_without_a_name(open_views):
    page = open_views(shown())
    lane = page.locator(".msx-lanes .run").last.locator(".lane").last
    assert lane.locator(".slice text").all_text_contents() == ["1", "2", "3", "4", "5", "6"]
    assert "It takes 32 = " in page.locator(".msx-card.stages").inner_text()
    page.locator(".stage").focus()
    page.keyboard.press("ArrowRight")
    assert "call 1: PyTask 1, begins at 0" in page.locator(".detail").inner_text()


def test_without_script_it_is_whole(open_views):
    page = open_views(shown(), java_script_enabled=False)
    assert page.locator("img").count() == 3 and page.locator("img:not([alt])").count() == 0
    assert page.get_by_text("A dashed line is a full queue").is_visible()


SLIDERS = "from ms_ext import viz\n\nviz.stages([(1, 2, 1, 4)] * 6, capacity=2).widget()"
THEME = "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})"


@pytest.mark.long
def test_sliders_draw_anew_in_jupyterlab(lab, browser_process):
    path = lab.folder / "sliders.ipynb"
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(new_notebook(metadata=kernel, cells=[new_code_cell(SLIDERS)]), path)
    watched = open_notebook(browser_process, lab.address(path.name))
    page = watched.page
    page.set_default_timeout(30_000)
    page.evaluate(RUN)
    page.get_by_text("6 calls in 28").first.wait_for()
    page.locator(".widget-slider .noUi-handle").nth(3).focus()
    page.keyboard.press("ArrowRight")
    page.get_by_text("6 calls in 34").first.wait_for()
    assert "It takes 34 = " in page.locator(".msx-card.stages").inner_text()
    page.evaluate(THEME, "JupyterLab Dark")
    page.wait_for_selector("[data-jp-theme-light='false']", state="attached")
    light = "() => getComputedStyle(document.querySelector('.msx-lanes .name')).fill"
    page.wait_for_function(f"{light.removeprefix('() => ')} === 'rgb(240, 240, 240)'")
    page.context.close()
    assert watched.errors == [] and watched.outside == []
