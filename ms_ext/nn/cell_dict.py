"""Cells in a dictionary, by name.

>>> from ms_ext.nn import ReLU, Tanh
>>> CellDict({"relu": ReLU(), "tanh": Tanh()})
CellDict(
  (relu): ReLU()
  (tanh): Tanh()
)
"""

from collections.abc import Iterable, Mapping

from ..engine import errors
from .cell import Cell
from .cell_members import children, prefix_of
from .containers import CellList, SequentialCell


class CellDict(Cell):
    """A dictionary of Cells whose Parameters belong to the network. It is asked, not called.

    Errors: TypeError for a key that is no string or a value that is no single Cell, KeyError for a
    key that is empty, has a dot, or is an attribute of every Cell.

    >>> from ms_ext.nn import Dense
    >>> heads = CellDict([("age", Dense(2, 1)), ("name", Dense(2, 5))])
    >>> list(heads), [p.name for p in heads["age"].get_parameters()]
    (['age', 'name'], ['age.weight', 'age.bias'])
    """

    def __init__(self, *args, auto_prefix=True):
        super().__init__(auto_prefix)
        if args:
            self.update(args[0])

    def __getitem__(self, key):
        if key not in children(self):
            hint = errors.did_you_mean(key, list(children(self)))
            raise errors.MissingKey(f"This CellDict has no Cell {key!r}.", hint=hint)
        return children(self)[key]

    def __setitem__(self, key, cell):
        self._check_key(key)
        _check_value(cell)
        if self._auto_prefix:
            cell.update_parameters_name(f"{prefix_of(self)}{key}.")
        vars(self)[key] = cell
        self.forget_compiled()

    def __delitem__(self, key):
        self[key]
        del vars(self)[key]
        self.forget_compiled()

    def __len__(self):
        return len(children(self))

    def __iter__(self):
        return iter(children(self))

    def __contains__(self, key):
        return key in children(self)

    def keys(self):
        """The names."""
        return children(self).keys()

    def values(self):
        """The Cells."""
        return children(self).values()

    def items(self):
        """Name and Cell, in pairs."""
        return children(self).items()

    def pop(self, key):
        """Take a Cell out: the Cell."""
        cell = self[key]
        del self[key]
        return cell

    def clear(self):
        """Take all Cells out."""
        for key in children(self):
            del self[key]

    def update(self, cells):
        """Enter the Cells of a dictionary, or of pairs of name and Cell.

        >>> from ms_ext.nn import ReLU
        >>> cells = CellDict()
        >>> cells.update({"relu": ReLU()})
        >>> len(cells)
        1
        """
        if not isinstance(cells, Iterable):
            raise errors.InvalidType(
                "CellDict.update() should be called with an iterable of key-value pairs, "
                f"but got {type(cells).__name__}"
            )
        pairs = cells.items() if isinstance(cells, Mapping | CellDict) else _pairs(cells)
        for key, cell in pairs:
            self[key] = cell

    def construct(self, *inputs):
        """Refused: a dictionary has no calculation of its own."""
        raise errors.NotOffered(
            "A CellDict cannot be called.",
            hint='Call its Cells: `x = self.cells_by_name["relu"](x)`.',
        )

    def _check_key(self, key):
        if not isinstance(key, str):
            raise errors.InvalidType(
                f"For 'CellDict', the type of key should be string but got {type(key).__name__}."
            )
        if key not in children(self) and hasattr(self, key):
            raise errors.MissingKey(
                "For 'CellDict', the key can not be same with the attributes of Cell, "
                f"but got key {key}."
            )
        if "." in key or not key:
            what = 'contain "."' if key else 'be empty string ""'
            raise errors.MissingKey(f"For 'CellDict', key can not {what}, but got key {key}")


def _pairs(cells):
    for number, pair in enumerate(cells):
        if not isinstance(pair, Iterable):
            raise errors.InvalidType(
                f"CellDict update sequence element #{number} should be Iterable; "
                f"but got {type(pair).__name__}"
            )
        if len(pair) != 2:
            raise errors.InvalidValue(
                f"CellDict update sequence element #{number}, length should be 2; "
                f"but has length {len(pair)}"
            )
        yield pair


def _check_value(cell):
    if not isinstance(cell, Cell):
        raise errors.InvalidType(
            "For 'CellDict', cell can not be None."
            if cell is None
            else f"For 'CellDict', the type of cell should be Cell, but got {type(cell).__name__}."
        )
    if isinstance(cell, CellDict | CellList | SequentialCell):
        raise errors.InvalidType(
            "For 'CellDict', the type of cell can not be CellDict, CellList or SequentialCell, "
            f"but got {type(cell).__name__}."
        )
