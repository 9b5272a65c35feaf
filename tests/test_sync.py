"""Generated files: each is what its source makes now, or is named with what writes it."""

import pytest

from ms_ext.book import source
from ms_ext.cli import sync


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A repository of one chapter and one file that a shout makes of another."""
    folder = tmp_path / "book" / "07_small"
    folder.mkdir(parents=True)
    (folder / "chapter.md").write_text(source.normal("# One"), encoding="utf-8")
    (tmp_path / "quiet.txt").write_text("hello\n")
    (tmp_path / "LOUD").write_text("HELLO\n")

    def loud(path):
        return path.with_name("quiet.txt").read_text().upper()

    made = {"book/[0-9]*/chapter.md": sync.chapter, "LOUD": loud}
    monkeypatch.setattr(sync, "ROOT", tmp_path)
    monkeypatch.setattr(sync, "GENERATED", made)
    return tmp_path


def test_nothing_to_do(place, capsys):
    assert sync.main(["--check"]) == sync.main([]) == 0
    assert capsys.readouterr().out == "2 generated files are what their sources make.\n" * 2


def test_an_edited_file_is_named_with_its_command_and_written_again(place, capsys):
    (place / "LOUD").write_text("HELLO, edited\n")
    assert sync.main(["--check"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("LOUD is not what its source makes now:\n")
    assert "-HELLO, edited" in told and "+HELLO" in told
    assert told.endswith("to do: .venv/bin/ms-ext sync LOUD\n")
    assert (place / "LOUD").read_text() == "HELLO, edited\n"
    assert sync.main([str(place / "LOUD")]) == 0
    assert (place / "LOUD").read_text() == "HELLO\n" and sync.main(["--check"]) == 0


def test_a_source_that_changed_is_seen(place):
    (place / "quiet.txt").write_text("good day\n")
    assert sync.main(["--check"]) == 1 and sync.main([]) == 0
    assert (place / "LOUD").read_text() == "GOOD DAY\n"


def test_a_chapter_is_brought_to_its_form(place, capsys):
    path = place / "book" / "07_small" / "chapter.md"
    path.write_text("---\ntitle: One\n---\n# One\n")
    assert sync.main(["--check"]) == 1 and sync.main([]) == 0
    assert path.read_text().startswith("---\nfile_format: mystnb\nkernelspec:\n")


def test_what_cannot_be_made_here_is_told(place, capsys, monkeypatch):
    def unable(path):
        raise sync.CannotSay("sphinx is not installed here")

    monkeypatch.setitem(sync.GENERATED, "LOUD", unable)
    assert sync.main(["--check"]) == 0
    assert "LOUD: not compared, sphinx is not installed here" in capsys.readouterr().out


def test_a_file_that_nothing_makes_is_told(place, capsys):
    assert sync.main(["quiet.txt"]) == 2
    assert (
        "is no generated file; these are: book/[0-9]*/chapter.md, LOUD" in capsys.readouterr().err
    )


def test_licences_are_compared_only_with_the_pinned_set(tmp_path, monkeypatch):
    (tmp_path / "constraints").mkdir()
    pins = tmp_path / "constraints" / "py311.txt"
    monkeypatch.setattr(sync, "ROOT", tmp_path)
    for line, why in (("numpy==0.1", "0.1 is pinned"), ("no-such-package==1", "not installed")):
        pins.write_text(f"# a set\n{line}\n")
        with pytest.raises(sync.CannotSay, match=why):
            sync.notices(tmp_path / "NOTICE")


def test_every_generated_file_of_the_repository_has_its_writer():
    names = {path.relative_to(sync.ROOT).as_posix() for path, _ in sync.files()}
    assert {"NOTICE", "book/appendix/codes.md", "book/00_tour/chapter.md"} <= names
    for path, make in sync.files():
        assert path.is_file() and callable(make)
