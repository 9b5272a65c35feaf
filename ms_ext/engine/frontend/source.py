"""Where is the Python text of this function, and which part of its syntax tree is the function?

Text comes from ``linecache``, so files, notebook cells and doctests work alike. Trees are
remembered per file and code object; a cell that was changed has new ones.
"""

import ast
import inspect
import linecache
import textwrap

from .. import errors
from ..ir import Where


class Source:
    """A function's syntax tree and the place of its text."""

    __slots__ = ("args", "body", "file", "lines", "margin", "name", "node", "start")

    def __init__(self, node, name, file, start, margin, lines):
        self.node, self.name, self.file = node, name, file
        self.start, self.margin, self.lines = start, margin, lines
        self.args = node.args
        self.body = node.body if isinstance(node.body, list) else [_returning(node.body)]

    def where(self, node, scope=""):
        """The place of one syntax node, for errors and for the graph."""
        line = self.start + node.lineno - 1
        text = self.lines[node.lineno - 1] if node.lineno <= len(self.lines) else ""
        last = node.end_col_offset if node.end_lineno == node.lineno else len(text)
        return Where(self.file, line, node.col_offset + self.margin, last + self.margin,
                     " " * self.margin + text, scope)  # fmt: skip

    def nested(self, node, name):
        """The source of a function or lambda written inside this one."""
        return Source(node, name, self.file, self.start, self.margin, self.lines)


class Nowhere:
    """Stands for the source of what nobody wrote as a Python function: an op, a gradient."""

    node, file = None, ""

    def where(self, node, scope=""):
        """No place."""


def _returning(expression):
    return ast.copy_location(ast.Return(expression), expression)


_known: dict = {}  # (file, code) -> Source, the latest
KEPT = 256  # syntax trees are large: a program that makes functions all the time would fill memory


def source_of(function):
    """The Source of a Python function.

    >>> source_of(errors.did_you_mean).name
    'did_you_mean'
    """
    code = function.__code__
    key = (code.co_filename, code)
    found = _known.get(key)
    if found is None:
        found = _known[key] = _read(function, code)
        if len(_known) > KEPT:
            _known.pop(next(iter(_known)), None)
    return found


def _read(function, code):
    lines = linecache.getlines(code.co_filename, getattr(function, "__globals__", None))
    start = code.co_firstlineno
    if not lines or start > len(lines):
        raise errors.NoSource(
            "Graph mode can not compile temporary source code in terminal. Please write source "
            "code to a python file and run the file.",
            given=f"the source of '{function.__qualname__}' cannot be found: {code.co_filename}, "
            f"line {start}",
            hint="Graph mode reads Python text: define the function in a file or a notebook cell.",
        )
    if code.co_flags & inspect.CO_COROUTINE:
        raise errors.InvalidType(
            f"'{function.__qualname__}' is an async function, which cannot be compiled.",
            given=f"{code.co_filename}, line {start}",
            hint="Leave `async` and `await` away, and wait outside of compiled code.",
        )
    tree, text, margin = _parse(lines, start, _last_line(code))
    node = _find(tree, code, start, margin)
    if node is None:
        raise errors.InvalidSyntax(
            f"No function '{function.__name__}' at {code.co_filename}:{start}.",
            hint="The file has changed since it was imported: restart, or run the cell again.",
        )
    return Source(node, function.__name__, code.co_filename, start, margin, text)


def _last_line(code):
    last = max([line or 0 for _, _, line in code.co_lines()], default=code.co_firstlineno)
    inner = [_last_line(c) for c in code.co_consts if inspect.iscode(c)]
    return max([last, *inner])


def _parse(lines, start, last):
    """Parse the lines of a function; more if a bracket closes after the last instruction."""
    for end in range(last, min(len(lines), last + 60) + 1):
        block = "".join(lines[start - 1 : end])
        if block[0].isspace():
            block = textwrap.dedent(block)
        try:
            return ast.parse(block), block.splitlines(), _margin(lines[start - 1], block)
        except SyntaxError:
            continue
    return _parse_statement(lines, start)


def _margin(line, block):
    return len(line) - len(line.lstrip()) - (len(block) - len(block.lstrip()))


def _parse_statement(lines, start):
    """Lines that are no statement, as of a lambda in a call: parse the whole file."""
    try:
        tree = ast.parse("".join(lines))
    except SyntaxError as error:
        raise errors.InvalidSyntax(f"This source cannot be parsed: {error.msg}.") from None
    ast.increment_lineno(tree, 1 - start)
    return tree, [line.rstrip("\n") for line in lines[start - 1 :]], 0


def _find(tree, code, start, margin):
    if code.co_name == "<lambda>":
        return _find_lambda(tree, code, start, margin)
    for node in tree.body if len(tree.body) == 1 else ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name and _begins(node, start):
            return node
    return None


def _begins(node, start):
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    return first == 1 or first == start


def _find_lambda(tree, code, start, margin):
    spots = [
        (p[0] - start + 1, p[2] - margin) for p in code.co_positions() if p[0] and p[2] is not None
    ]
    spots = [s for s in spots if s[1] > 0 or s[0] > 1] or spots
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Lambda) and all(_inside(node, *spot) for spot in spots)
    ]
    return min(found, key=_extent, default=None)


def _inside(node, line, column):
    begin, end = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
    return begin < (line, column) <= end  # a body begins behind the word lambda


def _extent(node):
    return (node.end_lineno - node.lineno, node.end_col_offset - node.col_offset)
