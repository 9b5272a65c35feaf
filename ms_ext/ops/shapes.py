"""Which dtype and shape comes out: the ``infer`` rules that many ops share.

A rule takes what is known of the operands (AbstractTensor) and the attributes, and returns what is
known of the result. A rule that cannot be met raises one error that says why; the op's name is put
in front of it by the op.

>>> from ms_ext.dtype import float16, int32
>>> x, y = AbstractTensor(float16, (2, 1)), AbstractTensor(int32, (3,))
>>> broadcast(x, y), predicate(broadcast)(x, y), floating(like_first)(y)
(f16[2,3], bool[2,3], f32[3])
"""

import functools

from .. import dtype as dtypes
from ..engine import errors
from ..engine.infer import AbstractTensor

_KINDS = ("bool", "int", "float")


def common_dtype(*operands):
    """The dtype that the operands meet in, and whether all of them are Python numbers.

    >>> common_dtype(AbstractTensor(dtypes.int32, (2,)), AbstractTensor(dtypes.float64, (), True))
    (mindspore.float32, False)
    """
    strong = [x.dtype for x in operands if not x.weak]
    scalars = [x.dtype for x in operands if x.weak]
    if not strong:
        return max(scalars, key=lambda t: _KINDS.index(t.kind)), True
    found = functools.reduce(dtypes.promote, strong)
    for scalar in scalars:
        found = dtypes.SCALAR_PROMOTION[scalar.kind][found]
    return found, False


def settled(dtype, weak=False):
    """The dtype of a tensor made of Python numbers: that of ``Tensor(number)``; others stay.

    >>> settled(dtypes.float64, weak=True), settled(dtypes.float64)
    (mindspore.float32, mindspore.float64)
    """
    return dtypes.float32 if weak and dtype.kind == "float" else dtype


def shaped(x, shape):
    """The elements of x in another shape."""
    return AbstractTensor(settled(x.dtype, x.weak), tuple(shape))


def common_shape(*shapes):
    """The shape that the shapes broadcast to.

    >>> common_shape((2, 1), (3,), ())
    (2, 3)
    """
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    sizes = [{size for size in column if size != 1} or {1} for column in zip(*padded, strict=True)]
    if any(len(size) > 1 for size in sizes):
        raise errors.InvalidValue(
            "the shapes do not broadcast.",
            given=" and ".join(str(list(shape)) for shape in shapes),
            hint="Counted from the last axis, sizes must be equal or 1. Reshape one operand.",
        )
    return tuple(size for (size,) in sizes)


def broadcast(*operands, **_attributes):
    """Elementwise: common dtype, common shape."""
    dtype, weak = common_dtype(*operands)
    shape = common_shape(*(x.shape for x in operands))
    return AbstractTensor(dtype, shape, weak)


def like_first(x, *_rest, **_attributes):
    """The result looks like the first operand."""
    return x


def floating(rule):
    """``rule``, but integers and bools come out as Float32."""

    @functools.wraps(rule)
    def infer(*operands, **attributes):
        return _with_dtype(rule(*operands, **attributes), float_dtype)

    return infer


def predicate(rule):
    """``rule``, but the result is Bool."""

    @functools.wraps(rule)
    def infer(*operands, **attributes):
        return _with_dtype(rule(*operands, **attributes), lambda _dtype: dtypes.bool_)

    return infer


def numeric(rule):
    """``rule`` for operands that are not all Bool."""

    @functools.wraps(rule)
    def infer(*operands, **attributes):
        needs_number(*operands)
        return rule(*operands, **attributes)

    return infer


# Conditions that NumPy would not mind, asked of abstract values and, in ``compute``, of arrays.

_PLACES = {t for kind in (dtypes.int32, dtypes.int64) for t in (kind, kind.numpy)}
_ARRAY_KINDS = {"b": "bool", "i": "int", "u": "int", "f": "float", "V": "float"}


def kind_of(x):
    """ "bool", "int" or "float", of an abstract value or an array."""
    return _ARRAY_KINDS.get(x.dtype.kind, x.dtype.kind)


def needs_number(*operands):
    """Refuse operands that are all Bool."""
    if all(kind_of(x) == "bool" for x in operands):
        raise errors.InvalidType(
            "the operand must be a number, not Bool.",
            given=", ".join(map(str, operands)),
            hint="Cast it first: x.astype(ms.int32), or use ops.logical_not for Bool.",
        )


def needs_float(*operands):
    """Refuse operands that are not floating."""
    if any(kind_of(x) != "float" for x in operands):
        raise errors.InvalidType(
            "the operands must be floating numbers.",
            given=", ".join(map(str, operands)),
            hint="Cast them first: x.astype(ms.float32).",
        )


def needs_bool(condition, name):
    """Refuse a condition or mask that is not Bool."""
    if kind_of(condition) != "bool":
        raise errors.InvalidType(
            f"the {name} must be Bool.",
            given=str(condition),
            hint=f"Compare first, as in `{name} != 0`.",
        )


def needs_integers(indices):
    """Refuse indices that are not integers."""
    if kind_of(indices) != "int":
        raise errors.InvalidType(
            "the indices must be integers.",
            given=str(indices),
            hint="Cast them: ids.astype(ms.int32).",
        )


def needs_places(indices):
    """Refuse indices that are neither Int32 nor Int64; smaller integers hold no place there."""
    needs_integers(indices)
    if indices.dtype not in _PLACES:
        raise errors.InvalidType(
            "the indices must be Int32 or Int64.",
            given=str(indices.dtype),
            hint="Cast them: ids.astype(ms.int32).",
        )


def only_floating(rule):
    """``rule`` for floating operands."""

    @functools.wraps(rule)
    def infer(*operands, **attributes):
        needs_float(*operands)
        return rule(*operands, **attributes)

    return infer


def whole_numbers(rule):
    """``rule`` for integer and Bool operands."""

    @functools.wraps(rule)
    def infer(*operands, **attributes):
        if any(x.dtype.kind == "float" for x in operands):
            raise errors.InvalidType(
                "the operands must be integers or Bool.",
                given=", ".join(map(str, operands)),
                hint="Cast them first, or use ops.logical_and and its family.",
            )
        return rule(*operands, **attributes)

    return infer


def float_dtype(dtype):
    """The dtype itself if it is floating, else Float32.

    >>> float_dtype(dtypes.int8), float_dtype(dtypes.float16)
    (mindspore.float32, mindspore.float16)
    """
    return dtype if dtype.kind == "float" else dtypes.float32


def as_dtype(dtype):
    """A DType from a DType, its name or a Python type.

    >>> as_dtype("float16"), as_dtype(float)
    (mindspore.float16, mindspore.float32)
    """
    if isinstance(dtype, dtypes.DType):
        return dtype
    if isinstance(dtype, str):
        return dtypes.named(dtype)
    if dtype in _PYTHON_TYPES:
        return _PYTHON_TYPES[dtype]
    raise errors.InvalidType(
        "the dtype must be one of this package's dtypes.",
        given=repr(dtype),
        hint='Write for example ms.float32 or "float32".',
    )


_PYTHON_TYPES = {bool: dtypes.bool_, int: dtypes.int64, float: dtypes.float32}


def _with_dtype(x, change):
    dtype = change(x.dtype)
    if x.weak and dtype.kind == "float":
        dtype = dtypes.float64  # a Python float
    return AbstractTensor(dtype, x.shape, x.weak)
