"""Notebooks as learners leave them: edited, copied, damaged, old, very long."""

import json
from typing import NamedTuple

from ms_ext.book import learner, source
from ms_ext.grading import exercise, magics, submissions


class Chapter(NamedTuple):
    """What learners start from: a chapter's notebook, solved and not, and its exercises."""

    name: str
    solved: dict
    starter: dict
    exercises: tuple

    @classmethod
    def read(cls, name):
        """The chapter of this name."""
        chapter = source.read(name)
        both = [learner.notebook(chapter, solved=solved) for solved in (True, False)]
        declared = tuple(exercise.load(each) for each in exercise.names(chapter.name))
        return cls(chapter.name, *both, declared)

    @property
    def file(self):
        """What the notebook is called."""
        return f"{self.name}.ipynb"


def text(notebook):
    return json.dumps(notebook)


def copy(notebook):
    return json.loads(json.dumps(notebook))


def code(text, outputs=()):
    """A code cell."""
    return {
        "cell_type": "code", "id": f"c{len(text)}", "metadata": {},
        "execution_count": 1, "outputs": list(outputs), "source": text,
    }  # fmt: skip


def changed(notebook, change):
    """A notebook whose code is what ``change`` makes of each cell's text; None deletes it."""
    made = copy(notebook)
    cells = []
    for cell in made["cells"]:
        text = change(cell["source"]) if cell["cell_type"] == "code" else cell["source"]
        if text is not None:
            cells.append({**cell, "source": text})
    return {**made, "cells": cells}


def with_cells(notebook, *texts):
    """A notebook with further code cells at its end."""
    made = copy(notebook)
    made["cells"] += [code(text) for text in texts]
    return made


def defining(notebook, target):
    """The text of the last cell that defines a name."""
    texts = [c["source"] for c in notebook["cells"] if c["cell_type"] == "code"]
    return [text for text in texts if submissions.defines(text, target)][-1]


def mutated(chapter, number):
    """The solved notebook with the mutant ``number`` of each exercise, and these mutants."""
    made, chosen = copy(chapter.solved), {}
    for each in chapter.exercises:
        mutant = each.mutants[number % len(each.mutants)]
        holders = [
            c for c in made["cells"] if c["cell_type"] == "code" and mutant.old in c["source"]
        ]
        holders[-1]["source"] = mutant.edited(holders[-1]["source"])
        chosen[each.name] = mutant
    return made, chosen


def script(notebook, head="", between="\n\n"):
    """The code of a notebook as one Python file."""
    cells = [c["source"] for c in notebook["cells"] if c["cell_type"] == "code"]
    return head + between.join(map(magics.python_of, cells)) + "\n"


def version_three(notebook):
    """The notebook in the format of 2013."""
    cells = [
        {"cell_type": "code", "language": "python", "collapsed": False, "metadata": {},
         "outputs": [], "prompt_number": 1, "input": cell["source"].splitlines(True)}
        for cell in notebook["cells"] if cell["cell_type"] == "code"
    ]  # fmt: skip
    sheet = {"cells": cells, "metadata": {}}
    return {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [sheet]}


def shouting(notebook, size):
    """The notebook with this much printed in it."""
    made = copy(notebook)
    lines = ["x" * 99 + "\n"] * (size // 100)
    made["cells"].append(
        code("print('x' * 10**9)", [{"output_type": "stream", "name": "stdout", "text": lines}])
    )
    return made


def with_metadata(notebook, **metadata):
    return {**copy(notebook), "metadata": metadata}


def twice(notebook):
    made = copy(notebook)
    made["cells"] = [each for cell in made["cells"] for each in (cell, cell)]
    return made


def defines(cell, targets):
    return any(submissions.defines(cell, target) for target in targets)


def as_text(notebook):
    """All code cells have become prose."""
    made = copy(notebook)
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            cell.update(cell_type="markdown")
    return made
