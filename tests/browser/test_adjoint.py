"""Python, graph and adjoint in a real browser: lines that mark each other, steps, no script."""

import numpy as np
import pytest
from looks import looks

from ms_ext import Tensor, ops, viz
from ms_ext.viz import palette

pytestmark = pytest.mark.browser

x, y = Tensor([1.0, 2.0]), Tensor([1.5, 1.0])


def closeness(x, y):
    d = x - y
    s = d * d
    return ops.exp(-s)


def biased(x, b):
    z = x / 2.0 + b
    return ops.tanh(z) * z


def small():
    return viz.adjoint(closeness, x, y)


def wide():
    rows = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3) / 4)
    return viz.adjoint(biased, rows, Tensor([0.0, 0.5, 1.0]))


def marked(page):
    """The code of the marked lines of each pane."""
    found = {}
    for pane in ("Python", "graph", "adjoint"):
        lines = page.locator(f".pane.{pane} .line.lit code").all_inner_texts()
        found[pane] = [line.strip() for line in lines]
    return found


SQUARE = {
    "Python": ["s = d * d"],
    "graph": ["s = Mul(d, d)"],
    "adjoint": [
        "s = Mul(d, d)", "3  back through s, Mul, dout is %6", "%7 = Mul(%6, d)",
        "%8 = Mul(%6, d)", "%9 = Add(%7, %8)",
    ],
}  # fmt: skip


def test_a_line_marks_what_became_of_it_by_pointer(open_views):
    page = open_views(small())
    page.locator(".pane.Python .line", has_text="s = d * d").hover()
    assert marked(page) == SQUARE
    assert page.locator("svg .spot.lit").count() == 4  # s, its slot, and two Mul
    page.locator(".title").hover()
    assert page.locator(".lit").count() == 0
    page.locator("svg .spot", has_text="%7 Mul").hover()
    assert marked(page) == SQUARE


def test_a_click_keeps_the_marks_and_says_how_many(open_views):
    page = open_views(small())
    status = page.get_by_role("status")
    page.locator(".pane.graph .line", has_text="Mul(d, d)").click()
    page.locator(".title").hover()
    assert marked(page) == SQUARE
    said = "s = Mul(d, d): 1 line of Python, 1 line of graph, 5 lines of adjoint"
    assert status.inner_text() == said
    page.keyboard.press("Escape")
    assert page.locator(".lit").count() == 0 and status.inner_text() == "nothing is marked"


def test_lines_by_keyboard(open_views):
    page = open_views(small())
    page.locator(".pane.Python [tabindex='0']").focus()
    assert marked(page)["graph"] == ["x", "y"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert marked(page) == SQUARE
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    assert marked(page)["Python"] == ["d = x - y"]
    assert page.locator(".pinned code").inner_text().strip() == "s = d * d"


def test_steps_by_keyboard(open_views):
    page = open_views(small())
    status, later = page.get_by_role("status"), page.locator(".pane.adjoint .later")
    assert status.inner_text() == "every step at once" and later.count() == 0
    page.locator("figure").focus()
    page.keyboard.press("Home")
    assert status.inner_text() == "Start: dout arrives"
    shown = page.locator(".pane.adjoint .line:visible code")
    assert shown.last.inner_text() == "dout, given by the caller"
    found = []
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        now = page.locator(".pane.Python .line.now code").all_inner_texts()
        found.append((status.inner_text(), [line.strip() for line in now]))
    assert found == [
        ("Step 1 of 4: %4 = Exp(%3)", ["return ops.exp(-s)"]),
        ("Step 2 of 4: %3 = Neg(s)", ["return ops.exp(-s)"]),
        ("Step 3 of 4: s = Mul(d, d)", ["s = d * d"]),
        ("Step 4 of 4: d = Sub(x, y)", ["d = x - y"]),
        ("End: the gradients are returned", []),
    ]
    assert later.count() == 0
    page.keyboard.press("0")
    assert status.inner_text() == "every step at once" and page.locator(".now").count() <= 6


def test_a_step_shows_what_it_writes_and_the_numbers_on_its_edges(open_views):
    page = open_views(small())
    page.get_by_role("slider").fill("3")
    written = page.locator(".pane.adjoint .line.now:not(.head) code").all_inner_texts()
    assert written == ["%7 = Mul(%6, d)", "%8 = Mul(%6, d)", "%9 = Add(%7, %8)"]
    values = page.locator("svg .value:visible").all_text_contents()
    assert sorted(values) == ["[-0.5 1]", "[-0.7788 -0.3679]", *["[0.3894 -0.3679]"] * 2]
    assert page.locator("svg .slot:visible").count() == 4  # %4, %3, s and d: x and y wait
    item = page.locator("[aria-current=step]")
    assert "Something is there already: %9 = Add(%7, %8)." in item.inner_text()
    assert item.locator(".slots tr.now th").inner_text() == "dout of d"


def bump(x, y):
    s = x * y
    return ops.exp(-s) + s


def test_a_slot_shows_its_sum_when_it_is_whole(open_views):
    page = open_views(viz.adjoint(bump, x, y))
    sums = page.locator("svg .slot.sum .type")
    seen = []
    for step in range(5):
        page.get_by_role("slider").fill(str(step))
        seen.append((page.locator("svg .slot.sum").is_visible(), sums.is_visible()))
    assert seen == [(False, False), (True, False), (True, False), (True, True), (True, True)]


@pytest.mark.parametrize("scheme, width", looks(420, 760, 1200))
def test_it_fits_and_takes_the_colours_of_the_page(open_views, scheme, width):
    size = {"width": width, "height": 900}
    page = open_views(small(), wide(), color_scheme=scheme, viewport=size)
    colours = palette.DARK if scheme == "dark" else palette.LIGHT
    red, green, blue = (int(colours["bg"][i : i + 2], 16) for i in (1, 3, 5))
    style = "e => getComputedStyle(e).backgroundColor"
    assert page.locator(".msx-card").first.evaluate(style) == f"rgb({red}, {green}, {blue})"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("[id]").count() == 0
    top = [pane.bounding_box()["y"] for pane in page.locator(".pane").all()[:3]]
    assert len(set(top)) == {420: 3, 760: 2, 1200: 1}[width]


def test_what_is_dropped_and_what_is_added_differ_without_colour(open_views):
    page = open_views(wide())
    line = "e => getComputedStyle(e.querySelector('code')).textDecorationLine"
    dead = page.locator(".pane.adjoint .line.dead")
    assert dead.count() == 3
    assert {each.evaluate(line) for each in dead.all()} == {"line-through"}
    mark = "e => getComputedStyle(e.querySelector('.mark'), '::before').content"
    assert page.locator(".pane.adjoint .line.sum").first.evaluate(mark) == '"Σ"'
    dash = "e => getComputedStyle(e.querySelector('path')).strokeDasharray"
    dashes = {page.locator(f"svg .wire.{kind}").first.evaluate(dash)
              for kind in ("there", "back", "kept")}  # fmt: skip
    assert len(dashes) == 3


def test_without_script_everything_is_there(open_views):
    page = open_views(small(), java_script_enabled=False)
    assert page.locator(".live:visible").count() == 0
    assert page.locator("button, input, kbd").count() == 0
    assert page.locator("figure img").get_attribute("alt").startswith("the adjoint of closeness")
    words = page.locator("body").inner_text()
    for said in (
        "%9 = Add(%7, %8)",
        "Step 4 of 4: d = Sub(x, y)",
        "Kept from the way there: d, %4.",
    ):
        assert said in words
