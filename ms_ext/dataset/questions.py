"""What can be asked of a dataset? Each function here is a method of every dataset."""

import numpy as np

from ..engine.data import getting


def get_dataset_size(self):
    """How many rows one pass gives: batches, where they are batched.

    >>> from ms_ext import dataset as ds
    >>> ds.NumpySlicesDataset([1, 2, 3], ["x"]).batch(2).get_dataset_size()
    2
    """
    if "_size" not in vars(self):
        self._size = getting.size(self._node)
    return self._size


def get_col_names(self):
    """The names of the columns.

    >>> from ms_ext import dataset as ds
    >>> ds.NumpySlicesDataset({"a": [1], "b": [2]}).get_col_names()
    ['a', 'b']
    """
    return list(self._node.columns)


def get_batch_size(self):
    """How many rows a batch has; 1 where nothing is batched.

    >>> from ms_ext import dataset as ds
    >>> ds.NumpySlicesDataset([1, 2, 3], ["x"]).batch(2).get_batch_size()
    2
    """
    return self._node.batch_size


def get_repeat_count(self):
    """How often the rows come; -1 is without end.

    >>> from ms_ext import dataset as ds
    >>> ds.NumpySlicesDataset([1, 2, 3], ["x"]).repeat(4).get_repeat_count()
    4
    """
    return self._node.repeat_count


def output_shapes(self, estimate=False):
    """The shape of each column, as the first row has it; ``estimate`` looks at all rows.

    A size that differs is None with ``estimate``.

    >>> from ms_ext import dataset as ds
    >>> ds.NumpySlicesDataset([[1, 2], [3, 4], [5, 6]], ["x"]).batch(2).output_shapes()
    [[2, 2]]
    """
    if not estimate:
        return [list(np.shape(column)) for column in getting.first_row(self._node) or ()]
    rows = self.create_tuple_iterator(num_epochs=1, output_numpy=True)
    shapes = [[list(np.shape(column)) for column in row] for row in rows]
    return [_joined(column) for column in zip(*shapes, strict=True)]


def _joined(shapes):
    return [sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*shapes, strict=True)]


def output_types(self):
    """The NumPy type of each column.

    >>> from ms_ext import dataset as ds
    >>> ds.NumpySlicesDataset([1.0, 2.0], ["x"]).output_types()
    [dtype('float64')]
    """
    row = getting.first_row(self._node) or ()
    types = [np.asarray(column).dtype for column in row]
    return [np.dtype(dtype.kind) if dtype.kind in "US" else dtype for dtype in types]


def num_classes(self):
    """The number of classes, where a dataset of files says it; None here.

    >>> from ms_ext import dataset as ds
    >>> ds.NumpySlicesDataset([1, 2], ["x"]).num_classes() is None
    True
    """
    return None


def get_class_indexing(self):
    """Names of classes and their numbers, where a dataset of files says them; none here.

    >>> from ms_ext import dataset as ds
    >>> ds.NumpySlicesDataset([1, 2], ["x"]).get_class_indexing()
    {}
    """
    return {}


def is_shuffled(self):
    """Whether the order of the rows is drawn somewhere.

    >>> from ms_ext import dataset as ds
    >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
    >>> data.is_shuffled(), data.shuffle(2).is_shuffled()
    (False, True)
    """
    samplers = [getattr(node, "sampler", None) for node in self._node.walk()]
    drawn = any(sampler.is_shuffled() for sampler in samplers if sampler)
    return drawn or any(type(node).__name__ == "Shuffle" for node in self._node.walk())


def is_sharded(self):
    """Whether these rows are one part of several.

    >>> from ms_ext import dataset as ds
    >>> ds.NumpySlicesDataset([1, 2], ["x"], num_shards=2, shard_id=0).is_sharded()
    True
    """
    samplers = [getattr(node, "sampler", None) for node in self._node.walk()]
    return any(sampler.is_sharded() for sampler in samplers if sampler)
