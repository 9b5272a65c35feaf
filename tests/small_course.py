"""A course of one chapter and two tiny exercises, for tests of the grader around them."""

import pytest

CHAPTER = """---
title: Two small exercises
file_format: mystnb
---

# Two small exercises

```{code-cell} python
import numpy as np
```

```{code-cell} python
def double(x):
    # region solution
    # stub: return x
    return x * 2
    # endregion
```

```{code-cell} python
def both(x, y):
    # region solution
    # stub: return x, y
    return x + y, x - y
    # endregion
```
"""

DOUBLE = '''"""98.double: twice as much."""

from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mutant
from ms_ext.grading.layers import values


def some(draw, n):
    """some numbers"""
    return (draw(n),)


exact = values.like(lambda x: x * 2)
exercise = Exercise(
    target="double",
    contract="Return twice the array.",
    checks=(
        Check("floats", "floats", 2, "call arrays", drawn(some), exact),
        Check(
            "integers", "integers", 1, "call arrays", drawn(some, dtypes="i32"), exact, ("floats",)
        ),
    ),
    hints=("Twice.", "Add it to itself.", "x * 3 is three times x."),
    mutants=(
        Mutant("values", "x * 2", "x / 2"),
        Mutant("dtype", "x * 2", "x * 2.0"),
        Mutant("raises", "x * 2", "x * two"),
    ),
)
'''

BOTH = '''"""98.both: sum and difference."""

from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mutant
from ms_ext.grading.layers import values


def pair(draw, m, n):
    """two matrices"""
    return draw(m, n), draw(m, n)


exercise = Exercise(
    target="both",
    contract="Return the sum and the difference.",
    checks=(
        Check(
            "values", "sum and difference", 2, "call arrays", drawn(pair),
            values.like(lambda x, y: (x + y, x - y)),
        ),
    ),
    hints=("Two.", "First the sum.", "x * y, x / y are product and quotient."),
    mutants=(
        Mutant("values", "x + y, x - y", "x + y, y - x"),
        Mutant("count", "x + y, x - y", "x + y"),
        Mutant("values", "x + y, x - y", "x - y, x + y"),
    ),
)
'''
NAME = "98_small"
POINTS = {"98.double": 3, "98.both": 2}


@pytest.fixture
def small_course(tmp_path, monkeypatch):
    """The course in place of the book and its exercises; the folder that holds it."""
    from ms_ext.book import source
    from ms_ext.grading import exercise

    for folder, name, text in (
        ("book", "chapter.md", CHAPTER),
        ("exercises", "double.py", DOUBLE),
        ("exercises", "both.py", BOTH),
    ):
        place = tmp_path / "course" / folder / NAME
        place.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    monkeypatch.setattr(source, "BOOK", tmp_path / "course" / "book")
    monkeypatch.setattr(exercise, "EXERCISES", tmp_path / "course" / "exercises")
    return tmp_path / "course"
