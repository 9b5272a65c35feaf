"""Reading a Python function into a graph: arguments, calls read in place, recursion."""

import types

from .. import errors
from ..infer import UNKNOWN
from ..ir import CALL, Node, packed
from .frame import CODE, RETURN, THROUGH, VALUE, Exit, Frame
from .operators import parts
from .source import source_of
from .statements import block
from .values import NUMPY_NUMBER, Closure, mapped, put_together, take_apart, type_of


class Reader:
    """One reading of one function: the calls under way and the recursive ones among them."""

    def __init__(self):
        self.active, self.recursive = [], {}

    def call(self, frame, function, args, kwargs):
        """Read a call of ``function`` in place; a recursive one becomes a Call of its own graph."""
        source = function.source if isinstance(function, Closure) else source_of(function)
        names = bind(source, function, args, kwargs)
        key = (id(source.node), *(_key(v) for v in names.values()))
        if key in self.recursive:
            return self._call_graph(frame, self.recursive[key], names)
        if key in self.active:
            raise _Recursion(key)
        self.active.append(key)
        path = frame.path.called(source.name, function, args)
        try:
            return self._read(Frame(self, source, frame.scope, names, path, *_outside(function)))
        except _Recursion as found:
            if found.key != key:
                raise
        finally:
            self.active.pop()
        return self._read_recursive(frame, source, function, names, key, path)

    def _read(self, inner):
        block(inner, inner.source.body)
        return returned(inner)

    # recursion --------------------------------------------------------------------------------

    def _read_recursive(self, frame, source, function, names, key, path):
        """Read the function as a graph until its result types and captured values stay the same."""
        entry = self.recursive[key] = _Entry()
        while True:
            scope = entry.scope = frame.scope.child(source.name, source.where(source.node))
            inside, path = _as_parameters(scope, names), path.again()
            inner = Frame(self, source, scope, inside, path, *_outside(function))
            for node in entry.captured:
                scope.local(node)
            tree = scope.returns(self._read(inner))
            types = [node.abstract for node in scope.graph.outputs]
            if entry.settled(types, tree, list(scope.captured)):
                break
        result = self._call_graph(frame, entry, names)
        del self.recursive[key]
        return result

    def _call_graph(self, frame, entry, names):
        leaves = []
        for value in names.values():
            take_apart(value, leaves)
        operands = [v for v in leaves if isinstance(v, Node)] + entry.captured
        node = frame.add(CALL, operands, None, [entry.scope.graph])
        if entry.types is None:
            return node
        node.abstract, count = packed(tuple(entry.types)), len(entry.types)
        return put_together(entry.tree, iter([node] if count == 1 else parts(frame, node, count)))


class _Recursion(Exception):
    """A function under way is called again for the same argument types."""

    def __init__(self, key):
        super().__init__("this recursion was not noticed by its first call")
        self.key = key


class _Entry:
    """What is known so far of a recursive function: its scope, result types and captured nodes."""

    def __init__(self):
        self.scope, self.types, self.tree, self.captured = None, None, None, []

    def settled(self, types, tree, captured):
        if UNKNOWN in types:
            raise errors.InvalidSyntax(
                "This recursion never ends: no path returns without calling the function again."
            )
        same = types == self.types and captured == self.captured
        self.types, self.tree, self.captured = types, tree, captured
        return same


def _as_parameters(scope, names):
    """The arguments of a recursive function: nodes become its parameters, constants stay."""

    def parameter(name, value):
        new = scope.graph.add_parameter
        return mapped(lambda v: new(v.abstract, name) if isinstance(v, Node) else v, value)

    return {name: parameter(name, value) for name, value in names.items()}


def _outside(function):
    """Where names that are not local come from: (enclosing frame, Python function)."""
    return (function.frame, None) if isinstance(function, Closure) else (None, function)


def _key(value):
    """Two arguments with the same key are read the same way."""
    if isinstance(value, Node):
        return value.abstract
    if isinstance(value, tuple | list):
        return (type(value), *map(_key, value))
    if isinstance(value, bool | int | float | str | NUMPY_NUMBER | type(None)):
        return type(value), value
    return id(value)


def returned(frame):
    """What the function gave back: None if it ran through."""
    code = frame.names[CODE]
    if code == RETURN:
        return frame.names[VALUE]
    if code == THROUGH:
        return None
    if type(code) is Exit and code.possible == {RETURN}:
        return frame.names[VALUE]
    raise errors.InvalidType(
        "Cannot join the return values of different branches: one path of "
        f"'{frame.source.name}' returns nothing.",
        hint="Add a `return` at its end.",
        where=frame.source.where(frame.source.node),
    )


# arguments ----------------------------------------------------------------------------------------


def bind(source, function, args, kwargs):
    """Names of a function's parameters and their values."""
    spec, names = source.args, {}
    positional = [a.arg for a in (*spec.posonlyargs, *spec.args)]
    if len(args) > len(positional) and spec.vararg is None:
        raise _misfit(source, positional, args, kwargs)
    defaults, keyword_defaults = _defaults(spec, function)
    names.update(zip(positional, args, strict=False))
    kwargs = dict(kwargs)
    for name in (*positional[len(args) :], *(a.arg for a in spec.kwonlyargs)):
        if name in kwargs:
            names[name] = kwargs.pop(name)
        elif name in defaults or name in keyword_defaults:
            names[name] = defaults[name] if name in defaults else keyword_defaults[name]
        else:
            raise _misfit(source, positional, args, kwargs)
    if spec.vararg:
        names[spec.vararg.arg] = tuple(args[len(positional) :])
    if spec.kwarg:
        names[spec.kwarg.arg] = kwargs
    elif kwargs:
        raise _misfit(source, positional, args, kwargs)
    return names


def _defaults(spec, function):
    positional = [a.arg for a in (*spec.posonlyargs, *spec.args)]
    if isinstance(function, types.FunctionType):
        values, keyword = function.__defaults__ or (), function.__kwdefaults__ or {}
    else:
        values, keyword = function.defaults
        pairs = zip(spec.kwonlyargs, keyword, spec.kw_defaults, strict=True)
        keyword = {a.arg: v for a, v, d in pairs if d is not None}
    return dict(zip(positional[len(positional) - len(values) :], values, strict=True)), keyword


def _misfit(source, positional, args, kwargs):
    shown = [*map(_shown, args), *(f"{k}={_shown(v)}" for k, v in kwargs.items())]
    return errors.InvalidType(
        f"The parameters number of the function is {len(positional)}, but the number of provided "
        f"arguments is {len(args) + len(kwargs)}.",
        given=f"{source.name}({', '.join(shown)})",
        hint=f"Its parameters are: {', '.join(positional) or 'none'}.",
    )


def _shown(value):
    try:
        return str(type_of(value))
    except errors.MsExtError:
        return type(value).__name__
