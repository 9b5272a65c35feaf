"""The gates of a chapter's exercises and of its record on real MindSpore (R5 to R19)."""

import re

from ms_ext.engine import errors
from ms_ext.grading import submissions
from ms_ext.grading.codes import CODES

from . import recorded, source
from .rules import Fault, gate

CHECK = re.compile(r"\b(?:check|hint)\(\"([\w.]+)\"")
MUTANTS = 3
LONGEST = 15
ADVICE = 'Let ms.check("NN.topic") follow it.'
REPAIR = re.compile(r"repair", re.IGNORECASE)
#: Chapters without a repair, and why.
WITHOUT_REPAIR = {"00_tour": "ten minutes; its one exercise is a pass of one's own"}


@gate("R5")
def checked_at_once(subject):
    """Never more than one exercise unverified."""
    waiting = None
    for cell in subject.code:
        if source.has_solution(cell.text):
            if waiting:
                yield Fault("an exercise without its check", ADVICE, waiting)
            waiting = cell
        elif re.search(r"\bcheck\(\"[\w.]+\"\)", cell.text):
            waiting = None
    if waiting:
        yield Fault("an exercise without its check", ADVICE, waiting)


@gate("R7")
def only_earlier_exercises(subject):
    """A chapter asks for its own exercises, or for earlier ones."""
    for cell in subject.code:
        for name in CHECK.findall(cell.text):
            try:
                owner = source.find(name.partition(".")[0])
            except errors.InvalidValue:
                yield Fault(f"{name} is of no chapter", "Mend the name.", cell)
                continue
            if owner > subject.name:
                yield Fault(f"{name} is of a later chapter", "Use an earlier one.", cell)


@gate("R14")
def typical_mistakes(subject):
    """A verdict names the likely cause: each exercise proves that with typical wrong answers."""
    for cell, _, name in subject.exercises:
        declared = subject.declared(name) if name else None
        if name and declared is None:
            yield Fault(f"{name} is not declared", "Write exercises/NN_chapter/topic.py.", cell)
        elif declared and len(declared.mutants) < MUTANTS:
            what = f"{name} has {len(declared.mutants)} typical mistakes, not {MUTANTS}"
            yield Fault(what, "Add mutants, each with the code of its verdict.", cell)
        elif declared:
            known = {*CODES, *(mistake.code for mistake in declared.mistakes)}
            for code in sorted({mutant.code for mutant in declared.mutants} - known):
                yield Fault(f"{name} promises the code {code}", "There is no such code.", cell)


@gate("R15")
def only_the_goal_is_left_out(subject):
    """Learners write a few lines, and the frame around them stands."""
    for cell, _, name in subject.exercises:
        lines = len(source.solution_lines(cell.text))
        if lines > LONGEST:
            yield Fault(f"{lines} lines to write", f"Give all but {LONGEST}.", cell)
        declared = subject.declared(name) if name else None
        stub = source.without_solution(cell.text)
        if declared and not submissions.defines(stub, declared.target):
            what = f"the learner's cell does not define {declared.target}"
            yield Fault(what, "Let the '# stub:' lines keep its first line.", cell)


@gate("R16")
def something_to_repair(subject):
    """Finding what is wrong is half of the craft."""
    repairs = [cell for cell, heading, _ in subject.exercises if REPAIR.search(heading)]
    if not repairs and subject.name not in WITHOUT_REPAIR:
        advice = "Add an exercise under a heading '### Repair: ...' that begins with a broken one."
        yield Fault("no exercise under a heading with 'Repair'", advice)


@gate("R19")
def same_lines_on_mindspore(subject):
    """Real MindSpore's answers stand beside ours."""
    titles = dict(subject.sections)
    ending = "\n".join(cell.text for cell in titles.get("On real MindSpore", ()))
    if not any("portable" in cell.tags for cell in subject.code):
        yield Fault("no portable cell", "Tag the lines that MindSpore can run: portable.")
    elif not re.search(r"\brecorded\.compare\(", ending):
        advice = "Let recorded.compare(..., values) show both, under On real MindSpore."
        yield Fault("the answers are not compared", advice)
    elif stale := recorded.why_stale(subject.chapter):
        advice = f"ms-ext book record {subject.name} --python PYTHON, one that has MindSpore."
        yield Fault(stale, advice)
