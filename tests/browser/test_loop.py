"""The loop viewer in a real browser: stepped by keys, dark, narrow, without script and colour."""

import pytest
from looks import looks
from viz_programs import settled

from ms_ext import Tensor, ops, viz
from ms_ext.viz import palette

pytestmark = pytest.mark.browser


def waves(x, a):
    for _ in range(20):
        x = ops.sin(x) * a
    return x


def loop():
    return viz.loop(settled, Tensor(0.5), Tensor(1.9))


def drawn(page, state):
    """The turns in a state, as (direction, first line of the box)."""
    found = page.locator(f"svg.msx-loop .turn{state}")
    lane = "e => e.closest('.lane').classList.contains('back') ? '←' : '→'"
    return [
        (each.evaluate(lane), each.locator("text").first.text_content()) for each in found.all()
    ]


@pytest.mark.parametrize("scheme, wide", looks(420, 1000))
def test_it_fits_and_takes_the_colours_of_the_page(open_views, scheme, wide):
    views = loop(), viz.loop(waves, Tensor(0.5), Tensor(0.9))
    page = open_views(*views, color_scheme=scheme, viewport={"width": wide, "height": 900})
    colours = palette.DARK if scheme == "dark" else palette.LIGHT
    red, green, blue = (int(colours["bg"][i : i + 2], 16) for i in (1, 3, 5))
    for card in page.locator(".msx-card").all():
        background = card.evaluate("e => getComputedStyle(e).backgroundColor")
        assert background == f"rgb({red}, {green}, {blue})"
    assert page.evaluate("document.documentElement.scrollWidth") <= wide
    assert page.locator("svg.msx-loop").count() == 2 and page.locator("[id]").count() == 0


def test_the_turns_are_stepped_through_by_keys(open_views):
    page = open_views(loop())
    status, section = page.locator(".status"), page.locator("section")
    assert status.inner_text() == "every turn at once" and drawn(page, ".later") == []
    section.press("Home")
    assert drawn(page, ".now") == [("→", "y 0.5")] and len(drawn(page, ".later")) == 9
    assert status.inner_text().startswith("→ turn 0: y 0.5 → 1.85; keeps y > 4.0 = False")
    shown = page.locator("svg.msx-loop .cell:not(.later) text").all_text_contents()
    assert shown == ["False", "0.5", "1.65"]
    for _ in range(5):
        section.press("ArrowRight")
    assert drawn(page, ".now") == [("←", "dy 1")]
    read = page.locator("svg.msx-loop .cell.now text").all_text_contents()
    assert read == ["True", "23.7", "0"] and "reads y > 4.0 = True" in status.inner_text()
    section.press("0")
    assert status.inner_text() == "every turn at once" and drawn(page, ".now") == []


def test_the_words_and_the_slider_go_together(open_views):
    page = open_views(loop())
    page.locator("summary", has_text="step by step").click()
    page.locator(".steps > li").nth(9).click()
    assert page.locator("input.step").evaluate("e => +e.value") == 9
    assert drawn(page, ".now") == [("←", "dy 43.6")]
    page.locator("button.less").click()
    current = page.locator(".steps > li[aria-current='step']").inner_text()
    assert current.startswith("← turn 1: ") and current == page.locator(".status").inner_text()


def test_without_script_everything_is_there(open_views):
    page = open_views(loop(), java_script_enabled=False)
    assert page.locator("figure img").get_attribute("alt").startswith("while y < 30.0: 5 turns.")
    words = page.locator("body").text_content()
    for said in ("← turn 0: dy 43.6 → 71.8", "the same in every turn", "45 bytes in all",
                 "or zeros where its branch did not run", "recomputed"):  # fmt: skip
        assert said in words
    assert page.locator("button, input").count() == 0


def test_directions_differ_without_colour(open_views):
    page = open_views(loop())
    dashes = "e => getComputedStyle(e).strokeDasharray"
    assert page.locator(".ahead .turn > rect").first.evaluate(dashes) == "none"
    assert page.locator(".back .turn > rect").first.evaluate(dashes) != "none"
    assert page.locator(".put path").first.evaluate(dashes) == "none"
    assert page.locator(".read path").first.evaluate(dashes) != "none"
    assert page.locator("svg.msx-loop .way").all_text_contents() == ["forwards →", "backwards ←"]
