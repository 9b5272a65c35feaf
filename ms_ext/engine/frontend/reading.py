"""The table of syntax: which function reads which kind of expression or statement.

Modules enter their readers with ``@reads(ast.Name)``; ``evaluate`` looks up expressions, and
``statements.one`` statements.
"""

import threading
from contextlib import contextmanager

from .unsupported import unsupported

READERS: dict = {}  # kind of syntax -> f(frame, node)


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
        raise unsupported(node)
    return reader(frame, node)


_watchers: dict = {}  # thread -> what it tells
_plain: dict = {}  # the table as it is while nobody watches
_lock = threading.Lock()


@contextmanager
def watching(tell):
    """Inside, ``tell(frame, node, value)`` hears of all that this thread reads.

    ``node`` is a piece of syntax; ``value`` what an expression is, None for a statement. Where
    nobody watches, reading is as it was: while somebody does, the table has other readers.

    >>> import ast
    >>> from types import SimpleNamespace
    >>> seen = []
    >>> with watching(lambda frame, node, value: seen.append(value)):
    ...     _ = evaluate(SimpleNamespace(current=None), ast.Constant(7))
    >>> seen
    [7]
    """
    thread = threading.get_ident()
    with _lock:
        if not _watchers:
            _plain.update(READERS)
            READERS.update({kind: _telling(reader) for kind, reader in _plain.items()})
        before, _watchers[thread] = _watchers.get(thread), tell
    try:
        yield
    finally:
        with _lock:
            if before is None:
                del _watchers[thread]
            else:
                _watchers[thread] = before
            if not _watchers:
                READERS.update(_plain)


def _telling(reader):
    def read(frame, node):
        value = reader(frame, node)
        if tell := _watchers.get(threading.get_ident()):
            tell(frame, node, value)
        return value

    return read
