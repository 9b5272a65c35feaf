"""Chapters: the author's text in and out, and the learner's copy, never overwritten."""

import json

import pytest

from ms_ext.book import learner, source
from ms_ext.engine import errors

TEXT = """---
file_format: mystnb
kernelspec:
  name: python3
  display_name: Python 3 (ipykernel)
title: A small chapter
---

# A small chapter

Some words.

+++

More words.

```{code-cell} ipython3
:tags: [predict]

guess = 3
```

```{code-cell} ipython3
def when(x, y):
    # region solution
    # stub: return "not written yet"
    same = x.dtype == y.dtype
    return same or "other dtypes"
    # endregion

def other(x):
    # region solution
    return x * 41
    # endregion
```
"""


@pytest.fixture
def small():
    return source.parse(TEXT, "00_small")


def test_cells(small):
    assert [cell.kind for cell in small.cells] == ["markdown", "markdown", "code", "code"]
    assert small.title == "A small chapter"
    assert small.cells[2] == source.Cell("code", "guess = 3", ("predict",), 20)
    assert TEXT.split("\n")[small.cells[3].line - 1] == "def when(x, y):"


def test_round_trip(small):
    assert source.render(small) == TEXT
    assert source.parse(source.render(small), "00_small") == small


def test_the_stub_keeps_the_signature(small):
    text = source.without_solution(small.cells[3].text)
    assert text == (
        'def when(x, y):\n    return "not written yet"\n\ndef other(x):\n    ...  # your code'
    )


def test_reference_keeps_only_the_solution(small):
    text = source.reference(small.cells[3].text)
    assert "stub" not in text and "region" not in text and "x * 41" in text
    places = [at for at, _ in source.reference_lines(small.cells[3].text)]
    assert small.cells[3].text.split("\n")[places[1]].strip().startswith("same")


@pytest.mark.parametrize(
    "broken, says",
    [
        ("---\ntitle: x", "never closed"),
        ("---\nno colon\n---\n", "key: value"),
        ("```{code-cell} python\nx = 1\n", "never closed"),
        ("```{code-cell} python\n:tag: x\n```\n", "':tags: [...]'"),
        ("```{code-cell} python\n# region solution\n```\n", "never closed"),
        ("```{code-cell} python\n# endregion\n```\n", "a lone '# endregion'"),
        ("```{code-cell} python\n:tags: [a]\n:name: x\n```\n", "':tags: [...]'"),
        ("---\ntitle: 'x'\n---\n", "has quotes"),
        ("+++ zh\n\nWords.\n", '\'+++ {"lang": "zh"}\''),
        ('+++ {"hidden": true}\n\nWords.\n', '\'+++ {"lang": "zh"}\''),
    ],
)
def test_a_broken_chapter_names_its_line(broken, says):
    with pytest.raises(errors.InvalidSyntax, match=r"(?s)chapter\.md.*") as told:
        source.parse(broken, "00_small")
    assert says in str(told.value)


#: Texts that an author or JupyterLab may write, beside the one they are kept in.
SPELLINGS = [
    ("```{code-cell} python\n:tags: [a]\nx\n```", "```{code-cell} ipython3\n:tags: [a]\n\nx\n```"),
    ("```{code-cell}\n---\ntags: [a,\n  b]\n---\nx\n```",
     "```{code-cell} ipython3\n:tags: [a, b]\n\nx\n```"),
    ("```{code-cell} ipython3\n:tags: []\n\nx\n\n\n```", "```{code-cell} ipython3\nx\n```"),
    ("````{code-cell} ipython3\n```\n````", "````{code-cell} ipython3\n```\n````"),
    ("```{code-cell} ipython3\n\n:x\n```", "```{code-cell} ipython3\n\n:x\n```"),
    ("A.\n+++\nB.", "A.\n\n+++\n\nB."),
    ('A.\n+++ {"lang": "zh"}\n甲。', 'A.\n\n+++ {"lang": "zh"}\n\n甲。'),
    ("```diff\n+++ b\n```", "```diff\n+++ b\n```"),
    ("~~~\n```{code-cell} python\n~~~", "~~~\n```{code-cell} python\n~~~"),
]  # fmt: skip


@pytest.mark.parametrize("written, kept", SPELLINGS)
def test_other_spellings_mean_the_same(written, kept):
    head = source.normal("x").removesuffix("x\n")
    assert source.normal(written) == f"{head}{kept}\n" == source.normal(f"{head}{kept}\n")
    assert cells_of_jupytext(f"{head}{kept}\n") == cells_of_ours(f"{head}{kept}\n")
    assert saved_by_jupytext(f"{head}{kept}\n") == f"{head}{kept}\n"


def as_notebook(text):
    """What JupyterLab gets to see: Jupytext's reading, with the settings of the book."""
    jupytext = pytest.importorskip("jupytext")
    config = jupytext.config.load_jupytext_config(str(source.BOOK / "00_tour" / "chapter.md"))
    wanted = jupytext.config.preferred_format(".md", config.preferred_jupytext_formats_read)
    return jupytext.reads(text, wanted, config=config), config


def cells_of_jupytext(text):
    cells = as_notebook(text)[0].cells
    return [(c.cell_type, c.source, tuple(c.metadata.get("tags", ())),
             c.metadata.get("lang", "en")) for c in cells]  # fmt: skip


def cells_of_ours(text):
    return [(c.kind, c.text, c.tags, c.language) for c in source.parse(text).cells]


def saved_by_jupytext(text):
    """The text after a session: opened, run by a kernel, saved."""
    import jupytext

    node, config = as_notebook(text)
    node.metadata.kernelspec["language"] = "python"
    node.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    for cell in node.cells:
        cell.metadata |= {"editable": True, "slideshow": {"slide_type": ""}, "trusted": True}
        if cell.cell_type == "code":
            cell.outputs = [{"output_type": "stream", "name": "stdout", "text": "printed"}]
    return jupytext.writes(node, "md", config=config)


def test_what_jupytext_reads_and_we_do_not_is_told():
    with pytest.raises(errors.InvalidSyntax, match="is long or has quotes"):
        source.parse(f"---\ntitle: {'word ' * 20}\n---\n")


def test_chapters_have_short_names():
    assert source.find("tour") == source.find("00_tour") == source.find("0") == "00_tour"
    with pytest.raises(errors.InvalidValue, match="Did you mean"):
        source.find("00_tuor")


@pytest.mark.parametrize("name", source.chapters())
class TestEveryChapter:
    def test_is_written_as_it_is_read(self, name):
        text = (source.BOOK / name / "chapter.md").read_text(encoding="utf-8")
        assert source.render(source.parse(text, name)) == text == source.normal(text, name)

    def test_jupyterlab_sees_the_same_cells_and_saves_the_same_text(self, name):
        text = (source.BOOK / name / "chapter.md").read_text(encoding="utf-8")
        assert cells_of_jupytext(text) == cells_of_ours(text)
        assert saved_by_jupytext(text) == text

    def test_learners_copy_holds_no_solution(self, name):
        """Lines of a solution that are not also given elsewhere, in the stub or another cell."""
        assert learner.given_away(source.read(name)) == []

    def test_learners_copy_is_the_source_minus_marked_regions(self, name):
        assert learner.left_out(source.read(name)) == []

    def test_is_a_valid_notebook(self, name):
        nbformat = pytest.importorskip("nbformat")
        nbformat.validate(learner.notebook(source.read(name)))


def test_learners_copy_is_written_once(tmp_path):
    path = learner.write_learner_copy("tour", tmp_path)
    assert path == tmp_path / "00_tour.ipynb" and json.loads(path.read_text())["cells"]
    path.write_text("my work")
    assert learner.write_learner_copy("tour", tmp_path) == path
    assert path.read_text() == "my work"


def test_reset_moves_the_old_one_aside(tmp_path):
    path = learner.write_learner_copy("tour", tmp_path)
    for number, work in enumerate(("first", "second"), 1):
        path.write_text(work)
        moved, fresh = learner.reset("tour", tmp_path)
        assert moved == tmp_path / "earlier" / f"00_tour-{number}.ipynb"
        assert moved.read_text() == work and json.loads(fresh.read_text())["cells"]


def test_a_copy_that_gives_the_solution_away_is_found():
    chapter = source.parse(TEXT, "00_small")
    hinting = source.Cell("markdown", "Try `same = x.dtype == y.dtype` here.")
    told = chapter._replace(cells=(*chapter.cells, hinting))
    assert learner.given_away(chapter) == []
    assert learner.given_away(told) == ["same = x.dtype == y.dtype"]


def test_a_copy_that_is_not_the_source_is_found(monkeypatch):
    chapter = source.parse(TEXT, "00_small")
    assert learner.left_out(chapter) == []
    monkeypatch.setattr(source, "without_solution", lambda text: "other = 1")
    assert "guess = 3" in learner.left_out(chapter)


def own(text):
    return {"cell_type": "code", "source": text, "metadata": {}, "outputs": []}


@pytest.mark.parametrize(
    "written, left",
    [
        (["def mul_bprop(x):\n    return 1"], []),
        (["def mul_bprop(x):\n    return 1", "y = 2", "mul_bprop = None"], ["y = 2"]),
        (["y = 2"], ["y = 2"]),
    ],
)
def test_one_exercise_begins_again(tmp_path, written, left):
    path = learner.write_learner_copy("05", tmp_path)
    made = json.loads(path.read_text())
    made["cells"] = [own("first = 1"), *map(own, written), own("last = 9")]
    path.write_text(json.dumps(made))
    moved, again = learner.reset_exercise("05.mul_bprop", tmp_path)
    assert again == path and json.loads(moved.read_text()) == made
    texts = ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"]]
    fresh = [text for text in texts if "def mul_bprop(x, y, out, dout)" in text]
    assert len(fresh) == 1 and "return ()" in fresh[0]
    assert [text for text in texts if text not in fresh] == ["first = 1", *left, "last = 9"]
    assert texts.index(fresh[0]) == (1 if len(left) < len(written) else len(texts) - 1)


def test_reset_without_an_old_one(tmp_path):
    moved, fresh = learner.reset("tour", tmp_path)
    assert moved is None and fresh.exists()
