"""Python source to a typed graph: the syntax tree is walked, and every value has its type at once.

Values are nodes or Python values. Python values are calculated with as they are met; a branch or
loop that a tensor decides becomes a region. ``parse`` is the door.
"""

import functools
import types
from typing import NamedTuple

import numpy as np

from ...dtype import DType
from .. import errors, mutable
from ..dims import Dim
from ..infer import STATE, AbstractTensor
from ..ir import FuncGraph, Node
from ..making import making
from ..tensor import Tensor
from . import (  # noqa: F401  they enter readers
    comprehensions,
    loops,
    meanings,
    sequences,
    standard,
    tracing,
)
from .calls import call_value, handles
from .frame import Frame
from .naming import name_of, parameter_names
from .path import Path
from .reader import Reader
from .scope import Scope
from .source import Nowhere, source_of
from .storing import Attribute, Stored, read_stored
from .tracing import Unknown
from .values import ARRAYS, BoundMethod, Choice, Closure, HostMethod, put_together, take_apart

__all__ = ["Attribute", "Parsed", "Unknown", "handles", "parse"]


class Parsed(NamedTuple):
    """A function's graph, the structure of its result, and the Parameters it reads.

    The graph's inputs are the tensor arguments in order, then one per Parameter object; its
    results those of the function, then what is written to inputs (``graph.writes``), then the last
    State if there was an effect. ``globals``: (module, name, value) of each that was looked up.
    """

    graph: FuncGraph
    tree: object
    parameters: tuple
    globals: tuple = ()

    def result(self, values):
        """The Python result made of the graph's outputs."""
        return put_together(self.tree, iter(values))


@making()
def parse(function, args, kwargs=None, name=None, strict=False, run=None):
    """Read ``function`` for these arguments: an AbstractTensor is a tensor, others are constants.

    ``strict``: nothing may be left to Python when the graph runs. ``run``: the function is not
    read but run, on symbols; a list of what its tensors are now, or () if nothing may depend on it.

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
    stored = []
    while True:
        try:
            return _parse(function, args, kwargs or {}, name, strict, run, stored)
        except Stored as found:  # an attribute: it is read anew at every call
            stored.append(found.place)


def _parse(function, args, kwargs, name, strict, run, stored):
    free, given = {}, {}
    scope = Scope(name or name_of(function), free=free)
    words = parameter_names(function, len(args))
    arguments = [_argument(scope.graph, *each, given) for each in zip(args, words, strict=True)]
    keywords = {k: _argument(scope.graph, v, k, given) for k, v in kwargs.items()}
    frame = _outermost(scope, function, strict, run is not None)
    frame.reader.given = given
    scope.graph.where = frame.source.where(frame.source.node)
    read_stored(frame, stored)
    try:
        value = _call(frame, _meaning(run), function, arguments, keywords)
    except RecursionError:
        raise errors.InvalidSyntax(
            f"'{scope.graph.name}' is nested too deeply to be read.",
            given="functions, branches and expressions inside each other, a thousand levels deep",
            hint="Turn long elif chains into a loop or a table, split a long expression, "
            "and check recursion on Python numbers.",
        ) from None
    tree = _end(frame, value)
    read = [(node, tensor) for node, tensor in free.values() if isinstance(node, Node)]
    inputs = scope.graph.parameters
    named = [each for each in read if type(each[1]) not in (Attribute, Tensor)]
    scope.graph.references = {inputs.index(node): tensor.name for node, tensor in named}
    parameters = [tensor for _, tensor in read]
    return Parsed(scope.graph, tree, tuple(parameters), tuple(frame.reader.globals.values()))


def _meaning(run):
    """How the outermost function is called: it is read, or run on symbols."""
    if run is None:
        return call_value
    return functools.partial(tracing.run, values=run if isinstance(run, list) else None)


def _argument(graph, value, name, given):
    """An argument made of nodes; ``given`` gets the tuples, lists and dicts that stay as they are.

    What ``mutable`` made is none of these: it may have a gradient.
    """
    if isinstance(value, AbstractTensor):
        return graph.add_parameter(value, name)
    kind = mutable.MADE.get(type(value), type(value))
    given = given if kind is type(value) else {}
    if kind in (tuple, list):
        items = [_argument(graph, item, f"{name}_{i}", given) for i, item in enumerate(value)]
        return _noted(kind(items), given)
    if kind is dict:
        items = {k: _argument(graph, item, f"{name}_{k}", given) for k, item in value.items()}
        return _noted(items, given)
    return value.copy() if isinstance(value, np.ndarray) else value  # it may be written to


def _noted(container, given):
    given[id(container)] = container
    return container


def _end(frame, value):
    """The graph returns the value, what was written, and the State; the tree of the value."""
    _refuse_functions(value, frame.source.where(frame.source.node))
    scope, leaves = frame.scope, []
    tree = take_apart(_for_fullgraph(value) if frame.reader.strict else value, leaves, ARRAYS)
    outputs = [frame.node(leaf) for leaf in leaves]
    for key, new in frame.memory.items():
        if isinstance(key, Node) and key.kind == "parameter":
            scope.graph.writes[len(outputs)] = scope.graph.parameters.index(key)
            outputs.append(scope.node(new))
    if STATE in frame.memory:
        outputs.append(frame.memory[STATE])
    scope.graph.returns(*outputs)
    return tree


_NUMBER = bool | int | float | np.floating | Dim
_IN_GRAPHS = Node | Tensor | _NUMBER | str | range | DType | type | type(None)


def _for_fullgraph(value):
    """A result without Python's objects; a dict is the tuple of its values, as on MindSpore."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, tuple | list):
        return type(value)(map(_for_fullgraph, value))
    if not isinstance(value, _IN_GRAPHS):
        raise errors.InvalidSyntax(
            f"Illegal type in the graph: {type(value).__name__}, value: {value!r:.60}",
            hint="Leave fullgraph=True away, or return tensors and numbers.",
        )
    return value


_FUNCTIONS = types.FunctionType | Closure | Choice | BoundMethod | HostMethod


def _refuse_functions(value, where):
    """A function cannot be given back: it may hold values of a graph that is over."""
    if isinstance(value, tuple | list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            _refuse_functions(item, where)
    elif isinstance(value, _FUNCTIONS) or hasattr(type(value), "graph_call"):
        raise errors.InvalidSyntax(
            "Function in output is not supported. Please check your code.",
            given=f"a function among the results: {name_of(value, 'a method')}",
            hint="Call it and return what it gives, or define it outside.",
            where=where,
        )


def _outermost(scope, function, strict, run):
    """The frame that calls the function: it has no names of its own."""
    target = function
    while hasattr(type(target), "graph_function"):
        target = type(target).graph_function(target)
    plain = getattr(target, "__func__", target)
    readable = hasattr(plain, "__code__") and not run
    source = source_of(plain) if readable else Nowhere()
    return Frame(Reader(strict), source, scope, {}, Path.outermost(), None, plain)


def _call(frame, meaning, function, args, kwargs):
    try:
        return meaning(frame, function, args, kwargs)
    except errors.MsExtError as error:
        frame.current = frame.source.node
        frame.locate(error)
        raise
