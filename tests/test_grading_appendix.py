"""The teacher's pages say what is there: commands, columns, protections."""

import importlib
import re
import shlex

import pytest

from ms_ext.book import source
from ms_ext.cli import grade
from ms_ext.cli.main import commands
from ms_ext.grading.classroom import gradebook, people, presets
from ms_ext.grading.sandbox import protections

FOLDER = source.BOOK / "appendix"
PAGES = {name: (FOLDER / f"{name}.md").read_text(encoding="utf-8") for name in ("grading", "trust")}
FENCE = re.compile(r"^```\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def told():
    """(page, arguments of `ms-ext grade`) of every command that a page shows."""
    for name, text in PAGES.items():
        for block in FENCE.findall(text):
            for line in block.replace("\\\n", " ").split("\n"):
                if "ms-ext grade " in line:
                    yield name, shlex.split(line.partition("ms-ext grade ")[2])


@pytest.mark.parametrize(("page", "arguments"), list(told()))
def test_commands_exist_and_take_these_words(page, arguments):
    word, *rest = arguments
    assert word in commands(grade.WORDS)
    importlib.import_module(f"ms_ext.cli.grading.{word}").options().parse_args(rest)


def test_every_word_of_the_teacher_is_told():
    words = {arguments[0] for _, arguments in told()}
    assert words >= {"bundle", "class", "table", "dashboard", "nbgrader"}
    options = importlib.import_module("ms_ext.cli.grading.class").options()
    offered = {name for action in options._actions for name in action.option_strings}
    text = PAGES["grading"]
    assert [name for name in offered - {"-h", "--help", "--jobs"} if name not in text] == []


def rows(page, heading):
    """The cells of the table behind a line that begins with ``heading``."""
    lines = PAGES[page].split("\n")
    first = next(at for at, line in enumerate(lines) if line.startswith(heading))
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split("|")]


def test_the_columns_of_the_table_are_those_of_the_gradebook():
    named = {
        name for cells in rows("grading", "| column") for name in re.findall(r"`(.+?)`", cells[0])
    }
    assert named == set(gradebook.COLUMNS) - {"learner", "exercise", "folder sha"}


def test_every_protection_is_named_with_what_it_stops():
    shown = {cells[0]: cells[1] for cells in rows("trust", "| protection")}
    assert shown == {row.name: row.stops for row in protections.TABLE}
    assert all(len(cells) == 5 and all(cells) for cells in rows("trust", "| protection"))


def test_what_only_linux_has_is_promised_nowhere_else():
    for name, _, _, macos, windows in rows("trust", "| protection"):
        row = next(each for each in protections.TABLE if each.name == name)
        if row.where == protections.KEEPER:
            assert not macos.startswith("yes") and not windows.startswith("yes"), name


def test_people_kinds_and_groups_are_told():
    text = PAGES["grading"]
    assert all(f"`{name}`" in text for name in ("learner", *people.FIELDS))
    assert all(f"ms-ext grade table {kind}" in text for kind in presets.KINDS)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere_and_nothing_is_named_that_may_move(page):
    links = re.findall(r"\]\(([^)#]+)", PAGES[page])
    assert [link for link in links if not (FOLDER / link).exists()] == []
    assert not re.search(r"https?:|\.io\b|\.com\b|/home/|/root", PAGES[page])
    assert max(map(len, PAGES[page].split("\n"))) <= 140
