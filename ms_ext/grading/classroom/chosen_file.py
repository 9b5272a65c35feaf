"""Which of a learner's files holds the answer to an exercise?

Found by what the files define, never by an id. The chapter's own notebook comes first; among equals
the last by name counts, with a warning.
"""

import re
from typing import NamedTuple

from ms_ext.grading.submissions import PROBLEMS, Submission

from .learners import printable


class Chosen(NamedTuple):
    """A file for one exercise. ``code``: why there is nothing to judge, or ""."""

    file: Submission | None
    code: str = ""
    warnings: tuple = ()
    others: tuple = ()  # files that define the target too


def choose(files, target, chapter):
    """The file among ``files`` that holds ``target``, an exercise of ``chapter``.

    >>> choose([], "mul_bprop", "05_bprop_contract").code
    'no-file'
    """
    if not files:
        return Chosen(None, "no-file")
    defining = [file for file in files if file.defines(target)]
    if defining:
        best = max(defining, key=lambda file: (_belongs(file, chapter), file.path.name))
        others = tuple(file for file in defining if file is not best)
        told = (*best.warnings, *_told(best, others, target), *_unread(best, files, chapter))
        return Chosen(best, "", told, others)
    best = max(files, key=lambda file: _likely(file, target, chapter))
    if not any(_likely(best, target, chapter)[:3]):
        return Chosen(None, "missing")
    return Chosen(best, best.problem, (*best.warnings, *_unread(best, files, chapter)))


def unreadable(files):
    """The files that could not be read, each with the reason in words.

    >>> from ms_ext.grading import submissions
    >>> unreadable([submissions.read("second.ipynb")])
    ['second.ipynb was not read. The file cannot be opened.']
    """
    lost = [(printable(file.path.name), PROBLEMS[file.problem]) for file in files if file.problem]
    return [f"{name} was not read. {why}" for name, why in lost]


def _belongs(file, chapter):
    return file.chapter == chapter or bool(
        re.search(rf"(?<![0-9]){re.escape(chapter)}(?![0-9])", file.path.stem)
    )


def _likely(file, target, chapter):
    """Without a definition: a file that names it, the chapter's own, then a damaged one."""
    names = any(target in text for _, text in file.cells)
    return names, _belongs(file, chapter), _damaged(file), file.path.name


def _damaged(file):
    """Could it have held any chapter? It cannot be read, and its name is that of none."""
    return bool(file.problem) and not re.search(r"(?<![0-9])[0-9]{2}_[a-z]", file.path.stem)


def _unread(best, files, chapter):
    """A warning for each other file that may have held the answer and could not be read."""
    lost = [file for file in files if file.problem and file is not best]
    lost = [file for file in lost if _belongs(file, chapter) or _damaged(file)]
    return tuple(unreadable(lost))


def _told(best, others, target):
    """A warning where several files define the target."""
    if not others:
        return ()
    names = ", ".join(file.path.name for file in others)
    return (f"{target} is also defined in {names}; {best.path.name} counts.",)
