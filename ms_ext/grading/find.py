"""Where is the learner's answer? The statements that define a name, and those they need.

Cells are found by what they define, never by an id: copied, split, re-run and deleted cells do no
harm. The last definition of a name counts, as in a notebook run from top to bottom.
"""

import ast
import json
import re
from typing import NamedTuple


class Piece(NamedTuple):
    """A cell (or file) and which of its top-level statements to run."""

    name: str
    text: str
    keep: tuple


class Found(NamedTuple):
    """The pieces that make a name, in the order to run them.

    ``broken``: (cell, line, what is wrong) of later cells that name it and are not Python.
    """

    pieces: tuple
    broken: tuple


class _Statement(NamedTuple):
    cell: int
    index: int
    defines: frozenset
    changes: frozenset  # by assigning to a part of it
    uses: frozenset
    calls: str | None  # the name whose method is called
    imports: bool
    at_once: bool  # what it uses must exist when it runs, not later when it is called


def answer(cells, target):
    """What of ``cells``, a list of (name, text), defines ``target``.

    >>> found = answer([("In[1]", "a = 1"), ("In[2]", "b = a + c"), ("In[3]", "c = 2")], "b")
    >>> [piece.name for piece in found.pieces]
    ['In[1]', 'In[3]', 'In[2]']
    """
    statements, broken = [], []
    for number, (name, text) in enumerate(cells):
        try:
            body = ast.parse(text).body
        except SyntaxError as error:
            if re.search(rf"\b{re.escape(target)}\b", text):
                broken.append((number, (name, error.lineno or 1, error.msg)))
            continue
        statements += [_statement(number, index, node) for index, node in enumerate(body)]
    chosen = _closure(statements, target)
    newest = max((s.cell for s in chosen if target in s.defines), default=-1)
    return Found(_pieces(cells, chosen), tuple([what for at, what in broken if at > newest]))


def _closure(statements, target):
    """The statements behind ``target``, each after those it needs."""
    places, ordered, seen = {}, [], set()
    for at, statement in enumerate(statements):
        for name in statement.defines:
            places.setdefault(name, []).append(at)

    def need(name, before):
        at = max((at for at in places.get(name, ()) if at < before), default=None)
        if at is None:
            return
        include(at)
        imported = statements[at].imports  # calling what is in a module does not change the module
        for later in range(at + 1, before):
            called = statements[later].calls == name and not imported
            if called or name in statements[later].changes:
                include(later)

    def include(at):
        if at not in seen:
            seen.add(at)
            one = statements[at]
            for name in sorted(one.uses):
                need(name, at if name in one.defines and one.at_once else len(statements))
            ordered.append(one)

    need(target, len(statements))
    return ordered


def _pieces(cells, chosen):
    pieces = []
    for statement in chosen:
        name, text = cells[statement.cell]
        if pieces and pieces[-1].text is text:
            pieces[-1] = pieces[-1]._replace(keep=(*pieces[-1].keep, statement.index))
        else:
            pieces.append(Piece(name, text, (statement.index,)))
    return tuple(pieces)


_LATER = ast.FunctionDef | ast.AsyncFunctionDef


def _statement(cell, index, node):
    """One top-level statement: the names it defines, changes in place, calls and uses."""
    defines, changes, uses = set(), set(), set()
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            (uses if isinstance(each.ctx, ast.Load) else defines).add(each.id)
        elif isinstance(each, ast.alias):
            defines.add((each.asname or each.name).partition(".")[0])
        elif isinstance(each, ast.Attribute | ast.Subscript) and not isinstance(each.ctx, ast.Load):
            changes.add(_root(each))
    if isinstance(node, _LATER | ast.ClassDef):
        defines = {node.name}
    elif isinstance(node, ast.AugAssign):
        changes, uses, defines = changes | defines, uses | defines, set()
    called = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    return _Statement(
        cell, index, frozenset(defines), frozenset(changes - defines), frozenset(uses),
        calls=_root(node.value.func) if called else None,
        imports=isinstance(node, ast.Import | ast.ImportFrom),
        at_once=not isinstance(node, _LATER),
    )  # fmt: skip


def _root(node):
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def notebook_cells(path):
    """The code cells of a saved notebook as (name, text), magics taken out."""
    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return [(f"cell {number}", _without_magics(text)) for number, text in enumerate(code, 1)]


def _without_magics(text):
    return re.sub(r"^(\s*)[%!].*$", r"\1pass", text, flags=re.MULTILINE)
