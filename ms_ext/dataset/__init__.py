"""``ms.dataset``: data for a training loop, in MindSpore's words.

>>> from ms_ext import dataset as ds
>>> numbers = ds.NumpySlicesDataset([1.0, 2.0, 3.0], ["x"], shuffle=False)
>>> for (x,) in numbers.map(lambda x: x * 10).batch(2):
...     print(x)
[10. 20.]
[30.]

A dataset is a pipeline of nodes, each giving rows; ``ms_ext/engine/data`` is how that works.
Added to MindSpore's names: ``progress``, and ``prefetch`` on a dataset. Everything here is imported
at its first use; nothing starts a thread or a process before somebody asks for rows.
"""

from ..engine.later import showing

_FILES = {
    "dataset": ("Dataset", "zip"),
    "progress_bar": ("progress",),
    "samplers": (
        "DistributedSampler", "IterSampler", "PKSampler", "RandomSampler", "Sampler",
        "SequentialSampler", "Shuffle", "SubsetRandomSampler", "SubsetSampler",
        "WeightedRandomSampler",
    ),
    "sources": ("GeneratorDataset", "MnistDataset", "NumpySlicesDataset"),
}  # fmt: skip
_ELSEWHERE = {
    "BatchInfo": ("ms_ext.engine.data.batches", "BatchInfo"),
    "MindDataset": ("ms_ext.mindrecord", "MindDataset"),
}

__all__, __getattr__, __dir__ = showing(
    globals(), _FILES, _ELSEWHERE, modules=("config", "transforms", "vision")
)
