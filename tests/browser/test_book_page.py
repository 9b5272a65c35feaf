"""A chapter's page opens from a file: live panels, light and dark, nothing from elsewhere."""

import nbformat
import pytest

from ms_ext.book import learner, page, source
from ms_ext.grading.verdict import Verdict

pytestmark = pytest.mark.browser

TEXT = """---
title: A page
---

# A page

## Goal

Words, `code` and a [link](https://example.org).

| one | two |
|---|---|
| 1 | 2 |

```{code-cell} python
:tags: [predict]
guess = 3
```

## Build

### Inside

```{code-cell} python
def f(x):
    # region solution
    return x * 41
    # endregion
```

## Recap

```{code-cell} python
f(1)
```
"""
FIGURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>'


def minus(x, y):
    return x + (-y)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A page with one output of each kind."""
    import ms_ext as ms

    x = ms.Tensor([1.0, 2.0])
    chapter = source.parse(TEXT, "00_small")
    node = nbformat.from_dict(learner.notebook(chapter, solved=True))
    panel = ms.viz.passes(minus, x, x, passes=["add_neg_to_sub"]).html()
    verdict = Verdict("a.b", "failed", "raises", "No.", printed="one")._repr_html_()
    shown = [{"text/html": panel}, {"text/html": verdict}, {"image/svg+xml": FIGURE}]
    code = [cell for cell in node.cells if cell.cell_type == "code"]
    code[1].outputs = [nbformat.v4.new_output("display_data", data=data) for data in shown]
    trace = ["\x1b[31mTraceback\x1b[0m", "ValueError: <no>"]
    told = {"ename": "ValueError", "evalue": "<no>", "traceback": trace}
    code[2].outputs = [
        nbformat.v4.new_output("stream", name="stdout", text="printed & shown"),
        nbformat.v4.new_output("error", **told),
    ]
    return page.write_page(chapter, node, tmp_path_factory.mktemp("page") / "page.html")


def test_light_and_dark(new_page, path):
    tab = new_page(color_scheme="dark")
    tab.goto(path.as_uri())
    dark = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert tab.get_attribute("html", "data-jp-theme-light") == "false"
    tab.click("#theme")
    assert tab.get_attribute("html", "data-jp-theme-light") == "true"
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") != dark


def test_contents_and_cells(new_page, path):
    tab = new_page()
    tab.goto(path.as_uri())
    assert tab.locator(".contents li").all_inner_texts() == ["Goal", "Build", "Inside", "Recap"]
    tab.click(".contents a[href='#recap']")
    tab.wait_for_selector(
        ".contents a[aria-current][href='#recap'], .contents a[href='#inside'][aria-current]"
    )
    assert tab.locator("section.predict .label").inner_text() == "Predict"
    assert "41" not in tab.locator("section.yours pre.code").inner_text()
    assert tab.locator(".prose table td").count() == 2


def test_outputs(new_page, path):
    tab = new_page()
    tab.goto(path.as_uri())
    panel = tab.locator(".msx-panel.ready")
    assert panel.locator("g.node.added").count() and panel.locator("g.node.removed").count()
    assert tab.locator(".figure svg circle").count() == 1
    assert tab.locator("pre.stream").inner_text() == "printed & shown"
    assert tab.locator(".error > pre").inner_text() == "ValueError: <no>"
    assert not tab.locator(".error details pre").is_visible()
    tab.click(".ms-verdict summary")
    assert tab.locator(".ms-verdict details pre").inner_text() == "one"


def test_a_narrow_window_scrolls_inside_its_parts_only(new_page, path):
    tab = new_page(viewport={"width": 420, "height": 800})
    tab.goto(path.as_uri())
    assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
