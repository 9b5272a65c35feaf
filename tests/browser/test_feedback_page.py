"""A learner's page of feedback opens from a file: light, dark, on a narrow screen, on paper."""

import pytest

from ms_ext.grading.classroom import feedback
from ms_ext.grading.verdict import CheckResult, Picture, Verdict, Witness

pytestmark = pytest.mark.browser
FIGURE = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="50"><circle r="40"/></svg>'
CHECKS = (
    CheckResult("values", "the right values", 0, 2, 1, 9, "values"),
    CheckResult("tall", "tall inputs", 0, 1, 0, 4, "shape", open=False),
)


@pytest.fixture
def path(tmp_path):
    """The page of a learner with one failed exercise."""
    verdict = Verdict(
        "05.mul_bprop", "failed", "values", "The values are wrong.", detail="x" * 300,
        witness=Witness("one row", expected="3.0", got="4.0"), checks=CHECKS, of=3,
        picture=Picture(FIGURE, "one circle", "o"),
    )  # fmt: skip
    return feedback.write(tmp_path, "<script>ada", feedback.of_verdicts([verdict]))


def test_light_dark_and_narrow(new_page, path):
    tones = []
    for scheme in ("light", "dark"):
        tab = new_page(color_scheme=scheme, viewport={"width": 380, "height": 800})
        tab.goto(path.as_uri())
        tones.append(tab.evaluate("getComputedStyle(document.body).backgroundColor"))
        assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert tones[0] != tones[1]
    assert tab.locator("h1").inner_text() == "<script>ada"


def test_the_list_leads_to_each_exercise_by_keyboard(new_page, path):
    tab = new_page()
    tab.goto(path.as_uri())
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    assert tab.evaluate("location.hash") == "#05.mul_bprop"
    told = tab.locator("section .hidden").inner_text()
    assert told.startswith("Your teacher keeps 1 more check: 0 pass")


def test_on_paper_everything_is_there_and_light(new_page, path):
    tab = new_page(color_scheme="dark")
    tab.goto(path.as_uri())
    tab.emulate_media(media="print", color_scheme="dark")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert tab.locator(".ms-verdict .picture svg").is_visible()
