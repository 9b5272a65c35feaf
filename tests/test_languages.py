"""A chapter in two languages: one text, code shared, the learner's copy and pages in each."""

import json

import nbformat
import pytest
from made_up_chapter import CHAPTER, made_up  # noqa: F401
from small_course import small_course  # noqa: F401

from ms_ext.book import languages, learner, page, source
from ms_ext.cli import notebook, tour
from ms_ext.engine import errors

ENGLISH, CHINESE = "# One\n\nWords.", '+++ {"lang": "zh"}\n\n# 一\n\n文字。'


@pytest.fixture(autouse=True)
def nothing_chosen(monkeypatch):
    monkeypatch.delenv("MS_EXT_LANGUAGE", raising=False)


@pytest.fixture
def both(made_up):  # noqa: F811
    """The chapter as it is written, in a book of its own."""
    made_up()
    return source.written("98")


def test_a_chapter_is_read_in_one_language(both):
    assert source.languages(both) == source.languages("98") == ("en", "zh")
    english, chinese = source.read("98"), source.read("98", language="zh")
    assert english.title == "Two small exercises" and chinese.title == "两个小练习"
    code = [[cell for cell in each.cells if cell.kind == "code"] for each in (english, chinese)]
    assert code[0] == code[1] != []
    kinds = [[cell.kind for cell in each.cells] for each in (english, chinese)]
    assert kinds[0] == kinds[1]
    assert not any("目标" in cell.text for cell in english.cells)
    assert not any("Goal" in cell.text for cell in chinese.cells)


def test_both_are_written_again(both):
    assert source.render(both) == CHAPTER


def test_a_language_that_is_not_there_is_told(both):
    with pytest.raises(errors.InvalidValue, match="not written in 'fr'") as told:
        source.read("98", "fr")
    assert "it has en, zh" in str(told.value)


# the learner's side ---------------------------------------------------------------------------


def test_the_copy_stands_beside_the_english_one(both, tmp_path, monkeypatch):
    first = learner.write_learner_copy("98", tmp_path)
    monkeypatch.setenv("MS_EXT_LANGUAGE", "zh")
    second = learner.write_learner_copy("98", tmp_path)
    assert (first.name, second.name) == ("98_small.ipynb", "98_small.zh.ipynb")
    made = json.loads(second.read_text(encoding="utf-8"))
    assert made["metadata"]["ms_ext"] == {"chapter": "98_small", "language": "zh"}
    assert "和与差" in made["cells"][0]["source"] and "return x * 2" not in json.dumps(made)
    nbformat.validate(made)


def test_reset_is_of_the_chosen_copy(both, tmp_path, monkeypatch):
    monkeypatch.setenv("MS_EXT_LANGUAGE", "zh")
    path = learner.write_learner_copy("98", tmp_path)
    path.write_text("mine")
    moved, fresh = learner.reset("98", tmp_path)
    assert moved.name == "98_small.zh-1.ipynb" and moved.read_text() == "mine" and fresh == path


def test_one_exercise_of_the_chosen_copy_begins_again(both, tmp_path, monkeypatch):
    monkeypatch.setenv("MS_EXT_LANGUAGE", "zh")
    moved, path = learner.reset_exercise("98.double", tmp_path)
    assert path.name == "98_small.zh.ipynb" and moved.name == "98_small.zh-1.ipynb"
    assert "和与差" in path.read_text(encoding="utf-8")


def test_a_chapter_without_that_language_opens_in_english(made_up, monkeypatch, capsys):  # noqa: F811
    made_up("# One\n\nWords.\n")
    monkeypatch.setenv("MS_EXT_LANGUAGE", "zh")
    monkeypatch.setattr(notebook, "open_notebook", lambda path, tour: print(path))
    notebook.open_chapter("98")
    told = capsys.readouterr().out
    assert "98_small has no text in zh yet; it opens in English." in told
    assert told.endswith("work/98_small.ipynb\n")


def test_the_chosen_copy_opens(both, monkeypatch, capsys):
    monkeypatch.setenv("MS_EXT_LANGUAGE", "zh")
    monkeypatch.setattr(notebook, "open_notebook", lambda path, tour: print(path))
    notebook.open_chapter("small")
    assert capsys.readouterr().out == "work/98_small.zh.ipynb\n"


def test_every_copy_is_written_in_the_chosen_language(both, tmp_path, monkeypatch):
    monkeypatch.setattr(learner, "WORK", tmp_path)
    monkeypatch.setenv("MS_EXT_LANGUAGE", "zh")
    assert [path.name for path in tour.write_learner_copies()] == [
        "98_small.zh.ipynb",
        "99_later.ipynb",
    ]


def test_an_unknown_language_is_told(monkeypatch):
    monkeypatch.setenv("MS_EXT_LANGUAGE", "klingon")
    with pytest.raises(errors.InvalidValue, match="klingon") as told:
        languages.chosen()
    assert "en, zh" in str(told.value)


# pages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "language, code, says",
    [
        ("en", "en", ("Predict", "Yours to write", "Contents", "./lab 98", "work/98_small.ipynb")),
        ("zh", "zh-Hans", ("先猜一猜", "由你来写", "目录", "MS_EXT_LANGUAGE=zh ./lab 98",
                           "work/98_small.zh.ipynb")),
    ],
)  # fmt: skip
def test_a_page_speaks_its_language(both, language, code, says):
    chapter = source.read("98", language)
    node = nbformat.from_dict(learner.notebook(chapter, solved=True))
    text = page.render(chapter, node)
    assert f'<html lang="{code}"' in text and f"<title>{chapter.title}</title>" in text
    assert all(each in text for each in says) and "$" not in text.split("<body")[1].split("<nav")[1]


def test_every_language_says_everything():
    keys = languages.TEXTS["en"].keys()
    for language, texts in languages.TEXTS.items():
        assert texts.keys() == keys and all(texts.values()), language
        assert all(f"{{{name}}}" in texts["made"] for name in ("seconds", "copy", "command"))


# parity ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, at, says",
    [
        (f"{ENGLISH}\n\n{CHINESE}\n\n+++\n\nMore.", 2, "there is no zh cell after this English"),
        (f"{ENGLISH}\n\n{CHINESE}\n\n{CHINESE}", 2, "a second zh cell for one English cell"),
        (f"{CHINESE}", 0, "zh stands without an English cell"),
        (f"{ENGLISH}\n\n" + CHINESE.replace("# ", "## "), 1, "the headings [2], English has [1]"),
        (f"{ENGLISH}\n\n{CHINESE}\n\n```python\nx\n```", 1, "blocks of code [1], English has []"),
        (f"{ENGLISH}\n\n{CHINESE}\n\n| a |\n|---|", 1, "zh has 2 rows of tables, English has no"),
        (f"{ENGLISH} [a](b.md)\n\n{CHINESE}", 1, "zh has the links [], English has ['b.md']"),
        (f"{ENGLISH}\n\n" + CHINESE.replace("zh", "xx"), 1, "'xx' is no language of the book"),
    ],
)
def test_parity_names_the_cell_and_the_difference(text, at, says):
    found = languages.differences(source.parse(text))
    assert [(each.at, says in each.what) for each in found] == [(at, True)]


def test_one_language_needs_no_parity():
    assert languages.differences(source.parse("# One\n\n+++\n\nTwo.")) == []


@pytest.mark.parametrize("name", source.chapters())
def test_the_languages_of_the_book_say_the_same(name):
    assert languages.differences(source.written(name)) == []


def test_the_tour_is_there_in_chinese_too():
    assert source.languages("tour") == ("en", "zh")
    assert source.read("tour", "zh").title != source.read("tour").title
