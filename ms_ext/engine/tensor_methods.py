"""What does a tensor do on the host? Conversions to Python, copies, pickles: once for both cores.

These functions are the methods; each core installs them on its Tensor.
"""

import numpy as np

from . import errors, printing


def show(tensor):
    """``repr(tensor)``."""
    if min(tensor.shape, default=0) < 0:  # it only says what an input is like
        return f"Tensor(shape={list(tensor.shape)}, dtype={tensor.dtype.name}, value=\n)"
    return printing.show(tensor.shape, tensor.dtype, tensor.asnumpy())


def text(tensor):
    """``str(tensor)``; of an initializer's elements only once something has asked for them."""
    if tensor.has_init:
        return printing.uninitialized(tensor.shape, tensor.dtype)
    return printing.text(tensor.dtype, tensor.asnumpy())


def item(self):
    """The only element, as a Python number."""
    if self.size != 1:
        raise errors.InvalidValue(
            f"The tensor should have only one element, but got {self.size}.",
            given=f"shape {list(self.shape)}",
            hint="Reduce it first (x.sum(), x.any(), ...) or take one element: x[0].",
        )
    value = self.asnumpy().reshape(())
    return float(value) if self.dtype.kind == "float" else value.item()


def tolist(self):
    """The elements as nested lists of Python numbers."""
    array = self.asnumpy()
    return (array.astype(np.float32) if self.dtype.short == "bf16" else array).tolist()


def index(tensor):
    """``operator.index(tensor)``: only an integer tensor with one element is an integer."""
    if tensor.dtype.kind == "float" or tensor.size != 1:
        raise errors.InvalidType(
            "Only integer tensors of a single element can be converted to an index.",
            given=f"{tensor.dtype} of shape {list(tensor.shape)}",
        )
    return int(item(tensor))


def length(tensor):
    """``len(tensor)``: the size of the first axis."""
    if not tensor.shape:
        raise errors.InvalidType("A 0-d tensor has no length.", hint="Use x.item() or x.size.")
    return tensor.shape[0]


def iterate(tensor):
    """``iter(tensor)``: its rows."""
    if not tensor.shape:
        raise errors.InvalidType("A 0-d tensor cannot be iterated over.", hint="Use x.item().")
    return (tensor[i] for i in range(tensor.shape[0]))


def contains(tensor, value):
    """``value in tensor``."""
    value = value.asnumpy() if hasattr(value, "asnumpy") else value
    return bool((tensor.asnumpy() == value).any())


def to_array(self, dtype=None, copy=None):
    """NumPy's view of the tensor (``np.asarray(x)``), sharing memory where it can."""
    array = self.asnumpy()
    if dtype is not None and array.dtype != dtype:
        if copy is False:
            raise errors.InvalidValue(
                "Another dtype needs a copy.", given=f"{array.dtype} to {dtype}"
            )
        return array.astype(dtype)
    return array.copy() if copy else array


def reduce(self, _protocol=None):
    """Pickle: the class, the elements, and the attributes that were set on it, without hooks."""
    kept = {name: value for name, value in self._attributes().items() if name != "_hooks"}
    return rebuild, (type(self), np.array(self.asnumpy()), kept)


def rebuild(kind, array, extra):
    """Undo ``reduce``."""
    tensor = kind.__new__(kind)
    tensor.assign_value(array)
    for name, value in extra.items():
        setattr(tensor, name, value)
    return tensor


def copy(self, _memo=None):
    """``copy.copy`` and ``copy.deepcopy``: a tensor of the same class with its own memory."""
    kind, array, extra = reduce(self)[1]
    return rebuild(kind, array, extra)


def form(self, spec):
    """``format(tensor, spec)``: a specification applies to one element."""
    return format(item(self), spec) if spec else text(self)


INSTALLED = {
    "item": item,
    "tolist": tolist,
    "__array__": to_array,
    "__reduce_ex__": reduce,
    "__copy__": copy,
    "__deepcopy__": copy,
    "__format__": form,
}
