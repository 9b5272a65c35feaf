"""Effects in a graph that is being read: print, raise, and asking Python for what only it can say.

``x.asnumpy()``, ``np.sum(x)``, ``float(x)``: what Python gives is known when the graph runs, and is
a node of type Object until then. Whatever is done to an Object asks Python again.
"""

import ast
import functools

from ..infer import OBJECT, STATE, AbstractTensor
from ..ir import TUPLE_GET_ITEM, Node
from .as_python import for_python
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


def ask(frame, function, args, kwargs=None, gives=OBJECT, pure=False, again=False):
    """``function(*args, **kwargs)`` as Python calculates it when the graph runs.

    ``pure``: an op or operator on a tensor of which even the shape is known only then. ``again``:
    it does nothing but answer; a gradient goes through what is pure or may be asked again.
    """
    if frame.reader.strict and not pure:
        raise not_constant(_text(frame, function), _variable(args, kwargs))
    text, leaves = _text(frame, function), []
    function, args, kwargs = for_python(function, list(args), kwargs or {})
    asked = Asked(function, take_apart((args, kwargs), leaves), text, gives, pure or again)
    both = frame.add(PYTHON, (frame.recall(STATE), *leaves), {"asked": asked})
    state, answer = [frame.add(TUPLE_GET_ITEM, (both,), {"index": i}) for i in range(2)]
    frame.memory[STATE] = state
    return answer


def is_surely_tensor(value):
    """Whether an Object can only be a Tensor: the elements that a mask takes, what is made of them.

    An Object of another origin may be a list or an array, which are written to in other ways.
    """
    if not isinstance(value, Node) or value.abstract is not OBJECT:
        return isinstance(getattr(value, "abstract", None), AbstractTensor)
    both = value.inputs[0] if value.kind == "call" and value.primitive is TUPLE_GET_ITEM else None
    if both is None or both.primitive is not PYTHON:
        return False
    function = both.attrs["asked"].function
    if getattr(function, "__module__", None) != "_operator":
        return hasattr(function, "gives_a_tensor")
    return any(map(is_surely_tensor, both.inputs[1:]))


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


def tell(frame, function, args):
    """Call ``function(*args)`` when the graph runs, in order with prints; nothing comes back."""
    _effect(frame, PRINT, function, args, {})


def fail(frame, kind, args, keywords):
    """Raise ``kind(*args, **keywords)`` when the graph runs; nothing after it is read."""
    where = frame.learners()
    raised = functools.partial(_raised, kind, where) if where else kind
    _effect(frame, RAISE, raised, args, keywords)
    frame.names[CODE], frame.names[VALUE] = RETURN, Unusable(None)


def _raised(kind, where, *args, **keywords):
    """The error, with the line of the learner's that led to it if it is one of ours."""
    error = kind(*args, **keywords)
    if getattr(error, "where", where) is None:
        error.where = where
    return error


def _effect(frame, primitive, function, args, kwargs):
    leaves = []
    tree = take_apart((list(args), kwargs), leaves)
    asked = Asked(function, tree, _text(frame, function))
    frame.memory[STATE] = frame.add(primitive, (frame.recall(STATE), *leaves), {"asked": asked})
