"""What is in the files of handwritten digits? A short head with the sizes, then the bytes.

The head is big-endian: 0, 0, a code of the element type (8 for uint8), the number of axes, and each
axis' size as four bytes. The file's length must be what the head promises; it is compared before
anything is read, so a head that lies costs nothing.

>>> import numpy as np, pathlib, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = pathlib.Path(folder, "labels")
...     write(path, np.array([3, 1], np.uint8))
...     path.read_bytes()[:4], read(path, 1)
(b'\\x00\\x00\\x08\\x01', array([3, 1], dtype=uint8))
"""

import gzip
import math
import struct
import zlib
from pathlib import Path

import numpy as np

from .. import errors

UINT8 = 8
LARGEST = 2**31  # bytes; the images of MNIST have 47 million


def write(path, array):
    """Write an array of uint8."""
    head = struct.pack(f">HBB{array.ndim}I", 0, UINT8, array.ndim, *array.shape)
    Path(path).write_bytes(head + np.ascontiguousarray(array, np.uint8).tobytes())


def length(array):
    """How many bytes a file of this array has.

    >>> length(np.zeros((2, 3), np.uint8))
    18
    """
    return 4 + 4 * array.ndim + array.size


def read(path, axes):
    """The array of a file, which must have so many axes; a name ending in .gz is unpacked."""
    path = Path(path)
    if path.suffix != ".gz":
        with path.open("rb") as file:
            return _array(file, path, axes, path.stat().st_size)
    try:
        with gzip.open(path) as file:
            return _array(file, path, axes, None)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise _refused(path, f"it is no whole .gz file ({error})") from None


def _array(file, path, axes, length):
    head = 4 + 4 * axes
    start = file.read(head)
    if len(start) < head:
        raise _refused(path, f"it has {len(start)} bytes, and its head alone has {head}")
    magic, *shape = struct.unpack(f">{axes + 1}I", start)
    expected = UINT8 << 8 | axes
    if magic != expected:
        raise _refused(path, f"its first number should be {expected}, but got {magic}")
    count = math.prod(shape)
    if count > LARGEST or length is not None and length != head + count:
        raise _refused(path, f"its head promises {shape}, {head + count} bytes with the head, and "
                       f"it has {'fewer' if length is None else length}")  # fmt: skip
    data = _at_most(file, count + 1)
    if len(data) != count:
        more = "more" if len(data) > count else len(data)
        raise _refused(path, f"its head promises {shape}, {count} bytes, and it has {more}")
    return np.frombuffer(data, np.uint8).reshape(shape)


def _at_most(file, count, piece=2**20):
    """So many bytes, or all there are: piece by piece, for the count may be a lie."""
    pieces = []
    while count and (data := file.read(min(piece, count))):
        pieces.append(data)
        count -= len(data)
    return b"".join(pieces)


def _refused(path, why):
    return errors.NotRunnable(
        f"Invalid mnist file {path.name}: {why}.",
        given=str(path),
        hint="Get it again; `ms-ext data digits DIR` writes a set that is whole.",
    )
