"""Comprehensions: their turns are written out, so what they loop over must be known to Python."""

import ast

from .. import errors
from ..ir import Node
from .assigning import assign
from .expressions import truth
from .operators import python_items
from .reading import evaluate, reads
from .unsupported import comprehensions


@reads(ast.ListComp, ast.GeneratorExp)
def _list(frame, node):
    found = [evaluate(inner, node.elt) for inner in turns(frame, node)]
    return frame.reader.made(found, frame.scope)


@reads(ast.DictComp)
def _dict(frame, node):
    pairs = [(evaluate(i, node.key), evaluate(i, node.value)) for i in turns(frame, node)]
    return frame.reader.made(dict(pairs), frame.scope)


def turns(frame, node):
    """A frame for every turn, with the names that the ``for`` gives."""
    if len(node.generators) > 1:
        raise comprehensions(node)
    inner, part = frame.fork(frame.scope), node.generators[0]
    for item in python_items(inner, evaluate(inner, part.iter)):
        frame.reader.count_turn(frame)
        assign(inner, part.target, item)
        if _kept(inner, part.ifs):
            yield inner


def _kept(inner, tests):
    found = [truth(inner, test) for test in tests]
    if any(isinstance(test, Node) for test in found):
        raise errors.InvalidSyntax(
            "A comprehension cannot filter by a tensor.",
            hint="How long it is must be known while the graph is built; use ops.where.",
        )
    return all(found)
