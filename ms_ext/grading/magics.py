"""What of a notebook's cell is Python? Magics and shell lines give way; line numbers stay.

The learner's Python is not parsed here: a scan for brackets, quotes and comments is enough to tell
a magic from the continuation of an expression.
"""

import re

KEPT = {"check", "time", "capture", "prun", "debug"}  # cell magics that run their body here
_MARKS = re.compile(r"\\.|'''|\"\"\"|['\"#\n()\[\]{}]", re.DOTALL)
_MAGIC = re.compile(r"([ \t]*)(?:[%!].*|\?+[\w.%*]+|[\w.%*\[\]]+\?+)[ \t]*$")
_ASSIGNED = re.compile(r"([ \t]*[A-Za-z_][\w., \t]*=[ \t]*)[%!][^=\n].*$")
_STATEMENT = re.compile(r"([ \t]*)%%?(?:time|prun|debug)[ \t]+(?!-)(.*\S)[ \t]*$")


def python_of(cell):
    """The Python of a cell: "" for one in another language.

    >>> python_of("%%time\\nx = 1\\n%matplotlib inline\\ny = (x\\n   % 3)")
    '\\nx = 1\\npass\\ny = (x\\n   % 3)'
    >>> python_of("%%bash\\nrm -r /")
    ''
    """
    cell = _unindented(cell)
    first, _, rest = cell.lstrip("\n").partition("\n")
    if first.startswith("%%"):
        word = re.match(r"%%(\w*)", first)[1]
        if word not in KEPT:
            return ""
        cell = "\n" * (1 + len(cell) - len(cell.lstrip("\n"))) + rest
    lines = cell.split("\n")
    for at in _starts(cell):
        if _MAGIC.match(lines[at]) or _ASSIGNED.match(lines[at]):
            _replace(lines, at)
    return "\n".join(lines)


def _unindented(cell):
    """IPython runs a cell that is indented as a whole."""
    first = next((line for line in cell.split("\n") if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    if not indent:
        return cell
    return "\n".join(line.removeprefix(indent) for line in cell.split("\n"))


def _starts(text):
    """The numbers of the lines on which a statement can begin."""
    starts, depth, quote, line, marks = [0], 0, "", 0, _MARKS.finditer(text)
    for found in marks:
        mark = found[0]
        line += mark.count("\n")
        if quote:
            ended = mark == quote or (mark == "\n" and len(quote) == 1)
            quote = "" if ended else quote
            starts += [line] if ended and mark == "\n" and not depth else []
        elif mark == "#":
            line += _skip_comment(text, found.end(), marks)
            starts += [] if depth else [line]
        elif mark == "\n":
            starts += [] if depth else [line]
        elif mark[0] in "'\"":
            quote = mark
        elif mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth = max(0, depth - 1)
    return starts


def _skip_comment(text, at, marks):
    """Leave out the marks of a comment; 1 if a line begins behind it."""
    for found in marks:
        if found[0].endswith("\n"):
            return 1
    return 0


def _replace(lines, at):
    """Another statement for a magic, and for the lines that it goes on in."""
    line, last = lines[at], at
    while lines[last].endswith("\\") and last + 1 < len(lines):
        last += 1
    run = _STATEMENT.match(line)
    assigned = _ASSIGNED.match(line)
    if run:
        lines[at] = run[1] + run[2]
        return
    indent = line[: len(line) - len(line.lstrip())]
    lines[at] = f"{assigned[1]}None" if assigned else f"{indent}pass"
    lines[at + 1 : last + 1] = [""] * (last - at)
