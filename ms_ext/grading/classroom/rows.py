"""What does a row of the gradebook say about one answer? Everything that a regrade needs, too."""

import hashlib
import importlib.metadata
from pathlib import Path
from typing import NamedTuple

GRADER = Path(__file__).resolve().parents[1]
ENGINE = GRADER.parent / "engine"
NOT_GRADED = "not graded"


class Identity(NamedTuple):
    """What a row depends on: with all of it equal, grading again gives the same row."""

    folder: str
    bundle: str
    exercise: str
    version: str

    @classmethod
    def of(cls, row):
        """The identity of a row that was written before."""
        return cls(row["folder sha"], row["bundle"], row["exercise sha"], row["version"])


def version():
    """The package's version, and a hash of the code that grades."""
    seen = hashlib.sha256()
    for folder in (GRADER, ENGINE):
        for path in sorted(folder.rglob("*.py")):
            seen.update(path.read_bytes())
    try:
        number = importlib.metadata.version("ms-ext")
    except importlib.metadata.PackageNotFoundError:
        number = "uninstalled"
    return f"{number} {seen.hexdigest()[:12]}"


def of_verdict(verdict):
    """What a verdict says in a row."""
    return {
        "status": verdict.status,
        "of": verdict.of,
        "earned": verdict.points,
        "code": verdict.code,
        "headline": short(verdict.headline),
        "checks": checks(verdict),
        "answer sha": verdict.sha[:64],
    }


def short(words):
    """Words in one line that is not too long: some come from the learner's process.

    >>> short("one\\ntwo")
    'one two'
    """
    return " ".join(words[:1000].split())[:300]


def checks(verdict):
    """The checks in short, a teacher's own together: "values 2/2; shape 0/1; (hidden) 1/2"."""
    shown = [f"{c.name} {c.points:g}/{c.of:g}" for c in verdict.checks if c.open]
    hidden = [check for check in verdict.checks if not check.open]
    if hidden:
        earned, most = sum(c.points for c in hidden), sum(c.of for c in hidden)
        shown.append(f"(hidden) {earned:g}/{most:g}")
    return "; ".join(shown)


def of_usage(usage):
    """What the learner's process used, and how it was held."""
    return {
        "seconds": round(usage.wall, 3),
        "cpu": round(usage.cpu, 3),
        "protections": ", ".join(usage.protections),
    }


def failed_grader(exercise, error):
    """What a row says if the grader itself failed: no points, and no zero either."""
    return {
        "status": NOT_GRADED,
        "of": exercise.points,
        "points": "",
        "earned": "",
        "code": "grader-error",
        "headline": short(f"{type(error).__name__}: {error}"),
    }


def counted(row, hint_cost):
    """The points that count: what was earned, less a part of the whole for each hint shown."""
    if row["status"] == NOT_GRADED:
        return ""
    hints = int(row["hints used"] or 0)
    return max(0.0, float(row["earned"]) - hint_cost * hints * float(row["of"]))
