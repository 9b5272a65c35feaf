"""The map of func_types and the loader's steps in a real browser: dark, narrow, no script."""

import numpy as np
import pytest
from looks import looks

from ms_ext import ops, viz
from ms_ext.engine.custom.loading import Trace
from ms_ext.viz import palette

pytestmark = pytest.mark.browser

COMMAND = "g++ -O2 -shared -fPIC -o " + "a_rather_long_folder/" * 6 + "half.so"


def op():
    made = ops.Custom(np.cbrt, lambda x: x, lambda x: x, "pyfunc")
    made.way.trace = trace = Trace("./half.cpp:half")
    trace.remark("look", "half.cpp", "found", "half.cpp is a file.")
    trace.remark("compile", COMMAND, "built", COMMAND)
    trace.remark("symbol", "half", "missing", "undefined symbol: half")
    trace.exports = tuple(f"kernel_with_a_name_{number}" for number in range(9))
    return made


def views():
    made = op()
    return viz.ways(made), viz.trace(made)


@pytest.mark.parametrize("scheme, wide", looks(360, 1000))
def test_they_fit_and_take_the_colours_of_the_page(open_views, scheme, wide):
    page = open_views(*views(), color_scheme=scheme, viewport={"width": wide, "height": 900})
    colours = palette.DARK if scheme == "dark" else palette.LIGHT
    red, green, blue = (int(colours["bg"][i : i + 2], 16) for i in (1, 3, 5))
    style = "e => getComputedStyle(e).backgroundColor"
    for card in page.locator(".msx-card").all():
        assert card.evaluate(style) == f"rgb({red}, {green}, {blue})"
    assert page.evaluate("document.documentElement.scrollWidth") <= wide
    assert page.locator(".tree b").filter(has_text="▶").inner_text() == "▶ pyfunc"


def test_without_script_nothing_is_missing(open_views):
    page = open_views(*views(), java_script_enabled=False)
    words = page.locator("body").inner_text()
    for said in ("What do you have?", "the source as a text in the program", "undefined symbol",
                 "kernel_with_a_name_8", "it ends at symbol"):  # fmt: skip
        assert said in words
    assert page.locator("[id], button, input").count() == 0


def test_the_table_that_is_wider_scrolls_by_keyboard(open_views):
    page = open_views(*views(), viewport={"width": 360, "height": 900})
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "wide"
