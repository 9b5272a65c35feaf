"""Each exercise proves itself: reference, starter, typical mistakes, other right answers."""

import pytest

from ms_ext.book import codes, source
from ms_ext.cli.grading import answers
from ms_ext.cli.grading import codes as page
from ms_ext.cli.grading import selftest as command
from ms_ext.grading import exercise as exercises
from ms_ext.grading import selftest
from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mutant
from ms_ext.grading.layers import values
from ms_ext.grading.sandbox import Nursery

NAMES = exercises.names()
FEW = 4  # seeds of the reference in the quick suite


@pytest.fixture(scope="module")
def nursery():
    with Nursery() as made:
        yield made


def findings(exercise, text, nursery, seeds, sides=selftest.SIDES):
    return list(selftest.prove(exercise, text, nursery.child, seeds, sides))


def proved(exercise, nursery, *much):
    """The findings, none of which is wrong."""
    text = selftest.Text(*answers.of([exercise.name])[exercise.name])
    found = findings(exercise, text, nursery, *much)
    assert [f"{each.what}: {each.words}" for each in found if each.words] == []
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_an_exercise_proves_itself(name, nursery):
    found = proved(exercises.load(name), nursery, selftest.SEEDS)
    assert len(found) >= selftest.SEEDS + 2 * selftest.LEAST_MUTANTS


@pytest.mark.parametrize("name", NAMES)
def test_its_own_codes_show_and_the_page_of_codes_says_so(name, nursery):
    exercise = exercises.load(name)
    codes_own = {mistake.code for mistake in exercise.mistakes}
    first = {m.code: m for m in reversed(exercise.mutants) if m.code in codes_own}
    few = exercise._replace(mutants=tuple(reversed(first.values())))
    found = proved(few, nursery, FEW, selftest.SIDES[:1])
    assert said_otherwise(few, found) == []


def said_otherwise(exercise, found):
    """The verdicts on its mutants that the page of all codes shows in other words."""
    verdicts = {each.what: each.verdict for each in found}

    def judged(mutant):
        number = exercise.mutants.index(mutant) + 1
        return verdicts[f"mutant {number} ({mutant.code}), {selftest.SIDES[0]}"]

    written = (source.BOOK / "appendix" / "codes.md").read_text(encoding="utf-8")
    sections = map(page.special, codes.special(exercise.name, judged))
    return [section for section in sections if f"\n\n{section}\n" not in written]


@pytest.mark.parametrize("name", NAMES)
def test_the_chapter_asks_for_it(name):
    """The target is the learner's to write, and the chapter checks it."""
    chapter, exercise = source.read(name.partition(".")[0]), exercises.load(name)
    own = [cell.text for cell in chapter.cells if source.has_solution(cell.text)]
    assert any(exercise.target in text for text in own)
    topic = f"{chapter.name.partition('_')[2]}.{name.partition('.')[2]}"
    code = "\n".join(cell.text for cell in chapter.cells if cell.kind == "code")
    assert f'ms.check("{name}")' in code or f'ms.check("{topic}")' in code


@pytest.mark.parametrize("name", NAMES)
def test_no_hint_and_no_word_gives_the_solution_away(name):
    """No line of a solution stands in a hint, a mistake's words or the contract."""
    chapter, exercise = source.read(name.partition(".")[0]), exercises.load(name)
    told = [exercise.contract, *exercise.hints]
    told += [w for m in exercise.mistakes for w in (m.headline, m.detail, m.next)]
    given = "\n".join(told)
    lines = {
        line
        for cell in chapter.cells
        if exercise.target in cell.text
        for line in source.solution_lines(cell.text)
    }
    assert [line for line in lines if len(line) > 20 and line in given] == []


@pytest.mark.parametrize("chapter", sorted({name.partition(".")[0] for name in NAMES} - {"00"}))
def test_three_exercises_a_chapter(chapter):
    assert len(exercises.names(chapter)) == 3


# the proof itself can fail ------------------------------------------------------------------------


def _row(draw, n):
    """a row"""
    return (draw(n),)


SOLVED = [("cell 1", "def double(x):\n    return x * 2")]
STARTER = [("cell 1", "def double(x):\n    ...")]
GOOD = Exercise(
    "double",
    "Double it.",
    (Check("values", "2 x", 1, "call", drawn(_row), values.like(lambda x: x * 2)),),
    hints=("one", "two", "three"),
    mutants=tuple(Mutant("values", "x * 2", f"x * {k}") for k in (3, 4, 5)),
    variants={"sum": "def double(x):\n    return x + x"},
    name="test.double",
)
CASES = {
    "good": (GOOD, SOLVED, STARTER, []),
    "reference": (GOOD, [("cell 1", "def double(x):\n    return x * 2 + 0.1")], STARTER, None),
    "starter": (GOOD, SOLVED, SOLVED, ["starter"]),
    "mutants": (GOOD._replace(mutants=GOOD.mutants[:2]), SOLVED, STARTER, ["mutants"]),
    "hints": (GOOD._replace(hints=("one",)), SOLVED, STARTER, ["hints"]),
    "code": (
        GOOD._replace(mutants=(*GOOD.mutants, Mutant("shape", "x * 2", "x * 6"))),
        SOLVED, STARTER, ["mutant 4 (shape), public", "mutant 4 (shape), another seed"],
    ),
    "alive": (
        GOOD._replace(mutants=(*GOOD.mutants, Mutant("values", "x * 2", "2 * x"))),
        SOLVED, STARTER, ["mutant 4 (values), public", "mutant 4 (values), another seed"],
    ),
    "variant": (
        GOOD._replace(variants={"wrong": "def double(x):\n    return x"}),
        SOLVED, STARTER, ["variant: wrong"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", CASES)
def test_a_bad_exercise_does_not_pass(what, nursery):
    exercise, solved, starter, expected = CASES[what]
    found = findings(exercise, selftest.Text(solved, starter), nursery, seeds=2)
    wrong = [each.what for each in found if each.words]
    assert wrong == expected if expected is not None else wrong[:1] == ["reference, seed 0"]


def test_a_slow_clock_is_a_note_and_no_failure(nursery, monkeypatch, capsys):
    monkeypatch.setattr(selftest, "SECONDS", 0.0)
    found = findings(GOOD, selftest.Text(SOLVED, STARTER), nursery, seeds=1)
    assert [each.what for each in found if each.note] == ["time of one check"]
    assert command._told("test.double", found) == 0
    said = capsys.readouterr().out
    assert said.startswith("✓ test.double") and "note: time of one check: " in said


def test_seeds_of_the_reference_differ(nursery):
    text = selftest.Text(SOLVED, STARTER)
    found = findings(GOOD, text, nursery, seeds=3)
    assert [each.what for each in found if each.what.startswith("reference")] == [
        f"reference, seed {n}" for n in range(3)
    ]
