"""What does the process of a check run? The judge, and what the chapters say of the exercise."""

import re

from ms_ext.engine import errors
from ms_ext.grading import exercise as exercises
from ms_ext.grading import judge

_CHECK = re.compile(r"\bcheck\(\"([\w.]+)\"\)")
_HEADING = re.compile(r"^### (.+)$", re.MULTILINE)
_NEXT = re.compile(r"^Next: .*?(\d\d_\w+)\.ipynb", re.MULTILINE)


def answer():
    """Read one request, write one verdict."""
    judge.main(starter, after)


def starter(name):
    """The cells of an exercise as its chapter gives them; None where there is no chapter."""
    from ms_ext.cli.grading import answers  # while the nursery starts

    try:
        return answers.of([name])[name][1]
    except errors.MsExtError:
        return None


def after(name):
    """What a learner who has solved an exercise does next.

    >>> after("05.mul_bprop")
    'Go on with "Scale and bias" in this chapter, which is `05.scale_bias_bprop`.'
    >>> after("00.add_neg_to_sub")
    'This chapter is done. Go on with 01_five_steps.ipynb in the file list, or `./lab 01`.'
    """
    from ms_ext.book import source

    try:
        chapter = source.read(name.partition(".")[0])
        asked = [(exercises.load(each).name, title) for each, title in _checks(chapter)]
    except errors.MsExtError:
        return ""
    names = [each for each, _ in asked]
    for other, title in asked[names.index(name) + 1 :] if name in names else ():
        return f'Go on with "{title}" in this chapter, which is `{other}`.'
    later = _following(chapter, source.chapters())
    if later is None:
        return "This was the last exercise of the book. `ms-ext grade me` prints your report card."
    number = later.partition("_")[0]
    return f"This chapter is done. Go on with {later}.ipynb in the file list, or `./lab {number}`."


def _following(chapter, names):
    """The chapter that this one's last lines name, which is not always the next by number."""
    text = "\n".join(cell.text for cell in chapter.cells if cell.kind == "markdown")
    named = _NEXT.search(text)
    if named and named[1] in names:
        return named[1]
    return next((name for name in names if name > chapter.name), None)


def _checks(chapter):
    """(exercise, the heading over it) in the order of a chapter."""
    title = ""
    for cell in chapter.cells:
        if cell.kind == "markdown":
            title = (_HEADING.findall(cell.text) or [title])[-1]
        else:
            yield from ((name, title) for name in _CHECK.findall(cell.text))
