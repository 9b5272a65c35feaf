"""Can an answer earn more than it deserves? The bank of attacks, let loose on right and wrong ones.

Each file is one kind: ``attack(answer)`` runs in the learner's process, behind the answer, and
gives what is graded instead. A wrong answer earns nothing with any of them. A right one may lose
its points, except where the file says HARMLESS: there it keeps them all, or the attack got through.
"""

import importlib
import os
import pkgutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from ms_ext.grading import exercise, judging, sandbox
from ms_ext.grading.sandbox import Limits, places

PLAIN = "05.mul_bprop"
#: Exercise -> a wrong answer to it, and which of its variants stands for a right one.
ANSWERS = {
    PLAIN: ("def mul_bprop(x, y, out, dout):\n    return dout * x, dout * y\n", "ops"),
    "00.add_neg_to_sub": (
        "import ms_ext as ms\n\n"
        "add_neg_to_sub = ms.graph.pattern_pass(lambda x, y: x + -y, lambda x, y: y - x)\n",
        "other names of functions",
    ),
}
FEW = 2  # cases of each check
SMALL = Limits(memory=128 << 20)
SHORT = SMALL._replace(wall=0.8)
MARK = "ms_ext_attack_was_here"


class Attack(NamedTuple):
    """One kind: what it tries, its code, and what it is expected to do to the run.

    ``needs``: the protections without which it is not let loose.
    """

    name: str
    tries: str
    text: str
    harmless: bool
    slow: bool
    needs: tuple


class Finding(NamedTuple):
    """One thing that was tried. ``words`` is empty if it came out as it should."""

    exercise: str
    what: str
    words: str = ""
    verdict: object = None


def bank():
    """Every attack.

    >>> len(bank()) > 20
    True
    """
    return [_read(found.name) for found in pkgutil.iter_modules(__path__)]


def _read(name):
    module = importlib.import_module(f"{__name__}.{name}")
    marks = [getattr(module, mark, False) for mark in ("HARMLESS", "SLOW")]
    text = Path(module.__file__).read_text(encoding="utf-8")
    needs = getattr(module, "NEEDS", ())
    return Attack(name, module.__doc__.splitlines()[0], text, *marks, needs)


def attacked(attack, answer, target):
    """The cells of an answer with an attack behind it."""
    last = f"{target} = attack({target})\n"
    return [("answer", answer), (attack.name, f"{attack.text}\n\n{last}")]


def prove(nursery):
    """The Findings of every attack on every exercise in ANSWERS."""
    missing = {name for name, in_force, _ in sandbox.report() if not in_force}
    found = []
    for attack in bank():
        if lacking := missing.intersection(attack.needs):
            found.append(Finding("", f"{attack.name}: not tried without {', '.join(lacking)}"))
        else:
            found += tried(attack, nursery)
    return found


def tried(attack, nursery):
    """The Findings of one attack."""
    for name in list(ANSWERS)[: 1 if attack.slow else None]:
        wanted = _shortened(exercise.load(name))
        yield _on_wrong(attack, wanted, nursery)
        if attack.harmless or not attack.slow and name == PLAIN:
            yield _on_right(attack, wanted, nursery)
    yield Finding("", f"{attack.name}: leaves nothing", ", ".join(_marks()))


class _First(NamedTuple):
    """The first few cases of a check: an attack shows at once, or not at all."""

    all: object

    def cases(self, seed):
        """As many as are enough for a wrong answer to be wrong."""
        return self.all.cases(seed)[:FEW]


def _shortened(wanted):
    checks = [check._replace(cases=_First(check.cases)) for check in wanted.checks]
    return wanted._replace(checks=tuple(checks))


def _on_wrong(attack, wanted, nursery):
    verdict, left = _graded(attack, ANSWERS[wanted.name][0], wanted, nursery)
    words = "" if verdict.points == 0 and verdict.code else f"{verdict.points} points"
    return Finding(wanted.name, f"{attack.name}, wrong answer", words + left, verdict)


def _on_right(attack, wanted, nursery):
    right = wanted.variants[ANSWERS[wanted.name][1]]
    verdict, left = _graded(attack, right, wanted, nursery)
    least = wanted.points if attack.harmless else 0
    deserved = least <= verdict.points <= wanted.points and verdict.code
    words = "" if deserved else f"{verdict.points} of {wanted.points} points: {verdict.code}"
    return Finding(wanted.name, f"{attack.name}, right answer", words + left, verdict)


def _graded(attack, answer, wanted, nursery):
    """The Verdict, and what was left of the process afterwards."""
    child = nursery.child(limits=SHORT if attack.slow else SMALL)
    try:
        cells = attacked(attack, answer, wanted.target)
        verdict = judging.judge(wanted, cells, child, nursery.child)
    finally:
        child.close()
    folder = child.setting.folder
    return verdict, f" {folder} is left" if os.path.lexists(folder) else ""


def _marks():
    """The files that an attack wrote outside."""
    here, root = Path(tempfile.gettempdir()), places.PACKAGE.parent
    folders = (here, Path.home(), places.PACKAGE, root, Path(os.__file__).parent)
    return [str(folder / MARK) for folder in folders if os.path.lexists(folder / MARK)]
