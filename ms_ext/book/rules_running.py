"""The gates that run a chapter from top to bottom: R2, R10, R13, R19, and R7 by an empty folder.

A fresh kernel with the chapter's own solutions, without network, dot and widgets.
"""

import re
import tempfile
from typing import NamedTuple

from ms_ext.engine import errors

from . import alone, execute, rules, source
from .rules import Fault, gate

SECONDS, MEGABYTES, LARGEST = 60, 1000, 2_000_000
OFTEN = 3
#: A guess and an error are told in words.
WORDS_ONLY = {"predict", "raises-exception"}
PICTURES = ("<svg", "image/svg+xml", "<table", "ms-verdict")
PIXELS = ("image/png", "image/jpeg")
WIDGETS = ("application/vnd.jupyter.widget-view+json",)
GATES: list = []


class Ran(NamedTuple):
    """An executed chapter: the notebook, and its cells beside those of the chapter."""

    node: object
    cells: list  # (cell of the chapter, cell of the executed notebook), code only

    @property
    def seconds(self):
        """How long it took."""
        return self.node.metadata["ms_ext"]["seconds"]

    @property
    def megabytes(self):
        """The most that its kernel held; None where the system does not tell."""
        return self.node.metadata["ms_ext"]["megabytes"]


def broken(name, on_progress=None, bare=True):
    """What the gates find in a chapter that they run; ``on_progress`` as for ``execute``."""
    subject = rules.Subject(source.written(name))
    try:
        with tempfile.TemporaryDirectory(prefix="ms_ext_rules") as folder:
            done = run(subject.chapter, folder, on_progress, bare)
    except errors.NotRunnable as stopped:
        cell = _where(subject, str(stopped))
        advice = "Run the chapter in JupyterLab, from top to bottom, in a fresh kernel."
        return [subject.broken("R10", Fault(str(stopped), advice, cell))]
    return rules.found(subject, GATES, done)


def _where(subject, words):
    """The cell of a failure, from the line that it names."""
    line = re.search(r"chapter\.md, line (\d+)", words)
    before = [c for c in subject.cells if line and c.line <= int(line[1])]
    return before[-1] if before else None


def run(chapter, folder, on_progress=None, bare=True):
    """Run a chapter with its reference solutions in an empty ``folder``; what came out."""
    environment = alone.surroundings(folder, bare)
    node = execute.execute(
        chapter, folder=folder, environment=environment, on_progress=on_progress, limit=SECONDS
    )
    return beside(chapter, node)


def beside(chapter, node):
    """A chapter's cells of code with those of its executed notebook."""
    pairs = zip(chapter.cells, node.cells, strict=True)
    return Ran(node, [(cell, ran) for cell, ran in pairs if cell.kind == "code"])


def shown(ran):
    """(type, text) of everything that a cell displays."""
    for output in ran.outputs:
        yield from output.get("data", {}).items()


@gate("R2", GATES)
def pictures_are_frequent(subject, done):
    """Look at it, again and again."""
    asked = [(cell, ran) for cell, ran in done.cells if not {*cell.tags} & WORDS_ONLY]
    drawn = [cell for cell, ran in asked if _is_picture(ran)]
    if OFTEN * len(drawn) < len(asked):
        what = f"{len(drawn)} pictures or tables in {len(asked)} code cells"
        longest = max(_stretches(asked, drawn), key=len)
        yield Fault(what, "Draw something; this is the longest stretch without.", longest[0])


def _is_picture(ran):
    return any(mark in f"{kind} {data}" for kind, data in shown(ran) for mark in PICTURES)


def _stretches(asked, drawn):
    """The runs of cells without a picture."""
    runs = [[]]
    for cell, _ in asked:
        runs[-1].append(cell)
        if cell in drawn:
            runs.append([])
    return [[cell for cell in run if cell not in drawn] for run in runs]


@gate("R10", GATES)
def runs_within_bounds(subject, done):
    """A reader waits a minute at most, and only cells that say so fail."""
    if done.seconds > SECONDS:
        yield Fault(f"{done.seconds:.0f} s", "Make the examples smaller.")
    if done.megabytes and done.megabytes > MEGABYTES:
        yield Fault(f"{done.megabytes:.0f} MB", "Make the examples smaller.")
    for cell, ran in done.cells:
        failed = any(output.output_type == "error" for output in ran.outputs)
        if "raises-exception" in cell.tags and not failed:
            yield Fault("a cell that should fail does not", "Take its tag away.", cell)
        if told := [o.text for o in ran.outputs if o.get("name") == "stderr"]:
            yield Fault(f"a warning: {told[0].strip()[:200]}", "Mend what it warns of.", cell)


@gate("R12", GATES)
def outputs_are_light(subject, done):
    """A page can be sent by mail."""
    for cell, ran in done.cells:
        size = sum(len(str(data)) for _, data in shown(ran))
        if size > LARGEST:
            yield Fault(f"an output of {size:,} characters", "Draw less of it.", cell)


@gate("R13", GATES)
def figures_stand_alone(subject, done):
    """Drawn without dot and widgets; as SVG, and in words."""
    for cell, ran in done.cells:
        for output in ran.outputs:
            data = output.get("data", {})
            if any(kind in data for kind in PIXELS):
                advice = '%config InlineBackend.figure_formats = ["svg"]'
                yield Fault("a figure of pixels", advice, cell)
            if any(kind in data for kind in WIDGETS):
                yield Fault("a live widget", "Show the static form of it.", cell)
            is_gone = data.get("text/html") == "<span></span>"  # a line of progress, at its end
            words = data.get("text/plain", "")
            if data and not is_gone and re.fullmatch(r"|<[\w.]+ object at 0x\w+>", words):
                yield Fault("a figure without words", "Give it a __repr__ that says it.", cell)


@gate("R19", GATES)
def values_are_those_of_mindspore(subject, done):
    """Ours now, beside what MindSpore answered."""
    for cell, ran in done.cells:
        table = "".join(str(data) for kind, data in shown(ran) if kind == "text/html")
        if "recorded.compare(" in cell.text and re.search(r">(differs|not recorded)<", table):
            yield Fault("an answer differs from MindSpore's", "Find out which is right.", cell)
        if "ms.check(" in cell.text and 'class="ms-verdict passed"' not in table:
            yield Fault("the reference solution fails its check", "ms-ext grade selftest", cell)
