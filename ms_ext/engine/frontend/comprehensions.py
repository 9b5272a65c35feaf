"""Comprehensions: their turns are written out, so what they loop over must be known to Python."""

import ast

from .. import errors
from ..ir import Node
from .assigning import assign
from .expressions import truth
from .operators import python_items
from .reading import evaluate, reads


@reads(ast.ListComp, ast.GeneratorExp)
def _list(frame, node):
    return [evaluate(inner, node.elt) for inner in turns(frame, node.generators)]


@reads(ast.DictComp)
def _dict(frame, node):
    inner_frames = turns(frame, node.generators)
    return {evaluate(inner, node.key): evaluate(inner, node.value) for inner in inner_frames}


def turns(frame, parts):
    """A frame for every turn, with the names that the ``for`` parts give."""
    return _loops(frame.fork(frame.scope), parts)


def _loops(inner, parts):
    if not parts:
        yield inner
        return
    part, *rest = parts
    for item in python_items(inner, evaluate(inner, part.iter)):
        assign(inner, part.target, item)
        if _kept(inner, part.ifs):
            yield from _loops(inner, rest)


def _kept(inner, tests):
    found = [truth(inner, test) for test in tests]
    if any(isinstance(test, Node) for test in found):
        raise errors.InvalidSyntax(
            "A comprehension cannot filter by a tensor.",
            hint="How long it is must be known while the graph is built; use ops.where.",
        )
    return all(found)
