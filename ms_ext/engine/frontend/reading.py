"""The table of expressions: which function reads which kind of syntax node.

Modules enter their readers with ``@reads(ast.Name)``; ``evaluate`` looks them up.
"""

from .. import errors

EXPRESSIONS: dict = {}
SUPPORTED = (
    "Graph mode reads: operators, calls, attributes, indexing, comparisons, tuples, lists, dicts, "
    "lambda."
)


def reads(*kinds):
    """Enter a function ``f(frame, node) -> value`` for these kinds of syntax."""

    def enter(reader):
        EXPRESSIONS.update(dict.fromkeys(kinds, reader))
        return reader

    return enter


def evaluate(frame, node):
    """The value of an expression."""
    reader = EXPRESSIONS.get(type(node))
    frame.current = node
    if reader is None:
        raise errors.InvalidSyntax(
            f"Unsupported expression '{type(node).__name__}'.", hint=SUPPORTED
        )
    return reader(frame, node)
