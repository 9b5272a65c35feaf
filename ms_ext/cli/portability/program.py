"""One program: its syntax tree, what its names mean, what of it is compiled, what is found.

>>> [each.says for each in examine_text("import mindspore as ms\\nms.ops.no_such(1)")]
["'mindspore.ops' has no 'no_such'."]
"""

import ast
import functools
import re

from . import compiled, names, reading, scopes
from .findings import REFUSED, Finding
from .rule import RULES, load

_LOADED = re.compile(r"^[ \t]*%(?:re)?load_ext[ \t]+ms_ext\b|^[ \t]*%%check\b", re.MULTILINE)


class Program:
    """What rules look at."""

    def __init__(self, name, parts):
        self.name, self.parts = name, parts
        self.is_chapter = name.endswith(".md")
        self.text = reading.parsed(name, parts)
        self.meanings = scopes.meanings(self.text.tree)

    @functools.cached_property
    def compiled(self):
        """The functions that are compiled, and whether that is certain."""
        return compiled.functions(self)

    @functools.cached_property
    def lines(self):
        """The lines of all parts, counted as the syntax tree counts them."""
        return "\n".join(part.text for part in self.parts).split("\n")

    def is_one(self, node, *wanted):
        """Whether an expression is one of some of MindSpore's names: ``ops.Custom``."""
        return self.meanings.is_one(node, *wanted)

    @functools.cached_property
    def inside(self):
        """Every node of every compiled function -> whether it is certain that it is compiled."""
        found: dict = {}
        for function, certain in self.compiled.items():
            for node in _body(function):
                found[node] = found.get(node, False) or certain
        return found

    def calls(self, *wanted):
        """The calls of some of MindSpore's functions."""
        for node in self.nodes(ast.Call):
            if self.is_one(node.func, *wanted):
                yield node

    def nodes(self, kind):
        """All nodes of a kind, wherever they stand."""
        return [node for node in self.all_nodes if isinstance(node, kind)]

    @functools.cached_property
    def all_nodes(self):
        """Every node of the program."""
        return [*ast.walk(self.text.tree)]

    @functools.cached_property
    def imported(self):
        """The paths that import statements give to names: what is wrong with them is told there."""
        told = self.meanings.imports
        return {path if taken is None else (*path, taken) for _, path, taken in told}

    def finding(self, rule, kind, node, says, instead="", certain=True):
        """A finding at a node."""
        cell, line = self.text.place(node.lineno)
        certain = certain and node not in self.meanings.guarded
        return Finding(rule, kind, line, says, instead, certain, cell, node.col_offset)


def _body(function):
    """The nodes of a function without its decorators, defaults and annotations."""
    body = function.body if isinstance(function.body, list) else [function.body]
    yield function
    for statement in body:
        yield from ast.walk(statement)


def examine(path):
    """What is found in a file, in the order of its lines."""
    return _examined(Program(str(path), reading.read(path)))


def examine_text(text, name="program.py"):
    """What is found in a script's text."""
    return _examined(Program(name, reading.parts(name, text.encode())))


def _examined(program):
    load()
    found = [*names.found(program), *_magics(program)]
    for rule in RULES.values():
        found += rule.findings(program)
    kept: dict = {}
    for each in found:
        kept.setdefault((each.rule, each.cell, each.line, each.says), each)
    return sorted(kept.values(), key=lambda each: (each.cell or 0, each.line, each.column))


def _magics(program):
    """The lines of a notebook that only this package understands."""
    for part in program.parts if not program.is_chapter else ():
        for match in _LOADED.finditer(part.raw) if part.cell else ():
            line = part.raw[: match.start()].count("\n") + 1
            says = f"'{match[0].strip()}' is of this package."
            instead = "Leave the line out there."
            yield Finding("ms_ext", REFUSED, line, says, instead, True, part.cell)
