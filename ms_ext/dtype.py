"""Which element types there are, and which one comes out when two of them meet.

>>> float32, str(float32), float32.short, float32.size
(mindspore.float32, 'Float32', 'f32', 4)
>>> str(promote(int32, float16)), str(promote(int8, uint8)), str(promote(float16, bfloat16))
('Float16', 'Int16', 'Float32')
"""

import numpy as np

from .engine import errors

__all__ = [
    "DTYPES",
    "PROMOTION",
    "SCALAR_PROMOTION",
    "DType",
    "bfloat16",
    "bool_",
    "dtype_to_nptype",
    "dtype_to_pytype",
    "float16",
    "float32",
    "float64",
    "from_numpy",
    "int16",
    "int32",
    "int64",
    "int8",
    "named",
    "promote",
    "pytype_to_dtype",
    "uint8",
]


class DType:
    """An element type: one object per type, so ``is`` compares.

    >>> int8.name, int8.code, int8.kind, int8.numpy
    ('Int8', 1, 'int', dtype('int8'))
    """

    __slots__ = ("_numpy", "code", "kind", "name", "public", "short", "size")

    def __init__(self, code, public, name, short, kind, size):
        self.code, self.public, self.name, self.short = code, public, name, short
        self.kind, self.size, self._numpy = kind, size, None

    @property
    def numpy(self):
        """NumPy's object for this type (bfloat16 comes from ml_dtypes, imported at first use)."""
        if self._numpy is None:
            self._numpy = _bfloat16() if self.short == "bf16" else np.dtype(self.public)
        return self._numpy

    def __index__(self):
        return self.code

    def __repr__(self):
        return f"mindspore.{self.public}"  # what MindSpore shows, so outputs can be compared

    def __str__(self):
        return self.name

    def __reduce__(self):
        return named, (self.public,)


def _bfloat16():
    try:
        import ml_dtypes
    except ImportError:
        raise errors.NotRunnable(
            "bfloat16 needs the package ml_dtypes.", hint="pip install ml_dtypes"
        ) from None
    return np.dtype(ml_dtypes.bfloat16)


bool_ = DType(0, "bool_", "Bool", "bool", "bool", 1)
int8 = DType(1, "int8", "Int8", "i8", "int", 1)
int16 = DType(2, "int16", "Int16", "i16", "int", 2)
int32 = DType(3, "int32", "Int32", "i32", "int", 4)
int64 = DType(4, "int64", "Int64", "i64", "int", 8)
uint8 = DType(5, "uint8", "UInt8", "u8", "int", 1)
float16 = DType(6, "float16", "Float16", "f16", "float", 2)
bfloat16 = DType(7, "bfloat16", "BFloat16", "bf16", "float", 2)
float32 = DType(8, "float32", "Float32", "f32", "float", 4)
float64 = DType(9, "float64", "Float64", "f64", "float", 8)

DTYPES = (bool_, int8, int16, int32, int64, uint8, float16, bfloat16, float32, float64)
_KINDS = ("bool", "int", "float")
_NAMES = {key: t for t in DTYPES for key in (t.public, t.name, t.short)} | {"bool": bool_}
_NUMPY = {np.dtype(t.public): t for t in DTYPES if t is not bfloat16}


def named(name):
    """The element type called ``name``.

    >>> named("float32") is float32
    True
    """
    found = _NAMES.get(name)
    if found is None:
        known = [t.public for t in DTYPES]
        raise errors.InvalidValue(
            f"There is no dtype {name!r}.", hint=errors.did_you_mean(name, known)
        )
    return found


def from_numpy(numpy_dtype):
    """The element type for a NumPy dtype.

    >>> from_numpy(np.dtype("float64"))
    mindspore.float64
    """
    numpy_dtype = np.dtype(numpy_dtype)
    found = _NUMPY.get(numpy_dtype)
    if found is None and numpy_dtype.name == "bfloat16":
        return bfloat16
    if found is None:
        found = _NUMPY.get(numpy_dtype.newbyteorder("="))
    if found is None:
        raise _cannot_hold(numpy_dtype)
    return found


def _cannot_hold(numpy_dtype):
    if numpy_dtype.kind == "c":
        return errors.InvalidType(
            "Tensors hold no complex numbers, and gradients are not defined for them.",
            given=f"numpy dtype {numpy_dtype}",
            hint="Use two tensors, Tensor(a.real) and Tensor(a.imag).",
        )
    return errors.InvalidType(
        "Tensors cannot hold this element type.",
        given=f"numpy dtype {numpy_dtype}",
        hint=f"Convert to one of: {', '.join(t.public for t in DTYPES)}.",
    )


def _meet(a, b):
    """The more general kind wins; in one kind the larger; of two unlike halves the next larger."""
    if a.kind != b.kind:
        return max(a, b, key=lambda t: _KINDS.index(t.kind))
    if {a, b} == {float16, bfloat16}:
        return float32
    if {a, b} == {int8, uint8}:
        return int16
    return max(a, b, key=lambda t: t.size)


def _meet_scalar(kind, dtype):
    """A Python number changes a tensor's dtype only if its kind is more general."""
    if _KINDS.index(kind) <= _KINDS.index(dtype.kind):
        return dtype
    return {"int": int64, "float": float32}[kind]


# Rows and columns are dtypes or their codes: PROMOTION[int8][float16], PROMOTION[1][6].
PROMOTION = tuple(tuple(_meet(a, b) for b in DTYPES) for a in DTYPES)
SCALAR_PROMOTION = {kind: tuple(_meet_scalar(kind, b) for b in DTYPES) for kind in _KINDS}


def promote(a, b):
    """The dtype of ``x + y`` for tensors of dtype ``a`` and ``b``.

    >>> promote(bool_, int8)
    mindspore.int8
    """
    return PROMOTION[a][b]


# what a dtype is in NumPy and in Python -----------------------------------------------------------


def dtype_to_nptype(type_):
    """The NumPy type of a dtype.

    >>> dtype_to_nptype(int8)
    <class 'numpy.int8'>
    """
    return _as_dtype(type_).numpy.type


def dtype_to_pytype(type_):
    """The Python type of a dtype's numbers.

    >>> dtype_to_pytype(float16)
    <class 'float'>
    """
    return {"bool": bool, "int": int, "float": float}[_as_dtype(type_).kind]


def _as_dtype(given):
    if not isinstance(given, DType):
        raise errors.MissingKey(f"{given!r} is not a dtype.", hint="Write ms.float32, say.")
    return given


def pytype_to_dtype(obj):
    """The dtype that numbers of a Python or NumPy type have.

    >>> pytype_to_dtype(int), pytype_to_dtype(np.float32)
    (mindspore.int64, mindspore.float32)
    """
    found = _OF_PYTHON.get(obj) if isinstance(obj, type) else None
    if found is not None:
        return found
    if isinstance(obj, type) and issubclass(obj, np.generic):
        return from_numpy(np.dtype(obj))
    raise errors.InvalidType(
        "For 'pytype_to_dtype', the argument 'obj' must be a python type object,such as int, "
        f"float, str, etc. But got type {type(obj)}."
    )


_OF_PYTHON = {bool: bool_, int: int64, float: float64}
