"""The answer is found by what cells define, whatever was copied, split, re-run or deleted."""

import pytest

from ms_ext.grading.find import answer


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
        ["items = []", "for n in (3, 4): items.append(n)", "rule = sum(items)"],
        ["items = []", "for n in (3, 4):\n    items += [n]", "rule = sum(items)"],
        ["items = [7]", "if not items:\n    items = [1]", "rule = items[0]"],
        [
            "items = []",
            "def take(f):\n    items.append(f())\n    return f",
            "@take\ndef seven(): return 7",
            "rule = items[0]",
        ],
        ["items = []", "def also(n):\n    items.append(n)", "also(7)", "rule = items[0]"],
        ["def fill(into):\n    into.append(7)", "items = []", "fill(items)", "rule = items[0]"],
        ["table = {}", "for k in 'ab':\n    table.update({k: 7})", "rule = table['b']"],
        ["total = 0", "def more(n):\n    global total\n    total += n", "more(7)", "rule = total"],
        ["from math import *", "rule = floor(7.9)"],
        ["items = [7]", "with open('/dev/null') as f:\n    items = items + [1]", "rule = items[0]"],
        [
            "rules = []\nfor n in (1, 2):\n    for m in (3, 4):\n        rules.append(n * m)",
            "rule = rules[-1] - 1",
        ],
        ["class A:\n    n = 3", "a = A()", "a.n = 7", "rule = a.n"],
        ["x, y = 3, 4", "rule = x + y"],
        ["try:\n    import nothing_like_it as m\nexcept ImportError:\n    m = 7", "rule = m"],
        ["def a(): return b()", "def b(): return 7 if c else a()", "c = 1", "rule = a()"],
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
