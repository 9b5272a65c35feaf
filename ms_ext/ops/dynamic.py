"""x[i] and x[i] = value where i holds tensors: which elements is known only as the graph runs.

The tensors of an index are operands. The attribute ``index`` is the rest of it, with "#0", "#1",
... where the tensors stand, so that compiled code can be printed and read again.

>>> x, i, j = Tensor([[1, 2], [3, 4]]), Tensor([0, 1]), Tensor([1, 0])
>>> parts, given = apart((i, j))
>>> parts, item_at(x, parts, given)
(('#0', '#1'), Tensor(shape=[2], dtype=Int64, value= [2, 3]))
>>> with_item(x, parts, given, 9)
Tensor(shape=[2, 2], dtype=Int64, value=
[[1, 9],
 [9, 4]])
"""

from .. import ops
from ..engine import errors
from .index_parts import apart, axes_taken, filled, is_tensor

_WHOLE = slice(None)


def item_at(x, parts, given):
    """``x[index]`` where the index holds integer tensors.

    >>> item_at(Tensor([[1, 2], [3, 4]]), (slice(None), "#0"), [Tensor(1)])
    Tensor(shape=[2], dtype=Int64, value= [2, 4])
    """
    index = _one_per_axis(x, filled(parts, given))
    if _is_gathered(index):
        return _gathered(x, index)
    parts, given = apart(index)
    return ops.ItemAt((x, *given), index=parts)


def with_item(x, parts, given, value):
    """A copy of x in which ``x[index]`` is ``value``.

    >>> with_item(Tensor([1, 2, 3]), ("#0",), [Tensor([True, False, True])], 0)
    Tensor(shape=[3], dtype=Int64, value= [0, 2, 0])
    """
    parts, given = apart(_one_per_axis(x, filled(parts, given)))
    return ops.TensorSetAt((x, value, *given), index=parts)


def _is_gathered(parts):
    """Whether an index is one ``ops.gather`` after the other: no two of its parts go together."""
    lists = [p for p in parts if (is_tensor(p) and p.shape) or isinstance(p, list)]
    return not lists or (
        len(lists) == 1 and not any(isinstance(p, int) or _is_place(p) for p in parts)
    )


def _is_place(part):
    return is_tensor(part) and not part.shape


def _gathered(x, parts):
    axis = 0
    for part in parts:
        if part is None:
            x, axis = ops.expand_dims(x, axis), axis + 1
        elif is_tensor(part):
            x, axis = ops.gather(x, part, axis), axis + len(part.shape)
        else:
            x = x if part == _WHOLE else ops.GetItem(x, index=(_WHOLE,) * axis + (part,))
            axis += isinstance(part, slice)
    return x


# the parts of an index ----------------------------------------------------------------------------


def _one_per_axis(x, parts):
    """The parts of an index, with ``:`` for the axes that ``...`` stands for, checked."""
    if any(p is Ellipsis for p in parts):
        at = next(i for i, p in enumerate(parts) if p is Ellipsis)
        count = len(x.shape) - sum(map(axes_taken, parts))
        parts = (*parts[:at], *(_WHOLE,) * count, *parts[at + 1 :])
    if sum(map(axes_taken, parts)) > len(x.shape):
        raise errors.InvalidIndex(
            "The dim of index cannot be greater than indexed data, but got dim of index:"
            f"{sum(map(axes_taken, parts))}, dim of data:{len(x.shape)}",
            hint="Give one index per axis at most.",
        )
    for part in parts:
        if is_tensor(part):
            _check_kind(part)
    return parts


def _check_kind(part):
    if part.dtype.kind not in ("int", "bool"):
        raise errors.InvalidIndex(
            f"The tensor index must be int or bool type, but got {part.dtype}.",
            hint="Cast it: `index.astype(ms.int64)`.",
        )
