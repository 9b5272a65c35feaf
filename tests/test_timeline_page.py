"""The timeline's page: one picture, its tables, no network, no ids, readable without script."""

import re
from html import unescape
from html.parser import HTMLParser
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from timeline_records import NESTED, pipelined, recording

from ms_ext import viz
from ms_ext.viz import palette
from ms_ext.viz.timeline import Timeline
from ms_ext.viz.timing.recorded import recorded

HOSTILE = "</script><img src=x onerror=alert(1)>'\"&"
SVG = "{http://www.w3.org/2000/svg}"


class Page(HTMLParser):
    """Names, attributes and the text of a page; ``picture`` is its image as SVG."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.words, self.picture = [], [], [], None
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "img":
            source = dict(attrs)["src"].partition(",")[2]
            self.picture = ElementTree.fromstring(unquote(source))

    def handle_data(self, data):
        self.words.append(data)

    def all(self, kind):
        """The groups of the picture that are of some class."""
        groups = self.picture.iter(f"{SVG}g")
        return [g for g in groups if kind in (g.get("class") or "").split()]


@pytest.fixture
def shown():
    runs = [recorded(recording(*pipelined()), "async"), recorded(recording(*NESTED), "sync")]
    return Timeline(runs)


@pytest.fixture
def page(shown):
    return Page(shown.html())


def title(group):
    return group.find(f"{SVG}title").text


def test_a_page_asks_nobody_for_anything_and_has_no_id(shown, page):
    html = shown.html().replace("http://www.w3.org/2000/svg", "").replace("http%3A", "")
    assert not re.search(r"https?:|@import|url\(|fetch\(|import\(", html)
    assert not [name for name, _ in page.attributes if name == "id"]
    assert page.tags.count("img") == page.tags.count("script") == 1
    assert not any(element.get("id") for element in page.picture.iter())


def test_the_same_runs_give_the_same_page(shown):
    assert shown.html() == shown.html()
    assert shown._repr_mimebundle_()["text/html"] == shown.html()
    assert shown._repr_mimebundle_()["text/plain"] == shown.text()


def test_every_slice_gap_wait_and_sync_has_a_sentence(page):
    assert len(page.all("slice")) == 12 + 6
    assert title(page.all("slice")[0]) == (
        "call 1 (Mul): PyTask 10 µs, begins at 0 µs\nbytes: 64\nline: model.py:0: y = x * 0"
    )
    assert [title(gap).partition(":")[0] for gap in page.all("gap")] == [
        "PyTask idle 0.08 µs",
        "FrontendTask idle 0.05 µs",
    ]
    (wait,), (sync,) = page.all("wait"), page.all("sync")
    said = "the caller waited for elements for 60 µs, model.py:9: y.asnumpy()"
    assert title(wait) == title(sync) == said


def test_the_picture_names_lanes_utilisation_totals_and_the_busiest(page):
    texts = [text.text for text in page.picture.iter(f"{SVG}text")]
    assert {"PyTask", "33%", "67%", "▸"} <= set(texts)
    assert "async: 3 calls in 90 µs, serial sum 150 µs, overlap 1.67×" in texts
    bold = [t.text for t in page.picture.iter(f"{SVG}text") if "busiest" in t.get("class", "")]
    assert bold == ["▸", "LaunchTask", "67%"] + ["▸", "LaunchTask", "40%"]
    assert page.picture.get("aria-label").startswith("Timeline. async: 3 calls")


def test_the_words_of_the_title_are_defined_in_the_card(page):
    said = " ".join(" ".join(page.words).split())
    assert "serial sum: all slices one after the other" in said
    assert "overlap: serial sum / time: how many lanes were at work on average" in said


def test_the_runs_share_one_axis(page):
    widths = [
        float(slice_.find(f"{SVG}rect").get("width")) / (end - start)
        for slice_ in page.all("slice")
        for start, end in [map(float, slice_.get("data-t").split())]
        if end - start > 1000
    ]
    assert max(widths) == pytest.approx(min(widths), rel=0.01)


def test_the_tables_say_what_the_picture_says(page):
    words = " ".join(page.words)
    assert "60 µs" in words and "the caller waited for elements" in words
    assert "10 µs, 10 µs" in words  # FrontendTask on call 1: from, for
    assert "its thread ran another stage of the same call" in words
    assert "model.py:9: y.asnumpy()" in words
    assert page.tags.count("details") == 2  # the tables of each run


def test_columns_without_content_are_left_out(page):
    assert "line" in page.words and "nodes" not in page.words


def test_a_table_of_many_calls_says_where_the_rest_is():
    html = unescape(viz.timeline(recording(*pipelined(400))).html())
    assert "Calls (300 of 400; save('trace.json') has all)" in html


def test_a_selected_call_has_an_arrow_without_script():
    page = Page(viz.timeline(recording(*pipelined()), select=2).html())
    (arrow,) = page.all("arrow")
    assert title(arrow) == "call 2"
    assert arrow.get("data-t") == "20000 50000"
    assert not Page(viz.timeline(recording(*pipelined())).html()).all("arrow")


def test_hostile_names_stay_text():
    rows = [(HOSTILE, HOSTILE, 0, 1, 1), ("b", "other", 1, 2, 1)]
    page = Page(viz.lanes({HOSTILE: rows}, unit=HOSTILE, noun=HOSTILE).html())
    assert page.tags.count("script") == 1 and page.tags.count("img") == 1
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert HOSTILE in [slice_.get("data-name") for slice_ in page.all("slice")]


@pytest.mark.parametrize("colours", [palette.LIGHT, palette.DARK], ids=["light", "dark"])
def test_lanes_can_be_told_from_their_ground_and_their_numbers_be_read(colours):
    for lane in range(1, 5):
        fill, rim = colours[f"lane-{lane}"], colours[f"lane-{lane}-rim"]
        ink = colours["lane-1-ink" if lane == 1 else "lane-ink"]
        assert palette.contrast(ink, fill) >= 4.5
        assert min(palette.contrast(rim, colours[name]) for name in ("bg", "surface")) >= 4.5


def test_the_light_colours_are_those_of_okabe_and_ito():
    found = [palette.LIGHT[f"lane-{lane}"].upper() for lane in range(1, 5)]
    assert found == ["#0072B2", "#E69F00", "#009E73", "#CC79A7"]
