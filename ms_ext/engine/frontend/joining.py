"""Two values become one behind a branch: which joins are possible, and what is said of the others.

The leaves that differ become results of the If; names that cannot be joined become unusable, and
say why when they are read.
"""

from typing import NamedTuple

import numpy as np

from .. import errors, primitive
from ..dims import Dim
from ..infer import OBJECT, AbstractTensor, join
from ..ir import Node
from .asking import ask, is_object
from .frame import CODE, RETURN, VALUE, Exit
from .values import (
    CANNOT_JOIN,
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


class _Output(NamedTuple):
    """A leaf that is result number ``index`` of the If."""

    index: int


class _Joined(NamedTuple):
    """A value whose leaves may be results of the If."""

    tree: object
    leaves: list


def settle(joined, results):
    """Put results where their numbers stand."""
    if isinstance(joined, Exit):
        return Exit(results[joined.node.index], joined.possible)
    if type(joined) is not _Joined:
        return joined
    leaves = [results[v.index] if type(v) is _Output else v for v in joined.leaves]
    return put_together(joined.tree, iter(leaves))


def join_values(name, arms, outputs, condition):
    """What a name of both arms is behind them; what the If must give for it goes to ``outputs``."""
    if name is CODE:
        return _join_codes(arms, outputs)
    one, two = (arm.recall(name) for arm in arms)
    gone = [type(name) is str and arm.names[CODE] == RETURN for arm in arms]
    if name is VALUE:
        gone = [isinstance(v, Unusable) for v in (one, two)]
    if isinstance(one, Unusable) or isinstance(two, Unusable) or any(gone):
        return _join_one_missing(name, arms, (one, two), gone, outputs)
    if one is two:
        return one
    if any(isinstance(v, Closure | Choice) or callable(v) for v in (one, two)):
        return Choice(condition, one, two)
    return _join_trees(name, arms, (one, two), outputs)


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
    if abstract is OBJECT:
        return frame.scope.graph.constant(None, OBJECT)
    if not isinstance(abstract, AbstractTensor):
        raise errors.InvalidType(
            "This value cannot be carried out of a loop or branch.", given=str(abstract)
        )
    if abstract.weak:
        return frame.scope.graph.constant(abstract.number(0))
    if abstract.sizes is not None:
        attrs = {"size": abstract.shape, "dtype": abstract.dtype}
        return frame.add(primitive.OPS["Zeros"], (), attrs)
    return frame.scope.graph.constant(np.zeros(abstract.shape, abstract.dtype.numpy))


def _join_trees(name, arms, values, outputs):
    parts = ([], [])
    trees = [take_apart(v, leaves) for v, leaves in zip(values, parts, strict=True)]
    if not _same_tree(*trees):
        if _any_of(arms[0].reader.strict, *values):
            return _as_objects(arms, values, outputs)
        return _unjoinable(name, errors.InvalidType(
            f"{CANNOT_JOIN} {_what(name)}They are built differently.",
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


def _any_of(strict, one, other):
    """Whether it may be known when the graph runs which of two values it is.

    None or something else, and tuples or lists of two lengths: Python has what it is by then.
    """
    if one is None or other is None:
        return not strict
    return type(one) is type(other) and isinstance(one, tuple | list)


def _as_objects(arms, values, outputs):
    nodes = [as_type(arm, value, OBJECT) for arm, value in zip(arms, values, strict=True)]
    return _Joined(LEAF, [_output(outputs, nodes)])


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
    kind = None if _numbers_differ(*types) else join(*types) or _of_any_shape(*types)
    if kind is None:
        return _unjoinable(name, cannot_join(*types, _what(name)))
    nodes = [as_type(arm, value, kind) for arm, value in zip(arms, pair, strict=True)]
    return _output(outputs, nodes)


def _numbers_differ(one, other):
    """Whether both are Python numbers, of two kinds."""
    one, other = getattr(one, "number", None), getattr(other, "number", None)
    return one is not other and None not in (one, other)


def _of_any_shape(one, other):
    """Two tensors of one dtype that differ in shape meet as an Object: which it is, is known when
    the graph runs, and Python calculates with it."""
    tensors = isinstance(one, AbstractTensor) and isinstance(other, AbstractTensor)
    same = tensors and one.dtype is other.dtype and not (one.weak or other.weak)
    return OBJECT if same else None


def _what(name):
    return f"'{name}': " if type(name) is str and name[0] != "<" else ""


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


def _itself(value):
    return value


_itself.reason = "it has another shape in the other branch"


def as_type(frame, value, abstract):
    """A node of ``value``; a number that meets a more general kind becomes one of that kind."""
    if abstract is OBJECT:
        return frame.node(value) if is_object(value) else ask(frame, _itself, [value], pure=True)
    if isinstance(abstract, AbstractTensor) and abstract.weak:
        if type(value) is Dim:
            value = frame.node(value)
        if not isinstance(value, Node):
            return frame.node(abstract.number(value))
        if value.abstract is not abstract:
            return frame.add(primitive.slot_op("*"), (value, abstract.number(1)))
    return frame.node(value)
