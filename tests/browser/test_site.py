"""The static book opens from a file: chapters, reference, passes and search, and asks nobody."""

import pytest
from built_site import built

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def site():
    """The folder of the site."""
    return built()


@pytest.fixture
def open_page(new_page, site):
    """A function that opens a page of the site."""

    def go(name, **options):
        tab = new_page(**options)
        tab.goto((site / name).as_uri())
        return tab

    return go


def test_the_first_page_leads_to_the_tour(open_page):
    tab = open_page("index.html")
    tab.locator("article a", has_text="ten-minute tour").first.click()
    assert tab.url.endswith("chapters/00_tour.html")
    assert tab.locator("nav.bd-docs-nav a[aria-current=page]").inner_text().startswith("00 ")


def test_a_chapter_has_its_figures_panels_and_labels(open_page):
    tab = open_page("chapters/00_tour.html")
    tab.wait_for_selector(".msx-panel.ready")
    broken = "images => images.filter(i => i.complete && !i.naturalWidth).map(i => i.alt)"
    assert tab.locator("article img").count() >= 2
    assert tab.locator("article img").evaluate_all(broken) == []
    panel = tab.locator(".msx-panel.passes.ready").first
    before = panel.locator(".status").inner_text()
    panel.locator(".stepper button").last.click()
    assert panel.locator(".status").inner_text() != before
    assert tab.locator("p.label", has_text="Predict").count() > 2
    assert tab.locator(".ms-verdict.passed").count() == 1


def test_the_theme_switches_the_panels_too(open_page):
    tab = open_page("passes/add_neg_to_sub.html", color_scheme="light")
    tab.wait_for_selector(".msx-panel.ready")
    background = "getComputedStyle(document.querySelector('.msx-panel')).backgroundColor"
    light = tab.evaluate(background)
    button = tab.locator("button.theme-switch-button, .theme-switch-button button").first
    for _ in range(3):
        button.click()
        if tab.locator(".theme-change-button[data-mode=dark]").first.is_visible():
            tab.locator(".theme-change-button[data-mode=dark]").first.click()
        if tab.get_attribute("html", "data-theme") == "dark":
            break
    assert tab.get_attribute("html", "data-theme") == "dark"
    assert tab.evaluate(background) != light


def test_the_page_of_a_pass_moves_with_the_keyboard(open_page):
    tab = open_page("passes/cse.html")
    panel = tab.locator(".msx-panel.ready").first
    panel.locator(".stage").focus()
    tab.keyboard.press("a")
    assert panel.locator("g.node.removed").first.is_hidden()
    tab.keyboard.press("d")
    assert panel.locator("g.node.removed").first.is_visible()


def test_the_reference_shows_formula_curve_and_gradient(open_page):
    tab = open_page("ops/trigonometry.html")
    here = tab.locator("section#sin, section:has(> #op-sin), #op-sin").first
    assert here.count() and tab.locator("math mfrac").count()
    assert tab.locator("svg.op-curve path.slope").count() == 9
    assert "dout * ops.cos(x)" in tab.locator("article").inner_text()


@pytest.mark.parametrize(
    "name", ["codes/gradient-values.html", "errors/invalidtype.html", "keyboard.html"]
)
def test_pages_to_look_things_up(open_page, name):
    tab = open_page(name)
    assert len(tab.locator("article").inner_text()) > 300
    assert "[PST]" not in tab.locator("article").inner_text()


def test_search_finds_an_op(open_page):
    tab = open_page("index.html")
    tab.keyboard.press("Control+k")
    tab.locator("#pst-search-dialog input").fill("Mul")
    tab.keyboard.press("Enter")
    first = tab.locator("#search-results li a").first
    first.wait_for()
    assert first.inner_text() == "Arithmetic > Mul"
    first.click()
    assert tab.url.endswith("ops/arithmetic.html#op-mul")


@pytest.mark.parametrize("name", ["chapters/00_tour.zh.html", "ops/arithmetic.html", "index.html"])
def test_a_narrow_window_scrolls_inside_its_parts_only(open_page, name):
    tab = open_page(name, viewport={"width": 420, "height": 800})
    assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
