"""Files of digits: round trips, hostile files, and the command that writes real ones."""

import gzip
import importlib.util
import struct
import tracemalloc

import numpy as np
import pytest

from ms_ext import dataset as ds
from ms_ext.cli import data as command
from ms_ext.cli import main as door
from ms_ext.dataset import digits
from ms_ext.engine.data import idx

needs_sklearn = pytest.mark.skipif(
    importlib.util.find_spec("sklearn") is None, reason="scikit-learn is not installed"
)


def file(path, magic, sizes, data):
    path.write_bytes(struct.pack(f">{len(sizes) + 1}I", magic, *sizes) + data)
    return path


@pytest.mark.parametrize("shape", [(0,), (3,), (2, 3, 4), (0, 28, 28)])
@pytest.mark.parametrize("zipped", [False, True])
def test_a_file_read_is_what_was_written(tmp_path, shape, zipped):
    array = np.arange(np.prod(shape), dtype=np.uint8).reshape(shape)
    path = tmp_path / "array"
    idx.write(path, array)
    if zipped:
        path, plain = tmp_path / "array.gz", path
        path.write_bytes(gzip.compress(plain.read_bytes()))
    found = idx.read(path, len(shape))
    assert found.dtype == np.uint8 and np.array_equal(found, array)


HUGE = (2**32 - 1, 2**32 - 1, 2**32 - 1)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "has 0 bytes, and its head alone has 16"),
        (struct.pack(">4I", 0x803, 2, 28, 28)[:-1], "has 15 bytes"),
        (struct.pack(">4I", 0x801, 2, 28, 28) + bytes(1568), "should be 2051, but got 2049"),
        (struct.pack(">4I", 0x0D03, 2, 28, 28) + bytes(1568), "should be 2051, but got 3331"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "should be 2051"),
        (struct.pack(">4I", 0x803, 2, 28, 28) + bytes(1567), "its head promises"),
        (struct.pack(">4I", 0x803, 2, 28, 28) + bytes(1569), "its head promises"),
        (struct.pack(">4I", 0x803, *HUGE) + bytes(100), "its head promises"),
        (struct.pack(">4I", 0x803, 2**20, 2**10, 1) + bytes(100), "its head promises"),
    ],
)
@pytest.mark.parametrize("zipped", [False, True])
def test_a_file_that_lies_is_refused_without_a_large_allocation(tmp_path, content, says, zipped):
    path = tmp_path / ("images.gz" if zipped else "images")
    path.write_bytes(gzip.compress(content) if zipped else content)
    tracemalloc.start()
    with pytest.raises(RuntimeError, match="Invalid mnist file") as caught:
        idx.read(path, 3)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert says in str(caught.value) and str(path) in str(caught.value)
    assert most < 2_000_000


@pytest.mark.parametrize("cut", [1, 12, 40])
def test_a_cut_gz_file_is_refused(tmp_path, cut):
    path = tmp_path / "images.gz"
    path.write_bytes(
        gzip.compress(struct.pack(">4I", 0x803, 2, 28, 28) + bytes(range(196)) * 8)[:-cut]
    )
    with pytest.raises(RuntimeError, match="no whole .gz file"):
        idx.read(path, 3)


def test_images_and_labels_must_be_equally_many(tmp_path):
    idx.write(tmp_path / "train-images-idx3-ubyte", np.zeros((2, 28, 28), np.uint8))
    idx.write(tmp_path / "train-labels-idx1-ubyte", np.zeros(3, np.uint8))
    with pytest.raises(RuntimeError, match="not equally many"):
        ds.MnistDataset(str(tmp_path), "train")
    with pytest.raises(RuntimeError, match="no such file.*\n.*train-images"):
        ds.MnistDataset(str(tmp_path), "test")


@needs_sklearn
def test_the_digits_command(tmp_path, capsys):
    folder = tmp_path / "new" / "digits"
    assert door.main(["data", "digits", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "train-images-idx3-ubyte  1433 x 28 x 28" in told and "MnistDataset(" in told
    train = ds.MnistDataset(str(folder), "train", shuffle=False)
    test = ds.MnistDataset(str(folder), "test", shuffle=False)
    assert (len(train), len(test)) == (1433, 364)
    images, labels = map(np.stack, zip(*test.create_tuple_iterator(None, 1, True), strict=True))
    assert images.shape == (364, 28, 28, 1) and images.dtype == np.uint8
    assert sorted(set(labels.tolist())) == list(range(10)) and np.bincount(labels).min() >= 30
    assert images.max() == 255 and images.min() == 0
    kept = {row.tobytes() for (row, _) in train.create_tuple_iterator(None, 1, True)}
    assert sum(image.tobytes() in kept for image in images) == 0
    assert [p.name for p in folder.iterdir() if p.suffix == ".part"] == []


@needs_sklearn
def test_the_same_digits_again_and_others_in_their_place(tmp_path, capsys):
    assert command.main(["digits", str(tmp_path)]) == 0 == command.main(["digits", str(tmp_path)])
    labels = tmp_path / "t10k-labels-idx1-ubyte"
    idx.write(labels, np.zeros(364, np.uint8))
    assert command.main(["digits", str(tmp_path)]) == 1
    assert "left as it is" not in capsys.readouterr().out
    assert not idx.read(labels, 1).any()


def test_scaled_digits_show_the_same_picture():
    small = np.zeros((1, 8, 8))
    small[0, 1:7, 3:5] = 1  # a one
    large = digits.enlarged(small)[0].astype(float) / 255
    assert large[14, 13] == large[14, 14] == 1 and not large[:, :6].any()
    assert abs(large.mean() - small.mean()) < 0.02
    assert np.abs(np.diff(large, axis=1)).max() < 0.45  # no steps of whole old pixels
    assert np.allclose(large, large[::-1, ::-1], atol=0.01)


def test_what_the_command_says(capsys):
    assert command.main([]) == 0
    assert "ms-ext data digits DIR" in capsys.readouterr().out
    assert command.main(["numbers", "x"]) == 2 == command.main(["digits"])
    told = capsys.readouterr().err
    assert "numbers: there is no such data set." in told and "Name one folder." in told


def test_without_scikit_learn_it_is_told(tmp_path, capsys, monkeypatch):
    real = importlib.util.find_spec
    lacking = lambda name, *rest: None if name == "sklearn" else real(name, *rest)  # noqa: E731
    monkeypatch.setattr(importlib.util, "find_spec", lacking)
    assert command.main(["digits", str(tmp_path / "new")]) == 1
    assert "pip install scikit-learn" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
