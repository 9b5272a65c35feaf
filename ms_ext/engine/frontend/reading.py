"""The table of syntax: which function reads which kind of expression or statement.

Modules enter their readers with ``@reads(ast.Name)``; ``evaluate`` looks up expressions, and
``statements.one`` statements.
"""

from .. import errors

READERS: dict = {}  # kind of syntax -> f(frame, node)
SUPPORTED = (
    "Graph mode reads: operators, calls, attributes, indexing, comparisons, a if b else c, tuples, "
    "lists, dicts, comprehensions, f-strings, lambda."
)


def reads(*kinds):
    """Enter a function ``f(frame, node)`` for these kinds of syntax."""

    def enter(reader):
        READERS.update(dict.fromkeys(kinds, reader))
        return reader

    return enter


def evaluate(frame, node):
    """The value of an expression."""
    reader = READERS.get(type(node))
    frame.current = node
    if reader is None:
        raise errors.InvalidSyntax(
            f"Unsupported expression '{type(node).__name__}'.", hint=SUPPORTED
        )
    return reader(frame, node)
