"""Cells that hold Cells: one after another, or in a list.

>>> from ms_ext.nn import ReLU, Tanh
>>> CellList([ReLU(), Tanh()])
CellList(
  (0): ReLU()
  (1): Tanh()
)
"""

from ..engine import errors
from .cell import Cell


class _Numbered(Cell):
    """Cells under the names "0", "1", ..."""

    def _items(self):
        return list(self.name_cells().values())

    def __len__(self):
        return len(self.name_cells())

    def __iter__(self):
        return iter(self._items())

    def __getitem__(self, index):
        items = self._items()
        if isinstance(index, slice):
            return type(self)(items[index])
        self._check_index(index)
        return items[index]

    def _check_index(self, index):
        kind, count = type(self).__name__, len(self)
        if type(index) is not int:
            raise errors.InvalidType(
                f"For '{kind}', the type of 'index' must be int or slice, "
                f"but got {type(index).__name__}."
            )
        if not -count <= index < count:
            raise errors.InvalidIndex(
                f"For '{kind}', the value of 'index' must be a number in range "
                f"[{-count}, {count}), but got {index}."
            )

    def append(self, cell):
        """One more Cell at the end."""
        self._check_cell(cell)
        setattr(self, str(len(self)), cell)

    def _check_cell(self, cell):
        if not isinstance(cell, Cell):
            raise errors.InvalidType(
                f"For '{type(self).__name__}', each cell must be subclass of Cell, "
                f"but got {type(cell).__name__}."
            )


class SequentialCell(_Numbered):
    """Cells called one after another, each on the result of the one before.

    >>> from ms_ext import Tensor
    >>> from ms_ext.nn import ReLU
    >>> SequentialCell(ReLU(), ReLU())(Tensor([-1.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], list | tuple):
            args = args[0]
        if len(args) == 1 and isinstance(args[0], dict):
            for name, cell in args[0].items():
                self._check_cell(cell)
                setattr(self, name, cell)
            return
        for i, cell in enumerate(args):
            if not isinstance(cell, Cell):
                raise errors.InvalidType(
                    f"For 'SequentialCell', the 'args[{i}]' must be Cell, list or orderedDict, "
                    f"but got {type(cell).__name__}"
                )
            self.append(cell)

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

    def __init__(self, *args):
        super().__init__()
        self.extend(args[0] if len(args) == 1 and isinstance(args[0], list | tuple) else args)

    def extend(self, cells):
        """More Cells at the end; returns the list."""
        for cell in cells:
            self.append(cell)
        return self

    def construct(self, *inputs):
        """Refused: a list has no calculation of its own."""
        raise errors.NotRunnable(
            "A CellList cannot be called.",
            hint="Call its Cells: `for cell in self.layers: x = cell(x)`.",
        )
