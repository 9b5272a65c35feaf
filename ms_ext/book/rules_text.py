"""The gates of a chapter's text: sizes, words, shape, what may be imported, languages (R1 to R18).

What stands in code and in prose of every chapter; ``rules_exercises`` has those of its exercises.
"""

import ast
import re
import sys
from statistics import median

from ms_ext.grading import magics

from . import languages, learner, source
from .rules import Fault, gate

SHAPE = [
    "Goal", "Try it", "Idea", "Build", "Break it", "Exercises", "On real MindSpore", "Recap",
]  # fmt: skip
PREDICTS = ("Try it", "Build", "Break it")
MEDIAN, LARGEST = 6, 25
LEAST, MOST, PAUSE = 2, 10, 150
HEAVIEST = 150_000
PACKAGES = {"numpy", "matplotlib", "ms_ext"}
#: How printed things look: a prompt, a line of the IR, a traceback, an array or a tensor.
TYPED = re.compile(
    r"^(>>>|In ?\[\d|Out ?\[\d|\s*%\d\w* ?[=:(]|Traceback \(most|array\(|Tensor\(shape)",
    re.MULTILINE,
)
SPEED = re.compile(
    r"\d+(\.\d+)?\s*(x|×|times|%)\s+(as fast|faster|slower|quicker)"
    r"|speed-?up(?: (?:of|is|was)|:| =)? +\d",
    re.IGNORECASE,
)


def code_lines(cell):
    """The lines of code that a learner reads."""
    return [line for line in source.without_solution(cell.text).split("\n") if line.strip()]


def words(text):
    """How many words are read: no marks of headings, targets of links, rules of tables.

    >>> words("## Try it | a [link](there.md)")
    4
    """
    plain = re.sub(r"\]\([^)]*\)|[|`*_#>-]", " ", text)
    return len(re.findall(r"\w[\w'.()]*", plain))


@gate("R1")
def small_cells(subject):
    """Cells that fit a glance."""
    sizes = {cell: len(code_lines(cell)) for cell in subject.code}
    for cell, size in sizes.items():
        if size > LARGEST:
            yield Fault(f"{size} lines of code in one cell", "Split the cell.", cell)
    middle = median(sizes.values()) if sizes else 0
    if middle > MEDIAN:
        yield Fault(f"the median cell has {middle:g} lines", "Split the longer cells.")


@gate("R3")
def few_words(subject):
    """A notebook is run, not read."""
    lines = sum(len(code_lines(cell)) for cell in subject.code)
    ratio = sum(words(cell.text) for cell in subject.prose) / max(lines, 1)
    if not LEAST <= ratio <= MOST:
        yield Fault(f"{ratio:.1f} words per line of code", "Say less, or explain more.")
    read = 0
    for cell in subject.cells:
        read = read + words(cell.text) if cell.kind == "markdown" else 0
        if read > PAUSE >= read - words(cell.text):
            what = f"{read} words since the last code cell"
            yield Fault(what, "Say less, or run something in between.", cell)


@gate("R4")
def predictions(subject):
    """Ask before showing."""
    cells = dict(subject.sections)
    for title in PREDICTS:
        inside = cells.get(title, [])
        if inside and not any("predict" in cell.tags for cell in inside):
            advice = "Ask for a guess before a result, in a cell with the tag predict."
            yield Fault(f"no prediction in {title}", advice, inside[0])


@gate("R6")
def one_shape(subject):
    """Readers know where things are."""
    titles = [title for title, _ in subject.sections]
    if titles != SHAPE:
        yield Fault(f"the sections {', '.join(titles)}", f"Make them {', '.join(SHAPE)}.")
    seen = 0
    for cell in subject.prose:
        for mark in re.findall(r"^(#+) ", re.sub(r"(?s)```.*?```", "", cell.text), re.MULTILINE):
            seen += len(mark) == 1
            if len(mark) > 3 or (len(mark) == 1 and seen > 1):
                yield Fault(f"a heading '{mark}'", "Use one '#', then '##' and '###'.", cell)
    if not seen:
        yield Fault("no heading '#'", "Begin with the chapter's title.")


@gate("R8")
def one_source(subject):
    """The text is as JupyterLab saves it, and the learner's copy is made of it."""
    if subject.text != source.normal(subject.text, subject.name):
        advice = f"ms-ext book tidy {subject.name}, or open and save it in JupyterLab."
        yield Fault("chapter.md is not as JupyterLab saves it", advice)
    for line in learner.given_away(subject.chapter):
        yield Fault(f"the learner's copy shows a line of a solution: {line}", "Hide it.")
    for line in learner.left_out(subject.chapter):
        yield Fault(f"the learner's copy lacks a line: {line}", "Look at its markers.")


@gate("R9")
def nothing_typed(subject):
    """What a cell prints stands under the cell, not in the prose."""
    for cell in subject.prose:
        if typed := TYPED.search(cell.text):
            advice = "Take it out; let a cell print it."
            yield Fault(f"an output in the prose: {typed[0].strip()} ...", advice, cell)


@gate("R11")
def public_names(subject):
    """Chapters outlive what is private."""
    whole = "\n".join(cell.text for cell in subject.code)
    if not re.search(r"^import ms_ext as ms$", whole, re.MULTILINE):
        yield Fault("no line 'import ms_ext as ms'", "Begin with it.")
    for cell in subject.code:
        for name in _imported(cell):
            first, _, rest = name.partition(".")
            known = first in PACKAGES or first in sys.stdlib_module_names
            if not known or first == "ms_ext" and re.match(r"engine|kernels|_", rest):
                yield Fault(f"an import of {name}", "Use public names of ms_ext alone.", cell)
        if private := re.search(r"\bms(?:_ext)?\.(?:\w+\.)*_(?!_)\w+", cell.text):
            yield Fault(f"the private name {private[0]}", "Use public names only.", cell)


def _imported(cell):
    """The dotted names that a cell imports; a cell that is no Python has none."""
    try:
        tree = ast.parse(magics.python_of(source.reference(cell.text)))
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@gate("R12")
def light_files(subject):
    """A chapter can be read in a diff."""
    size = len(subject.text.encode())
    if size > HEAVIEST:
        yield Fault(f"{size:,} bytes", "Draw pictures in cells; make the text shorter.")
    for cell in subject.written.cells:
        if cell.kind == "markdown" and "base64" in cell.text:
            yield Fault("a picture pasted into prose", "Draw it in a cell, as SVG.", cell)


@gate("R17")
def speed_is_measured(subject):
    """A number of one machine is wrong on the next."""
    for cell in subject.written.cells:
        if told := SPEED.search(cell.text):
            yield Fault(f"a speed as a fact: {told[0]}", "Measure it in a cell.", cell)


@gate("R18")
def parity(subject):
    """A reader in another language misses nothing."""
    for at, what in languages.differences(subject.written):
        yield Fault(what, "Bring both to the same shape.", subject.written.cells[at])
