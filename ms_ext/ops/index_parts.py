"""An index taken apart: the tensors in it, and the rest with "#0", "#1", ... where they stood.

So the tensors are operands of an op, and the rest is an attribute that can be printed and read.
"""

import numpy as np

from ..engine import errors


def apart(index):
    """(the index as a tuple, with "#n" for its tensors; the tensors). A list of tensors is a tuple.

    >>> apart([slice(0, Tensor(1)), None])
    ((slice(0, '#0', None), None), [Tensor(shape=[], dtype=Int64, value= 1)])
    """
    given = []

    def part(value):
        if isinstance(value, slice):
            return slice(*map(part, (value.start, value.stop, value.step)))
        if not is_tensor(value):
            return value
        given.append(value)
        return f"#{len(given) - 1}"

    several = isinstance(index, tuple) or isinstance(index, list) and not _is_plain(index)
    return tuple(map(part, index if several else (index,))), given


def filled(parts, given):
    """The index again: ``given`` where "#n" stands.

    >>> filled((slice("#0", None), 1), [3])
    (slice(3, None, None), 1)
    """

    def part(value):
        if isinstance(value, slice):
            return slice(*map(part, (value.start, value.stop, value.step)))
        return given[int(value[1:])] if isinstance(value, str) else value

    return tuple(map(part, parts))


def chooses_a_shape(parts, given):
    """Whether the shape of ``x[index]`` depends on elements: of a mask, of a slice's bound.

    >>> chooses_a_shape(("#0",), [Tensor([True])]), chooses_a_shape((slice(0, "#0"),), [Tensor(1)])
    (True, True)
    """
    bounds = [b for p in parts if isinstance(p, slice) for b in (p.start, p.stop, p.step)]
    return any(isinstance(b, str) for b in bounds) or any(g.dtype.kind == "bool" for g in given)


def axes_taken(part):
    """How many axes of the tensor a part of an index stands for; a mask takes its own.

    >>> axes_taken(slice(None)), axes_taken(None), axes_taken(Tensor([[True]]))
    (1, 0, 2)
    """
    if part is None or part is Ellipsis:
        return 0
    return len(part.shape) if is_tensor(part) and part.dtype.kind == "bool" else 1


def is_tensor(part):
    """Whether a part of an index is a tensor, a symbol or an array.

    >>> is_tensor(Tensor(1)), is_tensor(1)
    (True, False)
    """
    return hasattr(part, "dtype") and hasattr(part, "shape")


def _is_plain(index):
    """Whether a list is one axis's positions, and not parts of an index."""
    return not any(is_tensor(part) or isinstance(part, slice | None) for part in index)


def picked_shape(shape, index):
    """The shape of ``x[index]``, found on an array that takes no memory.

    >>> picked_shape((4, 3), (slice(1, None), None, 0))
    (3, 1)
    """
    try:
        return np.broadcast_to(np.False_, shape)[index].shape
    except IndexError as error:
        raise errors.InvalidIndex(
            f"the index does not fit the tensor: {_reason(shape, index, error)}",
            given=f"index {index} into shape {list(shape)}",
            hint="Count from 0, or from the end with negative numbers; one index per axis at most.",
        ) from None


def _reason(shape, index, error):
    parts = index if isinstance(index, tuple) else (index,)
    count, axes = sum(part is not None and part is not ... for part in parts), len(shape)
    words = "The dim of index cannot be greater than indexed data, but got dim of"
    return f"{words} index:{count}, dim of data:{axes}" if count > axes else f"{error}."
