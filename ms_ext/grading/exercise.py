"""What is an exercise? One declaration: cases, typical mistakes, hints, and its own proof.

The proof: ``mutants`` (typical wrong answers, each with the code its check must give) and
``variants`` (right answers of other shapes, which must all pass).
"""

import importlib.util
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ms_ext.engine import errors

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"


class Case(NamedTuple):
    """A graph to be rewritten, on some operand types.

    ``removes``: how many nodes a right answer takes away at least; 0: it may leave the graph alone.
    """

    build: Callable
    types: tuple
    removes: int

    @property
    def title(self):
        """What it is, in the words of its docstring."""
        return inspect.getdoc(self.build).splitlines()[0]


class Recogniser(NamedTuple):
    """A typical mistake: ``sees(failure)`` says whether it is this one."""

    code: str
    sees: Callable
    headline: str
    detail: str
    next: str


class Cases(list):
    """The cases of an exercise, filled by its decorator.

    >>> cases = Cases()
    >>> @cases.on("f32[3] f32[3]", removes=1)
    ... def plain(x, y):
    ...     "x + (-y)"
    ...     return x + (-y)
    >>> cases[0].title
    'x + (-y)'
    """

    def on(self, *types, removes=0):
        """Declare a case for each string of operand types."""

        def declare(build):
            self.extend(Case(build, tuple(each.split()), removes) for each in types)
            return build

        return declare


class Exercise(NamedTuple):
    """Everything about one exercise."""

    target: str  # the name that the learner must define
    contract: str
    cases: list
    recognisers: tuple
    hints: tuple
    mutants: dict  # code of the verdict -> learner's source
    variants: dict  # what it shows -> learner's source


def load(name):
    """The exercise called "chapter.topic", from exercises/NN_chapter/topic.py.

    >>> load("tour.add_neg_to_sub").target
    'add_neg_to_sub'
    """
    path = find(name)
    spec = importlib.util.spec_from_file_location(f"exercise_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.exercise


def find(name):
    """The file of an exercise."""
    chapter, _, topic = str(name).partition(".")
    known = {
        f"{p.parent.name.partition('_')[2]}.{p.stem}": p for p in EXERCISES.glob("[0-9]*/*.py")
    }
    numbers = {f"{p.parent.name.partition('_')[0]}.{p.stem}": p for p in known.values()}
    path = known.get(f"{chapter}.{topic}") or numbers.get(f"{chapter.zfill(2)}.{topic}")
    if path is None:
        raise errors.InvalidValue(
            f"There is no exercise {name!r}.", hint=errors.did_you_mean(name, known)
        )
    return path
