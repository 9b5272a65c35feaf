"""A learner's file is read whatever state it is in: its cells, or what is wrong with it."""

import json
import os

import pytest

from ms_ext.grading import submissions
from ms_ext.grading.classroom import chosen_file
from ms_ext.grading.magics import python_of
from ms_ext.grading.submissions import HINT, VERDICT


@pytest.fixture
def read(tmp_path):
    """A function: the Submission of a file with this name and content."""

    def read(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, dict | list):
            content = json.dumps(content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return submissions.read(path)

    return read


def notebook(*sources, **metadata):
    cells = [{"cell_type": "code", "source": each, "outputs": []} for each in sources]
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


@pytest.mark.parametrize(
    "name, content, problem",
    [
        ("a.ipynb", b"", "file-empty"),
        ("a.ipynb", b"\xef\xbb\xbf \n", "file-empty"),
        ("a.py", b"\0\0\0", "file-empty"),
        ("a.ipynb", "{", "file-not-json"),
        ("a.ipynb", "[" * 100_000, "file-not-json"),
        ("a.ipynb", "9" * 5000, "file-not-json"),
        ("a.ipynb", bytes(range(256)), "file-not-json"),
        ("a.ipynb", [1, 2], "file-not-notebook"),
        ("a.ipynb", {"cells": 3}, "file-not-notebook"),
        ("a.ipynb", "{}," * 5_000_000, "file-too-large"),
        ("a.ipynb", notebook("x" * 3_000_000), "file-too-large"),
        ("a.py", "x" * 3_000_000, "file-too-large"),
    ],
)
def test_what_cannot_be_read_has_a_code(read, name, content, problem):
    found = read(name, content)
    assert (found.problem, found.cells) == (problem, ()) and problem in submissions.PROBLEMS


def test_links_pipes_and_folders_are_not_opened(tmp_path):
    (tmp_path / "own.py").write_text("x = 1")
    (tmp_path / "link.py").symlink_to(tmp_path / "own.py")
    os.mkfifo(tmp_path / "pipe.py")
    for path in (tmp_path / "link.py", tmp_path / "pipe.py", tmp_path):
        assert submissions.read(path).problem == "file-link"
    assert submissions.read(tmp_path / "none.py").problem == "file-unreadable"


def test_cells_of_a_notebook_whatever_is_in_it(read):
    cells = [
        {"cell_type": "markdown", "source": "x = 0"},
        {"cell_type": "code", "source": ["x = 1\r\n", "y = 2", 3]},
        {"cell_type": "code", "source": {"no": "text"}, "outputs": 7},
        {"cell_type": "code"},
        "no cell",
        {"cell_type": "code", "source": "z = '\ud800'", "outputs": [3, {"data": []}]},
    ]
    found = read("05_bprop.ipynb", {"cells": cells, "metadata": "none"})
    assert found.cells == (("cell 1", "x = 1\ny = 2"), ("cell 4", "z = '?'"))
    assert found.chapter == "05_bprop" and len(found.sha) == 64


def test_an_old_notebook_and_a_chapter_in_its_metadata(read):
    sheet = {"cells": [{"cell_type": "code", "language": "python", "input": ["x = ", "1"]}]}
    assert read("a.ipynb", {"worksheets": [sheet]}).cells == (("cell 1", "x = 1"),)
    assert read("a.ipynb", notebook("x", ms_ext={"chapter": "05_b"})).chapter == "05_b"
    assert read("a.ipynb", notebook("x", ms_ext={"chapter": 5})).chapter == "a"


def test_what_the_outputs_show_is_the_last_verdict_and_the_highest_hint(read):
    book = notebook("a", "b")
    verdicts = [{"name": "05.f", "status": status} for status in ("passed", "failed")]
    hints = [{"name": "05.f", "level": level} for level in (1, 3, 2)]
    hints += [{"name": "05.f", "level": "no"}, {"level": 3}, 9]
    book["cells"][0]["outputs"] = [
        {"output_type": "display_data", "data": {"text/plain": "x" * 1000, VERDICT: each}}
        for each in (*verdicts, {"no": "name"}, "text")
    ]
    book["cells"][1]["outputs"] = [
        {"output_type": "execute_result", "data": {HINT: each}} for each in hints
    ]
    found = read("a.ipynb", book)
    assert found.shown == {"05.f": {"name": "05.f", "status": "failed"}}
    assert found.hints == {"05.f": 3}


@pytest.mark.parametrize(
    "content, text, warned",
    [
        ("s = 'ä'".encode(), "s = 'ä'", False),
        (b"\xef\xbb\xbfs = 1", "s = 1", False),
        ("s = 'ä'".encode("utf-16"), "s = 'ä'", False),
        ("s = 'ä'".encode("latin-1"), "s = 'ä'", True),
        (b"# coding: cp1252\ns = '\x80'", "# coding: cp1252\ns = '€'", False),
        (b"# coding: cp1252\ns = '\x81'", "# coding: cp1252\ns = '\x81'", True),
        (b"# coding: no-such\ns = 1", "# coding: no-such\ns = 1", False),
        (b"# coding: punycode\ns = 1-", "# coding: punycode\ns = 1-", False),
        (b"s = 1\r\nt = 2\rpass", "s = 1\nt = 2\npass", False),
    ],
)
def test_codings_of_python_files(read, content, text, warned):
    found = read("a.py", content)
    assert found.cells == (("a.py", text),) and bool(found.warnings) == warned


def test_a_notebook_in_another_coding_is_read_with_a_warning(read):
    raw = json.dumps(notebook("s = 'ä'"), ensure_ascii=False)
    assert read("a.ipynb", raw.encode("utf-16")).cells == (("cell 1", "s = 'ä'"),)
    found = read("a.ipynb", raw.encode("latin-1"))
    assert found.cells == (("cell 1", "s = 'ä'"),)
    assert found.warnings == ("The file is not in UTF-8; it was read as LATIN-1.",)


def test_a_python_file_with_cells_keeps_its_line_numbers(read):
    found = read("a.py", "x = 1\n# %% [markdown]\n# prose\n# %% two\ny = (\n%time z = 3\n")
    assert [name for name, _ in found.cells] == ["a.py, cell 1", "a.py, cell 2"]
    assert found.cells[1][1] == "\n\n\n# %% two\ny = (\n%time z = 3\n"


@pytest.mark.parametrize(
    "cell, python",
    [
        ("%%bash\nx = 1", ""),
        ("%%html\n<b>", ""),
        ("%%writefile a.py\ndef f(): pass", ""),
        ("%%python2\nx = 1", ""),
        ("%%\nx = 1", ""),
        ("%%check 05.f\ndef f():\n    pass", "\ndef f():\n    pass"),
        ("\n%%capture out\nx = 1", "\n\nx = 1"),
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("!pip install \\\n  x\ny = 1", "pass\n\ny = 1"),
        ("if x:\n    !ls\n    %time y = f(2)", "if x:\n    pass\n    y = f(2)"),
        ("files = !ls\nt = %timeit -o f()", "files = None\nt = None"),
        ("f?\n?f\nf.g??", "pass\npass\npass"),
        ("  x = 1\n  y = 2", "x = 1\ny = 2"),
        # no magics, though they look like it
        ("y = (x\n  % 3)", "y = (x\n  % 3)"),
        ("s = '''\n%bold\n!'''\n%b", "s = '''\n%bold\n!'''\npass"),
        ("y = x \\\n  % 3", "y = x \\\n  % 3"),
        ("s = '%d' % 3  # (\nx %= 2\n%m", "s = '%d' % 3  # (\nx %= 2\npass"),
        ("s = 'it\\'s'\n%m", "s = 'it\\'s'\npass"),
        ("s = 'open\n%m", "s = 'open\npass"),
        ("x != y", "x != y"),
    ],
)
def test_what_of_a_cell_is_python(cell, python):
    assert python_of(cell) == python


# which file ----------------------------------------------------------------------------------

CHAPTER = "05_bprop"


def chosen(*files):
    found = chosen_file.choose(files, "f", CHAPTER)
    return found.file and found.file.path.name, found.code, len(found.warnings)


def test_the_chapters_own_notebook_comes_first_then_whatever_defines_it(read):
    stub, answer = "def f(): pass", "def f(): return 1"
    own = read("z/anything.ipynb", notebook(stub, ms_ext={"chapter": CHAPTER}))
    named = read("z/12_05_bprop-1.ipynb", notebook(answer))
    script, later = read("z/a.py", answer), read("z/b.py", answer)
    other = read("z/12_passes.ipynb", notebook("x = 1"))
    assert chosen(script, own, other) == ("anything.ipynb", "", 1)
    assert chosen(script, named) == ("12_05_bprop-1.ipynb", "", 1)
    assert chosen(script, later, other) == ("b.py", "", 1)
    assert chosen(script, other) == ("a.py", "", 0)


def test_a_second_file_that_cannot_be_read_is_told_with_its_name(read):
    good, other = read("a.py", "f = 1"), read("12_passes.ipynb", "{")
    for name in ("05_bprop.ipynb", "homework.ipynb"):
        (warning,) = chosen_file.choose([good, read(name, "{"), other], "f", CHAPTER).warnings
        assert warning == f"{name} was not read. The notebook is damaged: it is not JSON."


def test_without_a_definition_the_likeliest_file_is_named(read):
    gone = read("05_bprop.ipynb", notebook("g = 1"))
    damaged, other = read("05_bprop-2.ipynb", "{"), read("12_passes.ipynb", "{")
    assert chosen(gone) == ("05_bprop.ipynb", "", 0)
    assert chosen(damaged, read("b.py", "g = 1")) == ("05_bprop-2.ipynb", "file-not-json", 0)
    assert chosen(other) == (None, "missing", 0)  # damaged, but of another chapter
    assert chosen(read("homework.ipynb", "{")) == ("homework.ipynb", "file-not-json", 0)
    assert chosen() == (None, "no-file", 0)
    assert chosen(read("b.py", "print(f)")) == ("b.py", "", 0)


@pytest.mark.parametrize(
    "text, defined",
    [
        ("def f(x):", True), ("  async def f():", True), ("class f:", True), ("f = 1", True),
        ("f: int = 1", True), ("g, f = 1, 2", True), ("f, g = 1, 2", True), ("f = g = 1", True),
        ("g = f = 1", True), ("import g as f", True), ("from g import f", True),
        ("f == 1", False), ("f(x)", False), ("def ff(x):", False), ("# def f", False),
        ("x = f", False), ("f.g = 1", False),
    ],
)  # fmt: skip
def test_where_a_name_gets_its_value(text, defined):
    assert submissions.defines(f"a = 0\n{text}\n", "f") == defined


@pytest.mark.parametrize(
    "text, defined",
    [
        ("f, ", True),
        ("f = ", True),
        ("x f(", False),
        ("f:", False),
        ("from f import f ", False),
        ("f\t", True),
    ],
)
def test_looking_for_a_name_takes_one_pass_over_a_line(text, defined):
    """A line that makes a pattern try every way again would take hours here."""
    assert submissions.defines(text * 200_000 + "= 1", "f") == defined


def test_many_cells_are_too_large(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("# %%\n" * 40_000)
    assert submissions.read(path).problem == "file-too-large"
    book = tmp_path / "a.ipynb"
    book.write_text('{"cells": [' + ",".join(["{}"] * 6000) + "]}")
    assert submissions.read(book).problem == "file-too-large"
