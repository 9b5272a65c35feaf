"""The symbol table in a real browser: dark, narrow, by keyboard, without script."""

import pytest
from looks import looks

from ms_ext import viz
from ms_ext.engine import toolchain
from ms_ext.engine.custom.loading import surroundings
from ms_ext.viz import palette

pytestmark = pytest.mark.browser


def view(tmp_path):
    """A library with all that can be wrong, where a compiler is; Python itself elsewhere."""
    source = tmp_path / "long_names.cpp"
    many = [f"int a_function_with_a_long_name_{n}(int x) {{ return x; }}" for n in range(5)]
    more = ["float nowhere(float);", "float use(float x) { return nowhere(x); }"]
    source.write_text("\n".join([*many, *more, 'extern "C" int my_mul(int n) { return n; }']))
    can = toolchain.cxx_compiler() is not None
    return viz.symbols(source if can else surroundings.PYTHON, find="my_mul")


@pytest.mark.parametrize("scheme, wide", looks(360, 1000))
def test_it_fits_and_takes_the_colours_of_the_page(open_views, tmp_path, scheme, wide):
    size = {"width": wide, "height": 900}
    page = open_views(view(tmp_path), color_scheme=scheme, viewport=size)
    colours = palette.DARK if scheme == "dark" else palette.LIGHT
    red, green, blue = (int(colours["bg"][i : i + 2], 16) for i in (1, 3, 5))
    found = page.locator(".msx-card").evaluate("e => getComputedStyle(e).backgroundColor")
    assert found == f"rgb({red}, {green}, {blue})"
    assert page.evaluate("document.documentElement.scrollWidth") <= wide


def test_without_script_nothing_is_missing(open_views, tmp_path):
    shown = view(tmp_path)
    page = open_views(shown, java_script_enabled=False)
    words = page.locator("body").inner_text()
    for said in (shown.title, shown.answer, "exported name", "who finds it"):
        assert said in words
    assert page.locator("[id], button, input").count() == 0


def test_wide_tables_are_reached_by_keyboard(open_views, tmp_path):
    page = open_views(view(tmp_path), viewport={"width": 360, "height": 900})
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "wide"
