"""Random programs agree between eager mode and graph mode on every backend.

What fails is shown as the smallest program that still fails.
"""

import importlib.util

import pytest
from differing import (
    answer,
    compiled_text,
    differs,
    disagreement,
    disagreement_over_sizes,
    disagreement_with_mindspore,
    smaller,
)
from program_writer import Writer, arguments

import ms_ext as ms

QUICK, LONG, AT_ONCE = 200, 5000, 20


def check(seed, values, compare=disagreement):
    text = Writer(seed).text
    told = compare(text, values, f"<program {seed}>")
    if told is None:
        return

    def fails(less):
        try:
            return compare(less, values, f"<program {seed} smaller>") is not None
        except SyntaxError:
            return False

    least = smaller(text, fails)
    pytest.fail(f"program {seed}: {compare(least, values, '<least>')}\n{least}{values}")


def calls(seed):
    """Arguments with several numbers of rows, and the same Python numbers."""
    numbers = arguments(seed)[4:]
    return [[*arguments(seed, count)[:4], *numbers] for count in (3, 5, 2, 8)]


@pytest.mark.parametrize("first", range(0, QUICK, AT_ONCE))
def test_programs_agree(first):
    for seed in range(first, first + AT_ONCE):
        check(seed, arguments(seed))


@pytest.mark.parametrize("first", range(0, QUICK, 4 * AT_ONCE))
def test_one_graph_serves_every_number_of_rows(first):
    for seed in range(first, first + AT_ONCE):
        check(seed, calls(seed), disagreement_over_sizes)


@pytest.mark.long
@pytest.mark.parametrize("first", range(QUICK, LONG, 10 * AT_ONCE))
def test_more_programs_agree(first):
    for seed in range(first, first + 10 * AT_ONCE):
        check(seed, arguments(seed))
        if seed % 4 == 0:
            check(seed, calls(seed), disagreement_over_sizes)


@pytest.mark.skipif(not importlib.util.find_spec("mindspore"), reason="MindSpore is not installed")
def test_programs_agree_with_mindspore():
    import mindspore

    mindspore.runtime.launch_blocking()
    for seed in range(AT_ONCE):
        check(seed, arguments(seed), disagreement_with_mindspore)


@pytest.mark.parametrize("mode", ["trace", "bytecode"])
def test_programs_that_are_run_to_be_compiled_agree(mode):
    for seed in range(AT_ONCE):
        text, values = Writer(seed).text, arguments(seed)
        function = compiled_text(text, f"<program {seed}>")
        traced = ms.jit(function, capture_mode=mode)
        told = differs(function, values, answer(function, values), answer(traced, values))
        assert told is None, f"program {seed}: {told}\n{text}"
