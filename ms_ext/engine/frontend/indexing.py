"""``x[index]`` and ``x[index] = value``, read: which of it is known now, which when the graph runs?

An index that Python knows is an attribute of GetItem or TensorSet. Tensors in it are operands (see
``ops.dynamic``); where their elements decide how many there will be, Python is asked.
"""

import operator as python

from .. import errors, primitive
from ..dims import settled
from ..ir import Node
from ..tensor import Tensor
from .asking import ask, is_object
from .calls import call_value
from .frame import has_node
from .operators import call_op, is_tensor
from .unsupported import needs_turns
from .values import is_leaf
from .words import shown, typed


def item(frame, owner, index):
    """``owner[index]``."""
    if is_object(index) or (isinstance(owner, Node) and is_object(owner)):  # a list is not searched
        return ask(frame, python.getitem, [owner, index], pure=True)
    if is_tensor(owner):
        return _item_of_tensor(frame, owner, index)
    if has_node(settled(index)):
        return _item_by_a_node(frame, owner, index)
    return _item_of_python(owner, index)


def _item_by_a_node(frame, owner, index):
    """A list or tuple by what only the running graph knows; a loop's counter is known in turns."""
    if isinstance(index, Node) and not index.abstract.weak:
        if frame.reader.strict and isinstance(owner, tuple):
            raise errors.InvalidType(
                "When JIT_SYNTAX_LEVEL is STRICT, using Tensor index to get value from tuple "
                "requires that all elements in tuple should be function but got tuple abstract: "
                f"{typed(owner)}",
                hint="Use ops.stack and index the tensor.",
            )
        return ask(frame, python.getitem, [owner, index], pure=not frame.reader.strict)
    raise needs_turns(errors.InvalidSyntax(
        f"A {type(owner).__name__} cannot be indexed by a tensor while the graph is built.",
        hint="Use ops.stack and index the tensor.",
    ))  # fmt: skip


def _item_of_python(owner, index):
    """A part of what Python knows; MindSpore's errors for an index or key that is not there."""
    word = {tuple: "TupleGetItem", list: "list_getitem"}.get(type(owner))
    size = len(owner) if word else 0
    if type(owner) is tuple and not owner and type(index) is int:
        raise errors.InvalidValue(
            "For primitive:'TupleGetItem', cannot get item by index from an empty sequence.",
            hint="Test its length first: `if len(xs) > 0`.",
        )
    if word and type(index) is int and not -size <= index < size:
        raise errors.InvalidIndex(
            f"{word} evaluator index should be in range[-{size}, {size}), but got {index}."
        )
    if word and isinstance(index, float | str):
        raise errors.NotAnIndex(
            f"{word} evaluator index should be an int64 number, but got {index!r}"
        )
    if type(owner) is dict and index not in owner:
        raise errors.MissingKey(f"The key {index} does not exist in the dict:{shown(owner)}")
    return owner[index]


def _item_of_tensor(frame, owner, index):
    from ...ops import dynamic, index_parts

    if isinstance(index, str):
        raise _no_index(index)
    parts, given = _apart(frame, index)
    if not given:
        return call_op(frame, primitive.slot_op("getitem"), (owner, parts), {})
    if index_parts.chooses_a_shape(parts, given):
        return ask(frame, _picked, [owner, parts, given], pure=True)
    return call_value(frame, dynamic.item_at, [owner, parts, given], {})


def _picked(owner, parts, given):
    from ...ops import index_parts

    return owner[index_parts.filled(parts, given)]


_picked.gives_a_tensor = True


def with_item(frame, owner, index, value):
    """A tensor like ``owner`` in which ``owner[index]`` is ``value``."""
    from ...ops import dynamic

    value = _a_tensor(frame, value)
    parts, given = _apart(frame, index)
    if given:
        return call_value(frame, dynamic.with_item, [owner, parts, given, value], {})
    return call_op(frame, primitive.slot_op("setitem"), (owner, value), {"index": parts})


def _apart(frame, index):
    """(the index with "#n" for what only the running graph knows, that); else (the index, [])."""
    from ...ops import index_parts

    parts, found = index_parts.apart(index)
    if not found:
        return (parts if isinstance(index, list) else index), []
    given, settled = [], []
    for value in found:
        if type(value) is Tensor and not frame.varies(value):
            settled.append(value.asnumpy())
        else:  # a node, or a Parameter, which changes
            settled.append(f"#{len(given)}")
            given.append(frame.node(value))
    return index_parts.filled(parts, settled), given


def _a_tensor(frame, value):
    """What is set, as an operand: numbers and lists of them too."""
    if isinstance(value, tuple | list):
        if not has_node(value):
            return Tensor(value)
        return call_op(frame, primitive.NAMES["stack"], (value,), {})
    if value is None:
        raise errors.InvalidType(
            "only support numbers, Tensor, tuple, list as value, but got None with type "
            f"{type(value)}",
            hint="Give the number that the place is to hold.",
        )
    if not is_leaf(value):
        raise _no_index(value)
    return value


def _no_index(value):
    return errors.NotAnIndex(
        f"Unsupported Python object type received: {type(value)}. Supported types for tensor "
        "indexing are: list, int, float, tuple, slice, ellipsis, None, array, bool, or Tensor. "
        f"Received value: {value!r:.60}"
    )
