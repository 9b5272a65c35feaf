"""Does a pattern occur at this node? Looked for from the output inwards, one small step at a time.

A pattern is compiled into steps once. A step looks at one operand: it appends what it found to the
places and returns None, or returns why not. Operands keep their order (nothing is commutative),
primitives are compared by name.

>>> from ms_ext import ops
>>> matcher = compiled(pattern.read(lambda x, y: ops.Add(x, ops.Neg(y))))
>>> matcher.root, len(matcher.steps), matcher.places
('Add', 3, {'y': 2, 'x': 3})
"""

from dataclasses import dataclass
from typing import NamedTuple

from .. import errors
from ..ir import CNode
from . import pattern
from .pattern import Call, Const, Rest, Var


class Look(NamedTuple):
    """What a step looks at, for who wants to tell: not needed to match."""

    part: object  # the Call, Var, Rest or Const; for an attribute or a count the Call it is of
    at: int  # the place of the call whose operand or attribute it is
    index: object  # number of the operand, name of the attribute, or None: how many operands


@dataclass(frozen=True, eq=False, slots=True)
class Matcher:
    """A compiled pattern. ``places``: variable or label -> position in the list of what was
    found."""

    pattern: Call
    steps: tuple
    places: dict
    calls: tuple  # positions of the matched calls, the root first
    inner: tuple  # the same without the root
    values: frozenset  # variables that stand for an attribute's value
    size: int  # how many places a match fills
    depth: int
    looks: tuple  # a Look for each step

    @property
    def root(self):
        """The name of the primitive at the output."""
        return self.pattern.name


def compiled(root):
    """The steps that look for ``root``."""
    if not isinstance(root, Call):
        raise errors.InvalidType(
            "A pattern must have an op call at its output.",
            given=repr(root),
            hint="def source(x, y): return ops.Add(x, ops.Neg(y))",
        )
    writer = _Writer()
    writer.count(root, 0)
    depth = writer.call(root, 0)
    return Matcher(
        root, tuple(writer.steps), writer.places, tuple(writer.calls), tuple(writer.calls[1:]),
        frozenset(writer.values), writer.found, depth, tuple(writer.looks),
    )  # fmt: skip


class _Writer:
    """Steps in the order of a walk from the output inwards."""

    def __init__(self):
        self.steps, self.places, self.calls, self.found = [], {}, [], 1
        self.looks, self.values = [], set()

    def step(self, step, *look):
        """Append a step and what it looks at."""
        self.steps.append(step)
        self.looks.append(Look(*look))

    def call(self, call, at):
        """The steps for a call found at place ``at``; how deep it is."""
        self.calls.append(at)
        if call.label:
            self.places[call.label] = at
        depth = 0
        for key, value in call.attrs.items():
            self.attribute(call, at, key, value)
        for index, part in sorted(enumerate(call.inputs), key=_likely_to_fit):
            depth = max(depth, self.operand(part, at, index))
        return depth + 1

    def operand(self, part, at, index):
        if isinstance(part, Call):
            self.step(_call(at, index, part.name), part, at, index)
            place = self.next()
            self.count(part, place)
            return self.call(part, place)
        if isinstance(part, Const):
            self.step(_constant(at, index, part.value), part, at, index)
            self.next()
        elif part.name in self.places:
            self.step(_same(at, index, self.places[part.name], part.name), part, at, index)
        else:
            made = _rest(at, index, part) if isinstance(part, Rest) else _bind(at, index, part)
            self.step(made, part, at, index)
            self.places[part.name] = self.next()
        return 0

    def count(self, call, at):
        """A step for the number of operands, unless every call of the op has that many."""
        rest = [isinstance(part, Rest) for part in call.inputs]
        if any(rest[:-1]):
            raise errors.InvalidValue("The rest of the operands must come last.", given=repr(call))
        if any(rest):
            self.step(_counted(at, len(rest) - 1, 1 << 30), call, at, None)
        elif call.primitive.arity != len(rest):
            self.step(_counted(at, len(rest), len(rest)), call, at, None)

    def attribute(self, call, at, key, value):
        default = dict(call.primitive.attributes).get(key)
        self.values |= {value.name} if isinstance(value, Var) else set()
        if not isinstance(value, Var):
            self.step(_attribute(at, key, value, default), call, at, key)
        elif value.name in self.places:
            known = self.places[value.name]
            self.step(_same_attribute(at, key, known, default), call, at, key)
        else:
            self.step(_bind_attribute(at, key, default), call, at, key)
            self.places[value.name] = self.next()

    def next(self):
        self.found += 1
        return self.found - 1


def _likely_to_fit(numbered):
    """Constants and calls are looked at before variables: they decide."""
    return isinstance(numbered[1], Var | Rest)


# steps: places -> None, or (code, parent, index, what was wanted) ---------------------------------


def _counted(at, least, most):
    def step(places):
        if not least <= len(places[at].inputs) <= most:
            return "count", places[at], 0, least

    return step


def _call(parent, index, name):
    def step(places):
        node = places[parent].inputs[index]
        if type(node) is not CNode or node.primitive.name != name:
            return "operand", places[parent], index, name
        places.append(node)

    return step


def _bind(parent, index, variable):
    accepts = variable.accepts

    def bind(places):
        places.append(places[parent].inputs[index])

    def bind_if(places):
        node = places[parent].inputs[index]
        if not accepts(node):
            return "condition", places[parent], index, variable.name
        places.append(node)

    return bind_if if accepts else bind


def _rest(parent, index, variable):
    accepts = variable.accepts

    def step(places):
        nodes = places[parent].inputs[index:]
        if accepts and not accepts(nodes):
            return "condition", places[parent], index, variable.name
        places.append(nodes)

    return step


def _same(parent, index, place, name):
    def step(places):
        found, known = places[parent].inputs, places[place]
        if found[index:] != known if isinstance(known, tuple) else found[index] is not known:
            return "same", places[parent], index, name

    return step


def _constant(parent, index, value):
    def step(places):
        node = places[parent].inputs[index]
        if node.kind != "constant" or not pattern.equals_constant(value, node.value):
            return "constant", places[parent], index, value
        places.append(node)

    return step


def _attribute(at, key, value, default):
    def step(places):
        if not pattern.same_value(places[at].attributes.get(key, default), value):
            return "attribute", places[at], key, value

    return step


def _bind_attribute(at, key, default):
    def step(places):
        places.append(places[at].attributes.get(key, default))

    return step


def _same_attribute(at, key, place, default):
    def step(places):
        if not pattern.same_value(places[at].attributes.get(key, default), places[place]):
            return "attribute", places[at], key, places[place]

    return step
