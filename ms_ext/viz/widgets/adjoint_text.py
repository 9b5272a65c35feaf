"""The adjoint of a function as text: Python, the graph, the adjoint, and the steps between."""

from . import adjoint_words as words
from .adjoint_lines import Row, of_adjoint, of_graph, of_python

_WIDEST = 70


def lines(shown):
    """All of it, line by line."""
    found, names = shown.found, shown.names
    yield shown.title
    panes = ("Python", of_python(found, names)), ("graph", of_graph(found, names))
    for name, rows in (*panes, ("adjoint", of_adjoint(found, names))):
        yield from ("", name, *_aligned(rows))
    yield from ("", "step by step")
    for step in (found.start, *found.steps, found.end):
        yield f"  {words.head(found, names, step)}"
        yield from (f"     {each}" for each in words.sentences(found, names, step))


def _aligned(rows):
    """Rows with their columns one below the other."""
    rows = list(rows)
    texts = [row.text for row in rows if isinstance(row, Row)]
    wide = min(max(map(len, texts), default=0), _WIDEST)
    for row in rows:
        note = f"  {row.note}" if row.note else ""
        number = f"{row.number:>4}  " if row.number else ""
        yield f"  {number}{row.text.ljust(wide)}  {row.kind}  {row.value}{note}"
