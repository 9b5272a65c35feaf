"""Prove the grader on this machine: every exercise and every attack: [EXERCISE ...] [--seeds N]."""

import argparse
from concurrent.futures import ThreadPoolExecutor

from ms_ext.book import learner, source
from ms_ext.cli.grading import answers
from ms_ext.grading import attacks, exercise, sandbox, selftest

JOBS = 2


def options():
    """What can be said on the command line."""
    made = argparse.ArgumentParser(
        prog="ms-ext grade selftest", description=__doc__, allow_abbrev=False
    )
    made.add_argument("names", nargs="*", metavar="EXERCISE", help="only these, and no attacks")
    made.add_argument("--seeds", type=int, default=selftest.SEEDS, help="for each reference")
    return made


def main(arguments):
    """Say what holds here; 1 if anything does not."""
    asked = options().parse_args(arguments)
    wrong = 0
    with sandbox.Nursery() as nursery:
        for name, findings in proofs(asked.names or exercise.names(), nursery, asked.seeds):
            wrong += _told(name, findings)
        if not asked.names:
            for name in source.chapters():
                wrong += _told(f"{name}, the learner's copy", copies(source.read(name)))
            wrong += _told("attacks", attacks.prove(nursery))
            _protections()
    print(f"{wrong} of these did not come out as they should." if wrong else "All of it holds.")
    return 1 if wrong else 0


def proofs(names, nursery, seeds=selftest.SEEDS):
    """(name, Findings) of each exercise."""
    cells = answers.of(names)

    def proof(name):
        text = selftest.Text(*cells[name])
        return list(selftest.prove(exercise.load(name), text, nursery.child, seeds))

    with ThreadPoolExecutor(JOBS) as pool:
        yield from zip(names, pool.map(proof, names), strict=True)


def copies(chapter):
    """The Findings about a chapter's notebook: no solution in it, and nothing left out."""
    given, missing = learner.given_away(chapter), learner.left_out(chapter)
    return [
        selftest.Finding(chapter.name, "no line of a solution", "; ".join(given)),
        selftest.Finding(chapter.name, "all of the rest", "; ".join(missing)),
    ]


def _told(name, findings):
    wrong = [each for each in findings if each.words]
    print(f"{'✗' if wrong else '✓'} {name:<32} {len(findings)} tried", flush=True)
    for each in wrong:
        print(f"  {each.what}: {each.words}")
    for each in findings:
        if each.note:
            print(f"  note: {each.what}: {each.note}")
    return len(wrong)


def _protections():
    for name, in_force, why_not in sandbox.report():
        print(f"{'✓' if in_force else '○'} {name:<32} {why_not or 'in force'}")
