"""How is a class graded? Each learner's answer to each exercise in a process of its own.

Whatever an answer does, there is a row for it, and the batch goes on. Rows are written as they
come; those of an earlier run stay if nothing they depend on has changed.
"""

import hashlib
import os
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import NamedTuple

from ms_ext.grading.classroom import chosen_file, gradebook

from ..exercise import find
from ..verdict import Verdict
from . import answer, learners, rows, verdicts


class Work(NamedTuple):
    """What to grade with: a Nursery, a Bundle, and the exercises with their extra checks."""

    nursery: object
    bundle: object
    exercises: tuple
    version: str
    jobs: int = 2
    hint_cost: float = 0.0
    starters: dict = {}  # name -> sha of the untouched exercise


class Result(NamedTuple):
    """A row, and the Verdict behind it; ``kept``: from an earlier run.

    ``unread``: what to say of the learner's files that were not read.
    """

    row: dict
    verdict: Verdict | None
    kept: bool = False
    unread: tuple = ()


@dataclass
class Folder:
    """One learner's files, read once by whoever needs them first."""

    learner: learners.Learner
    lock: threading.Lock = field(default_factory=threading.Lock)
    found: list | None = None

    def files(self):
        """The Submissions."""
        with self.lock:
            if self.found is None:
                self.found = self.learner.files()
            return self.found


def grade(work, class_list, out, keep_verdicts=False):
    """Grade everything and write ``out``; yields a Result as each row is there."""
    if not os.path.exists(out):
        gradebook.start(out)
    old = gradebook.mend(out)
    store = verdicts.Store(out) if keep_verdicts else None
    with open(out, "ab") as file, ThreadPoolExecutor(work.jobs) as pool:
        folders = [Folder(learner) for learner in class_list]
        futures = [
            pool.submit(_result, work, folder, exercise, old, store)
            for folder in folders
            for exercise in work.exercises
        ]
        try:
            for done in as_completed(futures):
                result = done.result()
                if not result.kept:
                    gradebook.append(file, result.row)
                    if store:
                        store.add(result.row, result.verdict)
                yield result
        except BaseException:  # Ctrl-C: what is not begun is not begun any more
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    finish(work, out)


def finish(work, out):
    """The whole gradebook sorted, with the points that count."""
    known = gradebook.read(out)
    gradebook.write(out, [{**row, "points": rows.counted(row, work.hint_cost)} for row in known])


def _result(work, folder, exercise, old, store):
    """The Result for one learner and exercise, whatever happens."""
    learner = folder.learner
    row = {"learner": learner.name, "exercise": exercise.name}
    try:
        files = folder.files()
        unread = (*learner.warnings, *chosen_file.unreadable(files))
        identity = rows.Identity(
            learners.digest(files), work.bundle.sha, exercise.digest, work.version
        )
        before = old.get((learner.name, exercise.name))
        if before and before["status"] != rows.NOT_GRADED and rows.Identity.of(before) == identity:
            verdict = store.verdict(before) if store else None
            if verdict is not None or not store:  # a Verdict that is no pass is false
                points = rows.counted(before, work.hint_cost)  # hints may cost something else now
                return Result({**before, "points": points}, verdict, True, unread)
        seed = work.bundle.seed(learner.name, exercise.name)
        row |= _about(identity, seed)
        chapter = _chapter(exercise)
        chosen = chosen_file.choose(files, exercise.target, chapter)
        row |= _of_file(learner, chosen, exercise)
        chosen, verdict, usage = answer.attempt(
            work.nursery, learner, chosen, exercise, chapter, seed=seed, starters=work.starters
        )
        row |= _of_file(learner, chosen, exercise)
        row |= rows.of_verdict(verdict) | rows.of_usage(usage)
        told = (*learner.warnings, *chosen.warnings, *verdict.warnings)
        row["warnings"] = " ".join(map(rows.short, told))
    except Exception as error:  # a fault of the grader's own costs this one row, not the batch
        return Result(row | rows.failed_grader(exercise, error), None)
    return Result(row | {"points": rows.counted(row, work.hint_cost)}, verdict, unread=unread)


def _chapter(exercise):
    return find(exercise.name).parent.name


def _about(identity, seed):
    return {
        "folder sha": identity.folder,
        "bundle": identity.bundle,
        "exercise sha": identity.exercise,
        "version": identity.version,
        "seed": hashlib.sha256(str(seed).encode()).hexdigest()[:12],
    }


def _of_file(learner, chosen, exercise):
    """What a row says about the file; hints are known where its outputs can be read."""
    if chosen.file is None:
        return {"hints used": ""}
    readable = chosen.file.path.suffix == ".ipynb" and not chosen.file.problem
    return {
        "file": learner.shown(chosen.file.path),
        "file sha": chosen.file.sha,
        "hints used": chosen.file.hints.get(exercise.name, 0) if readable else "",
    }
