"""ms-ext portable on files: scripts, notebooks, chapters, and what cannot be read."""

import json
from pathlib import Path

import pytest

from ms_ext.cli import portable
from ms_ext.cli.portability import program
from ms_ext.engine import errors

ROOT = Path(__file__).parents[1]


def notebook(*cells):
    """A notebook's text, from the texts of its cells."""
    made = [{"cell_type": "code", "source": text.splitlines(keepends=True)} for text in cells]
    return json.dumps({"cells": [{"cell_type": "markdown", "source": ["# A"]}, *made]})


def test_a_notebook(tmp_path, capsys):
    path = tmp_path / "work.ipynb"
    path.write_text(
        notebook(
            "%load_ext ms_ext\nimport mindspore as ms",
            "%%time\n!ls\n@ms.jit\ndef f(x):\n    return {1}",
            "%%bash\nrm {",
            "ms.nosuch",
        )
    )
    assert portable.main([str(path)]) == 1
    said = capsys.readouterr().out
    assert f"{path}, cell 1, line 1: '%load_ext ms_ext'" in said
    assert f"{path}, cell 2, line 5: Unsupported expression 'Set'." in said
    assert f"{path}, cell 4, line 1: 'mindspore' has no 'nosuch'." in said
    assert said.endswith("3 lines to change for MindSpore 2.10.\n")


def test_a_chapter(tmp_path, capsys):
    path = tmp_path / "chapter.md"
    cell = "```{code-cell} ipython3\n%simport ms_ext as ms\nms.%s\n```\n"
    path.write_text("# One\n" + cell % (":tags: [portable]\n\n", "nosuch") + cell % ("", "viz"))
    assert portable.main([str(path)]) == 1
    said = capsys.readouterr().out
    assert f"{path}:6: 'mindspore' has no 'nosuch'." in said and "viz" not in said


@pytest.mark.parametrize("path", sorted((ROOT / "book").glob("[0-9]*/chapter.md")))
def test_the_portable_cells_of_the_book_are_portable(path):
    assert [each for each in program.examine(path) if each.counts] == []


UNREADABLE = {
    "none.py": None,
    "latin.py": "# caf\xe9\n".encode("latin-1"),
    "broken.py": b"x = (\n",
    "null.py": b"x = 1\0",
    "broken.ipynb": b"{",
    "other.ipynb": b'{"cells": [{"cell_type": "code"}]}',
    "list.ipynb": b"[1]",
    "cell.ipynb": notebook("x =", "y").encode(),
    "picture.png": b"\x89PNG",
    "deep.py": b"(" * 500 + b")" * 500,
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_file_that_cannot_be_read(name, tmp_path, capsys):
    path = tmp_path / name
    if UNREADABLE[name] is not None:
        path.write_bytes(UNREADABLE[name])
    assert portable.main([str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith(f"ms-ext portable: {path}")
    assert len(said.err.splitlines()) <= 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_encodings_that_a_file_names(encoding, tmp_path):
    path = tmp_path / "told.py"
    head = "# -*- coding: latin-1 -*-\n" if encoding == "latin-1" else ""
    path.write_bytes(f"{head}name = 'caf\xe9'\r\nimport mindspore.nosuch\r\n".encode(encoding))
    assert [each.line for each in program.examine(path)] == [3 if head else 2]


def test_json(tmp_path, capsys):
    path = tmp_path / "one.py"
    path.write_text("import mindspore as ms\nms.nosuch\n")
    assert portable.main(["--json", str(path)]) == 1
    (row,) = json.loads(capsys.readouterr().out)[str(path)]
    assert row["rule"] == "unknown-name" and row["line"] == 2 and row["counts"] is True


def test_nothing_found(tmp_path, capsys):
    path = tmp_path / "empty.py"
    path.write_text("")
    assert portable.main([str(path)]) == 0
    assert capsys.readouterr().out == "Nothing that MindSpore 2.10 refuses was found.\n"


def test_no_file_given(capsys):
    assert portable.main([]) == 2 and portable.main(["--nosuch", "a.py"]) == 2
    assert "ms-ext portable [--json] FILE" in capsys.readouterr().err


def test_an_error_class_for_each_file_is_one():
    with pytest.raises(errors.InvalidValue):
        program.examine("no-such-file.py")
