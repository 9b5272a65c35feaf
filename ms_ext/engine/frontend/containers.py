"""Methods of lists, dicts and tuples: they are Python's, called while the graph is built."""

from .. import errors
from ..dims import settled
from .frame import has_node
from .operators import python_items
from .unsupported import needs_turns

#: Methods of a dict whose results are plain in a graph: (keys), (values), [items].
_PLAIN = {"keys": tuple, "values": tuple, "items": list}


#: Methods that change what they belong to.
CHANGING = frozenset((
    "append", "clear", "extend", "insert", "pop", "popitem", "remove", "reverse", "setdefault",
    "sort", "update",
))  # fmt: skip

#: Methods whose first argument is a key, or is compared: an open size must be a number there.
SEARCHING = frozenset(("count", "get", "index", "pop", "remove", "setdefault"))


def check_place(frame, container):
    """Refuse to change, in a branch or loop of the graph, what a function around it made."""
    if frame.reader.is_elsewhere(container, frame.scope):
        raise needs_turns(errors.InvalidSyntax(
            f"A {type(container).__name__} is changed in a branch or loop that a tensor decides, "
            "through a function or a name from outside.",
            given=f"{len(container)} items so far",
            hint="Give it to the function as an argument and return it, or change it outside.",
        ))  # fmt: skip


def call(frame, method, args, kwargs):
    """A method of a list, dict or tuple that is being read."""
    name = method.__name__
    if name in SEARCHING and args:
        settled(args[0])
    if name in CHANGING:
        check_place(frame, method.__self__)
    if name == "sort" and has_node(method.__self__):
        raise errors.InvalidSyntax(
            "A list of tensors is not sorted in place: their order is known when the graph runs.",
            given=f"{len(method.__self__)} items",
            hint="Use sorted(...), which gives a new list.",
        )
    if name == "extend":
        args = [python_items(frame, each) for each in args]
    found = method(*args, **kwargs)
    return _PLAIN[name](found) if name in _PLAIN and type(method.__self__) is dict else found


def owns(callee):
    """Whether it is a method of a list, dict or tuple that is being read."""
    return isinstance(getattr(callee, "__self__", None), list | dict | tuple)
