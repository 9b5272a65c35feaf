"""Programs in graph mode answer here what they answered on MindSpore 2.10 (recorded.json).

python tests/conformance/record.py            records, with a Python that has MindSpore
python tests/conformance/answers.py ms_ext    shows what is answered here
"""

import json
import sys
import warnings
from pathlib import Path

import agreement
import answers
import pytest
from differences import DIFFERENCES

from ms_ext import resolve

RECORDED = json.loads((Path(__file__).parent / "recorded.json").read_text())
LISTED = 0.03  # at most so many of the rows


@pytest.fixture(scope="module")
def cases():
    """The cases; while they run, ``import mindspore`` is ms_ext."""
    before = set(sys.modules)
    resolve.here()
    yield answers.declare()
    resolve.withdraw()
    for name in set(sys.modules) - before:
        if name.startswith("programs_") or name in ("cases", "arguments"):
            del sys.modules[name]


def ours(name):
    """Our answers; that a global has changed, say, is a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return answers.answers(name)


def test_every_case_is_recorded(cases):
    assert list(RECORDED) == list(cases)


ONE = ["Tensor", "Float32", [1], [1.0]]
ERROR = {"error": [["ValueError", "Exception"], "no"]}


@pytest.mark.parametrize(
    ("recorded", "found", "same"),
    [
        ({"result": ONE}, {"result": [*ONE[:3], [1.0000001]]}, True),
        ({"result": ONE}, {"result": [*ONE[:3], [1.001]]}, False),
        ({"result": ONE}, {"result": ["Tensor", "Float64", [1], [1.0]]}, False),
        ({"result": ONE}, {"result": ["list", [ONE]]}, False),
        ({"result": ONE, "printed": "a\n"}, {"result": ONE}, False),
        ({"result": ["int", 1]}, {"result": ["bool", True]}, False),
        ({"result": ["int", 1]}, ERROR, False),
        (ERROR, {"error": [["OwnError", "ValueError", "Exception"], "it is no good"]}, True),
        (ERROR, {"error": [["TypeError", "Exception"], "no"]}, False),
        (ERROR, {"error": [["ValueError", "Exception"], "yes"]}, False),
    ],
)
def test_when_two_answers_agree(recorded, found, same):
    assert (agreement.difference([recorded], [found]) is None) is same


def test_few_rows_are_listed():
    assert set(DIFFERENCES) <= set(RECORDED)
    assert len(DIFFERENCES) <= LISTED * len(RECORDED)


@pytest.mark.parametrize("name", [name for name in RECORDED if name not in DIFFERENCES])
def test_as_on_mindspore(cases, name):
    assert agreement.difference(RECORDED[name], ours(name), cases[name].says) is None


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_listed_difference_is_what_the_list_says(cases, name):
    found = ours(name)
    assert agreement.difference(RECORDED[name], found, cases[name].says) is not None
    assert DIFFERENCES[name].here in json.dumps(found)
