"""Effects in a graph that is being read: print, raise, and asking Python for what only it can say.

``x.asnumpy()``, ``np.sum(x)``, ``float(x)``: what Python gives is known when the graph runs, and is
a node of type Object until then. Whatever is done to an Object asks Python again.
"""

import ast

from ..infer import OBJECT, STATE
from ..ir import TUPLE_GET_ITEM, Node
from .effects import PRINT, PYTHON, RAISE, Asked, printed
from .frame import CODE, RETURN, VALUE
from .values import Unusable, take_apart
from .words import not_constant

_CONTAINERS = (tuple, list, dict)


def is_object(value):
    """Whether a value, or a part of it, is a Python object that exists when the graph runs."""
    if isinstance(value, Node):
        return value.abstract is OBJECT
    if not isinstance(value, _CONTAINERS):
        return False
    for each in value.values() if isinstance(value, dict) else value:
        if each.abstract is OBJECT if isinstance(each, Node) else is_object(each):
            return True
    return False


def ask(frame, function, args, kwargs=None, gives=OBJECT, pure=False):
    """``function(*args, **kwargs)`` as Python calculates it when the graph runs.

    ``pure``: an op or operator on a tensor of which even the shape is known only then.
    """
    if frame.reader.strict and not pure:
        raise not_constant(_text(frame, function), _variable(args, kwargs))
    leaves = []
    tree = take_apart((list(args), kwargs or {}), leaves)
    asked = Asked(function, tree, _text(frame, function), gives, pure)
    both = frame.add(PYTHON, (frame.recall(STATE), *leaves), {"asked": asked})
    state, answer = [frame.add(TUPLE_GET_ITEM, (both,), {"index": i}) for i in range(2)]
    frame.memory[STATE] = state
    return answer


def _variable(args, kwargs):
    """The name of the first thing in a call that is not constant."""
    leaves = []
    take_apart((list(args), kwargs or {}), leaves)
    nodes = (leaf.name for leaf in leaves if isinstance(leaf, Node) and leaf.name)
    return next(nodes, "a value")


def ask_number(frame, function, args, number):
    """As ``ask``, for what is known to be a bool, int or float."""
    return ask(frame, function, args, gives=weak(number), pure=True)


def weak(number):
    """The type of a Python number in a graph."""
    from ..infer import abstract_of

    return abstract_of(number())


def _text(frame, function):
    node = frame.current
    text = ast.unparse(node) if isinstance(node, ast.AST) else ""
    if not text:  # it is compiled itself, or syntax that was made while reading
        return getattr(function, "__name__", "python")
    return text.splitlines()[0][:60]


def say(frame, args, kwargs):
    """``print`` when the graph runs."""
    _effect(frame, PRINT, printed, args, kwargs)


def fail(frame, kind, args):
    """Raise ``kind(*args)`` when the graph runs; nothing after it is read."""
    _effect(frame, RAISE, kind, args, {})
    frame.names[CODE], frame.names[VALUE] = RETURN, Unusable(None)


def _effect(frame, primitive, function, args, kwargs):
    leaves = []
    tree = take_apart((list(args), kwargs), leaves)
    asked = Asked(function, tree, _text(frame, function))
    frame.memory[STATE] = frame.add(primitive, (frame.recall(STATE), *leaves), {"asked": asked})
