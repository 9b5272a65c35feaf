"""Where is the learner's answer? The statements that define a name, and those they need.

Cells are found by what they define, never by an id: copied, split, re-run and deleted cells do no
harm. The last definition of a name counts, as in a notebook run from top to bottom.
"""

import ast
import json
import re
import symtable
from typing import NamedTuple


class Piece(NamedTuple):
    """A cell (or file) and which of its top-level statements to run."""

    name: str
    text: str
    keep: tuple


class Found(NamedTuple):
    """The pieces that make a name, in the order to run them.

    ``broken``: (cell, line, what is wrong) of later cells that name it and are not Python.
    ``places``: the cells that define it, in order; the last one counts.
    """

    pieces: tuple
    broken: tuple
    places: tuple


class _Statement(NamedTuple):
    cell: int
    index: int
    node: ast.stmt
    defines: frozenset
    changes: frozenset  # by assigning to a part of it
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
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            if re.search(rf"\b{re.escape(target)}\b", text):
                line = getattr(error, "lineno", None) or 1
                broken.append((number, (name, line, getattr(error, "msg", None) or str(error))))
            continue
        statements += [_statement(number, index, node) for index, node in enumerate(body)]
    chosen = _closure(statements, target)
    newest = max((s.cell for s in chosen if target in s.defines), default=-1)
    late = tuple([what for at, what in broken if at > newest])
    defining = dict.fromkeys(s.cell for s in statements if target in s.defines)
    return Found(_pieces(cells, chosen), late, tuple([cells[at][0] for at in defining]))


def _closure(statements, target):
    """The statements behind ``target``, each after those it needs."""
    places, ordered, seen = {}, [], set()
    for at, statement in enumerate(statements):
        for name in statement.defines:
            places.setdefault(name, []).append(at)

    def need(name, before, also_later):
        defined = places.get(name, ())
        at = max((at for at in defined if at < before), default=None)
        if at is None and also_later:  # cells that were run in another order
            at, before = max(defined, default=None), len(statements)
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
            for name in sorted(_uses(one)):
                before = at if one.at_once else len(statements)
                need(name, before, also_later=name not in one.defines)
            ordered.append(one)

    need(target, len(statements), also_later=False)
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
_SCOPES = (
    _LATER | ast.ClassDef | ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp
    | ast.GeneratorExp
)  # fmt: skip


def _statement(cell, index, node):
    """One top-level statement: the names it defines, changes in place and calls."""
    changes = set()
    if isinstance(node, _LATER | ast.ClassDef):
        defines = {node.name}
    else:
        defines = _named(node, ast.Store | ast.Del)
        changes = {_root(each) for each in ast.walk(node) if _is_part_written(each)} - defines
    if isinstance(node, ast.AugAssign):
        changes, defines = changes | defines, set()
    call = node.value if isinstance(node, ast.Expr) else None
    called = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    return _Statement(
        cell, index, node, frozenset(defines), frozenset(changes),
        calls=_root(call.func) if called else None,
        imports=isinstance(node, ast.Import | ast.ImportFrom),
        at_once=not isinstance(node, _LATER),
    )  # fmt: skip


def _named(node, context):
    """The names that a statement loads or stores outside the scopes within it."""
    names = {
        (each.asname or each.name).partition(".")[0]
        for each in ast.walk(node)
        if isinstance(each, ast.alias) and context is not ast.Load
    }
    found = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    names |= {each.id for each in found if isinstance(each.ctx, context)}
    scoped = any(isinstance(each, _SCOPES) for each in ast.walk(node))
    return names & _outer_names(node) if scoped else names


def _is_part_written(node):
    parts = isinstance(node, ast.Attribute | ast.Subscript)
    return parts and not isinstance(node.ctx, ast.Load)


def _uses(statement):
    """The names that must be there before a statement can run, or before its function can."""
    names = _named(statement.node, ast.Load)
    if isinstance(statement.node, ast.AugAssign):
        names |= statement.changes
    return names - {None}


def _outer_names(node):
    """The names that a statement shares with the cells around it: no function's own variables."""
    try:
        waiting = [symtable.symtable(ast.unparse(node), "cell", "exec")]
    except (SyntaxError, ValueError, RecursionError):
        return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    names = set()
    while waiting:
        table = waiting.pop()
        waiting += table.get_children()
        outermost = table.get_type() == "module"
        names |= {s.get_name() for s in table.get_symbols() if outermost or s.is_global()}
    return names


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
