"""No attack earns a point more than the work deserves, and none leaves anything behind."""

import os
import sys
from pathlib import Path

import pytest

from ms_ext.grading import attacks
from ms_ext.grading.sandbox import Forked

BANK = {attack.name: attack for attack in attacks.bank()}
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="not let loose without walls")


@pytest.fixture(scope="module")
def nursery():
    with Forked() as made:
        process = made.process.pid
        yield made
        assert made.process.pid == process and made.process.poll() is None
        assert living(process) == [] and made.children == set()


#: What the verdict says where the whole run is lost.
CODES = {
    "exits": {"ended"},
    "exits_at_once": {"ended"},
    "crashes": {"ended"},
    "endless_loop": {"too-long"},
    "endless_call": {"too-long"},
    "signal_handlers": {"too-long"},
    "sleeps": {"too-long"},
    "memory_bomb": {"memory"},
    "floods": {"garbled"},
    "forged_report": {"output"},
}


def living(process):
    """The child processes that have not ended."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [each for each in children if os.path.exists(f"/proc/{each}/exe")]


def wrong(findings):
    return [(each.exercise, each.what, each.words) for each in findings if each.words]


def test_the_bank_has_many_kinds():
    assert len(BANK) >= 40
    assert len({attack.tries for attack in BANK.values()}) == len(BANK)


@pytest.mark.parametrize("name", BANK)
def test_an_attack_earns_nothing(nursery, name):
    findings = list(attacks.tried(BANK[name], nursery))
    assert wrong(findings) == []
    graded = [each for each in findings if each.verdict]
    assert not BANK[name].harmless or len(graded) == len(attacks.ANSWERS)
    codes = {each.verdict.code for each in findings if each.verdict is not None}
    assert CODES.get(name, codes) == codes


def made_up(body, **options):
    text = "def attack(answer):\n    " + "\n    ".join(body)
    shape = {"harmless": True, "slow": False, "needs": ()} | options
    return attacks.Attack("made_up", "Shows that the proof sees it.", text, **shape)


SEEN = {
    "it earns something": (
        made_up(["return lambda x, y, out, dout: (dout * y, dout * x)"]),
        ("05.mul_bprop", "made_up, wrong answer", "2 points"),
    ),
    "it costs something": (
        made_up(["raise SystemExit"]),
        ("05.mul_bprop", "made_up, right answer", "0 of 2 points: ended"),
    ),
}


@pytest.mark.parametrize("what", SEEN)
def test_the_proof_can_fail(nursery, what):
    attack, told = SEEN[what]
    assert told in wrong(attacks.tried(attack, nursery))


def test_a_file_that_is_left_is_seen(nursery, monkeypatch, tmp_path):
    monkeypatch.setattr(attacks.tempfile, "gettempdir", lambda: str(tmp_path))
    (tmp_path / attacks.MARK).write_text("")
    last = list(attacks.tried(made_up(["return answer"]), nursery))[-1]
    assert last.words == str(tmp_path / attacks.MARK)


def test_what_needs_a_missing_wall_is_not_let_loose(nursery, monkeypatch):
    rows = [("other processes", False, "not here")]
    monkeypatch.setattr(attacks.sandbox, "report", lambda: rows)
    kept = [BANK["kills_its_parent"], made_up(["return answer"])]
    monkeypatch.setattr(attacks, "bank", lambda: kept)
    found = attacks.prove(nursery)
    assert found[0].what == "kills_its_parent: not tried without other processes"
    assert len(found) == 1 + 5 and wrong(found) == []
