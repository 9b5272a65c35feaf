"""A tensor cut into parts along an axis: tensor_split, hsplit, vsplit, dsplit."""

import itertools

from ..engine import errors
from .axes import normal_axis
from .composite import composite


@composite("tensor_split", "Tensor.tensor_split")
def tensor_split(input, indices_or_sections, axis=0):
    """Parts along an axis: so many, as equal as can be, or cut at the listed places.

    >>> [part.shape for part in ops.tensor_split(ops.ones(5), 2)]
    [(3,), (2,)]
    """
    place = normal_axis(axis, input.ndim)
    size = input.shape[place]
    cuts = _cuts(indices_or_sections, size)
    before = (slice(None),) * place
    edges = (0, *cuts, size)
    return tuple([input[(*before, slice(a, b))] for a, b in itertools.pairwise(edges)])


def _cuts(how, size):
    if isinstance(how, tuple | list) and all(type(i) is int for i in how):
        return tuple(how)
    if type(how) is not int:
        raise errors.InvalidType(
            "the sections must be an integer, or a tuple or list of them.", given=repr(how)
        )
    if how < 1:
        raise errors.InvalidValue("the number of sections must be 1 or more.", given=str(how))
    small, more = divmod(size, how)
    return tuple([i * small + min(i, more) for i in range(1, how)])


@composite("hsplit", "Tensor.hsplit")
def hsplit(input, indices_or_sections):
    """Parts from left to right, as ``ops.tensor_split`` cuts the second axis.

    >>> [part.shape for part in ops.hsplit(ops.ones((2, 4)), 2)]
    [(2, 2), (2, 2)]
    """
    return _split(input, indices_or_sections, 1)


@composite("vsplit", "Tensor.vsplit")
def vsplit(input, indices_or_sections):
    """Parts from top to bottom, as ``ops.tensor_split`` cuts the first axis.

    >>> [part.shape for part in ops.vsplit(ops.ones((4, 2)), [1])]
    [(1, 2), (3, 2)]
    """
    return _split(input, indices_or_sections, 0)


@composite("dsplit", "Tensor.dsplit")
def dsplit(input, indices_or_sections):
    """Parts along the third axis, as ``ops.tensor_split`` cuts it.

    >>> [part.shape for part in ops.dsplit(ops.ones((1, 2, 4)), 2)]
    [(1, 2, 2), (1, 2, 2)]
    """
    return _split(input, indices_or_sections, 2)


def _split(input, how, axis):
    least = max(axis + 1, 2) if axis != 0 else 1
    if input.ndim < least:
        raise errors.InvalidValue(f"there must be {least} axes at least.", given=str(input.shape))
    return tensor_split(input, how, axis)
