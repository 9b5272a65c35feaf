"""The mode diff and the recompile counter in a real browser: dark, narrow, printed, no script."""

import pytest
from looks import looks

import ms_ext as ms
from ms_ext import Tensor, ops, viz
from ms_ext.viz import palette

pytestmark = pytest.mark.browser

x, longer = Tensor([1.0, 2.0, 3.0]), Tensor([1.0, 2.0, 3.0, 4.0])


def step(x, by, training):
    if training:
        x = x * by
    else:
        x = -x
    print(x)
    return ops.tanh(x)


def modes():
    return viz.modes(step, x, 3, True)


def compilations():
    return viz.compilations(
        ms.jit(step), (x, 3, True), (x, 4, True), (x, 3, True), (longer, 3, True)
    )


MAKERS = [modes, compilations]


@pytest.mark.parametrize("scheme, wide", looks(420, 1000))
def test_they_fit_and_take_the_colours_of_the_page(open_views, scheme, wide):
    size = {"width": wide, "height": 900}
    page = open_views(*(make() for make in MAKERS), color_scheme=scheme, viewport=size)
    colours = palette.DARK if scheme == "dark" else palette.LIGHT
    red, green, blue = (int(colours["bg"][i : i + 2], 16) for i in (1, 3, 5))
    style = "e => getComputedStyle(e).backgroundColor"
    for card in page.locator(".msx-card").all():
        assert card.evaluate(style) == f"rgb({red}, {green}, {blue})"
    assert page.evaluate("document.documentElement.scrollWidth") <= wide
    assert page.locator("svg.msx-calls .call").count() == 4
    assert page.locator("svg.msx-calls .call.new").count() == 3
    assert page.locator("[id]").count() == 0


def test_without_script_everything_is_there(open_views):
    page = open_views(*(make() for make in MAKERS), java_script_enabled=False)
    assert page.locator("figure img").get_attribute("alt").startswith("step: 4 calls")
    words = page.locator("body").inner_text()
    for said in ("by was 3 and is 4", "not read: training is True", "Print: print(x)",
                 "training = True", "equal to the bit"):  # fmt: skip
        assert said in words
    assert page.locator("button, input").count() == 0


def test_what_is_wider_scrolls_by_keyboard(open_views):
    page = open_views(*(make() for make in MAKERS), viewport={"width": 420, "height": 900})
    focused = []
    for _ in range(4):
        page.keyboard.press("Tab")
        focused.append(page.evaluate("document.activeElement.className"))
    assert focused.count("wide") >= 3


def test_states_differ_without_colour(open_views):
    page = open_views(modes())
    glyphs = page.locator("table.lines tr td.glyph b")
    said = [(each.inner_text(), each.get_attribute("aria-label")) for each in glyphs.all()]
    assert dict(said) == {
        "=": "worked out by Python, once, while it was read", "+": "became nodes of the graph",
        "−": "not read", "▷": "runs in Python whenever the graph runs",
    }  # fmt: skip
    style = "e => getComputedStyle(e).borderLeftStyle"
    edges = [page.locator(f".became .{kind}").first.evaluate(style)
             for kind in ("node", "baked", "left", "python")]  # fmt: skip
    assert edges == ["solid", "dotted", "dashed", "double"]
