"""The chapters' own views in a real browser: by keyboard, in light and dark, without script."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, ops, viz
from ms_ext.engine import passes
from ms_ext.viz import palette

pytestmark = pytest.mark.browser

x, y = Tensor([5.0, 7.0, 9.0]), Tensor([4.0, 4.0, 4.0])


def larger(x, y):
    return np.maximum(x, y)


def shapes():
    return viz.shapes(ops.Custom(larger, lambda x, y: x, lambda x, y: x, "pyfunc"))


def loss(x, y):
    t = x / y
    return (t * t).sum()


def backward():
    return viz.backward(loss, x, y)


def twice(x, y):
    return (x + (-y)) * ((-y) + x)


def matcher():
    pair = (lambda x, y: ops.Add(x, ops.Neg(y))), (lambda x, y: ops.Sub(x, y))
    return viz.matcher(*pair, True, twice, x, y)


def stack():
    return viz.stack(twice, x, y)


MAKERS = [shapes, backward, matcher, stack]


def test_eight_views_in_a_dark_narrow_page(open_views):
    views = [make() for make in MAKERS]
    narrow = {"width": 700, "height": 900}
    page = open_views(*views, *views, color_scheme="dark", viewport=narrow)
    style = "e => getComputedStyle(e).backgroundColor"
    red, green, blue = (int(palette.DARK["bg"][i : i + 2], 16) for i in (1, 3, 5))
    assert page.locator(".msx-card").first.evaluate(style) == f"rgb({red}, {green}, {blue})"
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
    assert page.locator(".msx-card.ready").count() == 8
    assert page.locator("[id]").count() == 0


def test_without_script_everything_is_there(open_views):
    page = open_views(*(make() for make in MAKERS), java_script_enabled=False)
    assert page.locator(".live:visible").count() == 0
    assert page.locator("button, input, kbd").count() == 0  # nothing dead to press
    assert page.get_by_text("trust the notebook").first.is_visible()
    page.locator(".layer > summary").last.click()
    assert page.locator(".layer[open] img").is_visible()
    page.locator("details").evaluate_all("all => all.forEach((each) => (each.open = true))")
    for make, words in WORDS.items():
        shown = page.locator(f".msx-card.{make.__name__}").inner_text()
        assert [word for word in words if word not in shown] == []
    assert page.locator("img:not([alt])").count() == 0


WORDS = {
    shapes: ["only the body refuses", "axis 1: promised 1, returned 3"],
    backward: ["2. %4 Mul", "The gradients", "the sum of"],
    matcher: ["Neg wanted", "order counts", "Run to its end"],
    stack: ["graph twice", "PyTask", "inline", "serial sum"],
}


def test_shapes_by_keyboard(open_views):
    page = open_views(shapes())
    page.locator(".case").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.innerText").startswith("case 3: ✗ differ")
    page.get_by_label("only what does not agree").check()
    agreeing = page.locator(".case.agree").count()
    assert agreeing == 3 and page.locator(".case:visible").count() == 8 - agreeing
    assert page.get_by_role("status").inner_text() == "5 cases left"
    page.locator(".case.differ .input .size").first.hover()
    assert page.locator(".case.differ").first.locator(".hot").count() == 3  # x, infer, body


def test_backward_steps_by_keyboard(open_views):
    page = open_views(backward())
    chips, status = page.locator(".chip:not(.later)"), page.get_by_role("status")
    assert chips.count() == 6 and status.inner_text() == "every step at once"
    page.locator("figure").focus()
    page.keyboard.press("Home")
    assert chips.count() == 1  # what is returned gets its dout
    found = []
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        found.append((chips.count(), status.inner_text().split(" dout")[0]))
    assert found == [(2, "1. %5 SumExt"), (4, "2. %4 Mul"), (6, "3. %3 Div")]
    assert page.locator("[aria-current=step]").inner_text().startswith("3. %3 Div")
    assert page.get_by_role("slider").get_attribute("aria-valuetext").startswith("3. %3 Div")
    page.keyboard.press("0")
    assert status.inner_text() == "every step at once"


def test_matcher_steps_and_says_why(open_views):
    view = matcher()
    page = open_views(view)
    status = page.get_by_role("status")
    page.locator("figure.graph").focus()
    page.keyboard.press("ArrowRight")
    assert "Neg wanted" in status.inner_text()
    while "becomes Sub" not in status.inner_text() and "order counts" not in status.inner_text():
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.locator("details.attempt[open]").count() == 1
    mul = next(number for name, number, _ in view.others if "Mul" in name)
    page.locator(f"figure.graph .node[data-id='{mul}']").click()
    assert status.inner_text().endswith("Mul is not Add.")
    assert page.locator("figure.graph .verdict").inner_html() == "✗"
    page.locator(f"figure.graph .node[data-id='{view.attempts[1].root}']").click()
    assert page.locator("figure.graph .here").count() == 1
    assert page.locator("figure.pattern .here").count() == 1


def test_stack_opens_by_keyboard(open_views):
    page = open_views(stack())
    page.locator(".layer > summary").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.locator(".layer[open] svg").first.is_visible()
    assert page.locator(".layer[open] > summary").inner_text().split() == ["graph", "5", "calls"]


def test_names_from_outside_run_nothing(open_views):
    def evil(x):
        raise ValueError("<img src=x onerror=alert(1)>")

    evil.__name__ = "<img src=x onerror=alert(1)>"
    op = ops.Custom(evil, lambda s: s, lambda t: t, "pyfunc")
    page = open_views(viz.shapes(op, x), viz.stack(op, x), viz.shapes(evil, (x,)))
    assert page.locator(".msx-card.ready").count() == 3
    assert page.locator("img[src=x]").count() == 0


def test_a_long_heading_is_not_cut_off_and_two_patterns_share_a_row(open_views):
    less = ms.graph.rules_pass(
        ms.graph.rule(lambda x, y: ops.Add(x, ops.Neg(y)), lambda x, y: ops.Sub(x, y)),
        ms.graph.rule(lambda x, y: ops.Add(ops.Neg(x), y), lambda x, y: ops.Sub(y, x)),
        name="two_rules",
    )
    dropped = ops.Custom(lambda x: x.max(-1, keepdims=True), lambda x: x[:-1], lambda x: x)
    try:
        page = open_views(viz.shapes(dropped, x), viz.matcher(less, twice, x, y))
    finally:
        passes.REGISTRY.discard("two_rules")
    page.set_viewport_size({"width": 900, "height": 900})
    heading = page.locator(".case .heading")
    assert "sizes of 1: what is promised wins" in heading.inner_text()
    assert heading.evaluate("e => e.scrollWidth <= e.clientWidth")
    assert page.locator(".case").evaluate("e => e.scrollWidth <= e.clientWidth")
    one, other = (each.bounding_box() for each in page.locator("figure.pattern").all())
    assert one["y"] == other["y"] and one["x"] < other["x"]
