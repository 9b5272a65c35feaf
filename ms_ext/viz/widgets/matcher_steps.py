"""The steps of a match in words: which part of the pattern is compared with which node."""

from typing import NamedTuple

from ...engine.ir import journal
from ...engine.patterns import Call, Const, Rest, Var
from ...engine.patterns.records import ordinal
from ..drawing import labels


class Comparison(NamedTuple):
    """One step: a part of the pattern beside what stands in the graph."""

    part: int  # its number in the pattern, see Parts
    node: int  # id of the node it was compared with; 0 if there is none
    fits: bool
    text: str


class Parts:
    """The parts of a pattern with numbers, the output first; a variable used twice is one part."""

    def __init__(self, root):
        self.numbers, self.inputs, self._kept = {}, {}, []
        self._enter(root)

    def _enter(self, part):
        if id(part) in self.numbers:
            return
        self._kept.append(part)
        self.numbers[id(part)] = len(self._kept)
        for used in getattr(part, "inputs", ()):
            self._enter(used)

    def __iter__(self):
        return iter(self._kept)

    def number(self, part):
        """The number of a part, from 1."""
        return self.numbers[id(part)]


def compared(parts, look, places, matcher, fits, seen):
    """A step in words, after it was taken: ``places`` holds what was found, the last if it fits.

    ``seen`` is how many places there were before.
    """
    parent, part = places[look.at], look.part
    number = parts.number(part)
    if look.index is None:
        rest = any(isinstance(each, Rest) for each in part.inputs)
        wanted = f"{len(part.inputs) - 1} or more" if rest else str(len(part.inputs))
        text = f"{word(parent)}: {wanted} operands wanted, {len(parent.inputs)} found"
        return Comparison(number, parent.id, fits, text)
    if isinstance(look.index, str):
        return Comparison(number, parent.id, fits, _attribute(look, parent, fits))
    found = parent.inputs[look.index :]
    known = matcher.places.get(getattr(part, "name", None))
    again = places[known] if known is not None and known < seen else None
    text = f"the {ordinal(look.index)} operand of {word(parent)}: "
    text += _operand(part, found, again, fits)
    return Comparison(number, found[0].id if found else 0, fits, text)


def _operand(part, found, again, fits):
    shown = stands_for(found) if isinstance(part, Rest) else word(found[0])
    if isinstance(part, Call):
        return f"{part.name} wanted, {shown} found"
    if isinstance(part, Const):
        return f"the constant {part} wanted, {shown} found"
    if again is not None:
        return f"{part} again: {stands_for(again)} wanted, {shown} found"
    return f"{part} {'stands' if fits else 'may not stand'} for {shown}"


def _attribute(look, parent, fits):
    wanted = look.part.attrs[look.index]
    shown = parent.attributes.get(look.index, dict(parent.primitive.attributes).get(look.index))
    start = f"{look.index} of {word(parent)}"
    if isinstance(wanted, Var) and fits:
        return f"{start}: {wanted} stands for {stands_for(shown)}"
    return f"{start}: {wanted} wanted, {shown} found"


def word(node):
    """A node in a sentence, with its id.

    >>> from ms_ext.engine.ir import FuncGraph
    >>> node = FuncGraph("g").constant(2.0)
    >>> word(node) == f"%{node.id} 2.0"
    True
    """
    return labels.named(journal.row(node))


def stands_for(value):
    """What a variable stands for: a node, several, or an attribute's value.

    >>> stands_for((2, 3))
    '(2, 3)'
    """
    if hasattr(value, "abstract"):
        return word(value)
    if isinstance(value, tuple) and value and all(hasattr(v, "abstract") for v in value):
        return f"({', '.join(map(word, value))})"
    return labels.short(repr(value))
