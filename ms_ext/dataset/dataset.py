"""What is a dataset? Something to go through, to ask about, and to make the next dataset of.

>>> from ms_ext import dataset as ds
>>> data = ds.NumpySlicesDataset([1, 2, 3, 4], ["x"], shuffle=False)
>>> [int(x) for (x,) in data.skip(1)]
[2, 3, 4]
"""

from ..engine import errors
from ..engine.data import combining
from . import checks, iterators, operations, questions


class Dataset:
    """A pipeline; each operation gives a new one and leaves this one as it is.

    >>> from ms_ext import dataset as ds
    >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
    >>> data.batch(2).get_dataset_size(), data.get_dataset_size()
    (2, 3)
    """

    def __init__(self, node):
        self._node = node

    apply = operations.apply
    batch = operations.batch
    concat = operations.concat
    filter = operations.filter
    flat_map = operations.flat_map
    map = operations.map
    padded_batch = operations.padded_batch
    prefetch = operations.prefetch
    project = operations.project
    rename = operations.rename
    repeat = operations.repeat
    shuffle = operations.shuffle
    skip = operations.skip
    split = operations.split
    take = operations.take
    zip = operations.zip

    get_batch_size = questions.get_batch_size
    get_class_indexing = questions.get_class_indexing
    get_col_names = questions.get_col_names
    get_dataset_size = questions.get_dataset_size
    get_repeat_count = questions.get_repeat_count
    is_sharded = questions.is_sharded
    is_shuffled = questions.is_shuffled
    num_classes = questions.num_classes
    output_shapes = questions.output_shapes
    output_types = questions.output_types

    create_dict_iterator = iterators.create_dict_iterator
    create_tuple_iterator = iterators.create_tuple_iterator

    def __iter__(self):
        return self.create_tuple_iterator(num_epochs=1)

    def __len__(self):
        return self.get_dataset_size()

    def __add__(self, datasets):
        return self.concat(datasets)

    def __getattr__(self, name):
        hint = errors.did_you_mean(name, [n for n in dir(type(self)) if not n.startswith("_")])
        raise errors.UnknownAttribute(f"{type(self).__name__} has no {name!r}.", hint=hint)

    def __repr__(self):
        try:
            size = self._node.size()
        except errors.MsExtError:  # a source that cannot tell
            size = None
        rows = "?" if size is None else size
        return f"<{type(self).__name__}: {rows} rows of {', '.join(self._node.columns)}>"


def zip(datasets):
    """Rows of several datasets side by side, until the shortest ends.

    >>> from ms_ext import dataset as ds
    >>> left = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
    >>> right = ds.NumpySlicesDataset([4, 5], ["y"], shuffle=False)
    >>> [(int(x), int(y)) for x, y in ds.zip((left, right))]
    [(1, 4), (2, 5)]
    """
    checks.of_type(datasets, tuple, "datasets")
    if len(datasets) <= 1:
        raise errors.InvalidValue(
            "Can't zip empty or just one dataset!", given=f"{len(datasets)} datasets"
        )
    for each in datasets:
        checks.of_type(each, Dataset, "dataset")
    return Dataset(combining.Zip([each._node for each in datasets]))
