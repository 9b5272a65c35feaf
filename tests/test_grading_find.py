"""The answer is found by what cells define, whatever was copied, split, re-run or deleted."""

import json

import pytest

from ms_ext.grading.find import answer, notebook_cells


def run(cells, target="rule"):
    """The value that the found statements give to ``target``."""
    import ast

    space = {}
    for piece in answer([(f"In[{n}]", text) for n, text in enumerate(cells, 1)], target).pieces:
        tree = ast.parse(piece.text)
        tree.body = [tree.body[index] for index in piece.keep]
        exec(compile(tree, piece.name, "exec"), space)
    return space.get(target)


@pytest.mark.parametrize(
    "cells",
    [
        ["rule = 7"],
        ["rule = 1", "rule = 7"],
        ["half = 3.5", "raise SystemExit", "rule = int(half * 2)"],
        ["rule = half() * 2 + 1", "def half(): return three", "three = 3"],
        ["import math\nmath.log(0)\nrule = math.floor(7.5)"],
        ["items = []", "items.append(7)", "rule = items[0]"],
        ["class Box: pass", "Box.value = 7", "rule = Box.value"],
        ["n = 5", "n += 2", "rule = n"],
        ["def f():\n    return broken(", "rule = 7"],
        ["from math import floor as down", "rule = down(7.9)"],
        ["rule = sum(i for i in range(4)) + 1"],
        ["rule = 3", "rule = rule * 2", "rule = rule + 1"],
        ["import types", "types.seven = 7", "rule = types.seven"],
        ["def rule(n=6): return 0 if n < 0 else rule(n - 1) + 1", "rule = rule()"],
    ],
)
def test_statements_behind_a_name(cells):
    assert run(cells) == 7


def test_only_what_is_needed_runs():
    cells = [("a", "x = 1\nprint(1 / 0)\ny = 2"), ("b", "show(rule)\nrule = y")]
    assert [piece.keep for piece in answer(cells, "rule").pieces] == [(2,), (1,)]


def test_a_functions_own_variables_are_not_the_cells():
    """A loop elsewhere that uses the same word is not behind the answer; a global is."""
    cells = [
        ("a", "for node in 1 / 0: pass"),
        ("b", "text = 1 / 0"),
        ("c", "scale = 2"),
        ("d", "def rule(text):\n    node = [node for node in text]\n    return node * scale"),
    ]
    assert [piece.name for piece in answer(cells, "rule").pieces] == ["c", "d"]


def test_trying_the_answer_out_is_no_part_of_it():
    cells = [("a", "def rule():\n    return 7\n\nrule(1 / 0)"), ("b", "rule()")]
    assert [piece.keep for piece in answer(cells, "rule").pieces] == [(0,)]


def test_a_later_cell_that_is_not_python_is_told():
    found = answer([("a", "rule = 1"), ("b", "x = 1\nrule = = 2")], "rule")
    assert [(name, line) for name, line, _ in found.broken] == [("b", 2)]
    assert answer([("b", "rule = = 2"), ("a", "rule = 1")], "rule").broken == ()


def test_nothing_defines_it():
    assert answer([("a", "x = 1")], "rule").pieces == ()


def test_cells_of_a_notebook(tmp_path):
    cells = [
        {"cell_type": "markdown", "source": ["# words"]},
        {"cell_type": "code", "source": ["%matplotlib inline\n", "x = 1\n", "!ls"]},
    ]
    path = tmp_path / "n.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    assert notebook_cells(path) == [("cell 1", "pass\nx = 1\npass")]
