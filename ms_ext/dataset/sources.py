"""Where do rows come from? The three kinds of datasets that a pipeline begins with."""

import builtins
from pathlib import Path
from types import GeneratorType

import numpy as np

from ..dtype import DType
from ..engine import errors
from ..engine.data import idx, sources
from . import checks
from .dataset import Dataset
from .samplers import Shuffle, chosen, orders


class GeneratorDataset(Dataset):
    """Rows of your own object: with ``__getitem__`` and ``__len__``, an iterable, or a function.

    An object that is asked by number is shuffled unless ``shuffle=False``, and with
    ``num_parallel_workers`` above 1 read by so many processes (threads, with
    ``python_multiprocessing=False``). A tuple gives one item per column.

    >>> def squares():
    ...     for i in range(3):
    ...         yield i, i * i
    >>> [int(y) for x, y in GeneratorDataset(squares, ["x", "y"])]
    [0, 1, 4]
    """

    def __init__(
        self, source, column_names=None, column_types=None, schema=None, num_samples=None,
        num_parallel_workers=1, shuffle=None, sampler=None, num_shards=None, shard_id=None,
        python_multiprocessing=True, max_rowsize=None,
    ):  # fmt: skip
        if not callable(source) and not hasattr(source, "__iter__"):
            _needs_rows(source)
        if schema is not None:
            raise errors.InvalidValue("Schemas are not supported.", hint="Use column_names.")
        if column_names is None:
            raise errors.InvalidValue(
                "Neither columns_names nor schema are provided.", hint='column_names=["x", "y"]'
            )
        names = checks.column_list(column_names, "column_names")
        _checked(num_samples, shuffle, num_shards, shard_id)
        checks.of_type(python_multiprocessing, bool, "python_multiprocessing")
        count = checks.worker_count(num_parallel_workers)
        if isinstance(sampler, int):
            raise errors.InvalidType(
                "sampler should be either iterable or from mindspore.dataset.samplers.",
                given=sampler,
            )
        if isinstance(sampler, orders.PerClass):
            raise errors.InvalidValue("GeneratorDataset doesn't support PKSampler.")
        source = list(source) if isinstance(source, builtins.zip) else source
        source = sources.Again(source) if isinstance(source, GeneratorType) else source
        self.source, items = source, sources.Items(names, _types(column_types, names))
        if hasattr(source, "__getitem__"):
            order = chosen(sampler, num_samples, shuffle, num_shards, shard_id)
            team = count, python_multiprocessing
            node = sources.Accessible(source, items, order, *team)
        else:
            _no_order(sampler=sampler, num_shards=num_shards)
            node = sources.Streamed(source, items, num_samples or None)
        super().__init__(node)

    def __getitem__(self, index):
        checks.of_type(index, (int, np.integer), "index")
        if not hasattr(self.source, "__getitem__"):
            raise errors.NotRunnable(
                "Dataset don't support randomized access.", hint="The source has no __getitem__."
            )
        from ..engine.data.node import Pass
        from ..engine.data.settings import seed

        order = self._node.order(Pass.over(self._node, seed()))
        return self.source[order[index]]


def _needs_rows(source):
    """An object may be asked by number without being iterable by name: Python's old protocol."""
    if not hasattr(source, "__getitem__"):
        raise errors.InvalidType(
            "Input `source` function of GeneratorDataset should be callable, iterable or random "
            "accessible.",
            given=f"{source!r:.60} of type {type(source).__name__}",
            hint="Give a list, a generator function, or an object with __getitem__ and __len__.",
        )


def _checked(num_samples, shuffle, num_shards, shard_id):
    if num_samples is not None:
        checks.within(num_samples, 0, 2**63 - 1, "num_samples")
    if shuffle is not None:
        checks.of_type(shuffle, (bool, Shuffle), "shuffle")
    checks.shard(num_shards, shard_id)


def _no_order(**given):
    for name, value in given.items():
        if value is not None:
            raise errors.InvalidValue(
                f"{name} is not supported if source does not have attribute '__getitem__'.",
                hint="Rows of an iterable come in its own order.",
            )


def _types(column_types, names):
    if column_types is None:
        return None
    checks.of_type(column_types, list, "column_types")
    if len(column_types) != len(names):
        raise errors.InvalidValue(
            "There must be as many column_types as column_names.",
            given=f"{len(column_types)} and {len(names)}",
        )
    return [each.numpy if isinstance(each, DType) else np.dtype(each) for each in column_types]


class NumpySlicesDataset(Dataset):
    """The rows of lists or arrays: one column of a list, several of a tuple or a dict.

    They are in memory already, so ``num_parallel_workers`` changes nothing.

    >>> data = NumpySlicesDataset({"x": [1, 2], "y": [3.0, 4.0]}, shuffle=False)
    >>> [(int(x), float(y)) for x, y in data]
    [(1, 3.0), (2, 4.0)]
    """

    def __init__(
        self, data, column_names=None, num_samples=None, num_parallel_workers=1, shuffle=None,
        sampler=None, num_shards=None, shard_id=None,
    ):  # fmt: skip
        checks.of_type(data, (list, tuple, dict, np.ndarray), "data")
        if len(data) == 0:
            raise errors.InvalidValue("Argument data cannot be empty")
        if isinstance(data, tuple):
            checks.of_type(data[0], (list, np.ndarray), "data[0]")
        columns = list(data.values()) if isinstance(data, dict) else [data]
        columns = list(data) if isinstance(data, tuple) else columns
        names = [f"column_{number}" for number in range(len(columns))]
        names = list(data) if isinstance(data, dict) else names
        if column_names is not None:
            names = checks.column_list(column_names, "column_names")
            if len(names) != len(columns):
                raise errors.InvalidValue(
                    f"Num of input column names is {len(names)}, but required is {len(columns)}."
                )
        if len({len(column) for column in columns}) > 1:
            raise errors.InvalidValue(
                "Data length in each column is not equal.",
                given=", ".join(f"{n}: {len(c)}" for n, c in zip(names, columns, strict=True)),
            )
        _checked(num_samples, shuffle, num_shards, shard_id)
        checks.worker_count(num_parallel_workers)
        order = chosen(sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(sources.Arrays(names, columns, order))


class MnistDataset(Dataset):
    """Images of handwritten digits, 28x28x1 of uint8, and their labels, from a folder of IDX files.

    ``ms-ext data digits DIR`` writes such a folder offline; MNIST's own files, also as .gz, are
    read the same way. Usage "train" reads train-images-idx3-ubyte and its labels, "test"
    those that begin with t10k; "all", or none, what of both is there.

    >>> import tempfile
    >>> from ms_ext.engine.data import idx
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     idx.write(f"{folder}/train-images-idx3-ubyte", np.zeros((2, 28, 28), np.uint8))
    ...     idx.write(f"{folder}/train-labels-idx1-ubyte", np.array([7, 3], np.uint8))
    ...     MnistDataset(folder, "train", shuffle=False)
    <MnistDataset: 2 rows of image, label>
    """

    def __init__(
        self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None,
        sampler=None, num_shards=None, shard_id=None, cache=None,
    ):  # fmt: skip
        folder = Path(checks.of_type(dataset_dir, (str, Path), "dataset_dir"))
        if not folder.is_dir():
            raise errors.InvalidValue(
                f"The folder {folder} does not exist or is not a directory or permission denied!",
                hint=f"ms-ext data digits {folder}    writes real digits there, offline.",
            )
        if usage not in (None, "train", "test", "all"):
            raise errors.InvalidValue(
                "Input usage is not within the valid set of ['train', 'test', 'all'].",
                given=repr(usage),
            )
        checks.nothing_of({"cache": cache}, ("cache",), "MnistDataset")
        _checked(num_samples, shuffle, num_shards, shard_id)
        checks.worker_count(num_parallel_workers)
        parts = {"train": ["train"], "test": ["t10k"]}.get(usage) or _there(folder)
        images, labels = zip(*(_part(folder, part) for part in parts), strict=True)
        images, labels = np.concatenate(images)[..., None], np.concatenate(labels).astype(np.uint32)
        order = chosen(sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(sources.Arrays(["image", "label"], [images, labels], order, labels))


def _there(folder):
    """The parts that a folder holds; "train" if none, whose files the error names then."""
    return [part for part in ("t10k", "train") if any(folder.glob(f"{part}-*"))] or ["train"]


def _part(folder, part):
    """The images and labels of one part."""
    images = idx.read(_file(folder, f"{part}-images-idx3-ubyte"), 3)
    labels = idx.read(_file(folder, f"{part}-labels-idx1-ubyte"), 1)
    if len(images) != len(labels):
        raise errors.NotRunnable(
            "Invalid data, the images and labels are not equally many.",
            given=f"{len(images)} images and {len(labels)} labels of {part} in {folder}",
        )
    return images, labels


def _file(folder, name):
    for path in (folder / name, folder / f"{name}.gz"):
        if path.is_file():
            return path
    there = ", ".join(sorted(path.name for path in folder.iterdir())[:6]) or "nothing"
    raise errors.NotRunnable(
        f"Invalid data, MnistDataset can't read {name}: there is no such file in {folder}.",
        given=f"there: {there}",
        hint=f"ms-ext data digits {folder}    writes real digits there, offline.",
    )
