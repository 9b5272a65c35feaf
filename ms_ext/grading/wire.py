"""How do the judge and the learner's process exchange data? Frames: JSON, then raw array bytes.

Nothing in a frame is evaluated, unpickled or believed: reading one gives numbers, text, lists,
tuples, dictionaries and plain NumPy arrays, or ``Garbled``.

A frame is two little-endian 32-bit lengths, a JSON header of the first length and the bytes of all
arrays, of the second. In the header an array is ``{"__array__": [dtype, shape]}``, in order.
"""

import functools
import json
import math
import struct

import numpy as np

from ms_ext import dtype as dtypes

HEAD = struct.Struct("<II")
LIMIT = 64 << 20  # bytes of one frame
DEPTH = 40  # how deep lists and dictionaries may be nested
_NUMPY = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64"
KINDS = frozenset([*_NUMPY.split(), "complex128", "bfloat16"])
ARRAY, TUPLE, OTHER = "__array__", "__tuple__", "__other__"


class Garbled(ValueError):
    """The bytes are no frame of ours."""


class Other:
    """Stands for something that cannot be sent: only the name of its kind crosses."""

    def __init__(self, kind):
        self.kind = str(kind)[:100]

    def __repr__(self):
        return f"<{self.kind}>"


def encode(data):
    """A frame.

    >>> import io
    >>> read(io.BytesIO(encode({"x": (1, np.arange(3))})))
    {'x': (1, array([0, 1, 2]))}
    """
    arrays = []
    header = json.dumps(_outward(data, arrays, 0)).encode()
    body = b"".join(arrays)
    return HEAD.pack(len(header), len(body)) + header + body


def _outward(data, arrays, depth):
    if depth > DEPTH:
        return {OTHER: "something nested too deeply"}
    if isinstance(data, np.ndarray | np.generic):
        return _array_out(np.asarray(data), arrays)
    if data is None or type(data) in (bool, int, float, str):
        return data
    if isinstance(data, tuple | list):
        items = [_outward(each, arrays, depth + 1) for each in data]
        return items if isinstance(data, list) else {TUPLE: items}
    if isinstance(data, dict):
        return {str(key): _outward(value, arrays, depth + 1) for key, value in data.items()}
    return {OTHER: data.kind if isinstance(data, Other) else type(data).__name__}


def _array_out(array, arrays):
    kind = _kind(array.dtype)
    if kind not in KINDS:
        return {OTHER: f"array of {array.dtype}"}
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    arrays.append(np.ascontiguousarray(array).tobytes())
    return {ARRAY: [kind, list(array.shape)]}


@functools.cache
def _kind(dtype):
    return dtype.name


def read(stream, limit=LIMIT):
    """The data of the next frame of a binary stream; ``Garbled`` if there is none."""
    header, body = lengths(_exactly(stream, HEAD.size), limit)
    return decode(_exactly(stream, header), _exactly(stream, body))


def lengths(head, limit=LIMIT):
    """The two lengths that a frame begins with."""
    header, body = HEAD.unpack(head)
    if header + body > limit:
        raise Garbled(f"a frame of {header + body} bytes; {limit} are allowed")
    return header, body


def _exactly(stream, count):
    data = stream.read(count)
    if len(data) != count:
        raise Garbled("the stream ended")
    return data


def decode(header, body):
    """The data of a frame's two parts."""
    try:
        found = json.loads(header)
    except (ValueError, RecursionError) as error:
        raise Garbled(f"no JSON: {error}") from None
    body = memoryview(body)
    data, used = _inward(found, body, 0, 0)
    if used != len(body):
        raise Garbled(f"{len(body) - used} bytes that belong to nothing")
    return data


def _inward(found, body, used, depth):
    """What ``found`` stands for, and how much of the body is used by then."""
    if depth > DEPTH + 2:
        raise Garbled("nested too deeply")
    if isinstance(found, list):
        return _items(found, body, used, depth)
    if not isinstance(found, dict):
        return found, used
    if found.keys() == {ARRAY}:
        return _array_in(found[ARRAY], body, used)
    if found.keys() == {TUPLE} and isinstance(found[TUPLE], list):
        items, used = _items(found[TUPLE], body, used, depth)
        return tuple(items), used
    if found.keys() == {OTHER}:
        return Other(found[OTHER]), used
    items, used = _items(list(found.values()), body, used, depth)
    return dict(zip(found, items, strict=True)), used


def _items(found, body, used, depth):
    items = []
    for each in found:
        item, used = _inward(each, body, used, depth + 1)
        items.append(item)
    return items, used


def _array_in(described, body, used):
    kind, shape = _described(described)
    size = math.prod(shape) * kind.itemsize
    if used + size > len(body):
        raise Garbled("an array is larger than the frame")
    try:
        array = np.frombuffer(body[used : used + size], kind).reshape(shape)
    except ValueError as error:
        raise Garbled(f"no array: {error}") from None
    return array, used + size


def _described(described):
    """dtype and shape, or Garbled."""
    if not isinstance(described, list) or len(described) != 2:
        raise Garbled("no array")
    kind, shape = described
    if not isinstance(kind, str) or kind not in KINDS:
        raise Garbled("no array that may be sent")
    if not isinstance(shape, list) or len(shape) > 32:
        raise Garbled("no shape")
    if not all(type(n) is int and 0 <= n < 1 << 40 for n in shape):
        raise Garbled("no shape")
    return numpy_dtype(kind), tuple(shape)


def numpy_dtype(kind):
    """The NumPy dtype of a name, bfloat16 included."""
    return dtypes.bfloat16.numpy if kind == "bfloat16" else np.dtype(kind)
