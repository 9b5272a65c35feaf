"""Where do real handwritten digits come from without a network? From scikit-learn's own copy.

It carries 1797 digits of the UCI repository ("Optical Recognition of Handwritten Digits"), 8x8
pixels of 0 to 16. They are scaled to 28x28 and written in MNIST's format, so that MnistDataset
reads them. Of each class every fifth is held out: the part "test" is no part of "train".
"""

import gzip
import importlib.util
import os
from pathlib import Path

import numpy as np

from ..engine import errors
from ..engine.data import idx

CARRIED = ("datasets", "data", "digits.csv.gz")  # below the folder of scikit-learn
SIDE, BRIGHTEST, HELD_OUT = 28, 16, 5


def write_digits(folder):
    """Write the four files into a folder, which is made if need be; (name, shape) of each.

    What is there already under these names stays if it is the same, and is an error if not.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, shape in write_digits(folder):
    ...         print(name, shape)
    train-images-idx3-ubyte (1433, 28, 28)
    train-labels-idx1-ubyte (1433,)
    t10k-images-idx3-ubyte (364, 28, 28)
    t10k-labels-idx1-ubyte (364,)
    """
    images, labels = uci_digits()
    held_out = every_fifth(labels)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for part, chosen in (("train", ~held_out), ("t10k", held_out)):
        files[f"{part}-images-idx3-ubyte"] = images[chosen]
        files[f"{part}-labels-idx1-ubyte"] = labels[chosen]
    _refuse_others(folder, files)
    for name, array in files.items():
        part = folder / f"{name}.part"
        idx.write(part, array)
        os.replace(part, folder / name)
    return [(name, array.shape) for name, array in files.items()]


def every_fifth(labels):
    """Which rows are held out: of each class every fifth.

    >>> every_fifth(np.array([3, 1, 1, 1, 1, 1, 1])).astype(int)
    array([1, 1, 0, 0, 0, 0, 1])
    """
    held_out = np.zeros(len(labels), bool)
    for label in np.unique(labels):
        held_out[np.flatnonzero(labels == label)[::HELD_OUT]] = True
    return held_out


def _refuse_others(folder, files):
    for name, array in files.items():
        path = folder / name
        if path.exists() and not (
            path.stat().st_size == idx.length(array) and np.array_equal(_kept(path), array)
        ):
            raise errors.InvalidValue(
                f"There is another {name} in {folder} already; it was left as it is.",
                hint="Name another folder, or move that file away.",
            )


def _kept(path):
    return idx.read(path, 3 if "images" in path.name else 1)


def uci_digits():
    """Images [1797, 28, 28] and labels [1797], both uint8.

    >>> images, labels = uci_digits()
    >>> images.shape, labels[:5]
    ((1797, 28, 28), array([0, 1, 2, 3, 4], dtype=uint8))
    """
    found = importlib.util.find_spec("sklearn")
    if found is None:
        raise errors.NoModule(
            "The digits come with the package scikit-learn, which is not installed here.",
            hint="pip install scikit-learn, or ./lab, which brings it along.",
        )
    path = Path(found.submodule_search_locations[0], *CARRIED)
    if path.is_file():  # scikit-learn itself takes seconds to import
        with gzip.open(path, "rt") as file:
            table = np.loadtxt(file, delimiter=",")
        pixels, labels = table[:, :-1], table[:, -1]
    else:
        from sklearn.datasets import load_digits

        pixels, labels = load_digits(return_X_y=True)
    return enlarged(pixels.reshape(-1, 8, 8) / BRIGHTEST), labels.astype(np.uint8)


def enlarged(images):
    """Square images with numbers from 0 to 1 as 28x28 of uint8, smoothly in between.

    >>> enlarged(np.ones((1, 8, 8)))[0, 0, :3]
    array([255, 255, 255], dtype=uint8)
    """
    mix = _cubic(SIDE, images.shape[1])
    made = mix @ images @ mix.T
    return np.rint(255 * made.clip(0, 1)).astype(np.uint8)


def _cubic(size, old):
    """[size, old]: how much each old pixel counts for each new one, by Keys' cubic curve."""
    place = (np.arange(size) + 0.5) * old / size - 0.5
    before = np.floor(place).astype(int)
    mix = np.zeros((size, old))
    for step in range(-1, 3):
        distance = np.abs(place - (before + step))
        near = 1.5 * distance**3 - 2.5 * distance**2 + 1
        far = -0.5 * distance**3 + 2.5 * distance**2 - 4 * distance + 2
        weight = np.where(distance < 1, near, np.where(distance < 2, far, 0))
        np.add.at(mix, (np.arange(size), (before + step).clip(0, old - 1)), weight)
    return mix
