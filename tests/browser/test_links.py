"""In a browser: from a node to its source line, text, code and time slice, and back."""

import numpy as np
import pytest

from ms_ext import Tensor, ops, viz

pytestmark = pytest.mark.browser
PANES = ("Python", "IR", "code", "time")


def model(x, w):
    """Two lines that make one fused kernel and a product."""
    hidden = ops.maximum(x * 2.0, 0.0)
    return ops.matmul(hidden, w)


@pytest.fixture
def x():
    return Tensor(np.ones((3, 3), "f4"))


@pytest.fixture
def opened(new_page, tmp_path):
    def open_page(shown):
        page = new_page()
        page.set_default_timeout(10_000)
        page.goto(shown.save(tmp_path / "shown.html").as_uri())
        return page

    return open_page


def lines(page, pane):
    """Go to a pane; the text of the lines that speak of the chosen node."""
    page.locator(f'[role=tab][data-tab="{pane}"]').click()
    return page.locator("ol.pane li.said:visible").all_inner_texts()


def test_a_node_is_found_in_every_pane_and_back(opened, x):
    panel = viz.passes(model, x, x)
    page = opened(panel)
    node = next(n for n in panel.record.graph.order() if n.primitive.name == "Maximum")
    page.locator(f'.stage g.node[data-id="{node.id}"]').first.click()
    (source,) = lines(page, "Python")
    assert "hidden = ops.maximum(x * 2.0, 0.0)" in source
    (text,) = lines(page, "IR")
    assert text.strip().startswith(f"%{node.id} hidden = Maximum")
    code = lines(page, "code")
    assert any("Maximum" in line or "maximum" in line for line in code)
    times = lines(page, "time")
    assert times and all("µs" in line for line in times)
    page.locator(f'ol.pane li[data-nodes~="{node.id}"]:visible').first.hover()
    assert page.locator(f'.stage g.lit[data-id="{node.id}"]').count() == 1


def heads(page):
    """Names of the panes that stand beside each other, from left to right."""
    panes = page.locator(".beside > .list:visible")
    return [name.strip() for name in panes.locator(":scope > summary").all_inner_texts()]


def test_panes_that_start_open_are_seen_with_the_graph_and_are_tabs_where_it_is_narrow(opened, x):
    panel = viz.graph(model, x, x, panes=("Python", "IR"))
    page = opened(panel)
    page.set_viewport_size({"width": 1000, "height": 900})
    assert heads(page) == ["Python", "IR"]
    boxes = [each.bounding_box() for each in page.locator(".beside > .list").all()]
    assert boxes[0]["y"] == boxes[1]["y"] and boxes[0]["x"] < boxes[1]["x"]
    assert page.locator(".stage").bounding_box()["y"] >= 0
    assert max(box["y"] + box["height"] for box in boxes) <= 900  # with the graph, unscrolled
    line = page.locator(".beside li:visible").get_by_text("ops.maximum(x * 2.0, 0.0)")
    line.click()
    assert page.locator(".stage g.lit").count() >= 2
    chosen = page.locator(".stage g.picked").get_attribute("data-id")
    said = page.locator(".beside li.said")
    assert said.count() >= 2 and f"%{chosen} " in " ".join(said.all_inner_texts())
    assert page.locator("[role=tab]:visible").all_inner_texts()[0].startswith("every node")
    page.set_viewport_size({"width": 500, "height": 900})
    page.wait_for_function("!document.querySelector('.beside').children.length")
    assert page.locator("ol.pane:visible").count() == 1
    page.locator('[role=tab][data-tab="IR"]').click()
    assert "ms_ext graph 1" in page.locator("ol.pane:visible").inner_text()


def test_a_comparison_is_a_panel_like_any_other(opened, x):
    one, other = viz.run(model, x, x), viz.run(model, x, x, backend="reference")
    page = opened(viz.compare(one, other))
    assert "cython → reference: the same graph" in page.locator(".status").inner_text()
    page.locator('[role=tab][data-tab="plan"]').click()
    first = page.locator("ol.pane li[data-nodes]:visible").first
    first.hover()
    marked = page.locator(".stage g.lit").evaluate_all("all => all.map(e => e.dataset.id)")
    assert sorted(marked) == sorted(first.get_attribute("data-nodes").split())
