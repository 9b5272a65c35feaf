"""One rule of what real MindSpore refuses or answers differently: a detector over the syntax tree,
the sentence, how to write it, and a program of either kind, which MindSpore has been asked about.
"""

import ast
import importlib
from typing import NamedTuple

from .findings import NOTE, REFUSED

RULES: dict = {}
FILES = ("syntax", "builtin_calls", "lambdas", "changes", "customs")


class Rule(NamedTuple):
    """``find(program)`` gives nodes, or (node, whether it is certain, a sentence of its own).

    ``refused`` and ``accepted`` are what stands below ``import mindspore as ms`` in two programs:
    the first is what it is about, the second how to write it.
    """

    name: str
    kind: str
    find: object
    says: str
    instead: str
    refused: str
    accepted: str

    def findings(self, program):
        """What the rule finds in a program."""
        for each in self.find(program):
            node, certain, says = each if isinstance(each, tuple) else (each, True, self.says)
            yield program.finding(
                self.name, self.kind, node, says or self.says, self.instead, certain
            )


def rule(name, says, instead, refused="", accepted="", kind=REFUSED):
    """Declare a rule: the decorated function finds its nodes in a program."""

    def declare(find):
        RULES[name] = Rule(name, kind, find, says, instead, refused, accepted)
        return find

    return declare


def inside(name, says, instead, refused="", accepted="", kind=REFUSED):
    """Declare a rule about compiled code: the decorated function says whether it is this node,
    with True or a sentence of its own."""

    def declare(is_one):
        def find(program):
            for node, certain in program.inside.items():
                if answer := is_one(program, node):
                    yield node, certain, answer if isinstance(answer, str) else says

        RULES[name] = Rule(name, kind, find, says, instead, refused, accepted)
        return is_one

    return declare


def calls(node, *words):
    """Whether a node calls a builtin function: ``calls(node, "map")``."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in words


def load():
    """Import every file of rules."""
    for file in FILES:
        importlib.import_module(f"{__package__}.{file}")


__all__ = ["NOTE", "REFUSED", "RULES", "Rule", "calls", "inside", "load", "rule"]
