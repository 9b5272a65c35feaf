"""The rules of a good chapter, measured on every chapter's source."""

import re
from statistics import median

import pytest

from ms_ext.book import source

SHAPE = [
    "Goal", "Try it", "Idea", "Build", "Break it", "Exercises", "On real MindSpore", "Recap",
]  # fmt: skip
CHAPTERS = [source.read(name) for name in source.chapters()]
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=[c.name for c in CHAPTERS])


def code_lines(cell):
    return [line for line in source.without_solution(cell.text).split("\n") if line.strip()]


def words(text):
    """Words that are read: no headings' marks, no link targets, no table rules."""
    plain = re.sub(r"\]\([^)]*\)|[|`*_#>-]", " ", text)
    return len(re.findall(r"\w[\w'.()]*", plain))


def sections(chapter):
    """(second-level heading, the cells below it), in order."""
    found = [("", [])]
    for cell in chapter.cells:
        if cell.kind == "markdown" and (title := re.search(r"^## (.+)$", cell.text, re.MULTILINE)):
            found.append((title[1], []))
        found[-1][1].append(cell)
    return found[1:]


@each_chapter
def test_cells_are_small(chapter):
    sizes = [len(code_lines(cell)) for cell in chapter.cells if cell.kind == "code"]
    assert median(sizes) <= 6 and max(sizes) <= 25


@each_chapter
def test_few_words(chapter):
    lines = sum(len(code_lines(cell)) for cell in chapter.cells if cell.kind == "code")
    read = sum(words(cell.text) for cell in chapter.cells if cell.kind == "markdown")
    assert 2 <= read / lines <= 10


@each_chapter
def test_never_long_without_running_something(chapter):
    run, longest = 0, 0
    for cell in chapter.cells:
        run = run + words(cell.text) if cell.kind == "markdown" else 0
        longest = max(longest, run)
    assert longest <= 150


@each_chapter
@pytest.mark.parametrize("title", ["Try it", "Build", "Break it"])
def test_the_reader_predicts_before_seeing(chapter, title):
    cells = dict(sections(chapter))[title]
    assert any("predict" in cell.tags for cell in cells)


@each_chapter
def test_every_exercise_is_checked_before_the_next(chapter):
    unchecked = 0
    for cell in chapter.cells:
        unchecked += source.has_solution(cell.text)
        assert unchecked <= 1
        unchecked = 0 if re.search(r"\bcheck\(\"[\w.]+\"\)", cell.text) else unchecked
    assert unchecked == 0


@each_chapter
def test_one_shape(chapter):
    assert [title for title, _ in sections(chapter)] == SHAPE
    levels = [
        len(mark)
        for cell in chapter.cells
        if cell.kind == "markdown"
        for mark in re.findall(r"^(#+) ", cell.text, re.MULTILINE)
    ]
    assert levels[0] == 1 and levels.count(1) == 1 and max(levels) <= 3


@each_chapter
def test_pictures_are_never_pasted_into_prose(chapter):
    prose = "\n".join(cell.text for cell in chapter.cells if cell.kind == "markdown")
    assert "base64" not in prose and not re.search(r"^(>>>|Out\[)", prose, re.MULTILINE)


@each_chapter
def test_speed_is_measured_never_told(chapter):
    prose = "\n".join(cell.text for cell in chapter.cells if cell.kind == "markdown")
    assert not re.search(r"\d+(\.\d+)?\s*(x|times)\s+(as fast|faster|slower)", prose)


@each_chapter
def test_the_book_says_import_ms_ext_as_ms(chapter):
    code = "\n".join(cell.text for cell in chapter.cells if cell.kind == "code")
    assert re.search(r"^import ms_ext as ms$", code, re.MULTILINE)
    assert "import mindspore" not in code
