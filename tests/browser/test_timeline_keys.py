"""The timeline in a real browser: choosing by keyboard, mouse and search; zoom; dark; no script."""

import re

import pytest
from timeline_records import NESTED, pipelined, recording

from ms_ext.viz import palette
from ms_ext.viz.timeline import Timeline
from ms_ext.viz.timing.recorded import recorded

pytestmark = pytest.mark.browser


@pytest.fixture
def opened(new_page, tmp_path):
    """A function that saves two runs on one axis and opens the page."""
    slow = [(k, n, s * 100, e * 100, t, numbers) for k, n, s, e, t, numbers in NESTED]
    runs = [recorded(recording(*pipelined()), "async"), recorded(recording(*slow), "sync")]

    def open_page(**options):
        page = new_page(**options)
        page.goto(Timeline(runs).save(tmp_path / "timeline.html").as_uri())
        return page

    return open_page


def chosen(page):
    """(run, lane) of each slice that is lit up."""
    script = "e => e.map(s => [s.closest('g.run').dataset.title, s.parentNode.dataset.lane])"
    return [tuple(each) for each in page.eval_on_selector_all(".slice.chosen", script)]


def width(page):
    bar = page.locator(".slice[data-call='3'] rect").first
    return bar.evaluate("r => +r.getAttribute('width')")


def test_arrows_choose_and_a_call_lights_up_in_both_runs(opened):
    page = opened()
    hint = page.locator(".detail").get_by_text("go from slice to slice with the arrow keys")
    assert hint.is_visible()  # where the chosen slice will be told
    page.locator(".stage").focus()
    page.keyboard.press("ArrowRight")
    assert hint.count() == 0
    assert {run for run, _ in chosen(page)} == {"async", "sync"}
    assert [lane for run, lane in chosen(page) if run == "async"] == [
        "PyTask", "FrontendTask", "DeviceTask", "LaunchTask",
    ]  # fmt: skip
    assert page.locator(".arrow").count() == 2
    assert page.get_by_role("status").inner_text().startswith("call 1 (Mul): PyTask 10 µs")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.get_by_role("status").inner_text().startswith("call 2 (Mul): LaunchTask 20 µs")
    assert page.locator(".detail").get_by_text("model.py:1: y = x * 1").is_visible()
    page.keyboard.press("Escape")
    assert chosen(page) == [] and page.locator(".arrow").count() == 0


def test_the_arrow_goes_from_pytask_to_launchtask(opened):
    page = opened()
    page.locator(".slice[data-call='2']").first.click()
    path = page.locator(".arrow path").first.get_attribute("d")
    begin, end = re.findall(r"[\d.]+ [\d.]+", path)[:2]
    bars = page.locator("g.run").first.locator(".slice[data-call='2'] rect")
    first, last = (
        {name: float(bar.get_attribute(name)) for name in ("x", "y", "width", "height")}
        for bar in (bars.first, bars.last)
    )
    assert place(begin) == (first["x"] + first["width"], first["y"] + first["height"])
    assert place(end) == (last["x"], last["y"])


def place(words):
    """The two coordinates of "12.3 4"."""
    return pytest.approx(tuple(map(float, words.split())), abs=0.2)


def test_search_finds_by_op_call_and_says_how_many(opened):
    page = opened()
    page.locator(".stage").focus()
    page.keyboard.press("/")
    page.keyboard.type("add")
    assert page.get_by_text("6 found").is_visible()
    page.keyboard.press("Enter")
    assert ("sync", "PyTask") in chosen(page)
    page.get_by_role("searchbox").fill("3")
    assert page.get_by_text("4 found").is_visible()
    page.keyboard.press("Escape")
    assert page.locator(".slice.found").count() == 0


def test_the_time_axis_zooms_and_comes_back(opened):
    page = opened()
    whole = width(page)
    ticks = page.locator(".tick").all_inner_texts()
    page.locator(".stage").focus()
    page.keyboard.press("End")
    page.keyboard.press("+")
    assert width(page) == pytest.approx(2 * whole, rel=0.02)
    assert page.locator(".tick").all_inner_texts() != ticks
    assert page.get_by_role("button", name="the whole time").is_enabled()
    page.keyboard.press("0")
    assert width(page) == pytest.approx(whole, rel=0.01)
    assert page.locator(".tick").all_inner_texts() == ticks


def test_pointing_at_a_gap_says_why(opened):
    page = opened()
    wait = page.locator(".wait rect").bounding_box()
    page.mouse.move(wait["x"] + wait["width"] / 2, wait["y"] + 5)
    assert "the caller waited for elements" in page.locator(".detail").inner_text()


@pytest.mark.parametrize("scheme, colours", [("light", palette.LIGHT), ("dark", palette.DARK)])
def test_colours_follow_the_theme_and_nothing_is_cut_off(opened, scheme, colours):
    page = opened(color_scheme=scheme, viewport={"width": 700, "height": 800})
    bar = page.locator(".slice rect").first
    wanted = tuple(int(colours["lane-1"][i : i + 2], 16) for i in (1, 3, 5))
    assert bar.evaluate("r => getComputedStyle(r).fill") == f"rgb{wanted}"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_script_there_is_a_picture_and_the_tables_open(opened):
    page = opened(java_script_enabled=False)
    image = page.locator("img.picture")
    assert image.is_visible() and image.bounding_box()["height"] > 200
    assert page.get_by_text("trust the notebook").is_visible()
    assert not page.get_by_role("searchbox").is_visible()
    page.get_by_text("sync: as tables", exact=True).click()
    assert page.get_by_text("its thread ran another stage of the same call").first.is_visible()
