"""Assignment: a value gets a name, or its parts get several."""

import ast

from .. import errors
from .branches import call_it
from .operators import python_items


def assign(frame, target, value):
    """Give a name, or a tuple of them, a value."""
    if isinstance(target, ast.Name):
        call_it(target.id, value)
        frame.names[target.id] = value
        return
    if isinstance(target, ast.Tuple | ast.List):
        items = list(python_items(frame, value))
        _assign_items(frame, target.elts, items)
        return
    frame.current = target
    raise errors.InvalidSyntax(
        f"Graph mode cannot assign to {ast.unparse(target)}.",
        hint="Only names can be assigned here; "
        "for parts of a tensor make a new one, with ops.select.",
    )


def _assign_items(frame, targets, items):
    starred = [i for i, t in enumerate(targets) if isinstance(t, ast.Starred)]
    if starred:
        at, after = starred[0], len(targets) - starred[0] - 1
        middle = items[at : len(items) - after]
        items = [*items[:at], middle, *items[len(items) - after :]]
        targets = [t.value if isinstance(t, ast.Starred) else t for t in targets]
    if len(items) != len(targets):
        word = "too many" if len(items) > len(targets) else "not enough"
        raise errors.InvalidValue(
            f"{word} values to unpack (expected {len(targets)}, got {len(items)})"
        )
    for target, item in zip(targets, items, strict=True):
        assign(frame, target, item)
