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
    assert reset.main(["10"]) == 0
    said = capsys.readouterr().out
    assert "defines" not in said and said.count("Reload Notebook from Disk") == 1


def test_words_about_a_target_are_no_answer(work):
    made = json.loads(work.read_text())
    made["cells"].append({"cell_type": "markdown", "metadata": {}, "source": "guarded = mine"})
    work.write_text(json.dumps(made))
    learner.reset_exercise("10.guarded")
    assert json.loads(work.read_text())["cells"][-1]["source"] == "guarded = mine"


def test_another_folder_is_begun_again_and_work_stays(work, tmp_path, capsys):
    before, home = work.read_text(), tmp_path / "home"
    mine = learner.write_learner_copy("10", home)
    text = json.dumps({**json.loads(mine.read_text()), "metadata": {"mine": 1}})
    for what in ("10", "10.guarded"):
        mine.write_text(text)
        assert reset.main([what, "--work", str(home)]) == 0
        assert f"begin again in              {mine}" in capsys.readouterr().out
    assert [p.name for p in sorted((home / learner.OLD).iterdir())] == [
        "10_the_ir-1.ipynb", "10_the_ir-2.ipynb",
    ]  # fmt: skip
    assert (home / learner.OLD / "10_the_ir-1.ipynb").read_text() == text
    assert work.read_text() == before and not (work.parent / learner.OLD).exists()


def test_a_damaged_notebook_elsewhere_names_the_folder(tmp_path, capsys):
    (tmp_path / "10_the_ir.ipynb").write_text("{")
    assert reset.main(["--work", str(tmp_path), "10.guarded"]) == 2
    again = f"`ms-ext reset 10 --work {tmp_path}` begins the whole"
    assert again in capsys.readouterr().err
    assert reset.main(["10", "--work", str(tmp_path)]) == 0


def test_a_folder_that_is_not_there_is_told_and_not_made(tmp_path, capsys):
    assert reset.main(["10", "--work", str(tmp_path / "wrok")]) == 2
    assert f"There is no folder {tmp_path / 'wrok'}." in capsys.readouterr().err
    assert not (tmp_path / "wrok").exists()


def test_help_is_no_error(capsys):
    with pytest.raises(SystemExit) as ended:
        reset.main(["--help"])
    assert ended.value.code == 0
    told = capsys.readouterr()
    assert "ms-ext reset 05.mul_bprop" in told.out and "--work" in told.out and told.err == ""


def test_several_are_begun_one_at_a_time(capsys):
    assert reset.main(["05", "10"]) == 2
    assert "One at a time" in capsys.readouterr().err
