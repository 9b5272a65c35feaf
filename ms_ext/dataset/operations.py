"""What can be made of a dataset? Each function here is a method of every dataset."""

import builtins
import secrets

from ..engine import errors
from ..engine.data import batches, choosing, combining, mapping, settings, workers
from ..engine.data import columns as _columns
from . import checks, dataset
from .sizes import absolute_sizes


def _on(node):
    return dataset.Dataset(node)


def batch(self, batch_size, drop_remainder=False, num_parallel_workers=None, **options):
    """Put ``batch_size`` rows together, each column along a new first axis.

    ``per_batch_map(column, ..., info)`` gets the rows as lists first; ``input_columns`` and
    ``output_columns`` name what it takes and gives. The size may be a function of ``info``.

    >>> from ms_ext import dataset as ds
    >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
    >>> [x.asnumpy().tolist() for (x,) in data.batch(2)]
    [[1, 2], [3]]
    """
    known = (
        "per_batch_map", "input_columns", "output_columns", "python_multiprocessing", "max_rowsize",
    )  # fmt: skip
    checks.known_options(options, known, "batch")
    checks.batch_count(batch_size)
    checks.of_type(drop_remainder, bool, "drop_remainder")
    count = checks.worker_count(num_parallel_workers)
    function, inputs = options.get("per_batch_map"), options.get("input_columns")
    outputs = options.get("output_columns")
    if inputs is not None and function is None:
        raise errors.InvalidValue("input_columns can be specified only when per_batch_map is set.")
    if function is None and not callable(batch_size):
        return _on(batches.Batch(self._node, int(batch_size), drop_remainder))
    names = self._node.columns
    inputs = names if inputs is None else checks.column_list(inputs, "input_columns")
    outputs = inputs if outputs is None else checks.column_list(outputs, "output_columns")
    in_processes = options.get("python_multiprocessing") or False
    checks.of_type(in_processes, bool, "python_multiprocessing")
    team = (count if function else 1, in_processes)
    made = (batch_size, drop_remainder, function, inputs, outputs, team)
    return _on(batches.BatchWith(self._node, *made))


def padded_batch(self, batch_size, drop_remainder=False, num_parallel_workers=None, pad_info=None):
    """Batches whose rows are filled up to one shape first.

    ``pad_info`` is {column: (shape, value)}, with None in the shape for the largest of the batch;
    an empty dict fills up every column so. Without it nothing is filled up, as in MindSpore.

    >>> import numpy as np
    >>> from ms_ext import dataset as ds
    >>> data = ds.GeneratorDataset([np.ones(1), np.ones(2)], ["x"], shuffle=False)
    >>> next(iter(data.padded_batch(2, pad_info={"x": ([None], -1)})))[0].asnumpy().tolist()
    [[1.0, -1.0], [1.0, 1.0]]
    """
    checks.within(batch_size, 1, checks.INT32, "batch_size")
    checks.of_type(drop_remainder, bool, "drop_remainder")
    checks.worker_count(num_parallel_workers)
    if pad_info is None:
        return _on(batches.Batch(self._node, batch_size, drop_remainder))
    checks.of_type(pad_info, dict, "pad_info")
    return _on(batches.PaddedBatch(self._node, batch_size, drop_remainder, pad_info))


def map(
    self, operations, input_columns=None, output_columns=None, num_parallel_workers=None, **options
):
    """Functions over the input columns (the first column if none is named), one after the other.

    With ``num_parallel_workers`` above 1 so many threads share the rows, or processes with
    ``python_multiprocessing=True``; the order stays.

    >>> from ms_ext import dataset as ds
    >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
    >>> [int(y) for (y,) in data.map(lambda x: x * 10, ["x"], ["y"])]
    [10, 20, 30]
    """
    known = ("python_multiprocessing", "max_rowsize", "cache", "callbacks", "offload")
    checks.known_options(options, known, "map")
    checks.nothing_of(options, ("cache", "callbacks", "offload"), "map")
    operations = operations if isinstance(operations, list) else [operations]
    for each in operations:
        if not callable(each):
            raise errors.InvalidValue(
                "Parameter operations's element of method map should be a function or a transform.",
                given=f"{each!r:.60}", hint="Without parentheses for a function: .map(double).",
            )  # fmt: skip
    first = self._node.columns[:1]
    inputs = first if input_columns is None else checks.column_list(input_columns, "input_columns")
    outputs = (
        inputs if output_columns is None else checks.column_list(output_columns, "output_columns")
    )
    in_processes = options.get("python_multiprocessing", False)
    checks.of_type(in_processes, bool, "python_multiprocessing")
    count = checks.worker_count(num_parallel_workers)
    return _on(mapping.Map(self._node, operations, inputs, outputs, count, in_processes))


def filter(self, predicate, input_columns=None, num_parallel_workers=None):
    """Only the rows for which ``predicate`` of the columns is True.

    >>> from ms_ext import dataset as ds
    >>> data = ds.NumpySlicesDataset([1, 2, 3, 4], ["x"], shuffle=False)
    >>> [int(x) for (x,) in data.filter(lambda x: x % 2 == 0)]
    [2, 4]
    """
    if not callable(predicate):
        raise errors.InvalidType(
            "Predicate should be a Python function or a callable Python object.",
            given=f"{predicate!r:.60}",
        )
    checks.worker_count(num_parallel_workers)
    if input_columns is not None:
        input_columns = checks.column_list(input_columns, "input_columns")
    return _on(choosing.Filter(self._node, predicate, input_columns))


def shuffle(self, buffer_size):
    """Rows in a drawn order: each is drawn from a buffer of the next ``buffer_size`` rows.

    >>> from ms_ext import dataset as ds
    >>> data = ds.NumpySlicesDataset([1, 2, 3, 4], ["x"], shuffle=False)
    >>> sorted(int(x) for (x,) in data.shuffle(4))
    [1, 2, 3, 4]
    """
    checks.within(buffer_size, 2, checks.INT32, "buffer_size")
    return _on(choosing.Shuffle(self._node, buffer_size))


def repeat(self, count=None):
    """The rows ``count`` times over; without a count, or with -1, without end.

    >>> from ms_ext import dataset as ds
    >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
    >>> [int(x) for (x,) in data.repeat(2)]
    [1, 2, 1, 2]
    """
    count = checks.count_or_all(-1 if count is None else count, "count")
    return _on(choosing.Repeat(self._node, None if count == -1 else count))


def skip(self, count):
    """All rows but the first ``count``.

    >>> from ms_ext import dataset as ds
    >>> [int(x) for (x,) in ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).skip(2)]
    [3]
    """
    return _on(choosing.Skip(self._node, checks.within(count, 0, checks.INT32, "count")))


def take(self, count=-1):
    """The first ``count`` rows; all with -1.

    >>> from ms_ext import dataset as ds
    >>> [int(x) for (x,) in ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).take(2)]
    [1, 2]
    """
    count = checks.count_or_all(count, "count")
    return _on(choosing.Take(self._node, count)) if count != -1 else _on(self._node)


def split(self, sizes, randomize=True):
    """Parts without a common row: ``sizes`` are numbers of rows, or fractions that sum up to 1.

    The parts are cut from one fixed order, drawn with ``randomize``, so no row of one part turns up
    in another in a later epoch, even if this dataset is shuffled. Draw a new order for each epoch
    afterwards: ``train.shuffle(1000)``; random transforms belong behind the split, too.

    >>> from ms_ext import dataset as ds
    >>> train, test = ds.NumpySlicesDataset(list(range(10)), ["x"]).split([0.8, 0.2])
    >>> train.get_dataset_size(), test.get_dataset_size()
    (8, 2)
    """
    checks.of_type(randomize, bool, "randomize")
    if self.is_sharded():
        raise errors.NotRunnable("Dataset should not be sharded before split.")
    total = self.get_dataset_size()
    counts = absolute_sizes(sizes, total)
    whole = choosing.Shuffle(self._node, total) if randomize else self._node
    given = settings.settings.seed
    whole = choosing.Frozen(whole, secrets.randbits(32) if given is None else given)
    starts = [sum(counts[:place]) for place in range(len(counts))]
    parts = builtins.zip(starts, counts, strict=True)
    return tuple(_on(choosing.Take(choosing.Skip(whole, start), count)) for start, count in parts)


def zip(self, datasets):
    """The columns of other datasets beside this one's, until the shortest ends.

    >>> from ms_ext import dataset as ds
    >>> left = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
    >>> left.zip(ds.NumpySlicesDataset([3, 4], ["y"])).get_col_names()
    ['x', 'y']
    """
    checks.of_type(datasets, (tuple, dataset.Dataset), "datasets")
    others = datasets if isinstance(datasets, tuple) else (datasets,)
    return dataset.zip((self, *others))


def concat(self, datasets):
    """The rows of other datasets after this one's; ``+`` does the same.

    >>> from ms_ext import dataset as ds
    >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
    >>> [int(x) for (x,) in data + data]
    [1, 2, 1, 2]
    """
    checks.of_type(datasets, (list, dataset.Dataset), "datasets")
    others = datasets if isinstance(datasets, list) else [datasets]
    for place, each in enumerate(others):
        checks.of_type(each, dataset.Dataset, f"dataset[{place}]")
    return _on(combining.Concat([self._node, *(each._node for each in others)]))


def project(self, columns):
    """Only these columns, in this order.

    >>> from ms_ext import dataset as ds
    >>> ds.NumpySlicesDataset({"a": [1], "b": [2]}).project(["b"]).get_col_names()
    ['b']
    """
    return _on(_columns.Project(self._node, checks.column_list(columns, "columns")))


def rename(self, input_columns, output_columns):
    """Other names for some columns.

    >>> from ms_ext import dataset as ds
    >>> ds.NumpySlicesDataset({"a": [1], "b": [2]}).rename("a", "x").get_col_names()
    ['x', 'b']
    """
    old = checks.column_list(input_columns, "input_columns")
    new = checks.column_list(output_columns, "output_columns")
    if len(old) != len(new):
        raise errors.InvalidValue(
            "Number of column in input_columns and output_columns is not equal.",
            given=f"{old} and {new}",
        )
    return _on(_columns.Rename(self._node, old, new))


def apply(self, apply_func):
    """What a function makes of this dataset.

    >>> from ms_ext import dataset as ds
    >>> ds.NumpySlicesDataset([1, 2, 3], ["x"]).apply(lambda data: data.batch(3)).get_dataset_size()
    1
    """
    if not callable(apply_func):
        raise errors.InvalidType("apply_func must be a function.", given=f"{apply_func!r:.60}")
    made = apply_func(self)
    if not isinstance(made, dataset.Dataset):
        raise errors.InvalidType("apply_func must return a dataset.", given=f"{made!r:.60}")
    return made


def flat_map(self, func):
    """The datasets that a function makes of the rows, one after the other.

    >>> from ms_ext import dataset as ds
    >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
    >>> twice = data.flat_map(lambda x: ds.NumpySlicesDataset([x, x], ["x"]))
    >>> [int(x) for (x,) in twice]
    [1, 1, 2, 2]
    """
    if not callable(func):
        raise errors.InvalidType("func must be a function.", given=f"{func!r:.60}")
    made = [func(*row) for row in self.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    for each in made:
        if not isinstance(each, dataset.Dataset):
            raise errors.InvalidType(
                "flat_map must return a Dataset object.", given=f"{each!r:.60}"
            )
    return _on(combining.Concat([each._node for each in made]))


def prefetch(self, buffer_size=None):
    """Make the next rows in a thread while the loop is busy, at most ``buffer_size`` ahead.

    MindSpore always works ahead; here it is said where it helps: behind slow transforms, when the
    training step lets other threads run. Without a number it is ``config.get_prefetch_size()``.

    >>> from ms_ext import dataset as ds
    >>> [int(x) for (x,) in ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False).prefetch(1)]
    [1, 2]
    """
    size = settings.settings.prefetch_size if buffer_size is None else buffer_size
    return _on(workers.Ahead(self._node, checks.within(size, 1, checks.INT32, "buffer_size")))
