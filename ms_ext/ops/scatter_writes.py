"""Functions that write to a Parameter at indices: ``ops.scatter_add`` and its family, index_add.

>>> w = Parameter(Tensor([1.0, 2.0, 3.0]), name="w")
>>> ops.scatter_add(w, Tensor([0, 0]), Tensor([10.0, 10.0]))
Parameter (name=w, shape=(3,), dtype=Float32, requires_grad=True)
>>> w.asnumpy()
array([21.,  2.,  3.], dtype=float32)
"""

from .. import ops
from ..engine import errors
from . import scattering
from .composite import composite
from .placing import index_add
from .writing import writes

#: The last word of a function's name -> (the op that calculates, what it does, an example: 1.0 and
#: 2.0 at index 0, with 4.0, whether its gradient reads what was there before).
KINDS = {
    "update": (scattering.TensorScatterUpdate, "put in the place of", "4.0", False),
    "add": (scattering.TensorScatterAdd, "added to", "5.0", False),
    "sub": (scattering.TensorScatterSub, "taken from", "-3.0", False),
    "mul": (scattering.TensorScatterMul, "multiplied into", "4.0", True),
    "div": (scattering.TensorScatterDiv, "divided out of", "0.25", False),
    "max": (scattering.TensorScatterMax, "compared with, the larger kept, ", "4.0", True),
    "min": (scattering.TensorScatterMin, "compared with, the smaller kept, ", "1.0", True),
}


def _rows(function):
    """``new`` of a function that writes rows: one index per row of updates."""

    def new(input_x, indices, updates):
        if updates.ndim and updates.shape != (*indices.shape, *input_x.shape[1:]):
            raise errors.InvalidValue(
                "the updates do not fit the indices.",
                given=f"updates {updates.shape}, indices {indices.shape}, input {input_x.shape}",
                hint="Their shape is indices.shape + input_x.shape[1:].",
            )
        return function(input_x, ops.expand_dims(indices, -1), ops.cast(updates, input_x.dtype))

    return new


def _places(function):
    """``new`` of a function that writes where the last axis of the indices names a place."""

    def new(input_x, indices, updates, use_locking=False):
        return function(input_x, indices, ops.cast(updates, input_x.dtype))

    return new


def _doc(name, verb, result, indices):
    return f"""Write to ``input_x``: each update is {verb} what lies at its index; gives it.

    >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
    >>> ops.{name}(w, Tensor({indices}), Tensor([4.0]))[0].item()
    {result}
    """


def _primitive(name, function, example):
    class Form:
        def __new__(cls, use_locking=True):
            return function

    Form.__name__ = Form.__qualname__ = name
    Form.__doc__ = f"""The primitive that writes: each update goes to its index.

    >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
    >>> ops.{name}()(w, Tensor({example[0]}), Tensor([4.0]))[0].item()
    {example[1]}
    """
    composite(name)(Form)


def _declare():
    for word, (function, verb, result, reads) in KINDS.items():
        for how, prefix, index in ((_rows, "scatter", "[0]"), (_places, "scatter_nd", "[[0]]")):
            name, new = f"{prefix}_{word}", how(function)
            new.__doc__ = _doc(name, verb, result, index)
            written = writes(name, new=new, reads=reads)
            title = "".join(part.capitalize() for part in name.split("_"))
            _primitive(title, written, (index, result))


_declare()


def _row_added(x, indices, y, axis, use_lock=True, check_index_bound=True):
    """Write to x: y is added to the slices that the indices along an axis name; gives x.

    >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
    >>> ops.index_add(w, Tensor([0, 0], ms.int32), Tensor([4.0, 4.0]), 0)[0].item()
    9.0
    """
    return index_add(x, axis, indices, y)


added = writes("index_add", new=_row_added)


def _row_added_last(var, indices, updates, axis):
    """Write to ``var``: updates are added to the slices that the indices name; gives ``var``.

    >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
    >>> ops.inplace_index_add(w, Tensor([0], ms.int32), Tensor([4.0]), 0)[0].item()
    5.0
    """
    return index_add(var, axis, indices, updates)


writes("inplace_index_add", new=_row_added_last)


def _index_added(self, dim, index, source, *, alpha=1):
    """Write to this tensor: ``alpha * source`` is added to the slices that the index names.

    >>> x = Tensor([1.0, 2.0])
    >>> x.index_add_(0, Tensor([0]), Tensor([4.0]))[0].item()
    5.0
    """
    return index_add(self, dim, index, source, alpha=alpha)


writes("Tensor.index_add_", new=_index_added)


@composite("IndexAdd")
class IndexAdd:
    """The primitive of ``ops.index_add``, made with the axis.

    >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
    >>> ops.IndexAdd(0)(w, Tensor([0], ms.int32), Tensor([4.0]))[0].item()
    5.0
    """

    def __new__(cls, axis, use_lock=True, check_index_bound=True):
        return ops.partial(added, axis=axis)


def _filled(self, dim, index, value):
    """Write one value to the slices that the index along a dim names; gives the tensor.

    >>> Tensor([1, 2, 3]).index_fill_(0, Tensor([0, 2]), 9)
    Tensor(shape=[3], dtype=Int64, value= [9, 2, 9])
    """
    return ops.index_fill(self, dim, index, value)


def _scattered(self, dim, index, src, *, reduce="none"):
    """Write ``src`` (a tensor or a number) at the indices along a dim; gives the tensor.

    >>> Tensor([1, 2, 3]).scatter_(0, Tensor([2]), 9)
    Tensor(shape=[3], dtype=Int64, value= [1, 2, 9])
    """
    return self.scatter(dim, index, src, reduce=reduce)


def _scatter_added(self, dim, index, src):
    """Add ``src`` at the indices along a dim, to this tensor; gives it.

    >>> Tensor([1, 2, 3]).scatter_add_(0, Tensor([2]), Tensor([10]))
    Tensor(shape=[3], dtype=Int64, value= [ 1,  2, 13])
    """
    return self.scatter_add(dim, index, src)


def _masked(self, mask, value):
    """Write one value where the mask is true; gives the tensor.

    >>> Tensor([1, 2]).masked_fill_(Tensor([True, False]), 9)
    Tensor(shape=[2], dtype=Int64, value= [9, 2])
    """
    return ops.masked_fill(self, mask, value)


def _masked_scattered(self, mask, source):
    """Write the elements of ``source``, in order, where the mask is true; gives the tensor.

    >>> Tensor([1, 2]).masked_scatter_(Tensor([False, True]), Tensor([9]))
    Tensor(shape=[2], dtype=Int64, value= [1, 9])
    """
    return self.masked_scatter(mask, source)


def _put(self, indices, values, accumulate=False):
    """Write (or add) values at places named by one index tensor per axis; gives the tensor.

    >>> Tensor([1, 2, 3]).index_put_((Tensor([0]),), Tensor([5]))
    Tensor(shape=[3], dtype=Int64, value= [5, 2, 3])
    """
    return self.index_put(indices, values, accumulate)


def _copied(self, dim, index, tensor):
    """Write the slices of ``tensor`` to those that the index along a dim names; gives the tensor.

    >>> Tensor([1, 2, 3]).index_copy_(0, Tensor([2]), Tensor([9]))
    Tensor(shape=[3], dtype=Int64, value= [1, 2, 9])
    """
    place = (*[slice(None)] * (dim % self.ndim), "#0")
    return ops.TensorSetAt((self, tensor, index), index=place)


writes("Tensor.index_fill_", new=_filled, reads=True)
writes("Tensor.scatter_", new=_scattered)
writes("Tensor.scatter_add_", new=_scatter_added)
writes("Tensor.masked_fill_", new=_masked)
writes("Tensor.masked_scatter_", new=_masked_scattered)
writes("Tensor.index_put_", new=_put, reads=True)
writes("Tensor.index_copy_", new=_copied, reads=True)
