"""A function that is run once instead of read: the ops it calls on symbols are its graph.

A symbol knows what it is for the arguments of this call. So a branch, ``float(x)`` and
``x.asnumpy()`` go on as Python does, and what they decided is decided for good. What is written to
a symbol, a Parameter or a tensor is remembered in its place.
"""

import types

import numpy as np

from .. import errors, primitive
from ..ir import MAKE_TUPLE, TUPLE_GET_ITEM, Node
from ..symbol import Builder, Symbol, drawing_from, writing_to
from ..tensor import Tensor
from . import drawing
from .naming import name_of
from .values import mapped


class Traced(Symbol):
    """A symbol whose elements are known for the arguments that the function is traced with."""

    __slots__ = ("argument", "tracer")

    def __init__(self, node, tracer):
        super().__init__(node)
        self.tracer, self.argument = tracer, node if node.kind == "parameter" else None

    def _value(self):
        return self.tracer.value(self.node)

    def asnumpy(self):
        """The elements as they are now; what is calculated with them is a constant."""
        return self._value().asnumpy().copy()

    def __getitem__(self, index):
        return self.tracer.item(self, index)

    def __setitem__(self, index, value):
        self.node = self.tracer.node(self.tracer.with_item(self, index, value))

    def _elements(self, *_ignored, **_options):
        raise errors.NotRunnable(
            "NumPy takes the elements of a tensor, which the graph would keep for good.",
            given=f"a symbol of type {self.abstract}",
            hint="Use ops; or x.asnumpy(), if its elements are meant to be a constant.",
        )

    __array__ = _elements


def _of_value(name):
    """A method that goes on with the elements, as those of Tensor do."""

    def method(self, *args):
        value = self._value()
        return getattr(value, name)(*args) if hasattr(value, name) else NotImplemented

    method.__name__ = name
    return method


for _name in ("bool", "int", "float", "index", "repr", "str", "format"):
    setattr(Traced, f"__{_name}__", _of_value(f"__{_name}__"))
for _name in ("item", "tolist"):
    setattr(Traced, _name, _of_value(_name))


class Tracer(Builder):
    """A Builder for whom a Parameter is an input of the graph, as in a function that is read.

    ``values``: what nodes are for the arguments of this call; None if nobody may ask.
    """

    def __init__(self, frame, values, where):
        super().__init__(frame.scope.graph, where=where, caller=run.__code__)
        self.frame, self.values, self.free = frame, values, self._constant
        self.changed = {}  # id of a tensor that was written to -> (the tensor, what it is by now)

    def __enter__(self):
        self._writing, self._drawing = writing_to(self.write), drawing_from(self.draw)
        self._writing.__enter__()
        self._drawing.__enter__()
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        self._drawing.__exit__(*error)
        self._writing.__exit__(*error)

    def __call__(self, op, operands, attributes):
        """One op call becomes one node, if a symbol or a Parameter is among its operands."""
        return super().__call__(op, [self._symbol(o) for o in operands], attributes)

    def wrap(self, node):
        """The symbol of a node, or a tuple of symbols."""
        found = super().wrap(node)
        return Traced(found.node, self) if type(found) is Symbol else found

    def _symbol(self, value):
        if not isinstance(value, Tensor):
            return value
        if id(value) in self.changed:
            return self.wrap(self.changed[id(value)][1])
        return value if type(value) is Tensor else self.wrap(self._parameter(value))

    def _parameter(self, tensor):
        if self.values is not None:
            self.values.setdefault(self.frame.scope.parameter(tensor, self.where), tensor)
        return self.frame.node(tensor, self.where)

    def _constant(self, tensor):
        return self.frame.scope.node(tensor, self.where)

    def draw(self):
        """Seed and offset of the next draw, as symbols."""
        seed, offset = drawing.drawn(self.frame)
        if self.values is not None:
            self.values.setdefault(drawing.source(self.frame), drawing.DRAWS.draw)
        return self.wrap(seed), self.wrap(offset)

    # what is written to ---------------------------------------------------------------------------

    def write(self, target, value):
        """From here on ``target``, a symbol, a Parameter or a tensor, is ``value``: it."""
        from .composites import overwritten

        new = self.node(value)
        if isinstance(target, Traced):
            target.node = new
            if target.argument is not None:
                self.frame.memory[target.argument] = new
        elif type(target) is Tensor:
            self.changed[id(target)] = target, new
        else:
            self.frame.write(target, overwritten(self.frame, target, new))
        return target

    def item(self, owner, index):
        """``owner[index]``, where the index may hold symbols."""
        from ...ops import dynamic, index_parts

        parts, given = index_parts.apart(index)
        if not any(isinstance(part, Symbol) for part in given):
            return primitive.slot_op("getitem")(owner, index)
        if index_parts.chooses_a_shape(parts, given):
            raise errors.NotRunnable(
                "How many elements this index takes, is not known while a function is traced.",
                given=f"a symbol of type {owner.abstract}",
                hint="Use capture_mode='ast', or ops.where and a sum.",
            )
        return dynamic.item_at(owner, parts, given)

    def with_item(self, owner, index, value):
        """A symbol like ``owner`` in which ``owner[index]`` is ``value``."""
        from ...ops import dynamic, index_parts

        parts, given = index_parts.apart(index)
        value = Tensor(value) if isinstance(value, list | tuple) else value
        if any(isinstance(part, Symbol) for part in given):
            return dynamic.with_item(owner, parts, given, value)
        return primitive.slot_op("setitem")(owner, value, index=index)

    def graph_call(self, gradient, args, kwargs):
        """What a gradient gives for symbols: its function is read into the graph."""
        args, kwargs = mapped(lambda v: v.node if isinstance(v, Symbol) else v, (args, kwargs))
        result = gradient.graph_call(self.frame, list(args), kwargs)
        return mapped(lambda v: self.wrap(v) if isinstance(v, Node) else v, result)

    # what it is -----------------------------------------------------------------------------------

    def value(self, node):
        """What a node is for the arguments of this call: its ops are run, once each."""
        if self.values is None:
            raise Unknown(node)
        for each in _until(node, self.values):
            self.values[each] = self._run(each)
        return self.values[node]

    def _run(self, node):
        if node.kind == "constant":
            plain = isinstance(node.value, bool | int | float)
            return node.value if plain else Tensor(node.value)
        inputs = [self.values[used] for used in node.inputs]
        if node.primitive is TUPLE_GET_ITEM:
            return inputs[0][node.attrs["index"]]
        if node.primitive is MAKE_TUPLE:
            return tuple(inputs)
        return primitive.default(node.primitive, tuple(inputs), node.attrs or {})


def tracer_of(args):
    """Who traces the function that gives these arguments; None if nobody does."""
    for each in args:
        if isinstance(each, Traced):
            return each.tracer
        if isinstance(each, tuple | list | dict):
            found = tracer_of(each.values() if isinstance(each, dict) else each)
            if found is not None:
                return found
    return None


class Unknown(errors.NotRunnable):
    """The elements of a symbol were asked for where nothing may depend on them."""

    def __init__(self, node):
        super().__init__(
            "The elements of a tensor are not known while a graph is built.",
            given=f"a symbol of type {node.abstract}",
            hint="Use ops on it (ops.select, ops.where) instead of Python's if, float() or numpy.",
        )


def _until(node, known):
    """The nodes that are needed for this one and not known, each behind what it needs."""
    order, waiting = {}, [node]
    while waiting:
        last = waiting[-1]
        left = [n for n in getattr(last, "inputs", ()) if n not in known and n not in order]
        if left:
            waiting += left
            continue
        waiting.pop()
        if last not in known:
            order[last] = None
    return order


def run(frame, function, args, kwargs, values=None):
    """What ``function`` gives for symbols in place of the nodes; the frame's graph has its ops.

    ``values``: what the graph's parameters are at this call.
    """
    function = _python(function)
    scope, path = frame.scope, frame.path.called(name_of(function), function, args)
    where = frame.source.where(frame.current, path.text)
    _note_globals(frame.reader, function)
    inputs = scope.graph.parameters  # the arguments; what random numbers come from is the last one
    known = None if values is None else dict(zip(inputs, values, strict=False))
    with Tracer(frame, known, where) as tracer:
        args, kwargs = mapped(
            lambda v: tracer.wrap(v) if isinstance(v, Node) else v, (args, kwargs)
        )
        result = mapped(tracer._symbol, function(*args, **kwargs))
    return mapped(_result, result)


def _result(value):
    if isinstance(value, np.ndarray):
        raise errors.NotRunnable(
            f"Not support [{type(value)}] as a result of a function that is traced.",
            given=f"an array of shape {list(value.shape)}",
            hint="Wrap it: Tensor(array). It is a constant then, of the call that was traced.",
        )
    return value.node if isinstance(value, Symbol) else value


def callable_of(closure, call, frame, builder):
    """A function that is being read, as something that a function on symbols can call."""

    def called(*args, **kwargs):
        args, kwargs = mapped(lambda v: v.node if isinstance(v, Symbol) else v, (args, kwargs))
        result = call(frame, closure, list(args), kwargs)
        return mapped(lambda v: builder.wrap(v) if isinstance(v, Node) else v, result)

    return called


def _python(function):
    """What is called: not a compiled function, but the function that it compiles."""
    while hasattr(type(function), "graph_function"):
        function = function.graph_function()
    return function


def _note_globals(reader, function):
    function = getattr(function, "__func__", function)
    if isinstance(function, types.FunctionType):
        module = function.__globals__
        for name in function.__code__.co_names:
            if name in module:
                reader.note_global(module, name)
