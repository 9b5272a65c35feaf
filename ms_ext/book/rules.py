"""Which rules must a chapter keep? R1 to R19; each is a gate that names cell, rule and what to do.

``broken("05")`` asks the gates that read a chapter; ``rules_running`` has those that run it.
``./lab check-book`` asks both. A gate is a function of a ``Subject`` that yields ``Fault``s.
"""

import functools
import re
from collections.abc import Callable
from typing import NamedTuple

from ms_ext.engine import errors
from ms_ext.grading import exercise as exercises

from . import source
from .execute import headings

#: What each rule asks, in the words of `./lab check-book`.
RULES = {
    "R1": "cells are small: at the median 6 lines of code, 25 at most",
    "R2": "a picture or a table at least every 3 code cells",
    "R3": "2 to 10 words per line of code, 150 words at most between two code cells",
    "R4": "the reader predicts in Try it, Build and Break it",
    "R5": "every exercise is checked before the next",
    "R6": "one shape for all chapters",
    "R7": "nothing of a later chapter is needed",
    "R8": "one source: the learner's copy is this text without its solutions",
    "R9": "outputs are made, never typed",
    "R10": "runs from top to bottom in a fresh kernel: no network, 60 s, 1 GB",
    "R11": "only public names of ms_ext, numpy and matplotlib",
    "R12": "no pasted pictures, and no file above 150 KB",
    "R13": "figures need neither dot nor widgets, and have a text",
    "R14": "an exercise knows typical mistakes, each with its code",
    "R15": "only what carries the goal is left to the learner",
    "R16": "one exercise repairs a broken program",
    "R17": "speed is measured, never told",
    "R18": "all languages say the same",
    "R19": "the same lines on real MindSpore, recorded",
}


class Fault(NamedTuple):
    """What a gate found, and what to do; ``cell`` is None where the whole chapter is meant."""

    what: str
    advice: str
    cell: source.Cell | None = None


class Broken(NamedTuple):
    """A rule that a chapter breaks, with the place as JupyterLab and an editor count it."""

    rule: str
    chapter: str
    fault: Fault
    number: int = 0  # of the cell in chapter.md opened as a notebook, from 1
    heading: str = ""

    def __str__(self):
        cell = self.fault.cell
        place = f", cell {self.number} ({self.heading}), line {cell.line}" if cell else ""
        return (
            f"{self.chapter}{place}: breaks {self.rule}, {RULES[self.rule]}\n"
            f"    found: {self.fault.what}\n    to do: {self.fault.advice}"
        )


class Subject:
    """A chapter under examination: as it is written, and its English cells by kind and section."""

    def __init__(self, written, text=None):
        self.written = written
        self.text = source.render(written) if text is None else text
        self.chapter = source.in_language(written, source.ENGLISH)
        self.name, self.cells = written.name, self.chapter.cells
        self.code = [cell for cell in self.cells if cell.kind == "code"]
        self.prose = [cell for cell in self.cells if cell.kind == "markdown"]

    @functools.cached_property
    def sections(self):
        """(second-level heading, the cells from there on), in order."""
        found = [("", [])]
        for cell in self.cells:
            titles = re.findall(r"^## (.+)$", cell.text, re.MULTILINE)
            for title in titles if cell.kind == "markdown" else ():
                found.append((title, []))
            found[-1][1].append(cell)
        return found[1:]

    @functools.cached_property
    def exercises(self):
        """(cell of code, heading over it, name of the exercise that the next check asks for)."""
        above, found = headings(self.chapter), []
        for at, cell in enumerate(self.cells):
            if cell.kind == "code" and source.has_solution(cell.text):
                later = "\n".join(each.text for each in self.cells[at + 1 :] if each.kind == "code")
                check = re.search(r"\bcheck\(\"([\w.]+)\"\)", later)
                found.append((cell, above[at], check[1] if check else ""))
        return found

    def declared(self, name):
        """The declaration of an exercise, or None."""
        try:
            return exercises.load(name)
        except errors.MsExtError:
            return None

    def broken(self, rule, fault):
        """The fault with its place."""
        if fault.cell is None:
            return Broken(rule, self.name, fault)
        cells = self.written.cells
        at = next(at for at, cell in enumerate(cells) if cell.line == fault.cell.line)
        return Broken(rule, self.name, fault, at + 1, headings(self.written)[at])


#: (rule, gate) of every gate that reads a chapter without running it.
GATES: list[tuple[str, Callable]] = []


def gate(rule, gates=GATES):
    """Make a function the gate of a rule, or one of several."""

    def enrol(function):
        gates.append((rule, function))
        return function

    return enrol


def broken(chapter, gates=None):
    """What the gates find in a chapter: a name, or a chapter as written.

    >>> broken(source.parse("# A chapter\\n\\nSpeed: 3 times faster."))[-1].rule
    'R19'
    """
    from . import rules_exercises, rules_text  # noqa: F401  (they enrol their gates)

    if isinstance(chapter, str):
        name = source.find(chapter)
        text = (source.BOOK / name / "chapter.md").read_text(encoding="utf-8")
        subject = Subject(source.parse(text, name), text)
    else:
        subject = Subject(chapter)
    return found(subject, GATES if gates is None else gates)


def found(subject, gates, *more):
    """What some gates find, in the order of the rules."""
    all_of = [subject.broken(rule, fault) for rule, find in gates for fault in find(subject, *more)]
    return sorted(all_of, key=lambda each: (int(each.rule[1:]), each.number))
