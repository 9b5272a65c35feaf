"""What does a top-level statement define, change and use? Read from its syntax; nothing runs.

A block (if, for, with, ...) may bind a name or not, so what stood before still counts. A method
that is called as a statement may change its object; so may a function of the cells, called as a
statement or as a decorator, change what it was written to change and what it is given.
"""

import ast
import builtins
import symtable
from typing import NamedTuple

_FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
_LATER = _FUNCTION | ast.Lambda
_SCOPES = (
    _LATER | ast.ClassDef | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
)  # fmt: skip
_BLOCK = ast.For | ast.While | ast.If | ast.With | ast.Try | ast.Match
STAR = "*"  # what `from module import *` defines


class Statement(NamedTuple):
    """A statement of a cell, and what it does to the names of the cells."""

    cell: int
    index: int
    node: ast.stmt
    defines: frozenset
    changes: frozenset  # in place: part of it written, or added to
    calls: frozenset  # names whose method is called, or that a function of the cells is given
    functions: frozenset  # functions called as a statement, and decorators
    imports: bool
    at_once: bool  # what it uses must exist when it runs, not later when it is called

    @property
    def uses(self):
        """The names that must be there before it can run, or before its function can."""
        names = _named(self.node, ast.Load)
        if isinstance(self.node, _BLOCK | ast.AugAssign):
            names |= self.defines | self.changes
        return names - {None}


def read(number, text):
    """The Statements of one cell's text, in order; its SyntaxError if it is not Python.

    >>> [statement.defines for statement in read(0, "x = 1\\nx += 1")]
    [frozenset({'x'}), frozenset()]
    """
    return [_statement(number, index, node) for index, node in enumerate(ast.parse(text).body)]


def _statement(cell, index, node):
    changes, calls, functions = _done_at_once(node)
    if isinstance(node, _FUNCTION | ast.ClassDef):
        defines, changes, calls = {node.name}, set(), set()
    else:
        defines = _named(node, ast.Store | ast.Del)
    if isinstance(node, ast.AugAssign):
        defines = set()
    return Statement(
        cell, index, node, frozenset(defines), frozenset(changes - {None}),
        frozenset(calls - {None}), frozenset(functions - {None}),
        imports=isinstance(node, ast.Import | ast.ImportFrom),
        at_once=not isinstance(node, _FUNCTION),
    )  # fmt: skip


def _done_at_once(node):
    """(changed in place, objects whose methods are called, functions called) when it runs."""
    changes, calls = set(), set()
    functions = {_root(each) for each in getattr(node, "decorator_list", ())}
    for each in _now(node):
        if isinstance(each, ast.AugAssign):
            changes.add(_root(each.target))
        elif isinstance(each, ast.Attribute | ast.Subscript):
            changes |= set() if isinstance(each.ctx, ast.Load) else {_root(each)}
        elif isinstance(each, ast.Expr) and isinstance(each.value, ast.Call):
            called = each.value.func
            (functions if isinstance(called, ast.Name) else calls).add(_root(called))
    return changes, calls, functions


def _now(node):
    """A statement and what is in it, but for the bodies of functions: they run later."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield each
        if not isinstance(each, _LATER):
            waiting += ast.iter_child_nodes(each)


def reached(statements):
    """The statements, each with what it changes through functions of the cells."""
    defined = {s.node.name: s for s in statements if isinstance(s.node, _FUNCTION)}
    changed = {name: _changed_by(each.node) for name, each in defined.items()}
    return [
        each._replace(
            changes=each.changes.union(*(changed[f] for f in each.functions & changed.keys())),
            calls=each.calls | (_given(each.node) if each.functions & changed.keys() else set()),
        )
        for each in statements
    ]


def _changed_by(function):
    """The names of the cells that a function changes when it is called."""
    found = set()
    for each in ast.walk(function):
        if isinstance(each, ast.AugAssign):
            found.add(_root(each.target))
        elif isinstance(each, ast.Attribute | ast.Subscript) and not isinstance(each.ctx, ast.Load):
            found.add(_root(each))
        elif isinstance(each, ast.Expr) and isinstance(each.value, ast.Call):
            found.add(_root(each.value.func))
    return found & _outer_names(function)


def _given(node):
    """The names that calls of functions are given, as they are."""
    calls = [each for each in _now(node) if isinstance(each, ast.Call)]
    return {arg.id for call in calls for arg in call.args if isinstance(arg, ast.Name)}


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
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call | ast.Starred):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def is_known(name):
    """Is it a name of Python's own?"""
    return hasattr(builtins, name)
