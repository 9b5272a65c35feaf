"""Reading a Python function into a graph: arguments, calls read in place, recursion."""

from .. import errors, primitive
from ..infer import STATE, UNKNOWN
from ..ir import CALL, Node, packed
from ..making import limits
from ..tensor import Tensor
from .asking import ask
from .call_keys import call_key
from .frame import CODE, RETURN, THROUGH, VALUE, Exit, Frame
from .operators import parts
from .parameters import bind
from .source import source_of
from .statements import block
from .storing import Stored
from .values import (
    CANNOT_JOIN,
    Closure,
    Place,
    Unusable,
    mapped,
    put_together,
    take_apart,
)


class Reader:
    """One reading of one function: the calls under way and the recursive ones among them.

    ``strict``: what only Python could calculate when the graph runs is refused.
    """

    def __init__(self, strict=False):
        self.active, self.recursive, self.strict = {}, {}, strict
        self.globals, self.turns, self.sources = {}, 0, {}
        self.owned, self.stored = {}, ()
        self.outside, self.variables, self.places = {}, {}, {}
        self.hooked = {}  # node -> the call that gives it back with a gradient of its own
        self.given = {}  # by id: tuples, lists and dicts among the arguments of what is compiled
        self.by_turns = set()  # loops that are no region's, as their body needs Python's values

    def note_global(self, module, name):
        """Keep what a global is while it is read: compiled code will not see it change."""
        self.globals[id(module), name] = module, name, module[name]

    def own(self, value, scope):
        """A list or dict of the program's as it may be changed: a copy, the learner keeps his.

        >>> rows, reader = [1], Reader()
        >>> reader.own(rows, None).append(2)
        >>> rows, reader.own(rows, None)
        ([1], [1, 2])
        """
        if type(value) is Tensor:
            self.outside[id(value)] = value
        if type(value) not in (list, dict):
            return value
        found = self.owned.get(id(value))
        if found is None:
            copy = mapped(lambda item: item, value)
            found = self.owned[id(value)] = self.made(copy, scope and scope.root), value
        return found[0]

    def made(self, container, scope):
        """A list or dict that is made in a scope; another one must not change it."""
        self.places[id(container)] = container, scope
        return container

    def is_elsewhere(self, container, scope):
        """Whether a list or dict belongs to a scope around this one: a branch's, a loop's."""
        return self.places.get(id(container), (None, scope))[1] is not scope

    def variable(self, tensor, scope):
        """What stands for a tensor that is written to: an input, or a constant of its own."""
        found = self.variables.get(id(tensor))
        if found is None:
            if id(tensor) in self.outside:
                raise Stored(tensor)
            found = self.variables[id(tensor)] = _of_its_own(scope.root.graph, tensor), tensor
        return found[0]

    def original(self, copy):
        """What of the program's ``own`` made this copy of; None if it made it of nothing."""
        return next((value for found, value in self.owned.values() if found is copy), None)

    def call(self, frame, function, args, kwargs):
        """Read a call of ``function`` in place; a recursive one becomes a Call of its own graph."""
        source = self._source(function)
        names = bind(source, function, args, kwargs)
        key = call_key(source, function, names.values())
        if key in self.recursive:
            return self._call_graph(frame, self.recursive[key], names)
        if key in self.active:
            raise _Recursion(key)
        if len(self.active) >= limits["calls"]:
            raise self._too_deep(source, frame)
        self.active[key] = None
        path = frame.path.called(source.name, function, args)
        inner = Frame(self, source, frame.scope, names, path, *_outside(function), frame)
        inner.memory, before = frame.memory, frame.snapshot() if frame.memory else None
        try:
            return self._read(inner)
        except _Recursion as found:
            if found.key != key:
                raise
            frame.restore(before or (frame.names, {}))
        except RecursionError:
            if len(self.active) < limits["calls"] // 4:
                raise
            raise self._too_deep(source, frame) from None
        finally:
            del self.active[key]
        return self._read_recursive(frame, source, function, names, key, path)

    def _source(self, function):
        """The one Source of a function while a program is read: its calls are known by it."""
        if isinstance(function, Closure):
            return function.source
        found = source_of(function)
        return self.sources.setdefault((found.file, function.__code__), found)

    def _too_deep(self, source, frame):
        """MindSpore's error for calls in calls in calls."""
        return errors.InvalidSyntax(
            f"Exceed function call depth limit {limits['calls']}.",
            given=f"a call of '{source.name}' inside {len(self.active)} other calls",
            hint="Does a recursion on Python numbers end? Write it as a loop, or let a tensor "
            "decide it. The limit is set_context(max_call_depth=...).",
            where=frame.here(),
        )

    def _read(self, inner):
        block(inner, inner.source.body)
        return returned(inner)

    def count_turn(self, frame):
        """Another turn of a loop is read; a loop that Python decides is read turn by turn."""
        self.turns += 1
        if self.turns > limits["turns"]:
            raise errors.InvalidSyntax(
                f"Loops over constants were written out more than {limits['turns']} times.",
                given=f"a loop in '{frame.source.name}'",
                hint="Loop over range(...) or a tensor and let the body change tensors and numbers "
                "only: that is one loop of the graph. What needs no tensor is calculated outside.",
                where=frame.here(),
            )

    # recursion --------------------------------------------------------------------------------

    def _read_recursive(self, frame, source, function, names, key, path):
        """Read the function as a graph until its result types and captured values stay the same.

        What it writes to out there, and the State, are given to it and come back, as in a loop.
        """
        entry = self.recursive[key] = _Entry()
        while True:
            scope = entry.scope = frame.scope.child(source.name, source.where(source.node))
            inside, path = _as_parameters(scope, names), path.again()
            inner = Frame(self, source, scope, inside, path, *_outside(function), frame)
            own = list(scope.graph.parameters)
            entry.prepare(inner)
            value = self._read(inner)
            if entry.settled(inner, value, own):
                break
        result = self._call_graph(frame, entry, names)
        del self.recursive[key]
        return result

    def _call_graph(self, frame, entry, names):
        leaves = []
        for value in names.values():
            take_apart(value, leaves)
        given = [v for v in leaves if isinstance(v, Node)]
        operands = [*given, *entry.captured, *map(frame.recall, entry.written)]
        node = frame.add(CALL, operands, None, [entry.scope.graph])
        if entry.types is None:
            return node
        node.abstract, count = packed(tuple(entry.types)), len(entry.types)
        found = iter([node] if count == 1 else parts(frame, node, count))
        value, kept, changed = put_together(entry.tree, found)
        frame.memory.update(zip(entry.written, kept, strict=True))
        for place, new in zip(entry.arguments, changed, strict=True):
            frame.write(given[place], new)
        return value


class _Recursion(Exception):
    """A function under way is called again for the same argument types."""

    def __init__(self, key):
        super().__init__("this recursion was not noticed by its first call")
        self.key = key


class _Entry:
    """What is known so far of a recursive function.

    Its scope, the types and tree of (result, what was written to, arguments that were); the nodes
    it captures; the keys of memory it writes to, and which arguments.
    """

    def __init__(self):
        self.scope, self.types, self.tree = None, None, None
        self.captured, self.written, self.arguments = [], [], []

    def prepare(self, inner):
        """Parameters of the graph for what is captured and what is written to."""
        for node in self.captured:
            inner.scope.local(node)
        for key in self.written:
            kind, name = (STATE, "state") if key is STATE else (key.abstract, key.name)
            inner.memory[key] = inner.scope.graph.add_parameter(kind, name)

    def settled(self, inner, value, own):
        """End the graph; whether what is known of it has not changed."""
        scope, known = inner.scope, (self.types, self.captured, self.written, self.arguments)
        self.captured = [node for node in scope.captured if node.abstract is not STATE]
        self.written, self.arguments = _written(inner, own)
        kept = [inner.recall(key) for key in self.written]
        changed = [inner.recall(own[place]) for place in self.arguments]
        self.tree = scope.returns((mapped(inner.now, value), kept, changed))
        self.types = [node.abstract for node in scope.graph.outputs]
        if UNKNOWN in self.types[: len(self.types) - len(kept) - len(changed)]:
            raise errors.InvalidSyntax(
                f"Exceed function call depth limit {limits['calls']}.",
                given="this recursion never ends: no path returns without calling the function "
                "again",
            )
        return known == (self.types, self.captured, self.written, self.arguments)


def _written(inner, own):
    """(keys of memory out there that a recursive function writes to, which of its arguments)."""
    scope, keys, places = inner.scope, [], []
    for key in inner.memory:
        if type(key) is Place:
            source = inner.source
            raise errors.InvalidSyntax(
                f"'{source.name}' calls itself on tensors and writes to an attribute.",
                given=f"the attribute {key.name!r}",
                hint="Return the value, and assign it outside.",
                where=source.where(source.node),
            )
        if key in own:
            places.append(own.index(key))
        elif key is STATE or key.graph is not scope.graph:
            keys.append(key)
    return sorted(keys, key=lambda key: key is STATE), places


def _as_parameters(scope, names):
    """The arguments of a recursive function: nodes become its parameters, constants stay."""

    def parameter(name, value):
        new = scope.graph.add_parameter
        return mapped(lambda v: new(v.abstract, name) if isinstance(v, Node) else v, value)

    return {name: parameter(name, value) for name, value in names.items()}


def _outside(function):
    """Where names that are not local come from: (enclosing frame, Python function)."""
    return (function.frame, None) if isinstance(function, Closure) else (None, function)


def returned(frame):
    """What the function gave back: None if it ran through."""
    code = frame.names[CODE]
    if code == RETURN:
        value = frame.names[VALUE]
        return None if type(value) is Unusable else value  # it only raised
    if code == THROUGH:
        return None
    if type(code) is Exit and code.possible == {RETURN}:
        return frame.names[VALUE]
    value = frame.names.get(VALUE)
    if type(value) is Unusable and value.error is None:
        return None  # no path returns: one raises, the others run through
    if type(code) is Exit and type(value) is not Unusable and not frame.reader.strict:
        return ask(frame, _or_none, [code.node, value], pure=True)
    raise errors.InvalidType(
        f"{CANNOT_JOIN} One path of '{frame.source.name}' returns nothing.",
        hint="Add a `return` at its end.",
        where=frame.source.where(frame.source.node),
    )


def _or_none(code, value):
    return value if code == RETURN else None


def _of_its_own(graph, tensor):
    """A node of what a tensor is now; that of an equal constant would be another's, too."""
    op = primitive.NAMES["cast"]
    inputs, attributes = primitive.bind(op, (graph.constant(tensor), tensor.dtype), {})
    return graph.add(op, inputs, attributes)
