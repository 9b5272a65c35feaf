"""A panel's page asks nobody for anything, shares no id, runs no name, and all eyes can read it."""

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from viz_chains import negated
from viz_records import HOSTILE, control, hostile, transformer

import ms_ext as ms
from ms_ext import viz
from ms_ext.engine import errors, jit
from ms_ext.viz import notebook, palette
from ms_ext.viz.drawing import layout, raster

SVG = "{http://www.w3.org/2000/svg}"


class Elements(HTMLParser):
    """Names, attributes and text of everything in a page; ``data`` is its data block."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.data, self.words = [], [], "", []
        self._inside = ()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self._inside = (tag, dict(attrs).get("class"))

    def handle_data(self, data):
        if self._inside == ("script", "data"):
            self.data += data
        elif self._inside[:1] not in (("script",), ("style",)):
            self.words.append(data)

    def handle_endtag(self, tag):
        self._inside = ()

    def sources(self):
        """The SVG of every image."""
        return [
            unquote(value.partition(",")[2]) for name, value in self.attributes if name == "src"
        ]


def test_a_page_asks_nobody_for_anything():
    page = viz.passes(transformer(1)).html().replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//[a-z]|@import|url\(|fetch\(|import\(", page)
    found = Elements(page)
    assert not {"link", "iframe"} & set(found.tags)
    addresses = [value for name, value in found.attributes if name in ("src", "href")]
    assert addresses and all(each.startswith("data:image/svg+xml;") for each in addresses)


def test_a_page_without_script_and_style_has_pictures_and_words():
    panel = viz.passes(transformer(1))
    found = Elements(panel.html())
    drawn = [ElementTree.fromstring(source) for source in found.sources()]
    assert len(drawn) == sum(any(p["counts"][s] for s in palette.STATES[1:]) for p in panel.report)
    for svg in drawn:  # by itself: its own style, and no tooltips that nobody could see
        tags = [each.tag.rpartition("}")[2] for each in svg.iter()]
        assert tags.count("style") == 1 and tags.count("title") < tags.count("g")
    assert not {"button", "input", "select", "form"} & set(found.tags)  # nothing dead to press
    words = " ".join(found.words)
    for said in ("File, then Trust Notebook", "bytes moved", "removed", "%11", "Where it matched"):
        assert said in words


def test_what_a_node_says_is_written_once():
    panel = viz.passes(transformer(2))
    found = Elements(panel.html())
    packed = json.loads(found.data)["packed"]
    shown = [number for number, said in enumerate(packed["said"]) if said]
    assert len(shown) == len(found.sources()) and len(set(packed["facts"])) == len(packed["facts"])
    for number, source in zip(shown, found.sources(), strict=True):
        nodes = {each for each in re.findall(r"class='node[^>]*data-id='([^']*)'", source)}
        assert nodes == set(packed["said"][number])
    first = packed["facts"][packed["said"][shown[0]]["4"]]
    assert first.startswith("node: %4 LayerNorm\nstate: unchanged")


def test_a_panel_of_277_nodes_and_five_changed_passes_is_at_most_1_5_mb():
    record = transformer(17)
    assert len(record.listing) > 277
    page = viz.passes(record).html()
    longest = max(map(len, re.findall(r'src="([^"]*)"', page)))
    assert len(page.encode()) + 2 * longest < 1_500_000  # two of its five passes changed nothing


def test_operations_are_counted_before_and_after():
    words = " ".join(Elements(viz.passes(transformer(1)).html()).words)
    assert "−1 Gelu 1 0" in words and "+1 FusedMatMulBiasGelu 0 1" in words


def square(x):
    return x * x


def test_one_graph_speaks_of_no_change():
    words = " ".join(Elements(viz.graph(square, ms.Tensor([1.0])).html()).words)
    assert not re.search(r"\b(changed|unchanged|added|removed|rewritten)\b", words)


def test_how_many_nodes_there_are_is_said_of_each_kind():
    panel = viz.graph(lambda x: x * 2.0 + x, ms.Tensor([1.0]))
    page = panel.html()
    assert "Every node: 2 calls, 1 parameter, 1 constant, Return." in page
    assert 'data-tab="every node" data-count="5"' in page
    (nodes,) = (each for each in panel.report[0]["stats"] if each["name"] == "nodes")
    assert nodes["shown"] == "2" and "not inputs, constants, Return" in nodes["meaning"]


def test_a_line_through_a_constant_does_not_hide_its_sign():
    panel = viz.passes(negated())
    assert panel.report[0]["counts"]["removed"] == 2
    drawn = ElementTree.fromstring(panel.svg())
    groups = {g.get("data-id"): g for g in drawn.iter(f"{SVG}g") if g.get("data-id")}
    slanted, through = (groups[n].find(f"{SVG}path[@class='strike']").get("d") for n in "23")
    assert re.fullmatch(r"M[\d.]+ [\d.]+L[\d.]+ [\d.]+", slanted)
    assert re.fullmatch(r"M[\d.]+ [\d.]+h[\d.]+", through)
    words = ["".join(each.itertext()) for each in groups["2"].iter(f"{SVG}text")]
    assert words == ["-1", "−", "int"]  # the mark stands apart: "− 1" would read as a number
    page = panel.html()
    assert '<td>%2 <span class="signed">-1</span></td>' in page
    assert '<td>%3 Mul(%1 x, <span class="signed">-1</span>)</td>' in page


def test_panels_share_no_id():
    assert not [
        name for name, _ in Elements(viz.passes(control()).html()).attributes if name == "id"
    ]


def test_hostile_names_stay_text():
    panel = viz.passes(hostile())
    page = Elements(panel.html())
    assert page.tags.count("script") == 2  # the data and the panel's own
    assert page.tags.count("img") == page.tags.count("figure") == 1
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
    assert min(palette.contrast(colours["dimmed"], ground) for ground in grounds) >= 4.5
    assert palette.contrast(colours["dimmed"], colours["bg"]) < palette.contrast(
        colours["muted"], colours["bg"]
    )
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


def test_a_drawing_that_fails_becomes_text_with_one_sentence(monkeypatch):
    panel = viz.passes(transformer(1))
    monkeypatch.setattr(type(panel), "pictures", lambda self, index: 1 / 0)
    bundle = panel._repr_mimebundle_()
    assert "could not be drawn (ZeroDivisionError: division by zero)" in bundle["text/html"]
    assert "FusedMatMulBiasGelu" in bundle["text/html"]
    assert "Traceback" not in bundle["text/html"]
    with pytest.raises(ZeroDivisionError):
        panel.html()


# files and widgets --------------------------------------------------------------------------------


def test_a_picture_is_saved_for_slides(tmp_path):
    panel = viz.passes(transformer(1))
    for name, start in (("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")):
        path = panel.save(tmp_path / name, number=3)
        assert path.read_bytes().startswith(start) and path.stat().st_size > 5_000


def test_the_figure_has_what_the_picture_has():
    panel = viz.passes(transformer(1))
    drawn = [text.get_text() for text in raster.figure(panel.svg(number=3))[0].axes[0].texts]
    assert "+ FusedMatMulBiasGelu" in drawn and "− Gelu" in drawn and "◎1" in drawn
    before = [t.get_text() for t in raster.figure(panel.svg("before", 3))[0].axes[0].texts]
    assert not any("Fused" in each for each in before) and "− Gelu" in before


def test_without_matplotlib_a_sentence_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(errors.NotRunnable, match="needs matplotlib"):
        viz.passes(transformer(1)).save(tmp_path / "a.png")


def test_a_chosen_node_is_an_object_in_python():
    pytest.importorskip("anywidget")
    panel = viz.passes(transformer(1))
    widget = panel.widget()
    assert (widget.number, widget.selected, widget.node) == (2, None, None)
    widget.number, widget.selected = 3, 14
    assert widget.row.op == "Gelu"
    with pytest.raises(errors.InvalidIndex, match="no such node"):
        widget.selected = 999
    x = ms.Tensor([1.0])
    live = viz.passes(lambda x: x + (-x), x, passes=["add_neg_to_sub"]).widget()
    live.number = len(live.panel.report)
    live.selected = live.panel.record.graph.result.id
    assert live.node is live.panel.record.graph.result and live.row.op == "Return"


def test_the_kernel_draws_or_says_why_not(monkeypatch):
    pytest.importorskip("anywidget")
    from ms_ext.viz.panel import live

    widget = viz.passes(transformer(1)).widget()
    sent = []
    monkeypatch.setattr(type(widget), "send", lambda self, content: sent.append(content))
    monkeypatch.setattr(widget.panel, "picture", lambda number, name: "<svg/>", raising=False)
    live._answer(widget, {"number": 2, "name": "whole"}, ())
    monkeypatch.setattr(widget.panel, "picture", lambda number, name: 1 / 0, raising=False)
    live._answer(widget, {"number": 2, "name": "whole"}, ())
    assert sent[0]["svg"] == "<svg/>" and not sent[0]["problem"]
    assert sent[1]["problem"].startswith("whole could not be drawn (ZeroDivisionError")


def test_without_anywidget_there_is_a_form_and_without_ipywidgets_a_sentence(monkeypatch):
    panel = viz.passes(transformer(1))
    monkeypatch.setitem(sys.modules, "anywidget", None)
    more, slider, view, shown = panel.widget().children
    assert "With anywidget" in more.value and slider.value == 2
    slider.value, view.value = 3, "before"
    assert "msx-graph before" in shown.value and "after pass 3" in shown.value
    monkeypatch.setattr(panel, "svg", lambda view, number: 1 / 0)
    slider.value = 2
    assert "could not be drawn (ZeroDivisionError" in shown.value and "cse" in shown.value
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    with pytest.raises(errors.NotRunnable, match="needs anywidget, or at least ipywidgets"):
        panel.widget()


def test_looking_at_nothing_imports_no_widget_and_no_plot():
    names = "{'anywidget', 'ipywidgets', 'matplotlib', 'traitlets'}"
    code = f"import sys, ms_ext, ms_ext.viz.passes; print(sorted({names} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[1]
    )
    assert done.stdout.strip() == "[]", done.stderr
