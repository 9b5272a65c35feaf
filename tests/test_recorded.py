"""Real MindSpore's answers beside ours: which lines are portable, and what counts as the same."""

import json

import numpy as np
import pytest

from ms_ext import Tensor
from ms_ext.book import recorded, source
from ms_ext.cli import reset

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
