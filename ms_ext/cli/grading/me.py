"""Grade your own saved work: [CHAPTER] [--html PATH]; reads work/ anew, only this counts."""

import argparse
import functools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from ms_ext.book import learner, source
from ms_ext.cli.grading import answers
from ms_ext.grading import exercise
from ms_ext.grading.classroom import (
    answer,
    chosen_file,
    feedback,
    learners,
    places,
    report_card,
    rows,
)
from ms_ext.grading.classroom.batch import Result
from ms_ext.grading.sandbox import Nursery

JOBS = 2


def options():
    """What can be said on the command line."""
    made = argparse.ArgumentParser(prog="ms-ext grade me", description=__doc__, allow_abbrev=False)
    made.add_argument("chapter", nargs="?", help="only this one: tour, 5, 05_bprop_contract")
    made.add_argument("--html", metavar="PATH", help="also write the card as a page")
    made.add_argument("--work", metavar="FOLDER", default=learner.WORK, help="read another folder")
    return made


def main(arguments):
    """Print the report card."""
    asked = options().parse_args(arguments)
    if asked.html:
        places.file(asked.html)
    names = [source.find(asked.chapter)] if asked.chapter else source.chapters()
    with Nursery() as nursery:
        sections, unopened = card(nursery, names, Path(asked.work))
    if not sections:
        print("There is nothing to grade yet: ./lab opens the first notebook.")
        return 0
    print(report_card.text(sections))
    if unopened:
        print(f"Not begun yet: {', '.join(unopened)}.")
    print("Only what is saved was read. The card of your teacher may hold further checks.")
    if not asked.html and any(not each for section in sections for each in section.verdicts):
        print("`ms-ext grade me --html card.html` shows each case on which an answer is wrong.")
    if asked.html:
        _write_page(asked.html, sections)
    return 0


def card(nursery, chapters, folder):
    """(sections of the card, chapters that have exercises and no file) for these chapters."""
    paths, _ = learners.walk(folder) if folder.is_dir() else ((), ())
    mine = learners.Learner("me", tuple(paths), folder)
    files, sections, unopened = mine.files(), [], []
    with ThreadPoolExecutor(JOBS) as pool:
        for name in chapters:
            declared = [exercise.load(each) for each in exercise.names(name)]
            chosen = [chosen_file.choose(files, each.target, name) for each in declared]
            if any(each.file for each in chosen):
                cells = answers.of([each.name for each in declared])
                starters = {key: starter for key, (_, starter) in cells.items()}
                known = answer.starters(nursery, starters)
                verdict = functools.partial(_verdict, nursery, mine, files, name, known)
                title = f"{name}: {source.read(name).title}"
                found = tuple(pool.map(verdict, declared, chosen))
                sections.append(report_card.Section(title, found))
            elif declared:
                unopened.append(name)
    return sections, unopened


def _verdict(nursery, mine, files, chapter, starters, declared, chosen):
    """The Verdict on an exercise, with what its learner should know of the files."""
    chosen, verdict, _ = answer.attempt(nursery, mine, chosen, declared, chapter, starters=starters)
    shown = [
        f.shown[declared.name] for f in (*files, chosen.file) if f and declared.name in f.shown
    ]
    told = report_card.stale(verdict, shown[-1] if shown else None)
    warnings = filter(None, (told, *chosen.warnings, *verdict.warnings))
    return replace(verdict, warnings=tuple(warnings))


def _write_page(path, sections):
    """The card as a page, with every verdict in full."""
    about = {"learner": "me", "version": rows.version()}
    results = [
        Result(
            {
                **about,
                "exercise": verdict.name,
                "points": verdict.points,
                **rows.of_verdict(verdict),
            },
            verdict,
        )
        for section in sections
        for verdict in section.verdicts
    ]
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(feedback.render("Report card", results), encoding="utf-8")
    print(f"  {Path(path).resolve().as_uri()}")
