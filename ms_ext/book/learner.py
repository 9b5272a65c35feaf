"""What does a learner open? work/NN_topic.ipynb, made once from the chapter, never overwritten.

The copy in another language stands beside it: work/NN_topic.zh.ipynb.
"""

import json
import re

from ms_ext.engine import errors
from ms_ext.grading import exercise as exercises

from . import languages, source

WORK = source.ROOT / "work"
OLD = "earlier"


def notebook(chapter, *, solved=False):
    """The chapter as a notebook (plain data); ``solved`` keeps the reference solutions.

    >>> notebook(source.read("tour"))["nbformat"]
    4
    """
    write = source.reference if solved else source.without_solution
    cells = [_cell(chapter, at, cell, write) for at, cell in enumerate(chapter.cells)]
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    language = {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"}
    about = {"chapter": chapter.name}
    if chapter.language != source.ENGLISH:
        about["language"] = chapter.language
    extra = {"kernelspec": kernel, "language_info": language, "ms_ext": about}
    return {"cells": cells, "metadata": extra, "nbformat": 4, "nbformat_minor": 5}


def _cell(chapter, at, cell, write):
    name = re.sub(r"\W", "-", chapter.name)
    made = {"cell_type": cell.kind, "id": f"{name}-{at:03d}", "metadata": {}}
    if cell.tags:
        made["metadata"]["tags"] = list(cell.tags)
    if cell.kind == "code":
        return {**made, "execution_count": None, "outputs": [], "source": write(cell.text)}
    return {**made, "source": cell.text}


def copy_name(name, language):
    """What the learner's notebook of a chapter is called.

    >>> copy_name("00_tour", "zh")
    '00_tour.zh.ipynb'
    """
    return f"{name}.ipynb" if language == source.ENGLISH else f"{name}.{language}.ipynb"


def write_learner_copy(name, folder=None, language=None):
    """Write the learner's notebook of a chapter if there is none yet; its path.

    ``language``: the one that MS_EXT_LANGUAGE asks for, English where the chapter has no other.
    """
    language = language or languages.best(name)
    chapter = source.read(name, language)
    path = (folder or WORK) / copy_name(chapter.name, language)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(notebook(chapter), indent=1, ensure_ascii=False) + "\n"
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        pass  # the learner's work is in it
    return path


def reset(name, folder=None):
    """Start a chapter again: (where the learner's notebook went, or None; the new one)."""
    folder = folder or WORK
    path = folder / copy_name(source.find(name), languages.best(name))
    moved = None
    if path.exists():
        moved = _free(folder / OLD, path.stem)
        moved.parent.mkdir(exist_ok=True)
        path.rename(moved)
    return moved, write_learner_copy(name, folder)


def reset_exercise(name, folder=None):
    """Start one exercise again: (where a copy of the learner's notebook went, the notebook).

    The cell that defines the target gets its first text back; others that define it go. A
    notebook in which none does gets the cell at its end.
    """
    exercise = exercises.load(name)
    chapter = source.read(exercise.name.partition(".")[0])
    path = write_learner_copy(chapter.name, folder)
    defines = re.compile(rf"^(def|class) {exercise.target}\b|^{exercise.target} *=", re.MULTILINE)
    fresh = next(cell for cell in notebook(chapter)["cells"] if defines.search(cell["source"]))
    elsewhere = f" --work {folder}" if folder else ""
    made = _read(path, exercise.name.partition(".")[0] + elsewhere)
    code = [cell for cell in made["cells"] if cell["cell_type"] == "code"]
    own = [cell for cell in code if defines.search("".join(cell["source"]))]
    places = [made["cells"].index(cell) for cell in own] or [len(made["cells"])]
    kept = [cell for cell in made["cells"] if cell not in own]
    made["cells"] = [*kept[: places[0]], fresh, *kept[places[0] :]]
    moved = _free(path.parent / OLD, path.stem)
    moved.parent.mkdir(exist_ok=True)
    path.rename(moved)
    path.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return moved, path


def _read(path, what):
    """A notebook that holds cells, as plain data; a damaged one is told, with ``what`` to reset."""
    try:
        made = json.loads(path.read_text(encoding="utf-8"))
        [("".join(cell["source"]), cell["cell_type"]) for cell in made["cells"]]
    except (ValueError, LookupError, TypeError):
        raise errors.InvalidValue(
            f"{path.parent.name}/{path.name} is damaged; "
            f"`ms-ext reset {what}` begins the whole chapter again."
        ) from None
    return made


def _free(folder, stem):
    number = 1
    while (path := folder / f"{stem}-{number}.ipynb").exists():
        number += 1
    return path


def code_cells(chapter, *, solved):
    """The code cells of a chapter's notebook as (name, text): what the grader reads.

    >>> code_cells(source.read("tour"), solved=False)[0][0]
    'cell 1'
    """
    cells = notebook(chapter, solved=solved)["cells"]
    code = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    return [(f"cell {number}", text) for number, text in enumerate(code, 1)]


# the proof of the copy ---------------------------------------------------------------------------


def given_away(chapter):
    """The lines of a solution that stand in the learner's notebook; there may be none.

    >>> given_away(source.read("tour"))
    []
    """
    given = json.dumps(notebook(chapter), ensure_ascii=False)
    hidden = [line for cell in chapter.cells for line in source.solution_lines(cell.text)]
    return [line for line in hidden if json.dumps(line, ensure_ascii=False)[1:-1] in given]


def left_out(chapter):
    """The lines outside the marked regions that the learner's notebook lacks, in their order.

    >>> left_out(source.read("tour"))
    []
    """
    missing = []
    for cell, made in zip(chapter.cells, notebook(chapter)["cells"], strict=True):
        kept, hidden = iter(made["source"].split("\n")), {*source.solution_lines(cell.text)}
        lines = [line for line in cell.text.split("\n") if line.strip() and "# " not in line]
        missing += [line for line in lines if line.strip() not in hidden and line not in kept]
    return missing
