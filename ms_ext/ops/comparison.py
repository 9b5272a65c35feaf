"""Comparing tensors, and logic: ops whose result is Bool, and the operators on bits."""

import numpy as np

from ..engine.primitive import op
from .sampling import binary, unary
from .shapes import broadcast, like_first, predicate, whole_numbers


@op(names=("equal", "eq", "Tensor.equal", "Tensor.eq", "mint.eq"), operands="promote", slot="==")
class Equal:
    """Whether x equals y, element by element. NaN equals nothing.

    >>> ops.equal(Tensor([1, 2]), Tensor([1, 3]))
    Tensor(shape=[2], dtype=Bool, value= [ True, False])
    """

    compute = np.equal
    infer = predicate(broadcast)
    kernel = "equal"
    expr = "({0} == {1})"
    samples = binary(-1.4, 1.4)


@op(
    names=("not_equal", "ne", "Tensor.not_equal", "Tensor.ne", "mint.not_equal", "mint.ne"),
    operands="promote",
    slot="!=",
)
class NotEqual:
    """Whether x differs from y, element by element.

    >>> ops.not_equal(Tensor([1, 2]), Tensor([1, 3]))
    Tensor(shape=[2], dtype=Bool, value= [False,  True])
    """

    compute = np.not_equal
    infer = predicate(broadcast)
    kernel = "not_equal"
    expr = "({0} != {1})"
    samples = binary(-1.4, 1.4)


@op(
    names=("less", "lt", "Tensor.less", "Tensor.lt", "mint.less", "mint.lt"),
    operands="promote",
    slot="<",
)
class Less:
    """Whether x < y, element by element.

    >>> ops.less(Tensor([1, 2]), 2)
    Tensor(shape=[2], dtype=Bool, value= [ True, False])
    """

    compute = np.less
    infer = predicate(broadcast)
    kernel = "less"
    expr = "({0} < {1})"
    samples = binary(-1.4, 1.4)


@op(
    names=("less_equal", "le", "Tensor.less_equal", "Tensor.le", "mint.less_equal", "mint.le"),
    operands="promote",
    slot="<=",
)
class LessEqual:
    """Whether x <= y, element by element.

    >>> ops.less_equal(Tensor([1, 2]), 1)
    Tensor(shape=[2], dtype=Bool, value= [ True, False])
    """

    compute = np.less_equal
    infer = predicate(broadcast)
    kernel = "less_equal"
    expr = "({0} <= {1})"
    samples = binary(-1.4, 1.4)


@op(
    names=("greater", "gt", "Tensor.greater", "Tensor.gt", "mint.greater", "mint.gt"),
    operands="promote",
    slot=">",
)
class Greater:
    """Whether x > y, element by element.

    >>> ops.greater(Tensor([1, 2]), 1)
    Tensor(shape=[2], dtype=Bool, value= [False,  True])
    """

    compute = np.greater
    infer = predicate(broadcast)
    kernel = "greater"
    expr = "({0} > {1})"
    samples = binary(-1.4, 1.4)


@op(
    names=(
        "greater_equal",
        "ge",
        "Tensor.greater_equal",
        "Tensor.ge",
        "mint.greater_equal",
        "mint.ge",
    ),
    operands="promote",
    slot=">=",
)
class GreaterEqual:
    """Whether x >= y, element by element.

    >>> ops.greater_equal(Tensor([1, 2]), 2)
    Tensor(shape=[2], dtype=Bool, value= [False,  True])
    """

    compute = np.greater_equal
    infer = predicate(broadcast)
    kernel = "greater_equal"
    expr = "({0} >= {1})"
    samples = binary(-1.4, 1.4)


@op(names=("logical_and", "Tensor.logical_and", "mint.logical_and"))
class LogicalAnd:
    """Whether both are true (not zero).

    >>> ops.logical_and(Tensor([True, True]), Tensor([True, False]))
    Tensor(shape=[2], dtype=Bool, value= [ True, False])
    """

    compute = np.logical_and
    infer = predicate(broadcast)
    kernel = "logical_and"
    expr = "({0} && {1})"
    samples = binary(-1.4, 1.4)


@op(names=("logical_or", "Tensor.logical_or", "mint.logical_or"))
class LogicalOr:
    """Whether at least one is true (not zero).

    >>> ops.logical_or(Tensor([True, False]), Tensor([False, False]))
    Tensor(shape=[2], dtype=Bool, value= [ True, False])
    """

    compute = np.logical_or
    infer = predicate(broadcast)
    kernel = "logical_or"
    expr = "({0} || {1})"
    samples = binary(-1.4, 1.4)


@op(names=("logical_xor", "Tensor.logical_xor", "mint.logical_xor"))
class LogicalXor:
    """Whether exactly one is true (not zero).

    >>> ops.logical_xor(Tensor([True, True]), Tensor([True, False]))
    Tensor(shape=[2], dtype=Bool, value= [False,  True])
    """

    compute = np.logical_xor
    infer = predicate(broadcast)
    kernel = "logical_xor"
    samples = binary(-1.4, 1.4)


@op(names=("logical_not", "Tensor.logical_not", "mint.logical_not"), slot="invert")
class LogicalNot:
    """Whether x is zero or False. ``~x`` means this for every dtype, as in MindSpore.

    >>> ops.logical_not(Tensor([True, False]))
    Tensor(shape=[2], dtype=Bool, value= [False,  True])
    """

    compute = np.logical_not
    infer = predicate(like_first)
    kernel = "logical_not"
    expr = "(!{0})"
    samples = unary(-1.4, 1.4)


@op(names=("bitwise_and", "Tensor.bitwise_and", "mint.bitwise_and"), operands="promote", slot="&")
class BitwiseAnd:
    """The bits set in both integers; for Bool the logical and.

    >>> ops.bitwise_and(Tensor([5]), Tensor([3]))
    Tensor(shape=[1], dtype=Int64, value= [1])
    """

    compute = np.bitwise_and
    infer = whole_numbers(broadcast)
    kernel = "bitwise_and"

    def samples(rng):
        yield rng.integers(0, 9, (2, 3)), rng.integers(0, 9, (3,))
        yield rng.integers(0, 2, (2,)).astype(bool), rng.integers(0, 2, ()).astype(bool)


@op(names=("bitwise_or", "Tensor.bitwise_or", "mint.bitwise_or"), operands="promote", slot="|")
class BitwiseOr:
    """The bits set in at least one integer; for Bool the logical or.

    >>> ops.bitwise_or(Tensor([5]), Tensor([3]))
    Tensor(shape=[1], dtype=Int64, value= [7])
    """

    compute = np.bitwise_or
    infer = whole_numbers(broadcast)
    kernel = "bitwise_or"
    samples = BitwiseAnd.samples


@op(names=("bitwise_xor", "Tensor.bitwise_xor", "mint.bitwise_xor"), operands="promote", slot="^")
class BitwiseXor:
    """The bits set in exactly one of two integers; for Bool whether they differ.

    >>> ops.bitwise_xor(Tensor([5]), Tensor([3]))
    Tensor(shape=[1], dtype=Int64, value= [6])
    """

    compute = np.bitwise_xor
    infer = whole_numbers(broadcast)
    kernel = "bitwise_xor"
    samples = BitwiseAnd.samples


@op(names=("isnan", "Tensor.isnan", "mint.isnan"))
class IsNan:
    """Whether x is NaN.

    >>> ops.isnan(Tensor([1.0, float("nan")]))
    Tensor(shape=[2], dtype=Bool, value= [False,  True])
    """

    compute = np.isnan
    infer = predicate(like_first)
    kernel = "isnan"
    expr = "({0} != {0})"
    samples = unary(-2, 2)


@op(names=("isinf", "Tensor.isinf", "mint.isinf"))
class IsInf:
    """Whether x is infinite.

    >>> ops.isinf(Tensor([1.0, float("inf")]))
    Tensor(shape=[2], dtype=Bool, value= [False,  True])
    """

    compute = np.isinf
    infer = predicate(like_first)
    kernel = "isinf"
    samples = unary(-2, 2)


@op(names=("isfinite", "Tensor.isfinite", "mint.isfinite"))
class IsFinite:
    """Whether x is neither NaN nor infinite.

    >>> ops.isfinite(Tensor([1.0, float("inf")]))
    Tensor(shape=[2], dtype=Bool, value= [ True, False])
    """

    compute = np.isfinite
    infer = predicate(like_first)
    kernel = "isfinite"
    samples = unary(-2, 2)
