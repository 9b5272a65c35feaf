"""Cells that hold Cells: one after another, or in a list.

>>> from ms_ext.nn import ReLU, Tanh
>>> CellList([ReLU(), Tanh()])
CellList(
  (0): ReLU()
  (1): Tanh()
)
"""

from collections import OrderedDict

from ..engine import errors
from .cell import Cell
from .cell_members import children, prefix_of


class _Numbered(Cell):
    """Cells in order, under the names "0", "1", ... or names of their own."""

    def __len__(self):
        return len(children(self))

    def __iter__(self):
        return iter(children(self).values())

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._part(index)
        self._check_index(index)
        return list(children(self).values())[index]

    def __setitem__(self, index, cell):
        if type(index) is not int:
            raise self._no_index(index, "int")
        self._check_index(index)
        self._check_cell(cell)
        name, prefix = list(children(self))[index], prefix_of(self)
        self._name_cell(cell, f"{prefix}{name}.")
        vars(self)[name] = cell
        self.forget_compiled()

    def __delitem__(self, index):
        items = list(children(self).items())
        if not isinstance(index, slice):
            self._check_index(index)
            index = slice(index, index + 1) if index != -1 else slice(-1, None)
        prefix, left = prefix_of(self), list(items)
        del left[index]
        self._renumber(left, prefix)

    def append(self, cell):
        """One more Cell at the end."""
        self._check_cell(cell)
        known = children(self)
        number = next(n for n in range(len(known), 2 * len(known) + 1) if str(n) not in known)
        self._name_cell(cell, f"{prefix_of(self)}{number}.")
        vars(self)[str(number)] = cell
        self.forget_compiled()

    def _renumber(self, items, prefix):
        """Hold these (name, Cell); numbers, not names, count anew."""
        for name in children(self):
            del vars(self)[name]
        for number, (old, cell) in enumerate(items):
            name = str(number) if old.isdigit() else old
            if name != old:
                self._name_cell(cell, f"{prefix}{name}.")
            vars(self)[name] = cell
        self.forget_compiled()

    def _name_cell(self, cell, prefix):
        if self._auto_prefix:
            cell.update_parameters_name(prefix)

    def _check_index(self, index):
        count = len(self)
        if type(index) is not int:
            raise self._no_index(index, "int or slice")
        if not -count <= index < count:
            raise self._out_of_range(index, f"[{-count}, {count})")

    def _no_index(self, index, wanted):
        return errors.InvalidType(
            f"For '{type(self).__name__}', the type of 'index' must be {wanted}, "
            f"but got {type(index).__name__}."
        )

    def _out_of_range(self, index, span):
        return errors.InvalidIndex(
            f"For '{type(self).__name__}', the value of 'index' must be a number in range "
            f"{span}, but got {index}."
        )

    def _check_cell(self, cell):
        if not isinstance(cell, Cell):
            raise errors.InvalidType(
                f"For '{type(self).__name__}', each cell must be subclass of Cell, "
                f"but got {type(cell).__name__}."
            )


class SequentialCell(_Numbered):
    """Cells called one after another, each on the result of the one before.

    They are given one by one, in a list, or by name in an OrderedDict.

    >>> from ms_ext import Tensor
    >>> from ms_ext.nn import ReLU
    >>> SequentialCell(ReLU(), ReLU())(Tensor([-1.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    def __init__(self, *args):
        super().__init__()
        if len(args) != 1:
            args = (list(args),)
        given = [args[0]] if isinstance(args[0], Cell) else args[0]
        if not isinstance(given, list | OrderedDict):
            raise errors.InvalidType(
                "For 'SequentialCell', the 'args[0]' must be Cell, list or orderedDict, "
                f"but got {type(given).__name__}",
                hint="Give the Cells one by one, or in a list.",
            )
        named = given if isinstance(given, OrderedDict) else dict(enumerate(given))
        for name, cell in named.items():
            self._check_cell(cell)
            self.insert_child_to_cell(str(name), cell)
            cell.update_parameters_name(f"{name}.")

    def _part(self, index):
        return type(self)(OrderedDict(list(children(self).items())[index]))

    def construct(self, x):
        """The result of the last Cell."""
        for cell in self:
            x = cell(x)
        return x


class CellList(_Numbered):
    """A list of Cells whose Parameters belong to the network. It is looped over, not called.

    >>> from ms_ext.nn import Dense
    >>> layers = CellList([Dense(2, 3), Dense(3, 1)])
    >>> len(layers), [p.name for p in layers.get_parameters()]
    (2, ['0.weight', '0.bias', '1.weight', '1.bias'])
    """

    def __init__(self, *args, auto_prefix=True):
        super().__init__(auto_prefix)
        if len(args) > 1:
            raise errors.InvalidType(
                "For 'CellList', the cells must be given in one list.",
                given=f"{len(args)} arguments",
                hint="nn.CellList([first, second])",
            )
        for cells in args:
            self.extend(cells)

    def _part(self, index):
        return type(self)(list(self)[index])

    def __iadd__(self, cells):
        return self.extend(cells)

    def extend(self, cells):
        """The Cells of a list at the end; returns the CellList."""
        if not isinstance(cells, list):
            raise errors.InvalidType(
                "For 'CellList', the new cells wanted to append should be instance of list, "
                f"but got {type(cells).__name__}.",
                hint="nn.CellList([first, second])",
            )
        for cell in cells:
            self.append(cell)
        return self

    def insert(self, index, cell):
        """One more Cell in front of the place ``index``; those behind it count on.

        >>> from ms_ext.nn import ReLU, Tanh
        >>> layers = CellList([ReLU()])
        >>> layers.insert(0, Tanh())
        >>> layers[0]
        Tanh()
        """
        count = len(self)
        if type(index) is not int:
            raise self._no_index(index, "int")
        if not -count <= index <= count:
            raise self._out_of_range(index, f"[{-count}, {count}]")
        self._check_cell(cell)
        items, prefix = list(children(self).items()), prefix_of(self)
        index %= count if count and index != count else count + 1
        self._name_cell(cell, f"{prefix}{index}.")
        self._renumber([*items[:index], (str(index), cell), *items[index:]], prefix)

    def construct(self, *inputs):
        """Refused: a list has no calculation of its own."""
        raise errors.NotOffered(
            "A CellList cannot be called.",
            hint="Call its Cells: `for cell in self.layers: x = cell(x)`.",
        )
