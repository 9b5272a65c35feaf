"""The pages of the book show solved chapters: no picture of an exercise may tell how it is solved.

A picture shows what a declaration says, in its author's words: these must not hold what the author
worked out on the way. (``given_away`` looks for the lines themselves.)
"""

import ast
import re

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import ops
from ms_ext.book import learner, source
from ms_ext.grading import exercise as exercises

NAMES = {"np": np, "ms": ms, "ops": ops, "f32": ms.float32, "f16": ms.float16}


def pictures():
    """(chapter, target of an exercise, its solved cell, a cell that draws it)."""
    for chapter in source.chapters():
        cells = [text for _, text in learner.code_cells(source.read(chapter), solved=True)]
        for name in exercises.names(chapter):
            target = exercises.load(name).target
            defines = re.compile(rf"^(def|class) {target}\b|^{target} *=", re.MULTILINE)
            (solved,) = [text for text in cells if defines.search(text)]
            draws = [c for c in cells if "viz.shapes(" in c and re.search(rf"\b{target}\b", c)]
            yield from ((chapter, target, solved, draw) for draw in draws)


PICTURES = list(pictures())


def test_there_are_such_pictures():
    assert ("02_custom_op", "larger") in [each[:2] for each in PICTURES]


@pytest.mark.parametrize("chapter, target, solved, draw", PICTURES)
def test_a_refusal_in_a_solved_picture_shows_no_shapes_that_were_worked_out(
    chapter, target, solved, draw
):
    space = dict(NAMES)
    exec(solved, space)
    text = eval(compile(ast.parse(draw, mode="eval"), "draw", "eval"), space).text()
    said = [line for line in text.splitlines() if "infer says: " in line]
    assert said and not [line for line in said if re.search(r"[\[(]\d", line)]
