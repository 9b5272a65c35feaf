"""How is a target written into the graph? By following a plan, or by calling the function.

A target that only calls ops is read once, like a source, and written by following that. One that
asks for shapes, dtypes or attribute values is called at every match with symbols of the matched
nodes.
"""

from operator import itemgetter

from .. import errors, primitive
from ..ir import Node
from ..symbol import Builder, Symbol
from . import pattern
from .pattern import Call, Const, Rest, Untyped

# read once ----------------------------------------------------------------------------------------


def read_target(target, known, matcher):
    """The target as a pattern, or None if it must be called with the matched nodes."""
    mine = pattern.variables(target)
    if matcher.values or not mine.keys() <= known.keys():
        return None
    try:
        return pattern.read(target, known)
    except Untyped:
        return None


def follower(plan, matcher):
    """``build(graph, places)`` that writes ``plan``, line by line."""
    writer = _Writer(matcher)
    result, lines, size = writer.place(plan), tuple(writer.lines), matcher.size
    if len(lines) == 1 and isinstance(plan, Call):
        return _one_line(lines[0])

    def build(graph, places):
        values = [*places]
        for write in lines:
            values.append(write(graph, values))
        return values[result], [node for node in values[size:] if node.kind == "call"]

    return build


def _one_line(write):
    def build(graph, places):
        node = write(graph, places)
        return node, (node,)

    return build


class _Writer:
    """One line for each constant and call of a plan; a line's result is the next place."""

    def __init__(self, matcher):
        self.places, self.size, self.lines = matcher.places, matcher.size, []

    def place(self, part):
        """Where the value of ``part`` will stand."""
        if not isinstance(part, Call | Const):
            return self.known(part)
        self.lines.append(_constant(part.value) if isinstance(part, Const) else self.call(part))
        return self.size + len(self.lines) - 1

    def known(self, part):
        if part.name not in self.places:
            raise errors.InvalidValue(
                f"The target uses {part.name!r}, which the source does not.",
                hint=errors.did_you_mean(part.name, self.places),
            )
        return self.places[part.name]

    def call(self, call):
        """The line of a call, after those of its operands."""
        operands = [self.place(part) for part in call.inputs]
        several = [isinstance(part, Rest) for part in call.inputs]
        if any(several):
            return _variadic(call.primitive, operands, several, call.attrs or None)
        return _plain(call.primitive, operands, call.attrs or None)


def _constant(value):
    return lambda graph, values: graph.constant(value)


def _plain(op, operands, attrs):
    inputs = picker(operands)

    def write(graph, values):
        root = values[0]
        return graph.add(op, inputs(values), attrs, where=root.where, origin=root.id)

    return write


def picker(at):
    """A function that takes the values at these places out of a list, as a tuple.

    >>> picker([2, 0])("abc"), picker([1])("abc"), picker([])("abc")
    (('c', 'a'), ('b',), ())
    """
    if len(at) > 1:
        return itemgetter(*at)
    return lambda values: tuple([values[i] for i in at])


def _variadic(op, operands, several, attrs):
    def write(graph, values):
        inputs = []
        for at, rest in zip(operands, several, strict=True):
            inputs.extend(values[at] if rest else (values[at],))
        return graph.add(op, inputs, attrs, where=values[0].where, origin=values[0].id)

    return write


# called at every match ----------------------------------------------------------------------------


def caller(target, arguments):
    """``build(graph, places)`` that calls ``target`` with symbols of the matched nodes."""

    def build(graph, places):
        made, root = [], places[0]
        builder = Builder(graph, where=root.where, origin=root.id)

        def write(op, operands, attributes):
            return noted(builder(op, operands, attributes))

        def noted(value):
            made.extend([s.node for s in _symbols(value) if s.node not in places])
            return value

        with primitive.interpreting(write):
            given = [noted(_wrapped(builder, value)) for value in arguments(places)]
            return builder.node(target(*given)), made

    return build


def _symbols(value):
    values = value if isinstance(value, tuple) else (value,)
    return [v for v in values if isinstance(v, Symbol)]


def _wrapped(builder, value):
    """A matched node as a symbol; an attribute's value as it is."""
    if isinstance(value, Node):
        return builder.wrap(value)
    if isinstance(value, tuple) and value and all(isinstance(v, Node) for v in value):
        return tuple(map(builder.wrap, value))
    return value
