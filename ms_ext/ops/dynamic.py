"""What x[i] means when i is a tensor whose value is only known as the graph runs.

>>> x, i = Tensor([[1, 2], [3, 4]]), Tensor(1)
>>> item_at(x, (i, 0)), with_item(x, i, 9)
(Tensor(shape=[], dtype=Int64, value= 3), Tensor(shape=[2, 2], dtype=Int64, value=
[[1, 2],
 [9, 9]]))
"""

from .. import ops
from ..engine import errors

_WHOLE = slice(None)


def item_at(x, index):
    """``x[index]`` where the index holds integer tensors; at most one of them may have axes."""
    parts = _parts(x, index)
    if sum(_is_tensor(p) and len(p.shape) > 0 for p in parts) > 1:
        raise _refused(index, "Use one tensor with axes, or ops.gather.")
    axis = 0
    for part in parts:
        if part is None:
            x, axis = ops.expand_dims(x, axis), axis + 1
        elif _is_tensor(part):
            x, axis = ops.gather(x, part, axis), axis + len(part.shape)
        else:
            x = x if part == _WHOLE else ops.GetItem(x, index=(_WHOLE,) * axis + (part,))
            axis += isinstance(part, slice)
    return x


def with_item(x, index, value):
    """A copy of x in which ``x[index]`` is ``value``; beside tensors only integers and ``:``."""
    parts = _parts(x, index)
    here, kept = None, []
    for axis, part in enumerate(parts):
        if isinstance(part, slice) and part == _WHOLE:
            kept.append(x.shape[axis])
            continue
        if part is None or isinstance(part, slice) or (_is_tensor(part) and part.shape):
            raise _refused(index, "Use integers, 0-d tensors and `:`.")
        kept.append(1)
        line = tuple(n if i == axis else 1 for i, n in enumerate(x.shape))
        size = x.shape[axis]
        hit = ops.reshape(ops.arange(size) == ops.where(part < 0, part + size, part), line)
        here = hit if here is None else ops.logical_and(here, hit)
    kept += x.shape[len(parts) :]
    if hasattr(value, "shape"):
        value = ops.cast(_placed(value, kept, x.shape), x.dtype)
    return ops.where(here, value, x)


def _placed(value, kept, shape):
    """``value`` with axes of size 1 where the index took an axis away."""
    own = [i for i, n in enumerate(kept) if n == shape[i] and n != 1 or n == shape[i] == 1]
    sizes = [1] * len(shape)
    for i, n in zip(reversed(own), reversed(value.shape), strict=False):
        sizes[i] = n
    return ops.reshape(value, tuple(sizes))


def _parts(x, index):
    parts = index if isinstance(index, tuple) else (index,)
    if any(p is Ellipsis for p in parts):
        at = next(i for i, p in enumerate(parts) if p is Ellipsis)
        count = len(x.shape) - sum(p is not None and p is not Ellipsis for p in parts)
        parts = (*parts[:at], *(_WHOLE,) * count, *parts[at + 1 :])
    if sum(p is not None for p in parts) > len(x.shape):
        raise errors.InvalidIndex(
            "There are more indices than axes.", given=f"{len(parts)} for shape {list(x.shape)}"
        )
    if any(_is_tensor(p) and p.dtype.kind != "int" for p in parts):
        raise _refused(index, "A mask gives a shape that depends on values; use ops.where.")
    return parts


def _is_tensor(part):
    return hasattr(part, "dtype") and hasattr(part, "shape")


def _refused(index, hint):
    return errors.InvalidIndex(
        "This index cannot be used while a graph is built.", given=str(index), hint=hint
    )
