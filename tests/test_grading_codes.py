"""Every diagnosis code has an example that gets it, and the page of all codes says what is so."""

import pytest

from ms_ext.book import codes, source
from ms_ext.cli.grading import codes as page
from ms_ext.grading import exercise as exercises
from ms_ext.grading.codes import CODES
from ms_ext.grading.examples import EXAMPLES
from ms_ext.grading.sandbox import Nursery

PATH = source.BOOK / "appendix" / "codes.md"


@pytest.fixture(scope="module")
def written():
    """The page, made now."""
    with Nursery() as nursery:
        return page.page(nursery.child)


def test_every_code_has_one_example_or_a_sentence():
    shown = [code for code, _, _ in EXAMPLES]
    assert len(set(shown)) == len(shown)
    assert {*shown, *codes.ELSEWHERE} == {*CODES} and not {*shown} & {*codes.ELSEWHERE}


def test_every_code_says_what_is_wrong_and_what_to_do():
    for code, (headline, advice) in CODES.items():
        assert headline.endswith("."), code
        assert code == "passed" or advice[-1] in ".?", code


def test_the_page_is_what_the_checker_says_today(written, request):
    """Written anew by `ms-ext grade codes`, or by --update-golden."""
    if request.config.getoption("--update-golden"):
        PATH.write_text(written, encoding="utf-8")
    assert written == PATH.read_text(encoding="utf-8")


def test_the_codes_of_every_exercise_are_on_the_page(written):
    for name in exercises.names():
        exercise = exercises.load(name)
        shown = {m.code for m in exercise.mutants} & {m.code for m in exercise.mistakes}
        for code in shown:
            assert f"### {name}: {code}\n" in written


def test_mistakes_are_told_in_whole_sentences():
    for name in exercises.names():
        for mistake in exercises.load(name).mistakes:
            for words in (mistake.headline, mistake.detail, mistake.next):
                assert words[-1] in ".?!`)", (name, mistake.code, words)
