"""Who shares memory with whom: arrays, tensors, views, buffers; and what a write does."""

import gc
import weakref

import numpy as np
import pytest

from ms_ext import dtype as dtypes
from ms_ext import ops
from ms_ext.common import Parameter
from ms_ext.engine import errors
from ms_ext.engine.tensor import Tensor

SIZES = [2, 100]  # elements that lie inside the object, and that do not


@pytest.mark.parametrize("n", SIZES)
def test_from_numpy_shares_and_tensor_copies(n):
    array = np.zeros(n, np.float32)
    shared, copied = Tensor.from_numpy(array), Tensor(array)
    array[0] = 7
    assert shared[0].item() == 7 and copied[0].item() == 0
    shared[1] = 8
    assert array[1] == 8


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(
    "make",
    [Tensor, Tensor.from_numpy, lambda a: Tensor(a) + 0, lambda a: Parameter(Tensor(a), name="w")],
)
def test_asnumpy_is_a_writable_alias(make, n):
    tensor = make(np.zeros(n, np.float32))
    alias = tensor.asnumpy()
    alias[0] = 5
    assert tensor[0].item() == 5 and tensor.asnumpy()[0] == 5 and alias.flags.writeable
    tensor[1] = 6
    assert alias[1] == 6


@pytest.mark.parametrize(
    "array", [np.zeros((2, 3)).T, np.arange(6)[::2], np.broadcast_to(np.zeros(1), (3,))]
)
def test_from_numpy_copies_what_it_cannot_share(array):
    tensor = Tensor.from_numpy(array)
    tensor[...] = 9
    assert tensor.asnumpy().min() == 9 and array.max() < 9


def test_from_numpy_takes_arrays_only():
    with pytest.raises(TypeError, match="NumPy array"):
        Tensor.from_numpy([1, 2])


@pytest.mark.parametrize("n", SIZES)
def test_an_array_outlives_its_tensor(n):
    alias = (Tensor(np.arange(n)) + 1).asnumpy()
    gc.collect()
    filler = [Tensor(np.zeros(n, np.int64)) for _ in range(50)]
    assert alias.tolist() == list(range(1, n + 1)) and len(filler) == 50


@pytest.mark.parametrize("n", SIZES)
def test_views_share(n):
    base = Tensor(np.zeros((n, 3), np.float32))
    row, column, turned, flat = base[0], base[:, 1], base.T, base.reshape(-1)
    row[0], column[1], turned[2, 0], flat[4] = 1, 2, 3, 4
    assert base.asnumpy()[:2].tolist() == [[1, 0, 3], [0, 4, 0]]
    del base
    gc.collect()
    assert turned.asnumpy()[:, 0].tolist() == [1, 0, 3]


@pytest.mark.parametrize("n", SIZES)
def test_set_data_leaves_old_arrays_and_views_alone(n):
    weight = Parameter(Tensor(np.zeros(n, np.float32)), name="w")
    old, view = weight.asnumpy(), weight[:1]
    weight.set_data(Tensor(np.ones(n, np.float32)))
    assert weight.asnumpy().tolist() == [1.0] * n and old.tolist() == [0.0] * n and view.item() == 0
    assert weight.set_data(Tensor([1, 2, 3])).shape == (3,) and str(weight.dtype) == "Float32"
    with pytest.raises(TypeError, match="Wrap them"):
        weight.set_data(np.ones(2))


@pytest.mark.parametrize(
    ("index", "value", "expected"),
    [
        (0, 9, [9, 2, 3]),
        (slice(1, None), 0, [1, 0, 0]),
        (0, 9.7, [9, 2, 3]),
        ([0, 1], Tensor([7, 8]), [7, 8, 3]),
        (Tensor([True, False, True]), 0, [0, 2, 0]),
        (..., [4, 5, 6], [4, 5, 6]),
        (-1, True, [1, 2, 1]),
    ],
)
def test_writing(index, value, expected):
    tensor = Tensor([1, 2, 3])
    tensor[index] = value
    assert tensor.asnumpy().tolist() == expected


@pytest.mark.parametrize(
    ("index", "value", "kind"),
    [
        (5, 1, IndexError),
        ("a", 1, IndexError),
        (0, "a", TypeError),
        (slice(None), [1, 2], ValueError),
    ],
)
def test_a_bad_write_is_refused(index, value, kind):
    tensor = Tensor([1, 2, 3])
    with pytest.raises(kind) as caught:
        tensor[index] = value
    assert isinstance(caught.value, errors.MsExtError)
    assert tensor.asnumpy().tolist() == [1, 2, 3]


def test_augmented_assignment_makes_a_new_tensor():
    x = alias = Tensor([1, 2])
    x += 1
    assert x is not alias and alias.asnumpy().tolist() == [1, 2] and x.asnumpy().tolist() == [2, 3]


# NumPy beside a tensor --------------------------------------------------------------------------


def test_an_array_beside_a_tensor():
    x, a = Tensor([1.0, 2.0]), np.float32([3, 4])
    for result in (x + a, a + x, x * np.float32(2), np.float32(2) * x, x - np.int64(1)):
        assert type(result) is Tensor and str(result.dtype) == "Float32"
    assert type(np.add(a, x)) is np.ndarray  # a NumPy function gives an array
    a += x
    assert a.tolist() == [4, 6]


def test_a_numpy_scalar_is_a_number():
    assert str((Tensor([1], dtypes.int8) * np.int64(2)).dtype) == "Int8"
    assert str((Tensor([1], dtypes.float16) * np.float64(2)).dtype) == "Float16"


# the buffer protocol ----------------------------------------------------------------------------


@pytest.fixture
def buffers():
    if not hasattr(Tensor, "__buffer__") and not _has_buffer():
        pytest.skip("a Python class has no buffers before Python 3.12")


def _has_buffer():
    try:
        memoryview(Tensor([1]))
    except TypeError:
        return False
    return True


def test_buffer_is_the_memory(buffers):
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    view = memoryview(x)
    assert (view.shape, view.format, view.strides) == ((2, 3), "f", (12, 4))
    x[0, 0] = 9
    assert view[0, 0] == 9 and np.asarray(x)[0, 0] == 9
    x.assign_value(np.zeros(1, np.float32))
    assert view.tolist() == [[9, 1, 2], [3, 4, 5]]


def test_a_strided_view_needs_strides(buffers):
    turned = Tensor(np.arange(6).reshape(2, 3)).T
    with pytest.raises(BufferError):
        np.frombuffer(turned)
    assert np.asarray(memoryview(turned)).tolist() == [[0, 3], [1, 4], [2, 5]]


def test_bfloat16_has_no_buffer_but_an_array(buffers):
    x = Tensor([1.0, 2.5], dtypes.bfloat16)
    with pytest.raises(BufferError):
        memoryview(x)
    assert np.asarray(x).dtype == dtypes.bfloat16.numpy


@pytest.mark.parametrize("dtype", dtypes.DTYPES, ids=str)
def test_asarray_shares(dtype):
    x = Tensor([1, 0, 1], dtype)
    array = np.asarray(x)
    array[0] = 0
    assert x[0].item() == 0 and array.dtype == dtype.numpy
    assert np.asarray(x, np.float64).dtype == np.float64 and np.array(x).base is None


# nothing leaks ----------------------------------------------------------------------------------


def test_dead_tensors_are_freed():
    x = Tensor(np.zeros(1000, np.float32))
    seen = weakref.ref(x)
    view, alias = x[1:], x.asnumpy()
    del x
    assert seen() is None and view.size + 1 == alias.size


def test_many_tensors_and_parameters_leave_memory_flat():
    resource = pytest.importorskip("resource")

    def work(count):
        for i in range(count):
            w = Parameter(Tensor(np.zeros(100, np.float32)), name="w")
            y = (w * 2 + i)[1:].asnumpy()
            w.tag = y

    work(500)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(5000)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 4096, f"{grown} KiB"


def test_results_own_their_bytes():
    """A result never lies in an operand's memory, unless the op gives a view."""
    x = Tensor(np.zeros(100, np.float32))
    assert not np.shares_memory((x + 0).asnumpy(), x.asnumpy())
    assert not np.shares_memory(ops.relu(x).asnumpy(), x.asnumpy())
