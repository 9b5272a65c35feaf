"""The panel in a real browser: where it opens, what it says, what stays in place, what is read."""

import pytest
from viz_records import transformer

import ms_ext as ms
from ms_ext import ops, viz
from ms_ext.viz import palette
from ms_ext.viz.panel import page as html

pytestmark = pytest.mark.browser
X = ms.Tensor([1.0, 2.0])


@pytest.fixture
def opened(new_page, tmp_path):
    """A function that saves a panel, opens the file and puts the focus into the picture."""

    def open_panel(panel, width=1200, **options):
        page = new_page(**options, viewport={"width": width, "height": 1000})
        page.goto(panel.save(tmp_path / "panel.html").as_uri())
        page.locator(".stage").focus()
        return page

    return open_panel


@pytest.fixture
def missed():
    """A panel in which no pass changed anything, and one says why."""
    return viz.passes(lambda x, y: x * y + x, X, X, passes=["add_neg_to_sub"])


def status(page):
    return page.locator(".status").inner_text()


def shown(page):
    return page.locator(".msx-panel").get_attribute("data-pass")


def test_where_nothing_changed_it_opens_at_the_near_miss(opened, missed):
    page = opened(missed)
    assert shown(page) == "5"
    assert page.locator("table.refused:visible").get_by_text("not Neg").is_visible()
    assert page.locator(".strip .changed").count() == 0  # the first pass lends its picture only
    page.keyboard.press("n")
    assert page.locator("g.node.miss text.verdict").count() == 1


def test_a_click_says_which_node_it_chose(opened):
    page = opened(viz.passes(transformer(1)))
    page.locator("g.node[data-id='4']").click()
    assert status(page).startswith("node: %4 LayerNorm; state: unchanged")
    page.locator(".stage").click(position={"x": 5, "y": 5})
    assert page.locator("g.node.picked").count() == 0
    assert status(page).startswith("after pass 2, ")
    page.locator("table.changes:visible tr[data-id]").first.click()
    assert status(page).startswith("node: ~ %") or status(page).startswith("node: − %")


@pytest.mark.parametrize("width", [700, pytest.param(1200, marks=pytest.mark.long)])
def test_nothing_below_moves_while_the_pointer_does(opened, missed, width):
    for panel in (missed, viz.passes(transformer(1))):
        page = opened(panel, width)

        def places(page=page):
            return page.evaluate("""[".view", ".tabs"].map(name => Math.round(scrollY +
                document.querySelector(name).getBoundingClientRect().top))""")

        before = places()
        for node in page.locator(".stage g.node").all()[:8]:
            node.hover()
            assert places() == before
            node.click()
            assert places() == before
        page.keyboard.press("n")
        assert places() == before


GROUNDS = """all => all.map(text => {
  const node = text.closest("g.node");
  const opacity = [text, node].reduce((all, e) => all * getComputedStyle(e).opacity, 1);
  return [getComputedStyle(text).fill, getComputedStyle(node.querySelector(".body")).fill, opacity];
})"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("keys", ["m", "n", "hhhh"])
def test_what_is_dimmed_can_still_be_read(opened, scheme, keys):
    def model(x, y):
        return ops.relu((x + (-y)) * x) + ops.exp(x + y)

    page = opened(viz.passes(model, X, X, passes=["add_neg_to_sub"]), color_scheme=scheme)
    page.emulate_media(reduced_motion="reduce")
    for key in keys:
        page.keyboard.press(key)
    dimmed = "g.node.far" if keys[0] == "h" else ".one g.node:not(.in, .bound)"
    found = page.locator(f"{dimmed} :is(text.op, text.type)").evaluate_all(GROUNDS)
    assert len(found) > 4
    for text, ground, opacity in found:
        assert opacity == 1 and palette.contrast(coded(text), coded(ground)) >= 4.5


def coded(colour):
    """rgb(1, 2, 3) as #010203."""
    numbers = colour.removeprefix("rgb(").removesuffix(")").split(",")
    return "#" + "".join(f"{int(number):02x}" for number in numbers)


MODEL = """async ([source, traits]) => {
  const { default: live } = await import(source);
  const heard = {};
  window.model = {
    get: (name) => traits[name], on: (name, does) => { heard[name] = does; }, off: () => {},
    set: (name, value) => { traits[name] = value; }, save_changes: () => {}, send: () => {},
    tell: (name, value) => { traits[name] = value; heard[`change:${name}`](); },
  };
  window.traits = traits;
  live.render({ model: window.model, el: document.body });
}"""


def test_a_view_set_in_python_waits_for_a_pass_that_has_it(new_page):
    panel = viz.passes(transformer(1))
    page = new_page()
    traits = {"_page": panel.html(), "_known": {}, "number": 2, "match": 0, "view": "diff",
              "picture": "", "selected": None}  # fmt: skip
    page.goto("about:blank")
    page.evaluate(MODEL, [f"data:text/javascript;charset=utf-8,{quoted(html.module())}", traits])
    assert page.evaluate("traits.number") == panel.start == 2
    page.evaluate("model.tell('number', 5)")  # it changed nothing
    page.evaluate("model.tell('view', 'before')")
    assert page.evaluate("[traits.view, traits.number]") == ["before", 5]
    assert "plain" in page.locator(".stage svg").get_attribute("class")
    page.evaluate("model.tell('number', 3)")
    assert page.evaluate("traits.view") == "before"
    assert page.locator(".stage svg.before g.node.added:visible").count() == 0
    assert page.locator(".stage g.node.removed:visible").count() > 0


def quoted(script):
    from urllib.parse import quote

    return quote(script)


def test_a_pass_called_by_its_equation_is_named_once(opened):
    def source(x, y):
        return ops.Add(x, ops.Neg(y))

    def target(x, y):
        return ops.Sub(x, y)

    rule = (lambda x, y: source(x, y)), (lambda x, y: target(x, y))
    page = opened(viz.passes(lambda x, y: x + (-y), X, X, passes=[rule]))
    assert page.locator(".doc:visible").inner_text() == "5. Add(x, Neg(y)) -> Sub(x, y)"
