"""Which of a learner's files holds the answer to an exercise?

Found by what the files define, never by an id. The chapter's own notebook comes first; among equals
the last by name counts, with a warning.
"""

import re
from typing import NamedTuple

from ms_ext.grading.submissions import Submission


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
        return Chosen(best, "", (*best.warnings, *_told(best, others, target)), others)
    best = max(files, key=lambda file: _likely(file, target, chapter))
    if not any(_likely(best, target, chapter)[:3]):
        return Chosen(None, "missing")
    return Chosen(best, best.problem, best.warnings)


def _belongs(file, chapter):
    return file.chapter == chapter or bool(
        re.search(rf"(?<![0-9]){re.escape(chapter)}(?![0-9])", file.path.stem)
    )


def _likely(file, target, chapter):
    """Without a definition: a file that names it, the chapter's own, then a damaged one."""
    names = any(target in text for _, text in file.cells)
    damaged = bool(file.problem) and not re.search(r"(?<![0-9])[0-9]{2}_[a-z]", file.path.stem)
    return names, _belongs(file, chapter), damaged, file.path.name


def _told(best, others, target):
    """A warning where several files define the target."""
    if not others:
        return ()
    names = ", ".join(file.path.name for file in others)
    return (f"{target} is also defined in {names}; {best.path.name} counts.",)
