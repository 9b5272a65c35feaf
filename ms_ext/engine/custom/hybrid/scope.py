"""What do names mean at a place of the function? Tensors, tuples, dtypes, numbers, and bounds.

An index needs no check where it is a loop's counter that stays below that very size.
"""

import ast
from collections import Counter

from . import kinds
from .tree import Constant, NotCompiled, Size, Tensor, Variable


class Scope:
    """Names of one function while it is read, for inputs of known kinds.

    ``variables``: name -> kind, kept between readings until none changes.
    """

    def __init__(self, source, variables):
        self.source, self.variables = source, variables
        self.tensors, self.tuples, self.dtypes = {}, {}, {}
        self.assigned = set()  # names that have a value here, whatever happened before
        self.depth = 0  # how many loops and choices are around
        self.counters = set()  # all names that ever count
        self.below = {}  # counter of a loop around -> sizes that it stays below
        self.same = {}  # variable or (tensor, axis) -> the size that it is, for good
        stored = [n.id for n in ast.walk(source.node) if _is_stored(n)]
        self.times = Counter(stored)

    def refused(self, reason, node):
        """The reason why this is not compiled, with its line."""
        return NotCompiled(reason, self.source.where(node))

    # what names mean ------------------------------------------------------------------------------

    def named(self, node):
        """What a name stands for: a Tensor, a tuple, a dtype, or an expression."""
        name = node.id
        for table in (self.tensors, self.tuples, self.dtypes):
            if name in table:
                if table is self.tensors and name not in self.assigned:
                    raise self.refused(f"`{name}` may have no value here", node)
                return table[name]
        if name not in self.variables or name not in self.assigned:
            raise self.refused(f"`{name}` may have no value here", node)
        return Variable(name, self.variables[name])

    def number(self, name, kind, node):
        """A number is stored under a name."""
        if name in self.tensors or name in self.tuples or name in self.dtypes:
            raise self.refused(f"`{name}` is first a tensor or tuple, then a number", node)
        if name in self.counters:
            raise self.refused(f"the loop's counter `{name}` is stored to", node)
        before = self.variables.get(name, kind)
        try:
            self.variables[name] = kinds.joined(before, kind)
        except TypeError:
            raise self.refused(
                f"`{name}` is first {kinds.named(before)}, then {kinds.named(kind)}: "
                "use another name for the other",
                node,
            ) from None
        self.assigned.add(name)

    def tensor(self, name, kind, sizes, node):
        """A tensor is allocated under a name."""
        if name in self.tensors or name in self.variables or name in self.tuples:
            raise self.refused(f"`{name}` has two meanings", node)
        word = node.func.id
        source = "output" if word == "output_tensor" else "buffer"
        self.tensors[name] = Tensor(name, kind, len(sizes), source)
        self.assigned.add(name)
        for axis, size in enumerate(map(self.size, sizes)):
            if self.depth == 0 and self._is_settled(size):
                self.same[name, axis] = size

    # bounds ---------------------------------------------------------------------------------------

    def size(self, expression):
        """The size that an expression is, the same one under all its names; else the expression."""
        key = None
        if isinstance(expression, Size):
            key = (expression.tensor, expression.axis)
        elif isinstance(expression, Variable):
            key = expression.name
        return self.same.get(key, expression)

    def remember(self, name, value):
        """A variable that is stored to once, and not in a loop, is a size for good."""
        size = self.size(value)
        if self.times[name] == 1 and self.depth == 0 and self._is_settled(size):
            self.same[name] = size

    def _is_settled(self, size):
        """Whether it stays the same until the function ends."""
        if isinstance(size, Size):
            return self.tensors[size.tensor].source == "input" or (
                size.tensor, size.axis) in self.same  # fmt: skip
        return isinstance(size, Constant)

    def counter(self, name, first, stop, step, node):
        """A loop begins to count."""
        if name in self.assigned or name in self.tensors:
            raise self.refused(f"`{name}` is a loop's counter and something else", node)
        up = _is_at_least(first, 0) and _is_at_least(step, 1)
        self.below[name] = {self.size(stop)} if up else set()
        self.variables[name] = int
        self.counters.add(name)
        self.assigned.add(name)

    def done(self, name):
        """The loop is over."""
        del self.below[name]
        self.assigned.discard(name)

    def is_checked(self, index, tensor, axis):
        """Whether an index could be wrong."""
        size = self.same.get((tensor, axis), Size(tensor, axis))
        if isinstance(index, Variable):
            return size not in self.below.get(index.name, ())
        if isinstance(index, Constant) and isinstance(size, Constant):
            return not 0 <= index.value < size.value
        return True


def _is_at_least(expression, least):
    return isinstance(expression, Constant) and expression.value >= least


def _is_stored(node):
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
