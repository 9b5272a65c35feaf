"""A function being read: its names, the graph it writes to, and how a name is looked up.

What is written to keeps its identity: the *memory* says what a tensor, a Parameter, an attribute
or the State is by now. It belongs to the graph, so a function that is read in place shares it with
its caller, and branches and loops join it as they join names.

Among the names is how the block ended: CODE is 0 (ran through), 1 (break), 2 (return) or 3
(continue), or an Exit when only the running graph knows; VALUE is what was returned.
"""

import builtins

from .. import errors
from ..dims import Dim
from ..infer import STATE
from ..ir import CNode, Node
from ..tensor import Tensor
from .effects import BEGIN
from .names import Names, with_own_containers
from .unsupported import loop_of, only_inside
from .values import Place, Unusable

THROUGH, BREAK, RETURN, CONTINUE = range(4)
#: They live among the names, so that branches join them like any other.
CODE, VALUE, RESULT = "<code>", "<value>", "<result>"


class Exit:
    """How a block ended, as a node, and which codes it can be."""

    __slots__ = ("node", "possible")

    def __init__(self, node, possible):
        self.node, self.possible = node, frozenset(possible)


_NONE = object()


class Frame:
    """Names of one call of one function, the scope its nodes go to, and the calls that led here."""

    __slots__ = (
        "caller",
        "closure",
        "current",
        "function",
        "memory",
        "names",
        "path",
        "reader",
        "scope",
        "source",
    )

    def __init__(
        self, reader, source, scope, names, path, closure=None, function=None, caller=None
    ):
        self.reader, self.source, self.scope, self.path = reader, source, scope, path
        self.names, self.closure, self.function, self.caller = names, closure, function, caller
        self.current, self.memory = source.node, {}
        names.setdefault(CODE, THROUGH)

    def fork(self, scope, path=None):
        """The same function with a copy of its names, writing to another scope."""
        names, path = Names(self.names, shares=scope is self.scope), path or self.path
        names[CODE] = self.code
        outside = self.closure, self.function, self.caller
        copy = Frame(self.reader, self.source, scope, names, path, *outside)
        copy.current = self.current
        copy.memory = self.memory if scope is self.scope else dict(self.memory)
        return copy

    def add(self, op, inputs, attrs=None, graphs=()):
        """A new node in this frame's graph, with the place of the syntax being read."""
        scope, where = self.scope, self.here()
        if self.memory or self.reader.variables or self.reader.hooked:
            inputs = map(self.now, inputs)
        graph, node = scope.graph, scope.node
        nodes = tuple(
            [v if type(v) is CNode and v.graph is graph else node(v, where) for v in inputs]
        )
        return graph.add(op, nodes, attrs or None, graphs, where=where)

    def here(self):
        """The place of the syntax being read; None in what nobody wrote as Python."""
        return self.source.where(self.current, self.path.text)

    def node(self, value, where=None):
        """A value as a node of this frame's graph; ``where`` it is used, if not here."""
        return self.scope.node(self.now(value, where))

    # what is written to ---------------------------------------------------------------------------

    def now(self, value, where=None):
        """What a tensor or Parameter is by now; any other value is itself."""
        if isinstance(value, Tensor):
            value = self._of_tensor(value, where)
        if not isinstance(value, Node):
            return value
        value = self.memory.get(value, value)
        return self.reader.hooked.get(value, value)

    def _of_tensor(self, tensor, where=None):
        """What stands for a tensor: the input that a Parameter is, what is written to, itself."""
        if type(tensor) is not Tensor:
            return self.scope.parameter(tensor, where or self.here())
        return self.reader.variables.get(id(tensor), (tensor,))[0]

    def varies(self, value):
        """Whether a value is known only when the graph runs: also a tensor that is written to."""
        if isinstance(value, Tensor):
            return type(value) is not Tensor or id(value) in self.reader.variables
        return isinstance(value, Node)

    def write(self, value, new):
        """From here on ``value``, a tensor or Parameter, is ``new``."""
        if type(value) is Tensor:
            value = self.reader.variable(value, self.scope)
        self.memory[value if isinstance(value, Node) else self.scope.parameter(value)] = new

    def store(self, key):
        """Where the value of a key is kept: names are text, everything else is memory."""
        return self.names if type(key) is str else self.memory

    def recall(self, key):
        """The value of a key of names or memory; Unusable for a name without one."""
        found = self.store(key).get(key)
        if found is not None or key in self.store(key):
            return found
        if key is STATE:
            return self.scope.root.graph.constant(BEGIN, STATE)
        if type(key) is Place:
            return getattr(key.owner, key.name, Unusable(None))
        return Unusable(None) if type(key) is str else key

    def snapshot(self):
        """Names, what their lists and dicts hold, and memory, for ``restore``."""
        return with_own_containers(self.names), dict(self.memory)

    def restore(self, before):
        """Forget what was read since the snapshot."""
        self.names = dict(before[0])
        self.memory.clear()
        self.memory.update(before[1])

    def written_inside(self, *inner):
        """Keys of memory that frames of regions of this one changed, and that exist out here."""
        keys = dict.fromkeys(key for frame in inner for key in frame.memory)
        if STATE in keys:
            keys[STATE] = keys.pop(STATE)  # last
        graphs = [frame.scope.graph for frame in inner]
        return [
            key
            for key in keys
            if getattr(key, "graph", None) not in graphs
            and any(frame.memory.get(key) is not self.memory.get(key) for frame in inner)
        ]

    def learners(self):
        """The place of the learner's that is being read, or from which what is read was called."""
        frame = self
        while frame is not None and (not frame.source.file or errors.inside(frame.source.file)):
            frame = frame.caller
        return frame and frame.here()

    def locate(self, error):
        """Give an error without a place that of the syntax being read, if it is the learner's."""
        if error.where is None and not errors.inside(self.source.file):
            error.where = self.source.where(self.current)

    @property
    def code(self):
        """How the block ended so far."""
        return self.names[CODE]

    def lookup(self, name):
        """The value of a name: local, enclosing, global, built in."""
        value = self.find(name)
        if type(value) is Unusable:
            raise value.error
        return value

    def find(self, name):
        """As ``lookup``, but a name without a value on this path gives the reason instead."""
        value = self.names.get(name, _NONE)
        if value is not _NONE:
            return value
        if self.closure is not None:
            return self.closure.find(name)
        return self._from_python(name)

    def _from_python(self, name):
        function = self.function
        code, module = function.__code__, function.__globals__
        if function.__closure__ and name in code.co_freevars:
            cell = function.__closure__[code.co_freevars.index(name)]
            try:
                return self.reader.own(cell.cell_contents, self.scope)
            except ValueError:
                raise errors.NotDefined(f"The name '{name}' has no value yet.") from None
        if name not in module and name in code.co_varnames:  # in that order: one is made anew
            if loop := loop_of(self.source.node, name):
                raise only_inside(loop, name)
            raise errors.UnboundName(
                f"The name '{name}' is not defined, or not supported in graph mode.",
                given="a local variable that is referenced before assignment",
                hint=f"Give '{name}' a value before this line.",
            )
        return self._global(module, name)

    def _global(self, module, name):
        if name in module:
            self.reader.note_global(module, name)
            return self.reader.own(module[name], self.scope)
        if hasattr(builtins, name):
            return getattr(builtins, name)
        known = [*self.names, *(k for k in module if not k.startswith("_"))]
        hint = errors.did_you_mean(name, (k for k in known if not k.startswith("<")))
        raise errors.NotDefined(
            f"The name '{name}' is not defined, or not supported in graph mode.", hint=hint
        )


def has_node(value):
    """Whether any part of a value is known only when the graph runs: a node, an open size."""
    if isinstance(value, Node | Dim):
        return True
    if isinstance(value, tuple | list):
        return any(map(has_node, value))
    return isinstance(value, dict) and any(map(has_node, value.values()))
