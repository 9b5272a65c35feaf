"""Does each exercise prove itself? The reference passes, the starter earns nothing, mistakes show.

For every exercise: the reference passes 20 seeds; the untouched starter fails every check and earns
nothing; each mutant fails with its code and carries the case on which it is wrong, on public and on
other seeds alike; every variant passes; no line of the solution stands in the learner's text.
"""

import time
from typing import NamedTuple

from . import judging
from .drawing import seeded

SEEDS = 20
SIDES = (judging.PUBLIC, "another seed")  # what learners see, and what grading draws
TOGETHER = 7  # seeds that one process answers: its time is limited, and a machine may be busy
LEAST_MUTANTS = 3
SECONDS = 1.0  # for one check, on a machine that has nothing else to do


class Text(NamedTuple):
    """A chapter's code as the grader reads it: (name, text) of each cell."""

    solved: list
    starter: list


class Finding(NamedTuple):
    """One thing that was tried. ``words`` is empty if it came out as it should.

    ``note``: what is worth a look and proves nothing, such as a time on a machine that is busy.
    """

    exercise: str
    what: str
    words: str = ""
    verdict: object = None
    note: str = ""


def prove(exercise, text, make_child, seeds=SEEDS, sides=SIDES):
    """The Findings about one exercise; ``make_child()`` gives a fresh learner's process.

    ``seeds``: how many the reference is tried on. ``sides``: the seeds of each mutant.
    """
    prover = _Prover(exercise, text, make_child)
    yield from prover.declaration()
    yield from prover.reference(seeds)
    yield from prover.starter()
    yield from prover.mutants(sides)
    yield from prover.variants()


class _Prover:
    def __init__(self, exercise, text, make_child):
        self.exercise, self.text, self.make_child = exercise, text, make_child

    def found(self, what, words="", verdict=None, note=""):
        return Finding(self.exercise.name, what, words, verdict, note)

    def judged(self, cells, *seeds):
        child = self.make_child()
        try:
            return judging.judge_on(self.exercise, cells, child, self.make_child, seeds)
        finally:
            child.close()

    def declaration(self):
        """What can be seen without running anything."""
        few = len(self.exercise.mutants) < LEAST_MUTANTS
        yield self.found("mutants", f"fewer than {LEAST_MUTANTS}" if few else "")
        three = len(self.exercise.hints) == 3 and all(self.exercise.hints)
        yield self.found("hints", "" if three else "not three")
        earlier = set()
        for check in self.exercise.checks:
            lost = [name for name in check.needs if name not in earlier]
            words = f"no earlier check is {lost[0]!r}" if lost else ""
            yield self.found(f"needs of {check.name}", words)
            earlier.add(check.name)

    def reference(self, seeds):
        """The reference passes on every seed; a note where one check takes long."""
        begin = time.perf_counter()
        self.judged(self.text.solved, judging.PUBLIC)
        seconds = time.perf_counter() - begin
        late = f"{seconds:.2f} s, more than {SECONDS:g} s: too much, if nothing else runs here"
        yield self.found("time of one check", note=late if seconds > SECONDS else "")
        drawn = (judging.PUBLIC, *(seeded("selftest", number) for number in range(1, seeds)))
        groups = [drawn[at : at + TOGETHER] for at in range(0, seeds, TOGETHER)]
        verdicts = [each for group in groups for each in self.judged(self.text.solved, *group)]
        for number, verdict in enumerate(verdicts):
            yield self.found(f"reference, seed {number}", "" if verdict else str(verdict), verdict)

    def starter(self):
        """The untouched starter earns nothing, in no check."""
        (verdict,) = self.judged(self.text.starter, judging.PUBLIC)
        earned = [each.name for each in verdict.checks if each.points]
        wrong = f"it earns points in {', '.join(earned)}" if earned or verdict else ""
        yield self.found("starter", wrong, verdict)

    def mutants(self, sides):
        """Each mutant gets its code, with a case, on every side."""
        for number, mutant in enumerate(self.exercise.mutants, 1):
            cells = mutated(self.text.solved, mutant)
            for seed, verdict in zip(sides, self.judged(cells, *sides), strict=True):
                what = f"mutant {number} ({mutant.code}), {seed}"
                yield self.found(what, _mutant_lives(mutant, verdict), verdict)

    def variants(self):
        """Right answers of other shapes pass."""
        for title, text in self.exercise.variants.items():
            cells = [*self.text.solved, ("variant", text)]
            (verdict,) = self.judged(cells, judging.PUBLIC)
            yield self.found(f"variant: {title}", "" if verdict else str(verdict), verdict)


def mutated(solved, mutant):
    """The solved chapter with a mistake in the last cell that holds the text it changes."""
    holders = [at for at, (_, text) in enumerate(solved) if mutant.old in text]
    place = holders[-1] if holders else -1
    name, text = solved[place]
    return [*solved[:place], (name, mutant.edited(text)), *solved[place:][1:]]


def _mutant_lives(mutant, verdict):
    if verdict:
        return "it passes"
    if verdict.code != mutant.code:
        return f"its code is {verdict.code!r}\n{verdict}"
    alone = verdict.witness is None and verdict.code not in ("too-long", "memory", "ended")
    return "it shows no case" if alone else ""
