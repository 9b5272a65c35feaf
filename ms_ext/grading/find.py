"""Where is the learner's answer? The statements that define a name, and those they need.

Cells are found by what they define, never by an id: copied, split, re-run and deleted cells do no
harm. The last definition of a name counts, as in a notebook run from top to bottom.
"""

import re
from typing import NamedTuple

from . import statements as reading


class Piece(NamedTuple):
    """A cell (or file) and which of its top-level statements to run."""

    name: str
    text: str
    keep: tuple


class Found(NamedTuple):
    """The pieces that make a name, in the order to run them.

    ``broken``: (cell, line, what is wrong) of later cells that name it and are not Python.
    ``places``: the cells that define it, in order; the last one counts.
    """

    pieces: tuple
    broken: tuple
    places: tuple


def answer(cells, target):
    """What of ``cells``, a list of (name, text), defines ``target``.

    >>> found = answer([("In[1]", "a = 1"), ("In[2]", "b = a + c"), ("In[3]", "c = 2")], "b")
    >>> [piece.name for piece in found.pieces]
    ['In[1]', 'In[3]', 'In[2]']
    """
    statements, broken = [], []
    for number, (name, text) in enumerate(cells):
        try:
            statements += reading.read(number, text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            if re.search(rf"\b{re.escape(target)}\b", text):
                line = getattr(error, "lineno", None) or 1
                broken.append((number, (name, line, getattr(error, "msg", None) or str(error))))
    chosen = _Closure(reading.reached(statements)).of(target)
    newest = max((s.cell for s in chosen if target in s.defines), default=-1)
    late = tuple([what for at, what in broken if at > newest])
    defining = dict.fromkeys(s.cell for s in statements if target in s.defines)
    return Found(_pieces(cells, chosen), late, tuple([cells[at][0] for at in defining]))


class _Closure:
    """The statements behind a name, in the order of the cells wherever that can be run."""

    def __init__(self, statements):
        self.statements, self.places = statements, {}
        self.behind = {}  # place of a statement -> places of what it needs
        for at, statement in enumerate(statements):
            for name in statement.defines:
                self.places.setdefault(name, []).append(at)

    def of(self, target):
        """All of them."""
        last = self.places.get(target, ())[-1:]
        for at in [*last, *self._changing(target, last)]:
            self._include(at)
        ordered = {}
        for at in sorted(self.behind):
            self._place(at, ordered)
        return [self.statements[at] for at in ordered]

    def _include(self, at):
        waiting = [at]
        while waiting:
            at = waiting.pop()
            if at not in self.behind:
                self.behind[at] = self._needed(self.statements[at], at)
                waiting += self.behind[at]

    def _needed(self, statement, at):
        """The places of what a statement uses: definitions, and what changes them in between."""
        before = at if statement.at_once else len(self.statements)
        found = []
        for name in sorted(statement.uses):
            defined = self.places.get(name) or self._from_anywhere(name)
            earlier = [each for each in defined if each < before][-1:]
            later = defined[-1:] if name not in statement.defines else []
            chosen = earlier or later  # cells may have been run in another order
            end = before if earlier else len(self.statements)
            found += [*chosen, *self._changing(name, chosen, end)]
        return [each for each in found if each != at]

    def _from_anywhere(self, name):
        """The star imports, for a name that nothing else defines."""
        return [] if reading.is_known(name) else self.places.get(reading.STAR, [])

    def _changing(self, name, defined, end=None):
        """The places after its definition where a name is changed in place."""
        if not defined:
            return []
        imported = self.statements[defined[0]].imports  # a module's functions do not change it
        places = range(defined[0] + 1, len(self.statements) if end is None else end)
        return [
            at
            for at in places
            if name in self.statements[at].changes
            or (name in self.statements[at].calls and not imported)
        ]

    def _place(self, at, ordered, above=()):
        """Put a statement into the order, after what stands below it and must come first."""
        if at in ordered or at in above:
            return
        for each in sorted(self.behind[at]):
            if each > at and not self.behind[each].count(at):
                self._place(each, ordered, (*above, at))
        ordered[at] = True


def _pieces(cells, chosen):
    pieces = []
    for statement in chosen:
        name, text = cells[statement.cell]
        if pieces and pieces[-1].text is text:
            pieces[-1] = pieces[-1]._replace(keep=(*pieces[-1].keep, statement.index))
        else:
            pieces.append(Piece(name, text, (statement.index,)))
    return tuple(pieces)
