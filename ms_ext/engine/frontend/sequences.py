"""What Python's builtins mean on sequences: how long they are, their sum, their largest item."""

import builtins

import numpy as np

from .. import errors, primitive
from ..dims import Dim
from ..ir import Node
from ..tensor import Tensor
from .asking import ask, is_object, weak
from .calls import call_value, handles
from .operators import call_op, is_tensor, operator, python_items, truth_value
from .values import Range
from .words import no_attribute, typed


def reading(plain, listed=None):
    """Declare what a builtin means on items: of a container that holds Objects, these are items.

    If an iterable is itself an Object, Python is asked for ``listed``, or ``plain``, of it.
    """

    def enter(meaning):
        def whole(frame, args, kwargs):
            if any(isinstance(each, Node) and is_object(each) for each in args):
                return ask(frame, listed or plain, args, kwargs, again=True)
            return meaning(frame, args, kwargs)

        whole.takes_objects = True
        return handles(plain)(whole)

    return enter


def _listing(kind, plain):
    """``plain`` whose answer is a list or tuple: an iterator can be gone through only once."""

    def listed(*args, **kwargs):
        return kind(plain(*args, **kwargs))

    listed.__name__ = plain.__name__
    return listed


@handles(builtins.range)
def _range(frame, args, kwargs):
    if not any(isinstance(bound, Tensor | Node | Dim) for bound in args):
        return _constant_range(args)
    start, stop, step = {1: (0, *args, 1), 2: (*args, 1), 3: tuple(args)}[len(args)]
    return Range(start, stop, step)


def _constant_range(bounds):
    for position, bound in enumerate(bounds):
        if not isinstance(bound, int):
            raise errors.InvalidType(
                f"For 'make_range', the {position}th input should be a int scalar but got "
                f"{bound!r:.60}."
            )
    if len(bounds) == 3 and bounds[2] == 0:
        raise errors.InvalidSyntax("For 'range', the argument 'step' could not be 0.")
    return range(*bounds)


@reading(builtins.len)
def _len(frame, args, kwargs):
    (value,) = args
    if not isinstance(value, Node):
        return _length(frame, value)
    if not value.shape:
        raise errors.InvalidType(
            "Not support len of a 0-D tensor.", hint="A tensor without axes has no rows."
        )
    return value.shape[0]


def _length(frame, value):
    """``len`` of what Python knows; for fullgraph a text has none, as on MindSpore."""
    if not hasattr(value, "__len__") or (frame.reader.strict and isinstance(value, str)):
        raise no_attribute(frame, value, "__len__")
    return len(value)


def _list_of(frame, value):
    if isinstance(value, str):
        _length(frame, value)
    return value.tolist() if isinstance(value, np.ndarray) else python_items(frame, value)


@reading(builtins.sum)
def _sum(frame, args, kwargs):
    if isinstance(args[0], int | float):
        raise errors.InvalidType(f"{typed(args[0])} object is not iterable.")
    items = python_items(frame, args[0])
    total = args[1] if len(args) > 1 else kwargs.get("start", 0)
    for item in items:
        total = operator(frame, "+", (total, item))
    return total


def _extreme(name, plain):
    def meaning(frame, args, kwargs):
        for word in kwargs:
            raise errors.InvalidSyntax(
                f"Got an unexpected keyword argument '{word}'",
                hint=f"Graph mode has {plain.__name__} without keywords; with a key, take the "
                "first or last of sorted(items, key=...).",
            )
        items = list(args) if len(args) > 1 else _compared(frame, args[0], plain)
        if is_object(items):
            return ask(frame, plain, [items], again=True)
        if not any(map(is_tensor, items)):
            return plain(items)
        if not all(map(is_tensor, items)):
            return ask(frame, plain, items, pure=not any(map(_is_strong, items)), again=True)
        best = items[0]
        for item in items[1:]:
            best = call_op(frame, primitive.NAMES[name], (best, item), {})
        return best

    return meaning


def _is_strong(value):
    return is_tensor(value) and not getattr(getattr(value, "abstract", None), "weak", False)


def _compared(frame, value, plain):
    """The items that ``max(value)`` compares."""
    if isinstance(value, int | float):
        raise errors.InvalidType("The object is not iterable.", given=f"{plain.__name__}({value})")
    if is_tensor(value) and len(value.shape) > 1:
        raise errors.InvalidValue(
            "The truth value of an array with more than one element is ambiguous.",
            given=f"{plain.__name__} of a tensor with {len(value.shape)} axes",
            hint=f"Use x.{plain.__name__}().",
        )
    items = _list_of(frame, value)
    if not items:
        raise errors.InvalidValue(f"{plain.__name__}() arg is an empty sequence.")
    return items


reading(builtins.max)(_extreme("maximum", max))
reading(builtins.min)(_extreme("minimum", min))


@reading(builtins.zip, _listing(tuple, zip))
def _zip(frame, args, kwargs):
    if not args:
        raise errors.InvalidSyntax(
            "The zip operator must have at least 1 argument, but the size of arguments is 0."
        )
    columns = [python_items(frame, a) for a in args]
    return tuple(zip(*columns, **kwargs))  # noqa: B905 - strict is the caller's, in kwargs


@reading(builtins.enumerate, _listing(tuple, enumerate))
def _enumerate(frame, args, kwargs):
    return tuple(enumerate(python_items(frame, args[0]), *args[1:], **kwargs))


@reading(builtins.reversed, _listing(list, reversed))
def _reversed(frame, args, kwargs):
    return python_items(frame, args[0])[::-1]


@reading(builtins.tuple)
def _tuple(frame, args, kwargs):
    return tuple(_list_of(frame, args[0])) if args else ()


@reading(builtins.list)
def _list(frame, args, kwargs):
    return _list_of(frame, args[0]) if args else []


@reading(builtins.map, _listing(list, map))
def _map(frame, args, kwargs):
    columns = zip(*(python_items(frame, a) for a in args[1:]), strict=False)
    kind = list if any(isinstance(a, list) for a in args[1:]) else tuple
    return kind([call_value(frame, args[0], list(row), {}) for row in columns])


@handles(builtins.all)
def _all(frame, args, kwargs):
    return _fold(frame, args[0], "&", all)


@handles(builtins.any)
def _any(frame, args, kwargs):
    return _fold(frame, args[0], "|", any)


def _fold(frame, items, symbol, plain):
    if isinstance(items, Node):
        return ask(frame, plain, [items], gives=weak(bool))
    value = plain(())
    for item in python_items(frame, items):
        value = operator(frame, symbol, (value, truth_value(frame, item)))
    return call_value(frame, bool, [value], {}) if isinstance(value, Node) else value


@reading(builtins.filter, _listing(list, filter))
def _filter(frame, args, kwargs):
    function, items = args
    kept = []
    for item in python_items(frame, items):
        test = truth_value(
            frame, item if function is None else call_value(frame, function, [item], {})
        )
        if isinstance(test, Node):
            raise errors.InvalidSyntax(
                "filter cannot choose by a tensor: how many items are left must be known while "
                "the graph is built.",
                hint="Use ops.where.",
            )
        if test:
            kept.append(item)
    return kept


@reading(builtins.dict)
def _dict(frame, args, kwargs):
    pairs = args[0] if args else {}
    return dict(pairs, **kwargs)
