"""Why was this compiled (again)? Signatures of a compiled function's calls, compared and worded.

Nothing is worded until somebody reads it, so keeping a record costs next to nothing.

>>> from ms_ext import Tensor, jit
>>> @jit
... def scaled(x, by):
...     return x * by
>>> for x, by in [(1.0, 2), (1.0, 3), ([1.0, 2.0], 3)]:
...     _ = scaled(Tensor(x), by)
>>> for each in scaled.compilations:
...     print(each)
1. the first call: x is f32[], by is 2
2. by was 2 and is 3
3. x was f32[] and is f32[2]
"""

from typing import NamedTuple

import numpy as np

from ..dtype import DType, from_numpy
from .dynamic import shapes_in, skeleton
from .frontend.naming import parameter_names

ABSENT = ("absent",)
_READABLE = 6  # numbers of a NumPy array that are shown
AGAIN = "an op, a pass or a backend was declared again"


class Change(NamedTuple):
    """One argument whose type or value was not met before: its name, and both as text."""

    argument: str
    old: str
    new: str

    def __str__(self):
        return f"{self.argument} was {self.old} and is {self.new}"


class Compilation:
    """The ``number``th compilation of a function: how its call differed from the nearest before.

    ``took``: nanoseconds from the call to a graph that can run. ``served`` tells which sizes are
    open, if any are.
    """

    __slots__ = ("_all", "_function", "_key", "number", "served", "took")

    def __init__(self, function, key, earlier, took=0, served=None):
        self._function, self._key, self._all = function, key, earlier
        self.number, self.took, self.served = len(earlier) + 1, took, served

    @property
    def arguments(self):
        """Name -> type or value, as text."""
        return {name: shown(part) for name, part in self._named().items()}

    @property
    def changes(self):
        """A Change for each argument that is new, against the earlier compilation nearest to it."""
        earlier = self._all[: self.number - 1]
        found = [self._against(each) for each in reversed(earlier)]
        return min(found, key=len, default=[])

    @property
    def text(self):
        """Why it was compiled, in words."""
        if self.number == 1:
            given = ", ".join(f"{name} is {text}" for name, text in self.arguments.items())
            return f"the first call: {given or 'no arguments'}{self._where()}"
        return ("; ".join(map(str, self.changes)) or AGAIN) + self._where()

    def _where(self):
        """Which sizes are open."""
        letters = self.served.letters.items() if self.served else ()
        text = ", ".join(f"{letter} = {axes}" for letter, axes in letters)
        closed = "; ".join(self.served.closed) if self.served else ""
        return (f", for any {text}" if text else "") + (f" (not open: {closed})" if closed else "")

    def answers(self, signature):
        """Whether a call of this signature, (args, keywords), runs what was compiled here.

        What was declared since, an op or a pass, is left to the newest Compilation.
        """
        later = self._all[self.number :]
        return self._takes(signature) and not any(each._takes(signature) for each in later)

    def _takes(self, signature):
        mine = self._key[:2]
        if self.served is None or skeleton(mine) != skeleton(signature):
            return mine == signature
        return self.served.serves(shapes_in(signature))

    def __str__(self):
        return f"{self.number}. {self.text}"

    def __repr__(self):
        return f"Compilation({self})"

    def _named(self):
        """Name of an argument -> its part of the signature."""
        key = self._key[:2]
        (_, *args), keywords = self.served.lettered(key) if self.served else key
        names = parameter_names(self._function, len(args))
        return dict(zip(names, args, strict=True)) | dict((keywords or (dict,))[1:])

    def _against(self, other):
        old, new = other._named(), self._named()
        names = dict.fromkeys([*new, *old])
        pairs = ((name, old.get(name, ABSENT), new.get(name, ABSENT)) for name in names)
        return [change for each in pairs for change in differences(*each)]


def differences(path, old, new):
    """The Changes between two parts of signatures; containers of one form are looked into.

    >>> one, other = [(tuple, (int, 1), (int, n)) for n in (2, 3)]
    >>> list(map(str, differences("pair", one, other)))
    ['pair[1] was 2 and is 3']
    """
    if old == new:
        return
    same = old[0] is new[0] and len(old) == len(new)
    if same and old[0] in (tuple, list):
        for at, pair in enumerate(zip(old[1:], new[1:], strict=True)):
            yield from differences(f"{path}[{at}]", *pair)
    elif same and old[0] is dict and _keys(old) == _keys(new):
        for (key, one), (_, other) in zip(old[1:], new[1:], strict=True):
            yield from differences(f"{path}[{key!r}]", one, other)
    else:
        yield Change(path, shown(old), shown(new))


def _keys(part):
    return [key for key, _ in part[1:]]


def _shown_array(array):
    """A NumPy array: its numbers are a constant of the program."""
    text = f"{from_numpy(array.dtype).short}[{','.join(map(str, array.shape))}]"
    return f"{text} {array.tolist()}" if array.size <= _READABLE else f"{text} of certain numbers"


def shown(part):
    """A part of a signature as a reader knows it: a type for a tensor, a value for a constant."""
    kind = part[0]
    if part is ABSENT:
        return "not given"
    if isinstance(kind, DType):
        return f"{kind.short}[{','.join(map(str, part[1]))}]"
    if kind in (tuple, list):
        items = ", ".join(map(shown, part[1:]))
        return f"[{items}]" if kind is list else f"({items})"
    if kind is dict:
        return f"{{{', '.join(f'{key!r}: {shown(item)}' for key, item in part[1:])}}}"
    if kind is np.ndarray:
        return _shown_array(np.frombuffer(part[3], part[1]).reshape(part[2]))
    if kind == "mutable":
        return f"a mutable {part[1].__name__}"
    if len(part) == 3:  # (type, id, what keeps it alive)
        return f"{part[2].value!r:.60}"
    return part[1] if kind is not str and isinstance(part[1], str) else repr(part[1])
