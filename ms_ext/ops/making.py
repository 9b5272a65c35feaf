"""Tensors filled with one value, and made from Python numbers."""

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..engine.tensor import Tensor
from .axes import as_shape
from .composite import composite
from .shapes import as_dtype


@composite("fill")
def fill(type, shape, value):
    """One value over a whole shape, of a given dtype.

    >>> ops.fill(ms.int32, (2,), 7)
    Tensor(shape=[2], dtype=Int32, value= [7, 7])
    """
    return _filled(shape, value, as_dtype(type))


def _filled(shape, value, dtype):
    if isinstance(value, str) or not (hasattr(value, "dtype") or isinstance(value, int | float)):
        raise errors.InvalidType("the value must be a number.", given=repr(value))
    if hasattr(value, "dtype"):
        return ops.broadcast_to(ops.cast(value, dtype), as_shape(shape))
    return ops.full(as_shape(shape), value, dtype=dtype)


@composite("Fill")
class Fill:
    """The primitive of ``ops.fill``.

    >>> ops.Fill()(ms.float32, (2,), 1.5)
    Tensor(shape=[2], dtype=Float32, value= [ 1.50000000e+00,  1.50000000e+00])
    """

    def __new__(cls):
        return fill


@composite("fills", "Tensor.fills", "Tensor.fill")
def fills(x, value):
    """One value over the shape of x, of its dtype.

    >>> ops.fills(Tensor([1, 2]), 7)
    Tensor(shape=[2], dtype=Int64, value= [7, 7])
    """
    return _filled(x.shape, value, x.dtype)


@composite("Tensor.new_zeros")
def new_zeros(self, size, *, dtype=None):
    """Zeros of a shape, of this tensor's dtype unless one is given.

    >>> Tensor([1, 2]).new_zeros((3,))
    Tensor(shape=[3], dtype=Int64, value= [0, 0, 0])
    """
    return ops.zeros(as_shape(size), as_dtype(dtype or self.dtype))


@composite("Tensor.new_ones")
def new_ones(self, size, *, dtype=None):
    """Ones of a shape, of this tensor's dtype unless one is given.

    >>> Tensor([1, 2]).new_ones(3)
    Tensor(shape=[3], dtype=Int64, value= [1, 1, 1])
    """
    return ops.ones(as_shape(size), as_dtype(dtype or self.dtype))


@composite("Tensor.new_full")
def new_full(self, size, fill_value, *, dtype=None):
    """One value over a shape, of this tensor's dtype unless one is given.

    >>> Tensor([1, 2]).new_full((3,), 7)
    Tensor(shape=[3], dtype=Int64, value= [7, 7, 7])
    """
    return _filled(size, fill_value, as_dtype(dtype or self.dtype))


@composite("mint.empty")
def empty(*size, dtype=None, device=None):
    """A tensor of a shape whose elements nobody has set; here they are 0.

    >>> mint.empty(2, 3).shape
    (2, 3)
    """
    one = len(size) == 1 and isinstance(size[0], tuple | list)
    return ops.zeros(as_shape(size[0] if one else size), as_dtype(dtype or dtypes.float32))


@composite("mint.empty_like")
def empty_like(input, *, dtype=None, device=None):
    """A tensor of the input's shape whose elements nobody has set; here they are 0.

    >>> mint.empty_like(Tensor([1, 2])).dtype
    mindspore.int64
    """
    return ops.zeros(input.shape, as_dtype(dtype or input.dtype))


@composite("Tensor.new_empty")
def new_empty(self, size, *, dtype=None, device=None):
    """A tensor of a shape whose elements nobody has set, of this tensor's dtype; here they are 0.

    >>> Tensor([1, 2]).new_empty((3,)).shape
    (3,)
    """
    return new_zeros(self, size, dtype=dtype)


@composite("scalar_to_tensor")
def scalar_to_tensor(input_x, dtype=dtypes.float32):
    """A Python number as a tensor of a dtype.

    >>> ops.scalar_to_tensor(3)
    Tensor(shape=[], dtype=Float32, value= 3)
    """
    if not isinstance(input_x, bool | int | float):
        raise errors.InvalidType("the input must be a Python number.", given=type(input_x).__name__)
    return Tensor(input_x, dtype=as_dtype(dtype))


@composite("ScalarToTensor")
class ScalarToTensor:
    """The primitive of ``ops.scalar_to_tensor``.

    >>> ops.ScalarToTensor()(3, ms.int32)
    Tensor(shape=[], dtype=Int32, value= 3)
    """

    def __new__(cls):
        return scalar_to_tensor


@composite("tuple_to_array")
def tuple_to_array(input_x):
    """Python numbers as a line: Int32 if the first is an integer, else Float32.

    >>> ops.tuple_to_array((1, 2))
    Tensor(shape=[2], dtype=Int32, value= [1, 2])
    """
    if not input_x:
        raise errors.InvalidIndex("there must be one number at least.", given=repr(input_x))
    dtype = dtypes.int32 if isinstance(input_x[0], int) else dtypes.float32
    return Tensor(list(input_x), dtype=dtype)


@composite("TupleToArray")
class TupleToArray:
    """The primitive of ``ops.tuple_to_array``.

    >>> ops.TupleToArray()((1.0, 2.0))
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """

    def __new__(cls):
        return tuple_to_array


@composite("mint.item")
def item(input):
    """The only element, as a Python number.

    >>> mint.item(Tensor([2.5]))
    2.5
    """
    return input.item()


item.of_elements = lambda args, kwargs: True


@composite("sequence_mask")
def sequence_mask(lengths, maxlen=None):
    """For each length, a line that is true so many times; ``maxlen`` long, else as the longest.

    >>> ops.sequence_mask(Tensor([1, 2]), 3)
    Tensor(shape=[2, 3], dtype=Bool, value=
    [[ True, False, False],
     [ True,  True, False]])
    """
    if lengths.dtype.kind != "int":
        raise errors.InvalidType("the lengths must be integers.", given=str(lengths.dtype))
    size = int(lengths.asnumpy().max()) if maxlen is None else maxlen
    return ops.arange(size) < ops.expand_dims(lengths, -1)


def _of_longest(args, kwargs):
    return len(args) < 2 and kwargs.get("maxlen") is None


sequence_mask.of_elements = _of_longest


@composite("padding")
def padding(x, pad_dim_size=8):
    """The last axis, of size 1, filled up to a size with zeros.

    >>> ops.padding(Tensor([[5]]), 3)
    Tensor(shape=[1, 3], dtype=Int64, value=
    [[5, 0, 0]])
    """
    if not x.ndim or x.shape[-1] != 1:
        raise errors.InvalidValue("the last axis must have size 1.", given=str(x.shape))
    return ops.PadV3(x, paddings=((0, 0),) * (x.ndim - 1) + ((0, pad_dim_size - 1),))
