"""An if on a tensor: both arms are read on copies of the names; what they changed is joined.

Names that cannot be joined become unusable and say why when they are read.
"""

from typing import NamedTuple

import numpy as np

from .. import errors, primitive
from ..infer import AbstractTensor, join
from ..ir import IF, Node, unpacked
from .frame import CODE, RESULT, RETURN, VALUE, Exit
from .scope import align
from .values import (
    LEAF,
    Choice,
    Closure,
    Unusable,
    cannot_join,
    put_together,
    same_constant,
    take_apart,
    type_of,
)


def if_else(frame, condition, then, other):
    """Read both arms (functions of a frame) and leave the joined names in ``frame``."""
    condition = frame.node(condition)
    where = frame.source.where(frame.current)
    arms = [frame.fork(frame.scope.child(word, where)) for word in ("true_branch", "false_branch")]
    then(arms[0])
    other(arms[1])
    outputs = ([], [])
    joined = {}
    for name in _changed(frame, arms):
        joined[name] = _join(name, arms, outputs, condition)
    results = _build(frame, condition, arms, outputs)
    for name, tree in joined.items():
        frame.names[name] = _settle(tree, results)
        call_it(name, frame.names[name])


def chosen(frame, condition, one, other):
    """``if_else`` for an expression: the arms give values; the joined value."""

    def giving(read):
        def arm(inner):
            inner.names[RESULT] = read(inner)

        return arm

    if_else(frame, condition, giving(one), giving(other))
    value = frame.names.pop(RESULT)
    if type(value) is Unusable:
        raise value.error
    return value


def call_it(name, value):
    """Give a node without a name the variable's."""
    if isinstance(value, Node) and value.name is None and value.kind == "call" and name[0] != "<":
        value.name = name


def _changed(frame, arms):
    """Names whose value differs between the arms or from before, the exit code first."""
    before, one, two = frame.names, arms[0].names, arms[1].names
    missing = object()

    def differs(name):
        values = [names.get(name, missing) for names in (before, one, two)]
        return not values[0] is values[1] is values[2]

    names = dict.fromkeys([CODE, VALUE, *one, *two])
    return [n for n in names if (n in one or n in two) and differs(n)]


def _build(frame, condition, arms, outputs):
    if not outputs[0]:
        return []
    scopes = [arm.scope for arm in arms]
    captured = align(scopes, 0)
    for scope, nodes in zip(scopes, outputs, strict=True):
        scope.graph.returns(*nodes)
    operands = scopes[0].operands(captured)
    node = frame.add(IF, (condition, *operands), None, [s.graph for s in scopes])
    return unpacked(frame.scope.graph, node)


class _Output(NamedTuple):
    """A leaf that is result number ``index`` of the If."""

    index: int


class _Joined(NamedTuple):
    """A value whose leaves may be results of the If."""

    tree: object
    leaves: list


def _settle(joined, results):
    """Put results where their numbers stand."""
    if isinstance(joined, Exit):
        return Exit(results[joined.node.index], joined.possible)
    if type(joined) is not _Joined:
        return joined
    leaves = [results[v.index] if type(v) is _Output else v for v in joined.leaves]
    return put_together(joined.tree, iter(leaves))


def _join(name, arms, outputs, condition):
    if name is CODE:
        return _join_codes(arms, outputs)
    one, two = (_value_in(arm, name) for arm in arms)
    gone = [arm.names[CODE] == RETURN for arm in arms]
    if name is VALUE:
        gone = [isinstance(v, Unusable) for v in (one, two)]
    if isinstance(one, Unusable) or isinstance(two, Unusable) or any(gone):
        return _join_one_missing(name, arms, (one, two), gone, outputs)
    if one is two:
        return one
    if any(isinstance(v, Closure | Choice) or callable(v) for v in (one, two)):
        return Choice(condition, one, two)
    return _join_trees(name, arms, (one, two), outputs)


def _value_in(arm, name):
    if name in arm.names:
        return arm.names[name]
    return Unusable(None)


def _join_codes(arms, outputs):
    one, two = (arm.names[CODE] for arm in arms)
    if one is two or (type(one) is int and one == two):
        return one
    possible = set()
    nodes = []
    for arm, code in zip(arms, (one, two), strict=True):
        possible |= code.possible if isinstance(code, Exit) else {code}
        nodes.append(arm.node(code.node if isinstance(code, Exit) else code))
    return Exit(_output(outputs, nodes), possible)


def _output(outputs, nodes):
    for into, node in zip(outputs, nodes, strict=True):
        into.append(node)
    return _Output(len(outputs[0]) - 1)


def _join_one_missing(name, arms, values, gone, outputs):
    """One arm has no value, or has returned and nobody reads it: zeros stand in where needed."""
    have = [not isinstance(v, Unusable) for v in values]
    if not any(have):
        return values[0]
    if all(gone):
        return values[0] if values[0] is values[1] else Unusable(None)
    if any(gone):
        kept = gone.index(False) if name is not VALUE else have.index(True)
        return _with_zeros(arms, values[kept], kept, outputs)
    words = ("true", "false")
    missing = have.index(False)
    return undefined(name, words[missing], words[1 - missing])


def _with_zeros(arms, value, kept, outputs):
    """``value`` from the arm ``kept``; the other arm gives zeros that the exit code guards."""
    if isinstance(value, Unusable):
        return value
    leaves = []
    tree = take_apart(value, leaves)
    found = []
    for leaf in leaves:
        if not isinstance(leaf, Node):
            found.append(leaf)
            continue
        nodes = [None, None]
        nodes[kept] = arms[kept].node(leaf)
        nodes[1 - kept] = zeros(arms[1 - kept], leaf.abstract)
        found.append(_output(outputs, nodes))
    return _Joined(tree, found)


def zeros(frame, abstract):
    """A constant of a type, never read: an exit code guards it."""
    if not isinstance(abstract, AbstractTensor):
        raise errors.InvalidType(
            "This value cannot be carried out of a loop or branch.", given=str(abstract)
        )
    if abstract.weak:
        return frame.scope.graph.constant(abstract.number(0))
    return frame.scope.graph.constant(np.zeros(abstract.shape, abstract.dtype.numpy))


def _join_trees(name, arms, values, outputs):
    parts = ([], [])
    trees = [take_apart(v, leaves) for v, leaves in zip(values, parts, strict=True)]
    if not _same_tree(*trees):
        return _unjoinable(name, errors.InvalidType(
            f"Cannot join {_what(name)}: they are built differently.",
            given=f"{_sketch(values[0])} and {_sketch(values[1])}",
            hint="Give both branches the same tuple, list or dict of tensors.",
        ))  # fmt: skip
    found = []
    for pair in zip(*parts, strict=True):
        leaf = pair[0] if same_constant(*pair) else _join_leaves(name, arms, pair, outputs)
        if isinstance(leaf, Unusable):
            return leaf
        found.append(leaf)
    return _Joined(trees[0], found)


def _sketch(value):
    return "None" if value is None else type(value).__name__


def _same_tree(one, two):
    if one is LEAF or two is LEAF or one[0] == "constant" or two[0] == "constant":
        return one is two or (one is not LEAF and two is not LEAF and one[:2] == two[:2])
    return (
        one[:2] == two[:2] and len(one[2]) == len(two[2]) and all(map(_same_tree, one[2], two[2]))
    )


def _join_leaves(name, arms, pair, outputs):
    types = [type_of(v) for v in pair]
    kind = join(*types)
    if kind is None:
        return _unjoinable(name, cannot_join(*types, _what(name)))
    nodes = [as_type(arm, value, kind) for arm, value in zip(arms, pair, strict=True)]
    return _output(outputs, nodes)


def _what(name):
    if name is VALUE:
        return "the return values of different branches"
    return f"the values of '{name}' in different branches"


def undefined(name, branch, other):
    """MindSpore's message for a name that only one branch gives a value."""
    return Unusable(
        errors.UnboundName(
            f"The local variable '{name}' is not defined in {branch} branch, "
            f"but defined in {other} branch.",
            hint=f"Give '{name}' a value before the if, or in both branches.",
        )
    )


def _unjoinable(name, error):
    if name is VALUE:
        raise error
    return Unusable(error)


def as_type(frame, value, abstract):
    """A node of ``value``; a number that meets a more general kind becomes one of that kind."""
    if isinstance(abstract, AbstractTensor) and abstract.weak:
        if not isinstance(value, Node):
            return frame.node(abstract.number(value))
        if value.abstract is not abstract:
            return frame.add(primitive.slot_op("*"), (value, abstract.number(1)))
    return frame.node(value)
