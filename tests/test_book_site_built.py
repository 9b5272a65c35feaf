"""The built site: links, solutions, sizes, words for figures, languages, the same bytes again."""

import html
import re

import pytest
from built_site import built

from ms_ext.book import source


@pytest.fixture(scope="module")
def site():
    """The folder of the site, built with every warning an error."""
    return built()


def texts(folder):
    """Page -> its HTML, of the pages that are ours."""
    paths = [path for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts]
    return {path: path.read_text(encoding="utf-8") for path in paths}


def identities(text):
    return set(re.findall(r'(?<![-\w])id="([^"]+)"', text))


@pytest.mark.long
def test_every_link_inside_leads_somewhere_and_nothing_comes_from_elsewhere(site):
    found, lost, elsewhere = texts(site), [], []
    ids = {path: identities(text) for path, text in found.items()}
    for path, text in found.items():
        plain = re.sub(r"<(script|style)[ >].*?</\1>", "", text, flags=re.DOTALL)
        for link in map(html.unescape, re.findall(r'(?:href|src)="([^"]+)"', plain)):
            if link.startswith("data:"):
                continue
            if "://" in link:
                elsewhere.append((path.name, link))
                continue
            name, _, part = link.partition("#")
            goal = (path.parent / name.partition("?")[0]).resolve() if name else path
            if not goal.exists() or part and goal in ids and part not in ids[goal]:
                lost.append((path.name, link))
    assert lost == [] and elsewhere == []


@pytest.mark.long
def test_no_line_of_a_solution_is_in_any_file(site):
    """Lines that the library itself holds, as a pass or a gradient, are nobody's secret."""
    library = "\n".join(p.read_text() for p in (source.ROOT / "ms_ext").rglob("*.py"))
    lines = {
        line
        for name in source.chapters()
        for cell in source.read(name).cells
        for line in source.solution_lines(cell.text)
        if len(line) > source.SHORTEST and line not in library
    }
    assert len(lines) > 50
    kinds = {".html", ".js", ".svg", ".json", ".txt", ".ipynb", ".md"}
    leaked = []
    for path in site.rglob("*"):
        if path.suffix in kinds and "_static" not in path.parts:
            text = path.read_text(encoding="utf-8")
            plain = html.unescape(re.sub(r"<[^>]*>", "", text))
            leaked += [(path.name, line) for line in lines if line in plain or line in text]
    assert leaked == []


@pytest.mark.long
def test_pages_are_small_and_carry_no_date(site):
    found = texts(site)
    assert len(found) > 100
    assert {path.name: len(text) for path, text in found.items() if len(text) > 2_000_000} == {}
    assert not any(re.search(r"last.updated|20\d\d-\d\d-\d\dT", text) for text in found.values())
    assert not list(site.rglob("*.map")) and not list(site.rglob("_sources"))


@pytest.mark.long
def test_every_figure_has_words(site):
    for path, text in texts(site).items():
        plain = re.sub(r"<(script|style)[ >].*?</\1>", "", text, flags=re.DOTALL)
        assert not re.findall(r"<img(?![^>]*\balt=\"[^\"])[^>]*>", plain), path.name
        assert not re.findall(r"<img[^>]*src=\"data:image/png", plain), path.name


@pytest.mark.long
def test_languages_link_to_one_another_and_are_marked(site):
    for name in source.chapters():
        for language in source.languages(name)[1:]:
            there = f"{name}.{language}.html"
            assert there in (site / "chapters" / f"{name}.html").read_text(encoding="utf-8")
            other = (site / "chapters" / there).read_text(encoding="utf-8")
            assert f'href="{name}.html"' in other and '<html lang="zh-Hans"' in other


@pytest.mark.long
def test_a_second_build_gives_the_same_bytes(site):
    before = {p: p.read_bytes() for p in site.rglob("*") if p.is_file()}
    built()
    after = {p: p.read_bytes() for p in site.rglob("*") if p.is_file()}
    assert before.keys() == after.keys()
    assert [p.name for p in before if before[p] != after[p]] == []
