"""How does a loop get the rows? As lists or dicts of tensors, or of NumPy's arrays.

>>> from ms_ext import dataset as ds
>>> data = ds.NumpySlicesDataset({"x": [1.0], "y": [2]})
>>> next(data.create_dict_iterator(output_numpy=True))
{'x': array(1.), 'y': array(2)}
"""

import numpy as np

from ..common import Tensor
from ..engine import errors
from ..engine.data import columns as _columns
from ..engine.data import epochs
from . import checks

#: NumPy's types that no tensor has here, and the next larger one that holds all their numbers.
_LARGER = {"uint16": np.int32, "uint32": np.int64}


class Iterator:
    """Goes through a dataset, epoch by epoch; ``stop`` ends its workers at once.

    It does so by itself when its last epoch ends, when an error comes through, and when nobody
    holds it any more. ``with data.create_tuple_iterator() as rows:`` ends them with the block.
    """

    def __init__(self, node, num_epochs, made):
        self._epochs, self._made = epochs.Epochs(node, num_epochs), made

    def __iter__(self):
        return self

    def __next__(self):
        return self._made(next(self._epochs))

    def get_col_names(self):
        """The names of the columns."""
        return list(self._epochs.node.columns)

    def stop(self):
        """End the workers; no more rows come."""
        self._epochs.stop()

    release = stop

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.stop()


class TupleIterator(Iterator):
    """Gives each row as a list."""


class DictIterator(Iterator):
    """Gives each row as a dict of its columns' names."""


def create_tuple_iterator(self, columns=None, num_epochs=-1, output_numpy=False, do_copy=False):
    """Rows as lists of tensors, or of arrays with ``output_numpy``.

    It ends after each epoch and goes on when asked again; after ``num_epochs`` that is an error.

    >>> from ms_ext import dataset as ds
    >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
    >>> rows = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
    >>> [len(list(rows)) for _ in range(2)]
    [2, 2]
    """
    node = self._node
    if columns is not None:
        node = _columns.Project(node, checks.column_list(columns, "column_names"))
    convert = _converter(num_epochs, output_numpy, do_copy)
    return TupleIterator(node, num_epochs, lambda row: [convert(each) for each in row])


def create_dict_iterator(self, num_epochs=-1, output_numpy=False, do_copy=False):
    """Rows as dicts of tensors, or of arrays with ``output_numpy``.

    >>> from ms_ext import dataset as ds
    >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
    >>> [row["x"].item() for row in data.create_dict_iterator(num_epochs=1)]
    [1, 2]
    """
    convert, names = _converter(num_epochs, output_numpy, do_copy), self._node.columns
    return DictIterator(
        self._node,
        num_epochs,
        lambda row: {name: convert(each) for name, each in zip(names, row, strict=True)},
    )


def _converter(num_epochs, output_numpy, do_copy):
    checks.of_type(output_numpy, bool, "output_numpy")
    checks.of_type(do_copy, bool, "do_copy")
    checks.within(num_epochs, -1, checks.INT32, "num_epochs")
    if num_epochs == 0:
        raise errors.NotRunnable(
            "num_epochs should be either -1 or positive integer.", given="num_epochs=0"
        )
    return _as_array if output_numpy else _as_tensor


def _as_array(value):
    if isinstance(value, dict):
        return {key: np.asarray(each) for key, each in value.items()}
    return value if value.flags.c_contiguous else np.ascontiguousarray(value)


def _as_tensor(value):
    if isinstance(value, dict):
        return {key: _as_tensor(np.asarray(each)) for key, each in value.items()}
    if value.dtype.kind in "US":  # there is no tensor of texts
        return value
    wider = _LARGER.get(value.dtype.name)
    value = value.astype(wider) if wider else value
    return Tensor.from_numpy(value if value.flags.c_contiguous else np.ascontiguousarray(value))
