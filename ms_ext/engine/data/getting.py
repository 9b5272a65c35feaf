"""What can be told of a pipeline without training on it? Sizes; and shapes, from its first row."""

from .node import Pass
from .settings import seed


def size(node):
    """How many rows a pass gives; where only a pass can tell, one is made."""
    known = node.size()
    return sum(1 for _ in node.rows(Pass.over(node, seed()))) if known is None else known


def first_row(node):
    """The first row of a pass, or None; whatever was started for it ends again."""
    rows = iter(node.rows(Pass.over(node, seed())))
    try:
        return next(rows, None)
    finally:
        if hasattr(rows, "close"):
            rows.close()
