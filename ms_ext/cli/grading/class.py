"""Grade a class: DIR --tests BUNDLE --out grades.csv; a row for every learner and exercise."""

import argparse
import os
import signal
import sys
import time
from pathlib import Path

from ms_ext.book import source
from ms_ext.cli.grading import answers
from ms_ext.engine import errors
from ms_ext.grading import exercise
from ms_ext.grading.classroom import (
    answer,
    batch,
    bundle,
    feedback,
    gradebook,
    learners,
    people,
    places,
    preflight,
    presets,
    rows,
)
from ms_ext.grading.classroom.summary import Summary, count
from ms_ext.grading.sandbox import Nursery

GRADER_FAILED = 3
INTERRUPTED = 130
OPTIONS = {
    "directory": {"metavar": "DIR", "help": "a folder with one folder for each learner"},
    "--tests": {"metavar": "BUNDLE", "required": True, "help": "what `grade bundle new` made"},
    "--out": {"metavar": "CSV", "required": True, "help": "the gradebook; if it is there, go on"},
    "-j --jobs": {"metavar": "N", "type": int, "default": os.cpu_count() or 2, "help": "at once"},
    "--chapter": {"metavar": "NN", "help": "only the exercises of one chapter"},
    "--exercises": {"metavar": "A,B", "help": "only these, by name"},
    "--hint-cost": {
        "metavar": "F", "type": float, "default": 0.0,
        "help": "part of an exercise's points that each hint costs, such as 0.1",
    },
    "--preset": {
        "metavar": "KIND", "action": "append", "default": [], "choices": tuple(presets.KINDS),
        "help": f"also write a table for {', '.join(presets.KINDS)}",
    },
    "--group": {"default": "exercise", "choices": tuple(presets.GROUPS), "help": "its columns"},
    "--people": {"metavar": "CSV", "help": "who is who in that table"},
    "--feedback": {"metavar": "FOLDER", "help": "also write a page for each learner"},
}  # fmt: skip


def options():
    """What can be said on the command line."""
    made = argparse.ArgumentParser(
        prog="ms-ext grade class", description=__doc__, allow_abbrev=False
    )
    for name, more in OPTIONS.items():
        made.add_argument(*name.split(), **more)
    return made


def main(arguments):
    """Grade everything that is not graded yet."""
    asked = options().parse_args(arguments)
    if not 0 <= asked.hint_cost <= 1 or asked.jobs < 1:
        raise errors.InvalidValue("--hint-cost goes from 0 to 1, and -j from 1.")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    _check_outside(asked)
    known = people.read(asked.people) if asked.people else None
    try:
        with Nursery() as nursery:  # before anything is loaded that a learner must not see
            crowd = learners.find(asked.directory)
            work = _work(asked, nursery)
            _check_writable(asked, crowd, known)
            work = _prove(work)
            with places.told(asked.out):
                summary, results = _run(work, crowd, asked)
    except KeyboardInterrupt:
        print("\nStopped. Every row so far is kept; the same command goes on.", file=sys.stderr)
        return INTERRUPTED
    print(summary)
    _tell_who_left(asked, crowd)
    with places.told(asked.out):
        _extras(asked, results, known)
    return _told(summary)


def _check_outside(asked):
    """What is written must not lie among the submissions, where it would be somebody's work."""
    inside = Path(asked.directory).resolve()
    for path in filter(None, (asked.out, asked.feedback)):
        if inside in Path(path).resolve().parents:
            raise errors.InvalidValue(
                "What is written must not lie among the submissions.", given=path,
                hint="Name a place outside the folder that is graded.",
            )  # fmt: skip


def _check_writable(asked, crowd, known):
    """What would be found out only after hours of grading is asked now."""
    places.file(asked.out)
    if asked.feedback:
        places.folder(asked.feedback)
    old = gradebook.read(asked.out) if Path(asked.out).exists() else ()
    names = sorted({each.name for each in crowd} | {row["learner"] for row in old})
    presets.check_people(asked.preset, names, known)


def _prove(work):
    """The bundle is fair; said, since it takes a while. The work, with what is still untouched."""
    begin = time.monotonic()
    cells = answers.of([each.name for each in work.exercises])
    preflight.check(work, cells)
    proved = count(len(work.exercises), "exercise")
    print(f"proved {proved} in {time.monotonic() - begin:.1f} s", flush=True)
    starters = {name: starter for name, (_, starter) in cells.items()}
    return work._replace(starters=answer.starters(work.nursery, starters))


def _tell_who_left(asked, crowd):
    """Rows stay when a folder is gone: a table for a gradebook still has that learner."""
    named = {row["learner"] for row in gradebook.read(asked.out)}
    left = sorted(named - {each.name for each in crowd})
    if left:
        have = "has" if len(left) == 1 else "have"
        told = f"{count(len(left), 'learner')} in {Path(asked.out).name} {have} no folder any more"
        print(f"  {told}: {', '.join(left)}")


def _work(asked, nursery):
    tests = bundle.read(asked.tests, asked.directory)
    names = list(tests.names)
    if asked.exercises:
        names = [exercise.load(name).name for name in asked.exercises.split(",")]
    if asked.chapter:
        of_chapter = exercise.names(source.find(asked.chapter))
        names = [name for name in names if name in of_chapter]
    if not names:
        raise errors.InvalidValue(
            "There is nothing to grade.", hint="--chapter and --exercises leave no exercise."
        )
    declared = tuple([tests.exercise(name) for name in names])
    return batch.Work(nursery, tests, declared, rows.version(), asked.jobs, asked.hint_cost)


def _run(work, crowd, asked):
    summary, results = Summary(len(crowd) * len(work.exercises)), []
    live = sys.stderr.isatty()
    for result in batch.grade(work, crowd, asked.out, bool(asked.feedback or asked.preset)):
        line = summary.add(result)
        results.append(result)
        if live:
            print(f"\r\033[K{line[:100]}", end="", file=sys.stderr, flush=True)
    if live:
        print("\r\033[K", end="", file=sys.stderr)
    return summary, results


def _extras(asked, results, known):
    """The tables and pages that were asked for."""
    rows_now, folder = gradebook.read(asked.out), Path(asked.out).resolve().parent
    for kind in asked.preset:
        more = {"people": known, "group": asked.group, "results": results}
        paths, notes = presets.write(kind, rows_now, folder, **more)
        for line in (*paths, *notes):
            print(f"  {kind}: {line}")
    if asked.feedback:
        by_learner = {}
        for result in results:
            by_learner.setdefault(result.row["learner"], []).append(result)
        for learner, own in sorted(by_learner.items()):
            feedback.write(asked.feedback, learner, own)
        print(f"  feedback: {feedback.write_index(asked.feedback, rows_now)}")


def _told(summary):
    """The exit code; what was not graded is said loudly."""
    if not summary.broken:
        return 0
    number = len(summary.broken)
    were, have = ("was", "It has") if number == 1 else ("were", "They have")
    print(
        f"\n{count(number, 'answer')} {were} NOT GRADED: the grader itself failed. {have} no "
        "points in the table. Run the same command again once it is mended.",
        file=sys.stderr,
    )
    print("\n".join(f"  {each}" for each in summary.broken[:20]), file=sys.stderr)
    return GRADER_FAILED
