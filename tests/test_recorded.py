"""Real MindSpore's answers beside ours: which lines are portable, and what counts as the same."""

import json
import sys

import numpy as np
import pytest

from ms_ext import Tensor
from ms_ext.book import recorded, source
from ms_ext.cli import book, reset
from ms_ext.engine import toolchain

TOUR = source.read("tour")


@pytest.fixture
def known(monkeypatch, tmp_path):
    """A record of one value, in place of the tour's."""
    (tmp_path / "00_tour").mkdir()
    (tmp_path / "00_tour" / "chapter.md").write_text("# T\n")
    kept = {"version": "2.10.0", "values": {"a": recorded.summary(np.float32([1, 2, 3, 4, 5]))}}
    (tmp_path / "00_tour" / "mindspore.json").write_text(json.dumps(kept))
    monkeypatch.setattr(source, "BOOK", tmp_path)


def test_portable_lines_name_mindspore_only():
    text = recorded.program(TOUR)
    assert "import mindspore as ms\nfrom mindspore import Tensor, ops" in text
    assert "ms_ext" not in text and "viz" not in text and "values = {" in text
    compile(text, "lines.py", "exec")


def test_the_tours_record_is_of_its_values():
    kept = json.loads((source.BOOK / "00_tour" / "mindspore.json").read_text())
    asked = [line.split('"')[1] for line in recorded.program(TOUR).split("\n") if '    "' in line]
    assert list(kept["values"]) == asked


@pytest.mark.parametrize(
    "value, agrees",
    [
        ([1, 2, 3, 4, 5], True),
        ([1, 2, 3, 4, 5.0000001], True),
        ([1, 2, 3, 4, 6], False),
        ([2, 1, 3, 4, 5], False),
        ([1, 2, 3, 4], False),
    ],
)
def test_what_counts_as_the_same(known, value, agrees):
    found = recorded.compare("tour", {"a": Tensor.from_numpy(np.float32(value))})
    assert bool(found) == agrees
    assert ("same" in repr(found)) == agrees and ("differs" in found._repr_html_()) != agrees


def test_a_value_without_a_record_differs(known):
    found = recorded.compare("tour", {"b": Tensor([1.0])})
    assert not found and "not recorded" in repr(found)


@pytest.mark.parametrize("words, says", [([], "Say what"), (["nosuch"], "no chapter 'nosuch'")])
def test_reset_says_what_it_needs(capsys, words, says):
    assert reset.main(words) == 2
    assert says in capsys.readouterr().err


# making a record ------------------------------------------------------------------------------

ANSWERS = '{"version": "9.9.9", "values": {"a": {"dtype": "Float32"}}}'


@pytest.fixture
def python_with_it(tmp_path):
    """A program that answers like a Python where MindSpore is."""
    path = tmp_path / "python9"
    path.write_text(f"""#!/bin/sh
case "$1" in
    -c) echo True ;;
    *) echo warming up; echo 'RECORDED{ANSWERS}' ;;
esac
""")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(toolchain.WINDOWS, reason="a shell script")
def test_a_record_keeps_version_digest_and_values(known, python_with_it, capsys):
    assert recorded.why_stale(source.read("tour")).startswith("the portable cells have changed")
    assert book.main(["record", "tour", "--python", str(python_with_it)]) == 0
    kept = json.loads((source.BOOK / "00_tour" / "mindspore.json").read_text())
    assert kept == {"program": recorded.digest(source.read("tour")), **json.loads(ANSWERS)}
    assert recorded.why_stale(source.read("tour")) == ""
    assert capsys.readouterr().out.strip().endswith("mindspore.json")


def test_a_changed_portable_cell_makes_the_record_stale():
    cells = [c._replace(text=c.text + "\n") if "portable" in c.tags else c for c in TOUR.cells]
    changed = TOUR._replace(cells=tuple(cells))
    prose = TOUR._replace(cells=tuple(c for c in TOUR.cells if c.kind == "code"))
    assert recorded.digest(changed) != recorded.digest(TOUR) == recorded.digest(prose)


def test_a_program_that_does_not_exist_is_named(capsys):
    assert book.main(["record", "--python", "/no/such/python"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("There is no program '/no/such/python'.\n") and "pip" not in told


def test_without_mindspore_it_is_said_how_to_get_it(tmp_path, capsys):
    bare = tmp_path / "python"  # without its packages this Python has no MindSpore, wherever it is
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "$@"\n')
    bare.chmod(0o755)
    assert book.main(["record", "--python", str(bare)]) == 1
    told = capsys.readouterr().err
    assert "There is no MindSpore to ask." in told and "pip install mindspore" in told


@pytest.mark.parametrize("name", source.chapters())
def test_every_record_is_of_the_program_as_it_is(name):
    assert recorded.why_stale(source.read(name)) == ""
