"""The maps of a gradient check and the table of two modes in a real browser, light and dark."""

import numpy as np
import pytest
from looks import looks

import ms_ext as ms
from ms_ext import Tensor, ops, viz
from ms_ext.viz import palette

pytestmark = pytest.mark.browser

GRID = Tensor(np.linspace(-1.0, 2.0, 240, dtype=np.float32).reshape(20, 12))


def first(x, *others):
    return x


def scaled_bprop(x, scale, out, dout):
    return dout * scale, -ops.sum(dout * x, 0)


scaled = ops.Custom(lambda x, scale: x * scale, first, first, bprop=scaled_bprop)


def lazy_bprop(x, scale, out, dout):
    return dout * scale


lazy = ops.Custom(lambda x, scale: x * scale, first, first, bprop=lazy_bprop)


@pytest.mark.parametrize("scheme, width", looks(420, 1200))
def test_both_fit_and_have_their_colours(open_views, scheme, width):
    views = [
        viz.gradcheck(ms.gradcheck(scaled, GRID, GRID[0])),
        viz.gradient_modes(lazy, GRID[:2, :2], GRID[0, :2]),
    ]
    look = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    page = open_views(*views, **look)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("[id]").count() == 0
    colours = palette.DARK if scheme == "dark" else palette.LIGHT
    red, green, blue = (int(colours["bg"][i : i + 2], 16) for i in (1, 3, 5))
    background = page.locator(".msx-card").first.evaluate(
        "e => getComputedStyle(e).backgroundColor"
    )
    assert background == f"rgb({red}, {green}, {blue})"
    assert strengths(page) == 3
    assert page.get_by_label("the worst element").count() == 3


def strengths(page):
    """How many different colours the weakest, a middle and the strongest level have."""
    style = "e => getComputedStyle(e).backgroundColor"
    return len({page.locator(f"td.level-{n}").first.evaluate(style) for n in (1, 3, 5)})
