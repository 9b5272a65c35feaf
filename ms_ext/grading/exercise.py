"""What is an exercise? One declaration: checks, typical mistakes, hints, and its own proof.

The learner's stub and the reference solution stand in the chapter (book/NN_topic/chapter.md). The
proof: ``mutants`` are typical wrong answers, as edits of the reference, each with the code that its
check must give; ``variants`` are right answers of other shapes, which must all pass.
"""

import hashlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ms_ext.engine import errors

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"


class Check(NamedTuple):
    """One graded property of an answer: all its cases pass, or its points are not earned."""

    name: str  # one word
    title: str  # what the report card says
    points: float
    ask: str  # a routine: what the target is asked
    cases: object  # drawn(...), Graphs() or listed(...)
    judge: Callable  # (question, answer) -> Failure or None
    needs: tuple = ()  # names of checks without which this one earns nothing
    inputs: str = ""  # what the operands are called in a witness: "x y out dout"
    open: bool = True  # False: from a teacher's bundle, never shown to a learner


class Mistake(NamedTuple):
    """A typical mistake: ``sees(failure)`` says whether it is this one."""

    code: str
    sees: Callable
    headline: str
    detail: str
    next: str


class Mutant(NamedTuple):
    """A typical wrong answer: the code of its verdict, and what to change in the reference.

    >>> mutant = Mutant("sign", "a - b", "b - a")
    >>> mutant.edited("x = a - b")
    'x = b - a'
    """

    code: str
    old: str
    new: str
    more: tuple = ()  # further (old, new) pairs

    def edited(self, text):
        """The reference's text with this mistake in it."""
        for old, new in ((self.old, self.new), *self.more):
            if text.count(old) != 1:
                raise errors.InvalidValue(
                    "A mutant must change the reference in exactly one place.",
                    given=f"{old!r} stands there {text.count(old)} times",
                    hint="Name more of the line.",
                )
            text = text.replace(old, new)
        return text


class Exercise(NamedTuple):
    """Everything about one exercise but its text and its reference."""

    target: str  # the name that the learner must define
    contract: str
    checks: tuple
    mistakes: tuple = ()
    hints: tuple = ()
    mutants: tuple = ()
    variants: dict = {}
    name: str = ""  # filled when it is loaded
    digest: str = ""  # of the declaration's text

    @property
    def points(self):
        """What a right answer earns in the open checks and, with a bundle, the others."""
        return sum(check.points for check in self.checks)


def load(name):
    """The exercise called "number.topic", from exercises/NN_chapter/topic.py.

    >>> load("tour.add_neg_to_sub").name
    '00.add_neg_to_sub'
    """
    path = find(name)
    module = imported(path, f"exercise_{path.parent.name}_{path.stem}")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return module.exercise._replace(name=_name(path), digest=digest)


def imported(path, name):
    """A Python file as a module, read anew; nothing is written beside it."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


def names(chapter=None):
    """The names of all exercises, or those of one chapter ("05" or "05_bprop_contract").

    >>> names("00")
    ['00.add_neg_to_sub']
    """
    number = None if chapter is None else str(chapter).partition("_")[0].zfill(2)
    found = [_name(path) for path in _files()]
    return [name for name in found if number is None or name.partition(".")[0] == number]


def find(name):
    """The file of an exercise, by the number of its chapter, its topic or both.

    >>> find("00.add_neg_to_sub") == find("00_tour.add_neg_to_sub") == find("tour.add_neg_to_sub")
    True
    """
    chapter, _, topic = str(name).partition(".")
    known = {_name(path): path for path in _files()}
    topics = {f"{p.parent.name.partition('_')[2]}.{p.stem}": p for p in known.values()}
    whole = {f"{p.parent.name}.{p.stem}": p for p in known.values()}
    path = known.get(f"{chapter.zfill(2)}.{topic}") or {**topics, **whole}.get(str(name))
    if path is None:
        raise errors.InvalidValue(
            f"There is no exercise {name!r}.", hint=errors.did_you_mean(name, [*known, *topics])
        )
    return path


def _files():
    return sorted(EXERCISES.glob("[0-9]*/[a-z]*.py"))


def _name(path):
    return f"{path.parent.name.partition('_')[0]}.{path.stem}"
