"""Which type has a value of the DSL? NumPy is asked: each operation is done once on a sample.

A kind is a NumPy dtype, or ``int``, ``float`` or ``bool`` for a number of Python's, which takes the
type of what it meets (`2 * a[i]` is a float32 where ``a`` is).
"""

import functools
import operator

import numpy as np

BOOL = np.dtype(bool)
#: Python's operators, by the classes of its syntax tree and their signs.
OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "&": operator.and_,
    "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
    "u-": operator.neg, "u+": operator.pos, "u~": operator.invert, "unot": operator.not_,
}  # fmt: skip
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def kind_of(value):
    """The kind of a Python number or a NumPy scalar; TypeError for anything else.

    >>> kind_of(1), kind_of(np.float32(1))
    (<class 'int'>, dtype('float32'))
    """
    if isinstance(value, np.generic):
        return value.dtype
    if type(value) in (int, float, bool):
        return type(value)
    raise TypeError(f"no number: {type(value).__name__}")


def sample(kind):
    """A value of that kind."""
    return kind(1) if isinstance(kind, type) else kind.type(1)


@functools.lru_cache(maxsize=4096, typed=True)
def result(function, *kinds):
    """The kind that a function makes of values of these kinds; TypeError if it makes none.

    >>> result(operator.truediv, np.dtype("int32"), int), result(np.sqrt, np.dtype("float32"))
    (dtype('float64'), dtype('float32'))
    """
    with np.errstate(all="ignore"):
        return kind_of(function(*map(sample, kinds)))


def joined(one, other):
    """The kind of what is now the one and then the other; TypeError where C cannot be both.

    Numbers of Python's become what they meet; floats become the wider, from the first on, so that
    C rounds less than NumPy. But a whole number of NumPy's wraps at its own end, as no other does.

    >>> joined(int, np.dtype("float32")), joined(bool, float)
    (dtype('float32'), <class 'float'>)
    """
    if is_same(one, other):
        return one
    weak = [kind for kind in (one, other) if is_weak(kind)]
    if any(k is bool for k in weak) and (
        (is_bool(one) and is_bool(other)) or any(k is int for k in weak)
    ):
        return other if one is bool else one
    wraps = [k for k in (one, other) if not is_weak(k) and not is_float(k)]
    if wraps and (any(k is float for k in weak) or not weak):
        raise TypeError(f"it is {named(one)} or {named(other)}")
    return result(operator.add, one, other)


def fits(number, kind):
    """Whether a whole number of Python's is one of that kind.

    >>> fits(127, np.dtype("int8")), fits(128, np.dtype("int8")), fits(128, float)
    (True, False, True)
    """
    low, high = limits(kind)
    return low <= number <= high


def limits(kind):
    """The least and the largest whole number of a kind; of 64 bits for one without an end."""
    info = np.iinfo(kind if not is_weak(kind) and kind.kind in "iu" else np.int64)
    return int(info.min), int(info.max)


def is_same(one, other):
    """Whether two kinds are one. To NumPy `float` and float64 are equal; here they are not.

    >>> is_same(float, np.dtype("float64")), is_same(np.dtype("int8"), np.dtype("int8"))
    (False, True)
    """
    return one is other or (not is_weak(one) and not is_weak(other) and one == other)


def is_weak(kind):
    """Whether it is a number of Python's."""
    return isinstance(kind, type)


def is_bool(kind):
    """Whether it is true or false."""
    return kind is bool or (not is_weak(kind) and kind == BOOL)


def is_integer(kind):
    """Whether it is a whole number, and no truth value."""
    return kind is int or (not is_weak(kind) and kind.kind in "iu")


def is_float(kind):
    """Whether it has a fraction."""
    return kind is float or (not is_weak(kind) and (kind.kind == "f" or is_bfloat16(kind)))


def is_known(dtype):
    """Whether C has a type for a tensor's dtype.

    >>> is_known(np.dtype("int8")), is_known(np.dtype("complex64"))
    (True, False)
    """
    whole = dtype.kind in "iub" and dtype != np.uint64
    return whole or is_bfloat16(dtype) or dtype in (np.float16, np.float32, np.float64)


def is_bfloat16(kind):
    """NumPy itself does not know it: ml_dtypes brings it."""
    return not is_weak(kind) and kind.name == "bfloat16"


def is_narrow(kind):
    """Whether C calculates it in a wider type: float16 and bfloat16 are stored in 16 bits."""
    return is_bfloat16(kind) or (not is_weak(kind) and kind == np.float16)


def named(kind):
    """Its name, for the learner.

    >>> named(int), named(np.dtype("int8"))
    ('int', 'int8')
    """
    return kind.__name__ if is_weak(kind) else kind.name
