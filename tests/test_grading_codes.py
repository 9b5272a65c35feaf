"""Every diagnosis code has an example that gets it, and the page of all codes says what is so.

The page's second part, the codes of single exercises, is compared where the exercises prove
themselves: test_grading_selftest.
"""

from functools import partial

import pytest

from ms_ext.book import codes, source
from ms_ext.cli.grading import codes as page
from ms_ext.grading import exercise as exercises
from ms_ext.grading.codes import CODES
from ms_ext.grading.examples import EXAMPLES
from ms_ext.grading.sandbox import Nursery
from ms_ext.grading.verdict import Verdict

PATH = source.BOOK / "appendix" / "codes.md"


@pytest.fixture(scope="module")
def nursery():
    with Nursery() as made:
        yield made


def test_every_code_has_one_example_or_a_sentence():
    shown = [code for code, _, _ in EXAMPLES]
    assert len(set(shown)) == len(shown)
    assert {*shown, *codes.ELSEWHERE} == {*CODES} and not {*shown} & {*codes.ELSEWHERE}


def test_every_code_says_what_is_wrong_and_what_to_do():
    for code, (headline, advice) in CODES.items():
        assert headline.endswith("."), code
        assert code == "passed" or advice[-1] in ".?", code


def test_the_page_is_what_the_checker_says_today(nursery, request):
    """Written anew by `ms-ext grade codes`, or by --update-golden."""
    if request.config.getoption("--update-golden"):
        PATH.write_text(page.page(nursery.child), encoding="utf-8")
    today = page.general(codes.general(nursery.child))
    assert today == PATH.read_text(encoding="utf-8").partition(f"\n\n{page.OF_ONE}")[0]


def verdict_of(name, mutant):
    """A verdict with the mutant's code and no more: nothing is judged."""
    return Verdict(name, "failed", mutant.code, "")


def test_the_codes_of_every_exercise_are_on_the_page_and_no_other():
    heads = [
        f"### {shown.exercise}: {shown.code}"
        for name in exercises.names()
        for shown in codes.special(name, partial(verdict_of, name))
    ]
    own = PATH.read_text(encoding="utf-8").partition(page.OF_ONE)[2]
    assert [line for line in own.splitlines() if line.startswith("### ")] == heads


def test_mistakes_are_told_in_whole_sentences():
    for name in exercises.names():
        for mistake in exercises.load(name).mistakes:
            for words in (mistake.headline, mistake.detail, mistake.next):
                assert words[-1] in ".?!`)", (name, mistake.code, words)
