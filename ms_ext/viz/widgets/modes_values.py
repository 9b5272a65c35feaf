"""Which values were baked in, and why? Expressions that Python knew while the graph was read."""

import ast
from typing import NamedTuple

from ...engine.infer import abstract_of
from ...engine.tensor import Tensor

MOST, WIDEST = 4, 44  # different values of one expression that are shown, characters of each

#: cause -> (what the value is, what follows from it; "" where its own line tells).
CAUSES = {
    "argument": ("an argument", "part of the signature: another value is another graph"),
    "type": ("part of a type", "part of the signature: another type is another graph"),
    "global": ("a global", "kept as it is now: a later change is not seen, only warned of"),
    "enclosing": ("of the function around", "kept as it is now: a later change is not seen"),
    "attribute": ("an attribute", "kept as it is now: a later change is not seen"),
    "called": ("called while reading", "called once: no run of the graph calls it again"),
    "parameter": ("given by the caller", ""),
    "local": ("worked out above", ""),
    "turn": ("one a turn", ""),
}


class Cause(NamedTuple):
    """Why Python knew a value: a key of CAUSES, the code that has it, its values."""

    kind: str
    code: str
    values: str


class Baked(NamedTuple):
    """An expression with its values and their causes."""

    node: ast.expr
    values: list
    causes: tuple

    @property
    def code(self):
        """``n + 1 = 3``, ``n > 1 is True``."""
        word = "is" if all(type(each) is bool for each in self.values) else "="
        return f"{ast.unparse(self.node)} {word} {several(self.values)}"

    @property
    def words(self):
        """``n: an argument``; without a name where the whole expression is meant."""
        return because(self.causes, ast.unparse(self.node))


def because(causes, whole):
    """The causes of an expression in words.

    >>> because([Cause("argument", "n", "2")], "n"), because([Cause("argument", "n", "2")], "n + 1")
    ('an argument', 'n: an argument')
    """
    if len(causes) == 1 and causes[0].code == whole:
        return CAUSES[causes[0].kind][0]
    return ", ".join(f"{each.code}: {CAUSES[each.kind][0]}" for each in causes)


def baked(watch, source, node):
    """The largest parts of a piece of syntax that Python knew, each as Baked."""
    read = watch.at(source, node) if isinstance(node, ast.expr) else None
    if read is not None and read.folded and not _gives_nothing(node, read):
        causes = causes_in(watch, source, node)
        return [Baked(node, read.values, causes)] if causes else []
    return [found for each in parts(node) for found in baked(watch, source, each)]


def _gives_nothing(node, read):
    """A call for its effect: print(n)."""
    return isinstance(node, ast.Call) and all(each is None for each in read.values)


def parts(node):
    """The expressions inside a piece of syntax, not those of statements or functions inside it."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.comprehension | ast.withitem):
            yield from parts(each)
        elif isinstance(each, ast.expr | ast.keyword) and not isinstance(each, ast.Lambda):
            yield each


def causes_in(watch, source, node):
    """Why Python knew an expression: the Causes of its parts, each once."""
    read = watch.at(source, node)
    if read is not None and read.cause:
        return (Cause(read.cause, ast.unparse(node), several(read.values)),)
    found = [one for each in parts(node) for one in causes_in(watch, source, each)]
    return tuple(dict.fromkeys(found))


def several(values):
    """The different values of one expression, in order.

    >>> several([0, 0]), several([0, 1, 2, 3, 4, 5])
    ('0', '0, 1, 2, ... 5')
    """
    different = list(dict.fromkeys(map(shown, values)))
    if len(different) > MOST:
        different = [*different[: MOST - 1], f"... {different[-1]}"]
    return ", ".join(different)


def shown(value):
    """A value in a few characters.

    >>> shown("a"), shown(Tensor([1.0, 2.0])), shown(list(range(99)))
    ("'a'", 'tensor f32[2]', '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12...')
    """
    if isinstance(value, Tensor):
        return f"tensor {abstract_of(value)}"
    text = " ".join(repr(value).split())
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 3]}..."
