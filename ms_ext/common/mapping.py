"""One function for many types, and over every item of a tuple: MindSpore's MultitypeFuncGraph and
HyperMap. Both are Python that graph mode reads, so they work in compiled functions, and in their
gradients, as they stand.

>>> scale = MultitypeFuncGraph("scale")
>>> @scale.register("Number", "Tensor")
... def scale_tensor(factor, x):
...     return factor * x
>>> HyperMap()(scale, (2, 3), (Tensor(1.0), Tensor(5.0)))
(Tensor(shape=[], dtype=Float32, value= 2), Tensor(shape=[], dtype=Float32, value= 15))
"""

import functools

from ..engine import errors
from ..engine.tensor import Tensor
from .graph_classes import jit_class

__all__ = ["HyperMap", "Map", "MultitypeFuncGraph", "constexpr"]

#: What the names of types mean.
KINDS = {
    "Bool": bool,
    "Dictionary": dict,
    "Float": float,
    "Int": int,
    "List": list,
    "None": type(None),
    "Number": (bool, int, float),
    "String": str,
    "Tensor": Tensor,
    "Tuple": tuple,
}


@jit_class
class MultitypeFuncGraph:
    """A function that is another one for other types of its arguments.

    >>> add = MultitypeFuncGraph("add")
    >>> @add.register("Number", "Number")
    ... def add_numbers(x, y):
    ...     return x + y
    >>> add(1, 2)
    3
    """

    def __init__(self, name, read_value=False):
        if not isinstance(name, str):
            raise errors.InvalidType(f"The name of a MultitypeFuncGraph is text, not {name!r}.")
        self.name, self.entries = name, []

    def register(self, *type_names):
        """Take in a function for these types: "Number", "Tensor", "Tuple", "List", "String", ...

        >>> MultitypeFuncGraph("f").register("Tensor")(abs)
        <built-in function abs>
        """
        kinds = [_kind(each) for each in type_names]

        def declare(function):
            self.entries.append((kinds, function))
            return function

        return declare

    def __call__(self, *args):
        for kinds, function in self.entries:
            if fits(kinds, args):
                return function(*args)
        raise ValueError("For 'MultitypeFuncGraph', cannot find fn match given args.")


def fits(kinds, values):
    """Whether values are of these kinds.

    >>> fits([int, str], (1, "a")), fits([int], (1, 2))
    (True, False)
    """
    if len(kinds) != len(values):
        return False
    for at in range(len(values)):
        if not isinstance(values[at], kinds[at]):
            return False
    return True


def _kind(name):
    if isinstance(name, type):
        return name
    if name not in KINDS:
        raise errors.InvalidType(
            f"There is no type {name!r} to register a function for.",
            hint=errors.did_you_mean(str(name), KINDS),
        )
    return KINDS[name]


@jit_class
class HyperMap:
    """A function over the items of tuples and lists, and over what these hold, down to tensors.

    >>> HyperMap()(lambda x, y: x + y, (1, (2, 3)), (10, (20, 30)))
    (11, (22, 33))
    """

    def __init__(self, ops=None, reverse=False):
        self.function = ops

    def __call__(self, *args):
        if self.function is None:
            return mapped(args[0], args[1:])
        return mapped(self.function, args)


def mapped(function, trees):
    """The function of what stands in the same place of several nested tuples.

    >>> mapped(max, ((1, 5), (3, 2)))
    (3, 5)
    """
    if isinstance(trees[0], (tuple, list)):
        length = min([len(tree) for tree in trees])
        return tuple([mapped(function, [tree[at] for tree in trees]) for at in range(length)])
    return function(*trees)


@jit_class
class Map:
    """A function over the items of tuples and lists; what these hold is given to it as it is.

    >>> Map()(len, ("a", "bc"))
    (1, 2)
    """

    def __init__(self, ops=None, reverse=False):
        self.function = ops

    def __call__(self, *args):
        function, trees = self.function, args
        if self.function is None:
            function, trees = args[0], args[1:]
        length = min([len(tree) for tree in trees])
        return tuple([function(*[tree[at] for tree in trees]) for at in range(length)])


def constexpr(fn=None, get_instance=True, name=None, reuse_result=True, check=True):
    """A function of numbers, shapes and texts that Python runs while a graph is made.

    >>> @constexpr
    ... def doubled(sizes):
    ...     return tuple(2 * each for each in sizes)
    >>> doubled((2, 3))
    (4, 6)
    """
    if fn is None:
        return constexpr

    @functools.wraps(fn)
    def run(*args, **kwargs):
        return fn(*args, **kwargs)

    run.of_values = True
    return run
