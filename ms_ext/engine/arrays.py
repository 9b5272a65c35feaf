"""How do Python values become arrays, and what may index a tensor? Written once for both cores."""

import numpy as np

from .. import dtype as dtypes
from . import errors

_ACCEPTED = (np.ndarray, np.generic, list, tuple, float, int, bool, complex)


def array_of(data, dtype=None):
    """A fresh C-ordered array with a tensor's contents; Python floats become Float32, ints Int64.

    >>> array_of([1, 2.5]).dtype, array_of(True).dtype, array_of([1, 2], dtypes.int8).dtype
    (dtype('float32'), dtype('bool'), dtype('int8'))
    """
    _check_dtype(dtype)
    array = _read(data)
    wanted = _dtype_of(data, array) if dtype is None else dtype
    with np.errstate(all="ignore"):
        return np.array(array.astype(wanted.numpy, copy=False), order="C")


def described(dtype, shape, init):
    """What ``Tensor(dtype=..., shape=..., init=...)`` begins with: (array, its shape).

    Without ``init`` it has no elements: it tells what an input is like. A size that is left open
    is None (-1 in the tensor's shape); a shape of None leaves the number of axes open (-2).
    """
    if dtype is None:
        raise errors.InvalidValue(
            "If setting dynamic shape, dtype must not be None, init must be None",
            given=f"shape={shape!r:.40}, init={init!r:.40}",
            hint="Write Tensor(shape=[None, 4], dtype=ms.float32).",
        )
    _check_dtype(dtype)
    shape = (-2,) if shape is None else _sizes(shape)
    if init is not None:
        return array_of(init.make(shape, dtype), dtype), shape
    return np.empty([max(size, 0) for size in shape], dtype.numpy), shape


def _sizes(shape):
    sizes = tuple(shape) if isinstance(shape, list | tuple) else (shape,)
    for size in sizes:
        if size is not None and (type(size) is not int or size < -1):
            raise errors.InvalidType(
                "For 'Tensor', the sizes in shape must be integers or None.", given=f"{shape!r:.60}"
            )
    return tuple([-1 if size is None else size for size in sizes])


def never_came(need, open_shape=False):
    """The error for a tensor whose elements, or shape, are needed and not there."""
    if open_shape:
        hint = "Tensor(shape=..., dtype=...) only says what an input is like: it has no elements."
        return errors.NotRunnable("This tensor has no elements.", hint=hint)
    return errors.NotRunnable("The tensor never got its value.", given=f"needed: its {need}")


def _check_dtype(dtype):
    if dtype is None or isinstance(dtype, dtypes.DType):
        return
    known = ", ".join(t.public for t in dtypes.DTYPES)
    raise errors.InvalidType(
        "For 'Tensor', the dtype must be one of ms_ext's dtypes.",
        given=f"{dtype!r} of type {type(dtype).__name__}",
        hint=f"Use one of {known}, e.g. `ms.float32`.",
    )


def _read(data):
    if hasattr(data, "asnumpy"):
        return data.asnumpy()
    if not isinstance(data, _ACCEPTED):
        raise errors.InvalidType(
            "For 'Tensor', the data must be a number, a list of them, an array or a Tensor.",
            given=f"{data!r:.60} of type {type(data).__name__}",
        )
    try:
        return np.asarray(_unwrapped(data))
    except ValueError:
        raise errors.InvalidType(
            "For 'Tensor', the nested lists must form a regular array.",
            given=f"{data!r:.80}",
            hint="Make all rows the same length.",
        ) from None


def _unwrapped(data):
    if isinstance(data, list | tuple):
        return [_unwrapped(item) for item in data]
    return data.asnumpy() if hasattr(data, "asnumpy") else data


def _dtype_of(data, array):
    if isinstance(data, np.ndarray | np.generic) or hasattr(data, "asnumpy"):
        return dtypes.from_numpy(array.dtype)
    if array.dtype.kind == "f" and not _has_array(data):
        return dtypes.float32
    return dtypes.from_numpy(array.dtype)


def _has_array(data):
    while isinstance(data, list | tuple) and data:
        data = data[0]
    return hasattr(data, "dtype")


def plain_index(index):
    """An index in NumPy's terms: tensors inside it become arrays or integers.

    >>> plain_index((slice(None), [0, 1], None))
    (slice(None, None, None), array([0, 1]), None)
    """
    if isinstance(index, tuple):
        return tuple(map(_index_item, index))
    return _index_item(index)


def _index_item(item):
    if item is None or item is Ellipsis or isinstance(item, slice | int | np.integer):
        return item
    if hasattr(item, "asnumpy"):
        item = item.asnumpy()
    if isinstance(item, list | tuple):
        item = np.asarray(_unwrapped(item) or [], None if item else np.int64)
    if isinstance(item, np.ndarray | np.bool_) and item.dtype.kind in "biu":
        return item if item.ndim or item.dtype.kind == "b" else int(item)
    raise errors.InvalidIndex(
        "Tensors are indexed by integers, slices, ..., None, booleans, lists or tensors of these.",
        given=f"{item!r:.60} of type {type(item).__name__}",
    )


def index_error(shape, index, error):
    """What NumPy says about a bad index, with the tensor's shape."""
    return errors.InvalidIndex(
        f"The index does not fit the tensor: {error}.",
        given=f"{index!r:.60} on shape {list(shape)}",
    )
