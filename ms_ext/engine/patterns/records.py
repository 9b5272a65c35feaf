"""What did a pass do, and where did it almost? Matches, refusals, and the sentences they make.

What is kept while a pass runs are a few references; plain data is made when somebody looks.
"""

from typing import NamedTuple

from ..ir import Node


class NodeId(int):
    """The id of a node: an int that is not mistaken for an attribute's value.

    >>> NodeId(7) == 7, type(7) is NodeId
    (True, False)
    """

    __slots__ = ()


class Match(NamedTuple):
    """A rewriting: the ids of the root, of what the variables stood for, of nodes that went and
    came."""

    root: int
    bindings: dict  # variable -> NodeId, tuple of NodeIds, or the value of an attribute
    removed: tuple
    added: tuple
    rule: str


class Refusal(NamedTuple):
    """A place where the root fitted and something else did not.

    Where it was an operand: ``at`` is its id, ``position`` its place, from 0, and ``user`` the id
    of the call that has it. Where it was a call inside the pattern, ``user`` alone says which.
    """

    root: int
    code: str
    data: tuple
    rule: str = ""
    at: int | None = None
    position: int | None = None
    user: int | None = None

    def sentence(self):
        """Why not.

        >>> Refusal(7, "operand", ("Add", "", 1, "Mul", "Neg", None)).sentence()
        'Add matched, but its second operand is Mul, not Neg.'
        """
        return _SENTENCES[self.code](*self.data)


class Record:
    """What is kept while a pass runs with somebody watching."""

    def __init__(self):
        self._matches, self._refusals = [], {}

    def matched(self, rule, root, found, removed, added):
        """Note a rewriting; ``found``: what the variables stood for, or the places of the rule."""
        self._refusals.pop((rule, root.id), None)
        self._matches.append((rule, root, found, removed, added))

    def refused(self, rule, root, code, *data):
        """Note a place that was looked at and left alone; a later answer counts more."""
        self._refusals[rule, root.id] = (root, code, data)

    def matches(self):
        """The rewritings, in order."""
        return [_match(*raw) for raw in self._matches]

    def refusals(self):
        """The places that were left alone in the end."""
        return [
            Refusal(
                root.id, code, _DATA.get(code, _plain)(root, *data), str(rule), *_spot(code, data)
            )
            for (rule, _), (root, code, data) in self._refusals.items()
        ]


def _match(rule, root, found, removed, added):
    if isinstance(found, list):
        found = {name: found[at] for name, at in rule.matcher.places.items()}
    named = {name: _plain_value(value) for name, value in found.items()}
    return Match(
        root.id, named, tuple(n.id for n in removed), tuple(n.id for n in added), str(rule)
    )


def _plain_value(value):
    if isinstance(value, Node):
        return NodeId(value.id)
    nodes = isinstance(value, tuple) and any(isinstance(v, Node) for v in value)
    return tuple(NodeId(v.id) for v in value) if nodes else value


def _plain(_root, *data):
    return data


def _spot(code, data):
    """(id of the operand that did not fit, its position, id of the call that has it)."""
    if code in ("operand", "constant", "same", "condition"):
        user, inputs, index, _ = data
        return (inputs[index].id if index < len(inputs) else None), index, user.id
    return None, None, data[0].id if code in ("count", "attribute") else None


def described(node):
    """A node in a sentence: its op, or what else it is.

    >>> from ms_ext.engine.ir import FuncGraph
    >>> described(FuncGraph("g").constant(2.0))
    'the constant 2.0'
    """
    if node.kind == "call":
        return node.primitive.name
    if node.kind == "parameter":
        return f"the parameter {node.name}"
    return f"the constant {node.value}" if node.shape == () else f"a constant {node.abstract}"


def ordinal(index):
    """ "first", "second", ... of an index."""
    words = ("first", "second", "third", "fourth", "fifth", "sixth")
    return words[index] if index < len(words) else f"{index + 1}th"


# how references become data, per code -------------------------------------------------------------
# The operands are those of the moment: later passes may have changed the node.


def _whose(root, parent):
    return root.primitive.name, "" if parent is root else parent.primitive.name


def _operand_data(root, parent, inputs, index, wanted):
    names = [described(n) for n in inputs]
    other = names.index(wanted) if wanted in names else None
    return *_whose(root, parent), index, names[index], wanted, other


def _constant_data(root, parent, inputs, index, wanted):
    return *_whose(root, parent), index, described(inputs[index]), str(wanted)


def _variable_data(root, parent, _inputs, index, name):
    return *_whose(root, parent), index, name


def _count_data(root, node, inputs, _index, wanted):
    return root.primitive.name, node.primitive.name, len(inputs), wanted


def _attribute_data(root, node, _inputs, key, wanted):
    return root.primitive.name, node.primitive.name, key, str(node.attributes.get(key)), str(wanted)


def _type_data(root, given, wanted):
    return root.primitive.name, str(given), str(wanted)


def _no_data(root):
    return (root.primitive.name,)


_DATA = {
    "operand": _operand_data, "constant": _constant_data, "same": _variable_data,
    "condition": _variable_data, "count": _count_data, "attribute": _attribute_data,
    "type": _type_data, "no": _no_data,
}  # fmt: skip


# how data becomes a sentence ----------------------------------------------------------------------


def _place(parent, index):
    return (
        f"the {ordinal(index)} operand of {parent}" if parent else f"its {ordinal(index)} operand"
    )


def _operand(root, parent, index, found, wanted, other):
    turned = (
        f" {wanted} is its {ordinal(other)} operand: order counts." if other is not None else ""
    )
    return f"{root} matched, but {_place(parent, index)} is {found}, not {wanted}.{turned}"


def _constant(root, parent, index, found, wanted):
    return f"{root} matched, but {_place(parent, index)} is {found}, not the constant {wanted}."


def _same(root, parent, index, name):
    return f"{root} matched, but {_place(parent, index)} is another value than the {name} before."


def _condition(root, parent, index, name):
    return f"{root} matched, but the condition of {name} refused {_place(parent, index)}."


def _count(root, node, found, wanted):
    return f"{root} matched, but {node} has {found} operands, not {wanted}."


def _attribute(root, node, key, found, wanted):
    return f"{root} matched, but {key} of {node} is {found}, not {wanted}."


def _type(root, given, wanted):
    return f"{root} matched, but the target would be {given} where {root} is {wanted}."


def _no(root):
    return f"{root} matched, but the condition of the pass says no."


def _other_primitive(found, wanted):
    return f"{found} is not {wanted}: it is another primitive."


def _said(sentence):
    return sentence


_SENTENCES = {
    "operand": _operand, "constant": _constant, "same": _same, "condition": _condition,
    "count": _count, "attribute": _attribute, "type": _type, "primitive": _other_primitive,
    "when": _said, "said": _said, "no": _no,
}  # fmt: skip
