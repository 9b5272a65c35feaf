"""Where each word of the door leads, and what a wrong one is told."""

import signal

import pytest

from ms_ext.cli import door


@pytest.fixture
def opened(monkeypatch):
    """What the door hands over to, in place of handing over."""
    given = []
    monkeypatch.setattr(door, "ensure_environment", lambda rebuild: None)
    monkeypatch.setattr(door, "run_step", lambda *words: None)
    monkeypatch.setattr(door, "hand_over", lambda *words: given.append(words) or 0)
    return given


@pytest.mark.parametrize(
    ("words", "handed"),
    [
        ([], ("-m", "ms_ext.cli.notebook", "00")),
        (["05"], ("-m", "ms_ext.cli.notebook", "05")),
        (["pattern_passes"], ("-m", "ms_ext.cli.notebook", "pattern_passes")),
        (["book"], ("-m", "ms_ext.cli.main", "book", "build")),
        (["check-book", "05"], ("-m", "ms_ext.cli.main", "book", "check", "05")),
        (["record-mindspore"], ("-m", "ms_ext.cli.main", "book", "record")),
        (
            ["record-mindspore", "python9"],
            ("-m", "ms_ext.cli.main", "book", "record", "--python", "python9"),
        ),
    ],
)
def test_what_each_word_leads_to(opened, monkeypatch, words, handed):
    signals = signal.getsignal(signal.SIGTERM)
    assert door.enter(words) == 0
    signal.signal(signal.SIGTERM, signals)
    assert opened == [handed]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["77"], "no such chapter: 00_tour, 01_five_steps"),
        (["05", "10"], "./lab takes one chapter; given: 05 10"),
        (["record-mindspore", "a", "b"], "./lab record-mindspore takes one Python; given: a b"),
    ],
)
def test_what_is_too_much_or_unknown_is_told(opened, capsys, words, says):
    signals = signal.getsignal(signal.SIGTERM)
    assert door.enter(words) == 2
    signal.signal(signal.SIGTERM, signals)
    assert says in capsys.readouterr().err and opened == []
