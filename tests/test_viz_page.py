"""A panel's page asks nobody for anything, shares no id, runs no name, and all eyes can read it."""

import re
import sys
from html.parser import HTMLParser
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from viz_records import HOSTILE, control, hostile, transformer

import ms_ext as ms
from ms_ext import viz
from ms_ext.engine import jit
from ms_ext.viz import layout, notebook, palette


class Elements(HTMLParser):
    """Names and attributes of everything in a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs


def test_a_page_asks_nobody_for_anything():
    page = viz.passes(transformer(1)).html().replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//[a-z]|@import|url\(|fetch\(|import\(", page)
    assert not {"link", "img", "iframe"} & set(Elements(page).tags)


def test_panels_share_no_id():
    assert not [
        name for name, _ in Elements(viz.passes(control()).html()).attributes if name == "id"
    ]


def test_hostile_names_stay_text():
    panel = viz.passes(hostile())
    page = Elements(panel.html())
    assert page.tags.count("script") == 1 and "img" not in page.tags
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    ElementTree.fromstring(panel.svg())


def test_hostile_names_do_not_reach_dot():
    source = layout.dot.text([layout.Box(HOSTILE, 10, 10)], [])
    assert "script" not in source


@pytest.mark.parametrize("colours", [palette.LIGHT, palette.DARK], ids=["light", "dark"])
def test_colours_can_be_told_apart_from_their_ground(colours):
    grounds = [colours[name] for name in ("bg", "surface", "frame")]
    fills = [colours[f"{state}-fill"] for state in palette.STATES]
    for name in (*palette.STATES, "matched", "edge"):
        assert palette.contrast(colours[name], colours["bg"]) >= 3
    for name in palette.STATES[1:]:
        assert palette.contrast(colours[name], colours[f"{name}-fill"]) >= 3
    assert min(palette.contrast(colours["fg"], fill) for fill in (*fills, *grounds)) >= 10
    assert min(palette.contrast(colours["muted"], fill) for fill in (*fills, *grounds)) >= 4.5
    assert min(palette.contrast(colours["accent"], ground) for ground in grounds) >= 4.5


def test_every_state_has_a_mark_besides_its_colour():
    assert len(set(palette.GLYPHS.values())) == len(palette.STATES)


def test_a_graph_at_the_end_of_a_cell_draws_itself(monkeypatch):
    known = {}

    def for_type_by_name(module, name, formatter):
        known[module, name] = formatter

    html = SimpleNamespace(for_type_by_name=for_type_by_name)
    shell = SimpleNamespace(display_formatter=SimpleNamespace(formatters={"text/html": html}))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    notebook.teach()
    graph = jit.trace(lambda x: x * x, ms.Tensor([1.0]))
    draw = known[type(graph).__module__, type(graph).__name__]
    assert 'class="msx-panel graph"' in draw(graph)
    record = jit.explain(lambda x: x * 1.0, ms.Tensor([1.0]))
    draw = known[type(record).__module__, type(record).__name__]
    assert 'class="msx-panel passes"' in draw(record)
