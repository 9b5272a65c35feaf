"""Python source to a typed graph: the syntax tree is walked, and every value has its type at once.

Values are nodes or Python values. Python values are calculated with as they are met; a branch or
loop that a tensor decides becomes a region. ``parse`` is the door.
"""

from typing import NamedTuple

from .. import errors
from ..infer import AbstractTensor
from ..ir import FuncGraph, Node
from . import comprehensions, loops, meanings  # noqa: F401  they enter what they read
from .calls import call_value, handles
from .frame import Frame
from .naming import name_of, parameter_names
from .path import Path
from .reader import Reader
from .scope import Scope
from .source import Nowhere, source_of
from .values import put_together

__all__ = ["Parsed", "handles", "parse"]


class Parsed(NamedTuple):
    """A function's graph, the structure of its result, and the Parameters it reads.

    The graph's inputs are the tensor arguments in order, then one per Parameter object.
    """

    graph: FuncGraph
    tree: object
    parameters: tuple

    def result(self, values):
        """The Python result made of the graph's outputs."""
        return put_together(self.tree, iter(values))


def parse(function, args, kwargs=None, name=None):
    """Read ``function`` for these arguments: an AbstractTensor is a tensor, others are constants.

    >>> import ms_ext.ops
    >>> from ms_ext.dtype import float32
    >>> parsed = parse(lambda x: x + x, [AbstractTensor(float32, (2,))])
    >>> [node.primitive.name for node in parsed.graph.order()]
    ['Add']
    """
    if not callable(function):
        raise errors.InvalidType(
            "A graph is made from a function or a Cell.", given=f"{function!r:.60}"
        )
    free = {}
    scope = Scope(name or name_of(function), free=free)
    words = parameter_names(function, len(args))
    arguments = [_argument(scope.graph, *each) for each in zip(args, words, strict=True)]
    keywords = {k: _argument(scope.graph, v, k) for k, v in (kwargs or {}).items()}
    try:
        value = _call(scope, function, arguments, keywords)
    except RecursionError:
        raise errors.InvalidSyntax(
            f"'{scope.graph.name}' is nested too deeply to be read.",
            hint="Turn long elif chains into a loop or a table, "
            "and check recursion on Python numbers.",
        ) from None
    tree = scope.returns(value)
    parameters = [tensor for node, tensor in free.values() if isinstance(node, Node)]
    return Parsed(scope.graph, tree, tuple(parameters))


def _argument(graph, value, name):
    if isinstance(value, AbstractTensor):
        return graph.add_parameter(value, name)
    if type(value) in (tuple, list):
        return type(value)([_argument(graph, item, f"{name}_{i}") for i, item in enumerate(value)])
    if type(value) is dict:
        return {key: _argument(graph, item, f"{name}_{key}") for key, item in value.items()}
    return value


def _call(scope, function, args, kwargs):
    """Read the call from a frame without names of its own."""
    target = function
    while hasattr(type(target), "graph_function"):
        target = type(target).graph_function(target)
    plain = getattr(target, "__func__", target)
    source = source_of(plain) if hasattr(plain, "__code__") else Nowhere()
    frame = Frame(Reader(), source, scope, {}, Path.outermost(), None, plain)
    try:
        return call_value(frame, function, args, kwargs)
    except errors.MsExtError as error:
        if error.where is None:
            error.where = source.where(source.node)
        raise
