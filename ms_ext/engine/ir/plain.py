"""Types, constants and attributes as JSON-like text: nothing is ever evaluated.

>>> read_abstract("(f32[2,3], int)", 0)
((f32[2,3], int), 15)
"""

import base64
import json
import math
import re

import numpy as np

from ms_ext import dtype as dtypes

from .. import errors
from ..infer import KEPT, STATE, UNKNOWN, Abstract, AbstractStack, AbstractTensor, AbstractTuple

_BY_SHORT = {d.short: d for d in dtypes.DTYPES}
_WEAK = {"bool": dtypes.bool_, "int": dtypes.int64, "float": dtypes.float64}
_TENSOR = re.compile(r"(\w+)\[((?:\d{1,15},?)*)\]")
_WORD = re.compile(r"(bool|int|float|State|Unknown|Kept)\b")
_TYPES = {"State": STATE, "Unknown": UNKNOWN, "Kept": KEPT}
_DEEPEST = 50
_READABLE = 8  # so many elements of a constant are written as numbers
_JSON = json.JSONDecoder()


def read_abstract(text, at, depth=0):
    """The type that begins at ``at`` and where it ends, or None."""
    if found := _TENSOR.match(text, at):
        dtype = _BY_SHORT.get(found[1])
        dims = tuple(int(d) for d in found[2].split(",") if d)
        return (AbstractTensor(dtype, dims), found.end()) if dtype and len(dims) <= 16 else None
    if found := _WORD.match(text, at):
        if found[1] in _WEAK:
            return AbstractTensor(_WEAK[found[1]], (), True), found.end()
        return _TYPES[found[1]], found.end()
    stack = text.startswith("Stack(", at)
    if depth > _DEEPEST or not (stack or text.startswith("(", at)):
        return None
    items, at = [], at + (6 if stack else 1)
    while not text.startswith(")", at):
        found = read_abstract(text, at, depth + 1)
        if found is None:
            return None
        items.append(found[0])
        at = found[1] + (2 if text.startswith(", ", found[1]) else 0)
    return (AbstractStack if stack else AbstractTuple)(items), at + 1


def is_of(value, abstract):
    """Is a constant of the type that stands beside it?

    >>> is_of(np.zeros((2, 3), "f4"), read_abstract("f32[2,3]", 0)[0])
    True
    >>> is_of(np.zeros((2, 3), "f4"), read_abstract("f32[6]", 0)[0])
    False
    """
    if isinstance(abstract, AbstractTensor) and not abstract.weak:
        arrays = isinstance(value, np.ndarray) and value.shape == abstract.shape
        return arrays and value.dtype == abstract.dtype.numpy
    if isinstance(abstract, AbstractTensor):
        return isinstance(value, bool | int | float)
    if isinstance(abstract, AbstractTuple):
        same = isinstance(value, tuple) and len(value) == len(abstract.items)
        return same and all(map(is_of, value, abstract.items))
    return not isinstance(value, np.ndarray)


# values -------------------------------------------------------------------------------------------


def to_plain(value):
    """``value`` as JSON data."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, tuple | list):
        return [to_plain(v) for v in value]
    if isinstance(value, dtypes.DType):
        return {"dtype": value.name}
    if isinstance(value, Abstract):
        return {"type": str(value)}
    if isinstance(value, slice):
        return {"slice": [to_plain(v) for v in (value.start, value.stop, value.step)]}
    if value is Ellipsis:
        return {"ellipsis": True}
    if isinstance(value, np.ndarray | np.generic):
        return _array_to_plain(np.asarray(value))
    raise errors.InvalidType(
        "A graph with this value cannot be written as text.", given=f"{type(value).__name__}"
    )


def _array_to_plain(array):
    """A few numbers as they are written, ``{"f32":[1.0,2.0]}``; more of them as their bytes."""
    if 0 < array.size <= _READABLE and np.isfinite(array).all():
        wide = array.astype(np.float64) if dtypes.from_numpy(array.dtype).kind == "float" else array
        return {dtypes.from_numpy(array.dtype).short: wide.tolist()}
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    return {"tensor": dtypes.from_numpy(array.dtype).name, "shape": list(array.shape), "data": data}


def from_plain(data):
    """The value that ``to_plain`` wrote; ValueError for anything else."""
    if isinstance(data, list):
        return tuple(from_plain(v) for v in data)
    if not isinstance(data, dict):
        return data
    if len(data) == 1:
        return _single(*data.items())
    if set(data) == {"tensor", "shape", "data"}:
        kind, shape = dtypes.named(data["tensor"]), tuple(map(int, data["shape"]))
        raw = base64.b64decode(data["data"], validate=True)
        return np.frombuffer(raw, kind.numpy).reshape(shape).copy()
    raise ValueError("unknown value")


def _single(item):
    key, value = item
    if key == "float" and value in ("nan", "inf", "-inf"):
        return float(value)
    if key == "dtype":
        return dtypes.named(value)
    if key == "slice" and len(value) == 3:
        return slice(*(from_plain(v) for v in value))
    if key == "ellipsis":
        return Ellipsis
    if key == "type" and isinstance(value, str):
        return _type(value)
    if key in _BY_SHORT:
        return _numbers(_BY_SHORT[key], value)
    raise ValueError("unknown value")


def _type(text):
    found = read_abstract(text, 0)
    if found is None or found[1] != len(text):
        raise ValueError("unknown type")
    return found[0]


def _numbers(dtype, value):
    array = np.array(value)
    if array.size > _READABLE or array.dtype.kind not in "bif":
        raise ValueError("unknown value")
    return array.astype(dtype.numpy)


def encode_value(value):
    """A constant as one piece of text."""
    return json.dumps(to_plain(value), separators=(",", ":"))


def decode_value(text, at):
    """The constant that begins at ``at`` and where it ends, or None."""
    try:
        data, end = _JSON.raw_decode(text, at)
        return from_plain(data), end
    except (ValueError, TypeError, OverflowError, RecursionError):
        return None


def encode_attributes(attrs):
    """Attributes as text."""
    return json.dumps({k: to_plain(v) for k, v in attrs.items()}, separators=(",", ":"))


def show_attributes(attrs):
    """Attributes as text for a reader: a value that cannot be read back as Python shows it."""
    try:
        return encode_attributes(attrs)
    except errors.InvalidType:
        return "{" + ",".join([f'"{name}":{value}' for name, value in attrs.items()]) + "}"


def decode_attributes(text, at):
    """Attributes that begin at ``at`` (none: empty) and where they end, or None."""
    if not text.startswith(" {", at):
        return {}, at
    try:
        data, end = _JSON.raw_decode(text, at + 1)
        return {str(k): from_plain(v) for k, v in data.items()}, end
    except (ValueError, TypeError, OverflowError, RecursionError):
        return None
