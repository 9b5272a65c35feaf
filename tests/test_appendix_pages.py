"""The pages of differences and of versions say what is there."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from ms_ext import Tensor, ops
from ms_ext.book import source
from ms_ext.engine.ir import text
from ms_ext.grading.classroom import bundle, gradebook
from ms_ext.viz.panel import report

HERE = Path(__file__).parent
DIFFERENCES, VERSIONS = [
    (source.BOOK / "appendix" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("differences", "versions")
]
NAN, INFINITE = math.nan, math.inf

#: What is written -> dtype and values here; MindSpore 2.10 answers otherwise.
ANSWERS = {
    "maximum": (lambda: ops.maximum(Tensor([NAN, 1.0]), Tensor([0.0, NAN])), "Float32", [NAN, NAN]),
    "minimum": (lambda: ops.minimum(Tensor([NAN, 1.0]), Tensor([0.0, NAN])), "Float32", [NAN, NAN]),
    "relu": (lambda: ops.relu(Tensor([NAN])), "Float32", [NAN]),
    "softmax": (lambda: ops.softmax(Tensor([-INFINITE, -INFINITE])), "Float32", [NAN, NAN]),
    "//": (lambda: Tensor([5]) // Tensor([0]), "Int64", [0]),
    "%": (lambda: Tensor([5]) % Tensor([0]), "Int64", [0]),
    "full": (lambda: ops.full((2,), 1.5), "Float32", [1.5, 1.5]),
    "ndarray": (lambda: np.float32([1, 2]) + Tensor([1.0, 2.0]), "Float32", [2, 4]),
}


def rows(page):
    """The rows of a page's tables, each a list of cells; no heads."""
    lines = [line for line in page.split("\n") if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


@pytest.mark.parametrize("name", ANSWERS)
def test_our_answer(name):
    ask, dtype, values = ANSWERS[name]
    found = ask()
    assert type(found) is Tensor and str(found.dtype) == dtype
    np.testing.assert_array_equal(found.asnumpy(), values)


def test_a_tensor_of_a_tensor_is_a_copy():
    first = Tensor([1.0, 2.0])
    second = Tensor(first)
    second[0] = 5.0
    assert first.asnumpy().tolist() == [1, 2]


def test_every_difference_names_a_test_that_exists():
    named = [row[-1].strip("` ") for row in rows(DIFFERENCES) if row[-1] != "test"]
    assert len(named) > 20
    assert [name for name in named if not (HERE / name).is_file()] == []


def test_every_answer_here_stands_on_the_page():
    assert all(name in DIFFERENCES for name in ANSWERS)


@pytest.mark.parametrize(
    ("file", "number"),
    [
        ("a saved graph", text.VERSION),
        ("a teacher's bundle", bundle.FORMAT),
        ("a panel's data", report.VERSION),
        (
            "MindSpore's recorded answers",
            json.loads((source.BOOK / "00_tour" / "mindspore.json").read_text())["version"],
        ),
    ],
)
def test_numbers_of_formats(file, number):
    (told,) = [row[2] for row in rows(VERSIONS) if row[0].startswith(file)]
    assert told == str(number)


def test_columns_of_the_grade_table_exist():
    (told,) = [row[1] for row in rows(VERSIONS) if "grades.csv" in row[0]]
    assert set(re.findall(r"`([^`]+)`", told)) <= set(gradebook.COLUMNS)
