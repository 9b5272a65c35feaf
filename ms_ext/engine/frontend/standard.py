"""What do functions of Python's standard library mean in compiled code?

They are called, not read: at once where their arguments are constants, else by the running graph.
These few have a meaning of their own, so that what they do with tensors are nodes: ``reduce``,
``sorted``, the operators as functions, what only arranges items, as ``itertools.chain``.
"""

import builtins
import functools
import itertools

from .. import errors
from ..ir import Node
from .asking import ask, is_object
from .calls import call_value, handles
from .frame import has_node
from .operators import BY_SYMBOL, UNARY, operator, python_items
from .unsupported import needs_turns
from .values import BoundMethod, Choice, Closure, HostMethod, mapped

# functions on compiled functions ------------------------------------------------------------------


@handles(functools.reduce)
def _reduce(frame, args, kwargs):
    """``reduce(f, items, start)``: f is read for every item."""
    function, items, *start = args
    if _is_object_itself(items):
        return ask(frame, functools.reduce, args, kwargs, again=True)
    items = [*start, *python_items(frame, items)]
    if not items:
        raise errors.InvalidType("reduce() of empty iterable with no initial value")
    for item in items[1:]:
        frame.reader.count_turn(frame)
        items[0] = call_value(frame, function, [items[0], item], {})
    return items[0]


@handles(builtins.sorted)
def _sorted(frame, args, kwargs):
    """``sorted(items, key=f)``: f is read; tensors are compared when the graph runs."""
    key = kwargs.get("key")
    if len(args) != 1 or _is_object_itself(args[0]):
        return ask(frame, sorted, args, kwargs, again=True) if len(args) == 1 else sorted(*args)
    items = python_items(frame, args[0])
    keys = items if key is None else [call_value(frame, key, [item], {}) for item in items]
    if has_node(keys) or has_node(kwargs):
        given = args if isinstance(args[0], Node) else [items]
        return ask(frame, sorted, given, kwargs, again=True)
    order = sorted(range(len(items)), key=keys.__getitem__, reverse=kwargs.get("reverse", False))
    return frame.reader.made([items[place] for place in order], frame.scope)


@handles(itertools.accumulate)
def _accumulate(frame, args, kwargs):
    if not _reads(args):
        return itertools.accumulate(*args, **kwargs)
    items, *function = args
    function, start = (*function, kwargs.get("func"))[0], kwargs.get("initial")
    items = [*([] if start is None else [start]), *python_items(frame, items)]
    for place in range(1, len(items)):
        pair = items[place - 1 : place + 1]
        items[place] = (
            operator(frame, "+", pair)
            if function is None
            else call_value(frame, function, pair, {})
        )
    return tuple(items)


def _reads(args):
    """Whether a call has to do with nodes or with a function that is being read."""
    found = []
    mapped(lambda v: found.append(v) if isinstance(v, Node | Closure) else v, args)
    return bool(found)


def _is_object_itself(value):
    return isinstance(value, Node) and is_object(value)


class Items:
    """``iter(items)``: what is left to be taken."""

    def __init__(self, left):
        self.left = left

    def __iter__(self):
        while self.left:
            yield self.left.pop(0)


@handles(builtins.iter)
def _iter(frame, args, kwargs):
    if len(args) != 1 or not has_node(args) or _is_object_itself(args[0]):
        return ask(frame, iter, args, kwargs) if has_node(args) else iter(*args, **kwargs)
    return frame.reader.made(Items(python_items(frame, args[0])), frame.scope)


@handles(builtins.next)
def _next(frame, args, kwargs):
    items, *otherwise = args
    if not isinstance(items, Items):
        return ask(frame, next, args, kwargs) if has_node(args) else next(*args, **kwargs)
    if frame.reader.is_elsewhere(items, frame.scope):
        raise needs_turns(errors.InvalidSyntax(
            "An item is taken in a branch or loop that a tensor decides.",
            given="next() of an iterator from outside",
            hint="Take it before, or loop over range(...) and index.",
        ))  # fmt: skip
    return next(iter(items), *otherwise)


# what only arranges items -------------------------------------------------------------------------


def _arranging(plain):
    def meaning(frame, args, kwargs):
        if not has_node(args):
            return plain(*args, **kwargs)
        columns = [python_items(frame, a) if has_node(a) else a for a in args]
        return tuple(plain(*columns, **kwargs))

    meaning.takes_objects = True
    handles(plain)(meaning)


for _each in (
    itertools.chain, itertools.combinations, itertools.islice, itertools.pairwise,
    itertools.permutations, itertools.product, itertools.zip_longest,
):  # fmt: skip
    _arranging(_each)


# operators as functions ---------------------------------------------------------------------------


def _operating(symbol, plain):
    def meaning(frame, args, kwargs):
        return operator(frame, symbol, tuple(args))

    meaning.takes_objects = True
    handles(plain)(meaning)


for _symbol, _plain in (*BY_SYMBOL.items(), *UNARY.values()):
    _operating(_symbol, _plain)

# what asks Python about the running function ------------------------------------------------------


@handles(builtins.locals, builtins.vars)
def _locals(frame, args, kwargs):
    """Compiled code has no dict of its names: it is empty, as on MindSpore."""
    return vars(*args) if args else {}


@handles(builtins.dir)
def _dir(frame, args, kwargs):
    return dir(*args) if args else []


@handles(builtins.globals)
def _globals(frame, args, kwargs):
    """A copy: compiled code does not write to the names of a module."""
    while frame.closure is not None:
        frame = frame.closure
    return dict(frame.function.__globals__)


@handles(builtins.eval)
def _eval(frame, args, kwargs):
    """The text of an expression sees no names of compiled code."""
    text, *names = args
    return eval(text, *(names or [{}]))  # noqa: S307 - the learner wrote it


@handles(builtins.exec)
def _exec(frame, args, kwargs):
    text, *names = args
    return exec(text, *(names or [{}]))  # noqa: S102 - the learner wrote it


@handles(builtins.callable)
def _callable(frame, args, kwargs):
    (value,) = args
    return isinstance(value, BoundMethod | HostMethod | Choice) or callable(value)


@handles(functools.partial)
def _partial(frame, args, kwargs):
    """What it is called with later is put behind these arguments, be they nodes or not."""
    return functools.partial(*args, **kwargs)


for _meaning in (_reduce, _sorted, _accumulate, _partial, _iter, _next):
    _meaning.takes_objects = True
