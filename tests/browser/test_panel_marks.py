"""The saved panel in a real browser: what it marks, folds, lists and saves."""

import json

import pytest
from viz_records import transformer

import ms_ext as ms
from ms_ext import ops, viz

pytestmark = pytest.mark.browser


def norm(x):
    return (x - ops.mean(x)) * 2.0


def model(x, w):
    for _ in range(2):
        x = ops.relu(ops.matmul(norm(x), w)) + (-x)
    return x + w


@pytest.fixture(scope="module")
def nested():
    """A panel with scopes, near misses and panes."""
    x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
    return viz.passes(model, x, x, passes=["add_neg_to_sub"])


@pytest.fixture
def opened(new_page, tmp_path):
    """A function that saves a panel, opens the file and puts the focus into the picture."""

    def open_panel(panel, **options):
        page = new_page(**options)
        page.set_default_timeout(10_000)
        page.goto(panel.save(tmp_path / "panel.html").as_uri())
        page.locator(".stage").focus()
        return page

    return open_panel


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def status(page):
    return page.locator(".status").inner_text()


def shown(page):
    """The ids of the boxes in the picture that are not dimmed."""
    found = "g.node:not(.far, .echo)"
    return page.locator(f".stage {found}:visible").evaluate_all("all => all.map(e => e.dataset.id)")


def test_hops_leave_what_is_near_a_change(opened):
    panel = viz.passes(transformer(1))
    page = opened(panel)
    said = next(each for each in panel.report if each["number"] == 2)
    changed = {str(node["id"]) for node in said["nodes"] if node["state"] != "unchanged"}
    press(page, "h", "h", "h", "h")
    assert page.locator(".hops select").input_value() == "0"
    assert set(shown(page)) == changed
    page.locator(".hops select").select_option("1")
    near = {str(e[end]) for e in said["edges"] for end in ("source", "target")
            if {str(e["source"]), str(e["target"])} & changed}  # fmt: skip
    assert set(shown(page)) == changed | near
    assert f"{len(changed | near)} of" in status(page) and "stand out" in status(page)
    page.locator(".hops select").select_option("")
    assert page.locator(".far").count() == 0


def test_a_value_shows_all_its_uses(opened):
    page = opened(viz.passes(transformer(1)))
    page.locator("g.node[data-id='4']").hover()  # LayerNorm: two MatMuls, one of them goes, a third
    users = page.locator("g.node.user").evaluate_all("all => all.map(e => e.dataset.id).sort()")
    assert users == ["11", "5", "6"] and page.locator("g.edge.use").count() == 3
    assert "2 uses in 2 nodes: " in page.locator(".detail").inner_text()
    page.mouse.move(5, 5)
    assert page.locator("g.node.user").count() == 0


def test_near_misses_by_key_mark_what_did_not_fit(opened, nested):
    page = opened(nested)
    refused = nested.report[nested._index(nested.start)]["refusals"]
    press(page, "n")
    assert page.get_by_role("tab", name="near misses").get_attribute("aria-selected") == "true"
    root, operand = refused[0]["nodes"][0], refused[0]["at"][0]
    assert page.locator("g.node.miss").get_attribute("data-id") == str(root)
    assert page.locator("g.node.misfit").get_attribute("data-id") == str(operand)
    assert page.locator("g.misfit text.verdict").text_content() == "✗"
    assert f"near miss 1 of {sum(len(r['nodes']) for r in refused)}" in status(page)
    assert refused[0]["why"] in status(page)
    press(page, "N")
    assert page.locator(".miss, .misfit, .verdict").count() == 0
    page.locator("table.refused:visible span[data-id]").first.click()
    assert page.locator("g.node.miss").get_attribute("data-id") == str(root)


def test_folding_going_inside_and_back(opened, nested):
    page = opened(nested)
    crumbs = page.locator(".crumbs button[aria-current=true]")
    whole = len(shown(page))
    press(page, "s")
    assert crumbs.inner_text() == "folded by scope" and len(shown(page)) < whole
    group = page.locator("g.group[data-scope='norm']")
    members = set(group.get_attribute("data-members").split())
    press(page, "/")
    page.keyboard.type("reduce")
    assert page.locator("g.group.hit").count() == 2  # found inside the groups
    press(page, "Escape")
    group.click()  # this page has every node: it shows the members there
    assert crumbs.inner_text() == "every node"
    lit = page.locator("g.node.lit").evaluate_all("all => all.map(e => e.dataset.id)")
    assert set(lit) == members


def test_inside_a_scope_there_is_a_way_back(opened):
    x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
    page = opened(viz.passes(model, x, x, passes=["add_neg_to_sub"], budget=12))
    note = page.locator(".note.hidden:visible")
    assert note.inner_text().startswith("Showing")
    page.locator("g.group[data-scope='norm']").click()
    assert page.locator(".crumbs [aria-current=true]").inner_text() == "› norm"
    assert page.locator(".stage g.node").count() > 1  # the calls, and what enters and leaves
    page.locator(".stage").focus()
    press(page, "Backspace")
    assert page.locator(".crumbs [aria-current=true]").inner_text() == "near what changed"
    assert page.locator("g.group.picked").get_attribute("data-scope") == "norm"


def test_lines_and_nodes_point_at_each_other(opened, nested):
    page = opened(nested)
    page.get_by_role("tab", name="Python").click()
    line = page.locator(".pane:visible li", has_text="x - ops.mean(x)")
    nodes = line.first.get_attribute("data-nodes").split()
    line.first.hover()
    lit = page.locator("g.node.lit").evaluate_all("all => all.map(e => e.dataset.id)")
    assert lit and set(lit) <= set(nodes)
    page.locator("[data-tab='IR'][role=tab]").click()
    page.locator(f".stage g.node[data-id='{lit[0]}']").click()
    said = page.locator(".pane:visible li.said").evaluate_all("all => all.map(e => e.textContent)")
    assert any(f"%{lit[0]} " in each or f"%{lit[0]}=" in each for each in said)
    page.locator(".pane:visible li[data-nodes]").first.focus()
    press(page, "ArrowDown", "Enter")
    assert page.locator("g.node.picked").count() == 1
    page.get_by_role("tab", name="time").click()
    assert page.locator(".pane:visible .bar i").count() >= 1


def test_the_keys_are_all_listed_and_lists_turn(opened, nested):
    page = opened(nested)
    press(page, "?")
    listed = page.locator(".keys li:visible").all_inner_texts()
    keys = {word for line in listed for word in line.split("\n")[0].split()}
    assert {"j", "k", "m", "M", "n", "N", "h", "s", "t", "/", "?", "Esc", "Enter"} <= keys
    press(page, "Escape", "t", "t")
    assert page.get_by_role("tab", name="near misses").get_attribute("aria-selected") == "true"
    page.get_by_role("tab", name="near misses").focus()
    press(page, "ArrowRight")
    assert page.locator("table.operations:visible").count() == 1


def test_what_is_shown_is_saved(opened, new_page, nested, tmp_path):
    page = opened(nested, accept_downloads=True, color_scheme="dark")
    press(page, "b")
    for kind in ("svg", "png", "html", "json"):
        page.locator(".save summary").click()
        with page.expect_download() as waiting:
            page.get_by_role("button", name=kind.upper()).click()
        waiting.value.save_as(tmp_path / f"saved.{kind}")
        press(page, "Escape")
    assert json.loads((tmp_path / "saved.json").read_text()) == json.loads(nested.json())
    assert (tmp_path / "saved.png").read_bytes().startswith(b"\x89PNG")
    other = new_page()
    other.goto((tmp_path / "saved.svg").as_uri())
    assert other.locator("g.node.added:visible").count() == 0  # Before is shown
    assert other.locator("svg").evaluate("e => getComputedStyle(e).backgroundColor") == (
        "rgb(24, 24, 24)"
    )
    other.goto((tmp_path / "saved.html").as_uri())
    assert other.locator(".stage g.node").count() > 5
    assert other.locator(".msx-panel").get_attribute("data-pass") == str(nested.start)


def test_one_graph_is_read_without_the_words_of_passes(opened):
    page = opened(viz.graph(model, ms.Tensor([[1.0]]), ms.Tensor([[2.0]])))
    press(page, "j")
    said = page.locator(".msx-panel").inner_text()
    assert "changed" not in said.replace("unchanged", "") and "unchanged" not in said
    assert page.locator(".views, .legend, .counter").count() == 0
    page.locator(".hops select").select_option("1")
    assert 1 < len(shown(page)) < page.locator(".stage g.node").count()


WIDE = "矩阵乘法与偏置相加的融合算子"
LONG = "a_parameter_with_a_really_rather_long_name_that_goes_on"


def test_chinese_and_long_labels_lie_inside_their_boxes(opened):
    record = transformer(1)
    for node, name in ((1, WIDE), (2, LONG), (3, "权重w0")):
        record.listing[node] = record.listing[node]._replace(name=name)
    page = opened(viz.passes(record))
    over = page.locator(".stage g.node").evaluate_all("""all => all.map(node => {
        const box = node.querySelector('.body').getBBox();
        const wide = [...node.querySelectorAll('text.op, text.type')].map(t => t.getBBox());
        return [node.textContent, Math.max(...wide.map(t => Math.max(
            box.x - t.x, t.x + t.width - box.x - box.width)))];
    })""")
    assert len(over) > 15 and WIDE in "".join(text for text, _ in over)
    assert [each for each in over if each[1] > -2] == []


def test_a_picture_that_goes_on_says_so(opened):
    page = opened(viz.passes(transformer(4)))
    more = page.locator(".beyond")
    assert "↓" in more.inner_text() and "press w for the whole picture" in more.inner_text()
    assert page.locator(".view.below").count() == 1
    page.locator(".stage").evaluate("stage => stage.scrollTo(0, stage.scrollHeight)")
    page.wait_for_function("document.querySelector('.beyond').textContent.includes('↑')")
    assert page.locator(".view.below").count() == 0
    page.locator(".stage").focus()
    page.keyboard.press("w")
    page.wait_for_function("document.querySelector('.beyond').textContent === ''")
    over = page.evaluate("""() => {
      const box = (selector) => document.querySelector(selector).getBoundingClientRect();
      return box(".zoom").top >= box(".stage").bottom;
    }""")
    assert over  # the buttons cover no node
