"""What compiled code writes of the program around it: ``self.count += 1``, ``buffer.add_(x)``.

Any other attribute or tensor is a constant, what it is while the function is read. That one is
written is found out as it is read; the reading begins again then, and it is an input of the graph,
read anew at every call. What it is by now is kept in memory, as that of a Parameter is.
"""

import numpy as np

from ..infer import abstract_of
from ..tensor import Tensor


class Attribute:
    """An attribute as an input of a graph."""

    __slots__ = ("name", "owner")

    def __init__(self, owner, name):
        self.owner, self.name = owner, name

    def now(self):
        """What it is at this call: a number or a Tensor.

        >>> import types
        >>> Attribute(types.SimpleNamespace(count=3), "count").now()
        3
        """
        return getattr(self.owner, self.name)

    def asnumpy(self):
        """What it is, as what a backend is given."""
        value = self.now()
        return value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)


class Source:
    """An owner of attributes that are other values whenever they are read: ``like`` is one."""

    like = None


class Stored(Exception):
    """An attribute, or a tensor from outside, that was taken for a constant is written."""

    def __init__(self, place):
        super().__init__("what was taken for a constant is written")
        self.place = place


def is_kept(value):
    """Whether an attribute with this value is read anew at every call, if it is written at all.

    >>> is_kept(1), is_kept(Tensor(1.0)), is_kept("fast"), is_kept(None)
    (True, True, False, False)
    """
    return type(value) in (bool, int, float) or type(value) is Tensor


def read_stored(frame, places):
    """Make what is written an input of the graph, before anything else is read."""
    reader, scope = frame.reader, frame.scope
    reader.stored = frozenset(place for place in places if not isinstance(place, Tensor))
    for place in places:
        if isinstance(place, Tensor):
            node = scope.graph.add_parameter(abstract_of(place), "tensor")
            scope.free["written", id(place)] = reader.variables[id(place)] = node, place
            continue
        one_time = isinstance(place.owner, Source)
        kind = abstract_of(place.owner.like if one_time else getattr(place.owner, place.name))
        node = frame.memory[place] = scope.graph.add_parameter(kind, place.name)
        scope.free[place] = node, Attribute(place.owner, place.name)
