"""Which calls of functions and Cells lead to the line being read? Their names: a node's scope.

A function goes by its name, a Cell by the path of attributes from the Cell that calls it. Calls
from one place are told apart by a number: "norm", "norm.1".

>>> path = Path.outermost().called("net", None, ())
>>> [path.called("norm", None, ()).text for _ in range(2)]
['norm', 'norm.1']
"""


class Path:
    """The calls that led to a frame, as text, and the names given to calls from here so far."""

    __slots__ = ("first", "given", "names", "owner", "text")

    def __init__(self, text, owner=None, names=None, first=False):
        self.text, self.owner, self.names = text, owner, names
        self.given, self.first = {}, first

    @classmethod
    def outermost(cls):
        """Before the first call: the function called from here is the outermost, its path empty.

        >>> Path.outermost().called("net", None, ()).text
        ''
        """
        return cls("", first=True)

    def copy(self):
        """The same, for a loop's body that may be read more than once."""
        copy = self.again()
        copy.given = dict(self.given)
        return copy

    def again(self):
        """The same, from where no call has a name yet."""
        return Path(self.text, self.owner, self.names, self.first)

    def called(self, name, function, args):
        """The path inside a call of ``function`` from here."""
        cell = args[0] if args and _is_method(args[0], name, function) else None
        owner, names = self.owner, self.names
        if cell is not None and cell is not owner:
            name = self._cell_name(cell, name)
            owner, names = cell, None
        if self.first:
            return Path("", owner, names)
        name = self._free("lambda" if name == "<lambda>" else name)
        return Path(f"{self.text}/{name}" if self.text else name, owner, names)

    def _cell_name(self, cell, method):
        """The attribute path of a Cell from the Cell that calls it, or the name of its class."""
        if self.names is None:
            cells = self.owner.cells_and_names() if self.owner is not None else ()
            self.names = {id(each): path for path, each in cells}
        name = self.names.get(id(cell)) or type(cell).__name__
        return name if method == "construct" else f"{name}.{method}"

    def _free(self, name):
        """``name``, with a number behind it if an earlier call from here has it."""
        many = self.given.get(name, 0)
        self.given[name] = many + 1
        return self._free(f"{name}.{many}") if many else name


def _is_method(value, name, function):
    """Whether ``function`` is the method ``name`` of a Cell."""
    if not hasattr(type(value), "cells_and_names"):
        return False
    method = getattr(type(value), name, None)
    return getattr(method, "function", method) is function
