"""Assignment: a value gets a name, or its parts get several."""

import ast
import operator as python

import numpy as np

from .. import errors
from ..dims import settled
from ..infer import UNKNOWN
from ..ir import Node
from ..tensor import Tensor
from .asking import ask, is_object, is_surely_tensor
from .branches import call_it
from .composites import overwritten
from .containers import check_place
from .frame import has_node
from .indexing import with_item
from .operators import is_tensor, python_items
from .reading import evaluate
from .storing import Stored, is_kept
from .unsupported import needs_turns
from .values import Place


def assign(frame, target, value):
    """Give a name, or a tuple of them, a value."""
    if isinstance(target, ast.Name):
        call_it(target.id, value)
        frame.names[target.id] = value
        return
    if isinstance(target, ast.Tuple | ast.List):
        _assign_items(frame, target.elts, _items(frame, target.elts, value))
        return
    frame.current = target
    if isinstance(target, ast.Subscript):
        return assign_item(frame, target, value)
    owner = evaluate(frame, target.value)
    frame.current = target
    return assign_attribute(frame, owner, target.attr, value)


def assign_item(frame, target, value):
    """``x[i] = value``: of a tensor, a new one takes its name; a list or dict is written to."""
    owner, index = evaluate(frame, target.value), evaluate(frame, target.slice)
    frame.current = target
    if is_object(index) or (isinstance(owner, Node) and is_object(owner)):  # a list is not searched
        _set_in_object(frame, owner, index, value)
    elif is_tensor(owner):
        assign(frame, target.value, with_item(frame, owner, index, value))
    elif isinstance(owner, list | dict) and not has_node(settled(index)):
        check_place(frame, owner)
        owner[index] = value
        if type(owner) is dict and (kept := frame.reader.original(owner)) is not None:
            ask(frame, _Setting(kept), [index, value])  # as MindSpore does; of a list it does not
    elif isinstance(owner, np.ndarray) and not has_node((index, value)):
        owner[index] = value
    else:
        raise needs_turns(errors.InvalidType(
            f"'{type(owner).__name__}' object does not support item assignment.",
            given=ast.unparse(target),
        ))  # fmt: skip


def _set_in_object(frame, owner, index, value):
    """``x[i] = value`` where x or i is an Object: from here on x is what it has become.

    A tensor becomes another one, whose gradient is known. Of a list, where Python's other names of
    it see the change, a gradient is refused when it would be wrong.
    """
    if not isinstance(owner, Node):
        raise needs_turns(errors.InvalidSyntax(
            f"A place of a {type(owner).__name__} that is known only when the graph runs.",
            given=ast.unparse(frame.current),
            hint="Use ops.stack and write to the tensor.",
        ))  # fmt: skip
    if is_surely_tensor(owner) or is_surely_tensor(frame.now(owner)):
        new = ask(frame, _with_item, [owner, index, value], pure=True)
    else:
        new = ask(frame, _after_setting, [owner, index, value])
    frame.write(owner, new)


def _with_item(owner, index, value):
    owner = owner.copy()
    owner[index] = value
    return owner


_with_item.gives_a_tensor = True


def _after_setting(owner, index, value):
    owner[index] = value
    return owner


class _Setting:
    """Sets an item of a dict of the program's, which must not be taken apart."""

    def __init__(self, kept):
        self.kept = kept

    def __call__(self, index, value):
        self.kept[index] = value


def assign_attribute(frame, owner, name, value):
    """``owner.name = value``: a Parameter takes the value, any other attribute is it."""
    if isinstance(owner, np.ndarray):  # a constant that is being made
        setattr(owner, name, value)
        return
    old = getattr(owner, name, None)
    if isinstance(old, Tensor) and type(old) is not Tensor:
        _same_shape(old, value)
        frame.write(old, overwritten(frame, old, value))
        return
    place = Place(owner, name)
    if place not in frame.reader.stored and is_kept(old):
        raise Stored(place)
    frame.memory[place] = value
    ask(frame, setattr, [owner, name, value])


def _items(frame, targets, value):
    """The items of what is unpacked; of a Python object, as many as there are names."""
    plain = not any(isinstance(t, ast.Starred) for t in targets)
    if isinstance(value, Node) and value.abstract is UNKNOWN:  # of a recursion that is being read
        return [value] * len(targets)
    if plain and isinstance(value, Node) and is_object(value):
        items = ask(frame, _as_many, [value, len(targets)], pure=True)
        places = range(len(targets))
        return [ask(frame, python.getitem, [items, place], pure=True) for place in places]
    return list(python_items(frame, value))


def _as_many(value, count):
    items = list(value)
    if len(items) != count:
        word = "too many" if len(items) > count else "not enough"
        raise ValueError(f"{word} values to unpack (expected {count}, got {len(items)})")
    return items


def _same_shape(parameter, value):
    one, other = parameter.shape, getattr(value, "shape", ())
    if other not in ((), one):
        words = (", ".join(map(str, shape)) for shape in (other, one))
        raise errors.InvalidValue(
            "For 'Assign','value' must have the same shape as 'variable'. But got 'value' shape: "
            "({}), 'variable' shape: ({}).".format(*words),
            hint="A Parameter keeps its shape.",
        )


def _assign_items(frame, targets, items):
    starred = [i for i, t in enumerate(targets) if isinstance(t, ast.Starred)]
    if starred:
        at, after = starred[0], len(targets) - starred[0] - 1
        middle = items[at : len(items) - after]
        items = [*items[:at], middle, *items[len(items) - after :]]
        targets = [t.value if isinstance(t, ast.Starred) else t for t in targets]
    if len(items) != len(targets):
        word = "too many" if len(items) > len(targets) else "not enough"
        if len(items) < len(targets):
            raise errors.TooFewItems(
                f"TupleGetItem evaluator index should be in range[-{len(items)}, {len(items)}), "
                f"but got {len(items)}.",
                given=f"not enough values to unpack (expected {len(targets)}, got {len(items)})",
            )
        raise errors.InvalidValue(
            f"{word} values to unpack (expected {len(targets)}, got {len(items)})"
        )
    for target, item in zip(targets, items, strict=True):
        assign(frame, target, item)
