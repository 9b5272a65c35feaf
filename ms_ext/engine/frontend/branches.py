"""An if on a tensor: both arms are read on copies of the names; what they changed is joined.

Names that cannot be joined become unusable and say why when they are read.
"""

from ..ir import IF, Node, unpacked
from .frame import CODE, RESULT, VALUE
from .joining import join_values, settle
from .names import in_order, touched
from .scope import align
from .values import (
    Unusable,
)


def if_else(frame, condition, then, other):
    """Read both arms (functions of a frame) and leave the joined names in ``frame``."""
    condition = frame.node(condition)
    where = frame.source.where(frame.current)
    arms = [frame.fork(frame.scope.child(word, where)) for word in ("true_branch", "false_branch")]
    then(arms[0])
    other(arms[1])
    outputs = ([], [])
    joined = {name: join_values(name, arms, outputs, condition) for name in _changed(frame, arms)}
    for key in frame.written_inside(*arms):  # joining may have asked Python: the State comes last
        joined[key] = join_values(key, arms, outputs, condition)
    results = _build(frame, condition, arms, outputs)
    for key, tree in joined.items():
        value = frame.store(key)[key] = settle(tree, results)
        call_it(key, value)


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
    if isinstance(value, Node) and value.name is None and value.kind == "call":
        name = name if type(name) is str else getattr(name, "name", None)
        if name and name[0] != "<":
            value.name = name


def _changed(frame, arms):
    """Names whose value differs between the arms or from before, the exit code first."""
    before, one, two = frame.names, arms[0].names, arms[1].names
    missing = object()

    def differs(name):
        values = [names.get(name, missing) for names in (before, one, two)]
        return not values[0] is values[1] is values[2]

    names = dict.fromkeys([CODE, VALUE, *touched(one), *touched(two)])
    found = [n for n in names if (n in one or n in two) and differs(n)]
    return sorted(in_order(before, found), key=lambda n: n not in (CODE, VALUE))


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
