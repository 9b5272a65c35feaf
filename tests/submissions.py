"""Sixty learners of a chapter, what they hand in, and what each of them has earned.

What a learner hands in are files: name -> text, bytes or a notebook. What is to be earned is ALL,
NOTHING, or a mutant, whose code must come out.
"""

import re
from pathlib import Path
from typing import NamedTuple

from notebooks import (
    as_text,
    changed,
    copy,
    defines,
    defining,
    mutated,
    script,
    shouting,
    text,
    twice,
    version_three,
    with_cells,
    with_metadata,
)

from ms_ext.grading import attacks, sandbox

ALL, NOTHING = "all", "nothing"


class Made(NamedTuple):
    """One learner's files, and what to expect: exercise -> ALL, NOTHING or a Mutant."""

    learner: str
    files: dict
    expected: dict


# learners ------------------------------------------------------------------------------------


def right(chapter):
    """(what it is, files) of learners who have solved everything."""
    file, solved = chapter.file, chapter.solved
    yield "the notebook", {file: solved}
    yield "a script", {"answers.py": script(solved)}
    yield "a script with cells", {"answers.py": script(solved, "# %%\n", "\n\n# %%\n")}
    yield "in folders", {f"assignment/week 3/{file}": solved}
    yield "an old notebook", {file: version_three(solved)}
    yield "no metadata", {"Untitled7.ipynb": with_metadata(solved)}
    yield (
        "another chapter's name",
        {"99_other.ipynb": with_metadata(solved, ms_ext={"chapter": "99_other"})},
    )
    yield "broken metadata", {file: with_metadata(solved, widgets=3, ms_ext=[1], kernelspec=None)}
    yield "fifty megabytes", {file: shouting(solved, 50 << 20)}
    yield "with a mark", {file: b"\xef\xbb\xbf" + text(solved).encode()}
    yield "UTF-16", {file: text(solved).encode("utf-16")}
    yield from right_scripts(solved)
    yield from right_in_parts(chapter)


def right_scripts(solved):
    """Python files in the codings and line ends that exist."""
    note = "# J\xfcrgen hat das geschrieben\n"
    yield "Latin-1", {"answers.py": (note + script(solved)).encode("latin-1", "replace")}
    coding = f"# -*- coding: cp1252 -*-\n{note}"
    yield "a declared coding", {"answers.py": (coding + script(solved)).encode("cp1252", "replace")}
    yield "Windows lines", {"answers.py": script(solved).replace("\n", "\r\n").encode()}


def right_in_parts(chapter):
    """More in the notebook, or beside it, than the answers."""
    file, solved, starter = chapter.file, chapter.solved, chapter.starter
    yield "magics", {file: changed(solved, lambda t: f"%%time\n{t}\n%who\n!ls")}
    yield (
        "skipped cells",
        {file: with_cells(solved, "%%bash\nrm -rf /", "%%writefile x\ndef", "?x")},
    )
    yield "a broken cell", {file: with_cells(solved, "this is = not Python (")}
    yield (
        "solved at the end",
        {
            file: with_cells(
                starter, *[c["source"] for c in solved["cells"] if c["cell_type"] == "code"]
            )
        },
    )
    yield (
        "copies beside it",
        {
            file: solved,
            f".ipynb_checkpoints/{Path(file).stem}-checkpoint.ipynb": starter,
            f"earlier/{Path(file).stem}-1.ipynb": starter,
            "__MACOSX/._x.ipynb": b"\0\5\x16\7",
            "notes.txt": "remember the milk",
        },
    )
    yield "an older script", {file: solved, "answers.py": script(starter)}
    yield "a damaged file too", {file: solved, "draft.ipynb": "{"}
    yield "half a character", {file: with_cells(solved, "s = '\ud800'")}
    yield "every cell twice", {file: twice(solved)}


def worthless(chapter):
    """(what it is, files) of learners who have earned nothing."""
    file, solved, starter = chapter.file, chapter.solved, chapter.starter
    targets = [each.target for each in chapter.exercises]
    yield "untouched", {file: starter}
    yield "nothing at all", {}
    yield "an empty file", {file: b""}
    yield "an empty notebook", {file: {**copy(solved), "cells": []}}
    yield "torn JSON", {file: text(solved)[:-100]}
    yield "JSON of another kind", {file: [1, 2, 3]}
    yield "deep JSON", {file: "[" * 100_000}
    yield "a picture", {file: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9}
    yield "only text", {"answers.txt": script(solved)}
    yield "packed", {"work.zip": b"PK\5\6" + bytes(18)}
    yield "all deleted", {file: changed(solved, lambda t: None if defines(t, targets) else t)}
    yield "answers as text", {file: as_text(solved)}
    yield (
        "stubs again at the end",
        {file: with_cells(solved, *[defining(starter, target) for target in targets])},
    )
    yield "names and no answers", {file: with_cells(starter, *[f"{t} = 3" for t in targets])}
    yield "none", {file: with_cells(starter, *[f"{t} = None" for t in targets])}


def hostile(chapter, bank):
    """(what it is, files) of learners who try to get points for nothing."""
    targets = [each.target for each in chapter.exercises]
    for attack in bank:
        calls = "\n".join(f"{target} = attack({target})" for target in targets)
        yield (
            f"attack {attack.name}",
            {chapter.file: with_cells(chapter.starter, f"{attack.text}\n\n{calls}")},
        )


def attacks_here():
    """The attacks that this system can stand."""
    missing = {name for name, in_force, _ in sandbox.report() if not in_force}
    return [each for each in attacks.bank() if not missing.intersection(each.needs)]


def learners(chapter, mutants=12, bank=()):
    """Everybody, as Made."""
    names = [each.name for each in chapter.exercises]
    for what, files in right(chapter):
        yield Made(f"right, {what}", files, dict.fromkeys(names, ALL))
    for what, files in (*worthless(chapter), *hostile(chapter, bank)):
        yield Made(what, files, dict.fromkeys(names, NOTHING))
    for number in range(mutants):
        notebook, chosen = mutated(chapter, number)
        yield Made(f"mutant {number}", {chapter.file: notebook}, chosen)
    for at, name in enumerate(names):
        target = chapter.exercises[at].target
        only = with_cells(chapter.starter, *_needed(chapter, target))
        yield Made(
            f"only {name}", {chapter.file: only}, {**dict.fromkeys(names, NOTHING), name: ALL}
        )
        gone = changed(chapter.solved, lambda t, target=target: None if defines(t, [target]) else t)
        expected = {**dict.fromkeys(names, ALL), name: NOTHING}
        yield Made(f"without {name}", {chapter.file: gone}, expected)


def _needed(chapter, target):
    return [defining(chapter.solved, target)]


# files ---------------------------------------------------------------------------------------


def write(folder, made):
    """Put a learner's files into a folder of submissions."""
    own = Path(folder) / re.sub(r"[/\0]", " ", made.learner)
    own.mkdir(parents=True)
    for name, content in made.files.items():
        path = own / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, dict | list):
            content = text(content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def problems(rows, everybody, declared):
    """Where the gradebook says something else than it should, as (learner, exercise, what)."""
    found = {(row["learner"], row["exercise"]): row for row in rows}
    points = {each.name: each.points for each in declared}
    wrong = []
    for made in everybody:
        for name, expected in made.expected.items():
            row = found.pop((made.learner, name), None)
            if row is None or not as_expected(row, expected, points[name]):
                wrong.append((made.learner, name, expected, row))
    return wrong + [(*key, "nobody", row) for key, row in found.items()]


def as_expected(row, expected, points):
    """Whether a row says what it should."""
    if expected == ALL:
        return row["status"] == "passed" and float(row["points"]) == points
    if expected == NOTHING:
        return row["status"] in ("failed", "not attempted") and row["points"] == "0"
    return row["code"] == expected.code and float(row["points"]) < points
