"""What a dataset of files gives."""

import struct

import numpy as np
from dataset_programs import program, refused, rows


def idx(folder, part, count):
    """Write an MNIST part of `count` images of 28x28."""
    images = (np.arange(count * 784) % 251).astype(np.uint8)
    labels = (np.arange(count) % 10).astype(np.uint8)
    for kind, magic, sizes, data in [
        ("images-idx3", 0x803, (count, 28, 28), images),
        ("labels-idx1", 0x801, (count,), labels),
    ]:
        head = struct.pack(f">{len(sizes) + 1}I", magic, *sizes)
        path = folder / f"{part}-{kind}-ubyte"
        path.write_bytes(head + data.tobytes())


@program
def mnist(ms, ds, folder):
    idx(folder, "train", 5)
    idx(folder, "t10k", 3)
    for usage in ("train", "test", "all", None):
        data = ds.MnistDataset(str(folder), usage, shuffle=False)
        yield data.get_dataset_size(), data.get_col_names(), data.num_classes()
        found = rows(data)
        yield [(x.shape, str(x.dtype), int(x.sum()), y.tolist(), str(y.dtype)) for x, y in found]
    yield data.output_shapes(), data.output_types(), data.get_class_indexing()
    yield [
        y.tolist()
        for _, y in rows(ds.MnistDataset(str(folder), "train", num_samples=2, shuffle=False))
    ]
    yield [
        y.tolist()
        for _, y in rows(
            ds.MnistDataset(str(folder), "train", num_shards=2, shard_id=1, shuffle=False)
        )
    ]
    yield len(rows(ds.MnistDataset(str(folder), "train", sampler=ds.PKSampler(1))))


@program
def mnist_missing(ms, ds, folder):
    yield refused(lambda: ds.MnistDataset(str(folder / "nowhere"), "train"))
    yield refused(lambda: ds.MnistDataset(str(folder), "training"))
    yield refused(lambda: rows(ds.MnistDataset(str(folder), "train")))
