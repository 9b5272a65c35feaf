"""Which cells are the reference and the untouched starter of an exercise? Those of its chapter."""

from ms_ext.book import learner, source
from ms_ext.grading import magics


def of(names):
    """Name of an exercise -> (cells of the reference, cells of the starter)."""
    chapters = {name: source.read(name.partition(".")[0]) for name in names}
    cells = {}
    for chapter in chapters.values():
        if chapter.name not in cells:
            cells[chapter.name] = _python(chapter, solved=True), _python(chapter, solved=False)
    return {name: cells[chapter.name] for name, chapter in chapters.items()}


def _python(chapter, solved):
    cells = learner.code_cells(chapter, solved=solved)
    return [(name, magics.python_of(text)) for name, text in cells]
