"""What does `ms-ext reset` say: which cell begins again, and what is wrong with a notebook?"""

import json

import pytest

from ms_ext.book import learner
from ms_ext.cli import reset


@pytest.fixture
def work(tmp_path, monkeypatch):
    """The learner's folder, with chapter 10 begun."""
    monkeypatch.setattr(learner, "WORK", tmp_path / "work")
    return learner.write_learner_copy("10")


@pytest.mark.parametrize("text", ["{", "[]", '{"cells": 3}', '{"cells": [{"source": "x"}]}', ""])
def test_a_damaged_notebook_is_told_and_stays(work, capsys, text):
    work.write_text(text)
    assert reset.main(["10.guarded"]) == 2
    said = capsys.readouterr().err
    assert "work/10_the_ir.ipynb is damaged; `ms-ext reset 10` begins the whole" in said
    assert work.read_text() == text and not (work.parent / learner.OLD).exists()
    assert reset.main(["10"]) == 0 and json.loads(work.read_text())["cells"]


def test_one_exercise_says_which_cell_and_to_reload(work, capsys):
    assert reset.main(["10.guarded"]) == 0
    said = capsys.readouterr().out
    assert "the cell that defines guarded;" in said and "Reload Notebook from Disk" in said
    reset.main(["10"])
    assert "Reload" not in capsys.readouterr().out


def test_words_about_a_target_are_no_answer(work):
    made = json.loads(work.read_text())
    made["cells"].append({"cell_type": "markdown", "metadata": {}, "source": "guarded = mine"})
    work.write_text(json.dumps(made))
    learner.reset_exercise("10.guarded")
    assert json.loads(work.read_text())["cells"][-1]["source"] == "guarded = mine"


def test_help_is_no_error(capsys):
    assert reset.main(["--help"]) == 0
    told = capsys.readouterr()
    assert "ms-ext reset 05.mul_bprop" in told.out and told.err == ""


def test_several_are_begun_one_at_a_time(capsys):
    assert reset.main(["05", "10"]) == 2
    assert "One at a time" in capsys.readouterr().err
