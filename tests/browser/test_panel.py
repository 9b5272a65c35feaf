"""The saved panel in a real browser: opened from a file, stepped by keyboard, in light and dark."""

import json

import pytest
from viz_records import control, hostile, transformer

from ms_ext import viz
from ms_ext.viz import palette
from ms_ext.viz.panel import page as html

pytestmark = pytest.mark.browser


#: Rules of JupyterLab that a table or list in an output gets.
JUPYTER = """
.jp-RenderedHTMLCommon:not(.jp-RenderedMarkdown) :is(td, th, tr) { text-align: right; }
.jp-RenderedHTMLCommon tbody tr:nth-child(even) { background: red; }
.jp-RenderedHTMLCommon dl dt { float: left; width: 20%; }
"""


@pytest.fixture
def opened(new_page, tmp_path):
    """A function that saves a panel and opens the file."""

    def open_panel(panel, **options):
        page = new_page(**options)
        page.goto(panel.save(tmp_path / "panel.html").as_uri())
        return page

    return open_panel


def shown(page, selector):
    """How many elements of the picture are visible."""
    return page.locator(f".stage {selector}:visible").count()


def states(page):
    return {state: shown(page, f"g.node.{state}:not(.echo)") for state in palette.STATES}


def test_the_slider_steps_by_keyboard(opened):
    panel = viz.passes(transformer(1))
    page = opened(panel)
    slider = page.get_by_role("slider", name="pass")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".msx-panel").get_attribute("data-pass") == "3"
    assert states(page) == panel.report[2]["counts"]
    assert shown(page, "g.node.added") and shown(page, "g.node.removed")
    assert "1 added, 3 removed, 1 rewritten" in page.get_by_role("status").inner_text()
    assert slider.get_attribute("aria-valuetext") == panel.report[2]["summary"]
    assert page.locator("table.changes:visible").get_by_text("FusedMatMulBiasGelu(%11").is_visible()


def test_before_and_after_hide_and_nothing_moves(opened):
    page = opened(viz.passes(transformer(1)))
    page.locator(".stage").focus()
    place = "g.node.rewritten >> nth=0"
    boxes = []
    for key, gone in (("b", "added"), ("d", ""), ("a", "removed")):
        page.keyboard.press(key)
        boxes.append(page.locator(".stage").locator(place).bounding_box())
        counts = states(page)
        assert not gone or counts[gone] == 0
    assert boxes[0] == boxes[1] == boxes[2]
    assert page.get_by_role("radio", name="After").is_checked()


def test_matches_nodes_and_search_by_keyboard(opened):
    page = opened(viz.passes(transformer(2)))
    page.locator(".stage").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("m")
    page.keyboard.press("m")
    assert page.locator(".counter.matches .count").inner_text() == "2 of 2"
    assert page.get_by_role("tab", name="matches").get_attribute("aria-selected") == "true"
    assert shown(page, "g.node.in") == 4  # three that went, one that came
    page.keyboard.press("j")
    assert page.locator(".detail dd").first.inner_text().startswith("− %")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("softmax")
    assert page.locator(".find .count").inner_text() == "2 found"
    page.keyboard.press("Enter")
    assert "Softmax" in page.locator(".detail").inner_text()


def test_a_pass_that_changed_nothing_is_plain_and_can_be_skipped(opened):
    page = opened(viz.passes(transformer(1)))
    page.get_by_role("button", name="5 dce").click()
    assert page.locator("svg.plain").count() == 1
    assert shown(page, "g.node.removed") == 0
    page.get_by_label("changed passes only").check()
    assert page.locator(".msx-panel").get_attribute("data-pass") == "2"
    assert page.get_by_role("slider", name="pass").get_attribute("max") == "3"


def test_zoom_and_the_way_back(opened):
    page = opened(viz.passes(control()))
    page.locator(".stage").focus()
    width = "document.querySelector('.stage svg').width.baseVal.value"
    start = page.evaluate(width)
    page.keyboard.press("+")
    assert page.evaluate(width) > start
    page.keyboard.press("w")
    assert page.evaluate(width) < start
    page.keyboard.press("0")
    assert page.evaluate(width) == start


@pytest.mark.parametrize("scheme, colours", [("light", palette.LIGHT), ("dark", palette.DARK)])
def test_light_and_dark(opened, scheme, colours, tmp_path):
    page = opened(viz.passes(transformer(1)), color_scheme=scheme)
    ground = page.locator(".msx-panel").evaluate("e => getComputedStyle(e).backgroundColor")
    assert ground == rgb(colours["bg"])
    line = page.locator(".stage g.node.removed .body").first
    assert line.evaluate("e => getComputedStyle(e).stroke") == rgb(colours["removed"])
    assert len(page.screenshot(path=tmp_path / f"{scheme}.png")) > 20_000


def rgb(colour):
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"


def test_jupyter_decides_over_the_system(opened):
    page = opened(viz.passes(control()), color_scheme="light")
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    ground = page.locator(".msx-panel").evaluate("e => getComputedStyle(e).backgroundColor")
    assert ground == rgb(palette.DARK["bg"])


def test_without_script_picture_numbers_and_tables_are_there(opened):
    page = opened(viz.passes(transformer(1)), java_script_enabled=False)
    images = page.locator("details[open] img:visible")
    assert images.count() == 1 and images.first.evaluate("e => e.naturalWidth") > 200
    assert page.locator("details[open]").get_by_text("bytes moved").is_visible()
    assert page.get_by_text("File, then Trust Notebook").is_visible()
    assert page.get_by_role("listitem").filter(has_text="rewritten").is_visible()
    page.get_by_text("3. fuse_matmul_bias_gelu").first.click()
    assert images.count() == 2
    assert page.locator("details[open] caption", has_text="Where it matched").count() == 2
    assert page.locator("button, input, select").count() == 0


def test_two_panels_in_one_page(new_page, tmp_path):
    one, two = viz.passes(transformer(1)), viz.passes(control())
    path = tmp_path / "two.html"
    path.write_text(html.document("two", one.html() + two.html() + one.html()))
    page = new_page()
    page.goto(path.as_uri())
    page.locator(".stage").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("a")
    first, _, third = (page.locator(".msx-panel").nth(i) for i in range(3))
    assert (first.get_attribute("data-pass"), third.get_attribute("data-pass")) == ("3", "2")
    assert first.get_by_role("radio", name="After").is_checked()
    assert third.get_by_role("radio", name="Diff").is_checked()
    assert (
        json.loads(page.evaluate("JSON.stringify([...document.querySelectorAll('[id]')].length)"))
        == 0
    )


def test_jupyter_leaves_keys_and_looks_alone(opened):
    page = opened(viz.passes(transformer(1)))
    for place in (".stage", "input.pass", ".strip button", "input[type=search]"):
        page.locator(place).first.focus()
        assert page.evaluate("document.activeElement.dataset.lmSuppressShortcuts") == "true"
    page.evaluate("document.body.className = 'jp-RenderedHTMLCommon'")
    page.add_style_tag(content=JUPYTER)
    cell = page.locator(".changes td:visible").nth(1)
    assert cell.evaluate("e => getComputedStyle(e).textAlign") == "left"
    row = page.locator(".changes tbody tr:visible").nth(1)
    assert row.evaluate("e => getComputedStyle(e).backgroundColor") == "rgba(0, 0, 0, 0)"
    name = page.locator(".stats th:visible").first
    assert name.evaluate("e => getComputedStyle(e).textAlign") == "left"


def test_hostile_names_run_nothing(opened):
    page = opened(viz.passes(hostile()))
    page.locator(".stage").focus()
    page.keyboard.press("j")
    assert "<script>" in page.locator(".detail").inner_text()
