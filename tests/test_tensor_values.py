"""What a tensor is made from, and what of it can be read on the host."""

import copy
import operator
import pickle

import numpy as np
import pytest

from ms_ext import dtype as dtypes
from ms_ext import ops
from ms_ext.common import Parameter
from ms_ext.engine import errors
from ms_ext.engine.tensor import Tensor


def tensor(data, name=None):
    return Tensor(data, None if name is None else dtypes.named(name))


@pytest.mark.parametrize(
    ("data", "shape", "dtype"),
    [
        (1, (), "Int64"),
        (1.0, (), "Float32"),
        (True, (), "Bool"),
        ([], (0,), "Float32"),
        ([1, 2.5], (2,), "Float32"),
        ([True, 2], (2,), "Int64"),
        (((1, 2), (3, 4)), (2, 2), "Int64"),
        (np.float64(1), (), "Float64"),
        (np.ones((2, 3)), (2, 3), "Float64"),
        (np.int8([1]), (1,), "Int8"),
        ([np.float16(1)], (1,), "Float16"),
        ([[Tensor(1), Tensor(2)]], (1, 2), "Int64"),
        (Tensor([1.0]), (1,), "Float32"),
        (np.zeros((2, 0, 3), bool), (2, 0, 3), "Bool"),
    ],
)
def test_made_from(data, shape, dtype):
    made = Tensor(data)
    assert (made.shape, str(made.dtype)) == (shape, dtype)
    assert (made.ndim, made.size, made.nbytes) == (
        len(shape),
        int(np.prod(shape)),
        made.size * made.itemsize,
    )


@pytest.mark.parametrize("name", [t.public for t in dtypes.DTYPES])
def test_made_in_every_dtype(name):
    made = tensor([[0, 1], [1, 0]], name)
    assert made.dtype is dtypes.named(name)
    assert made.asnumpy().astype(float).tolist() == [[0, 1], [1, 0]]
    assert made.tolist() == [[0, 1], [1, 0]]


def test_casting_wraps_and_truncates_as_in_c():
    assert [
        tensor(300, "int8").item(),
        tensor(3.7, "int32").item(),
        tensor([-1], "uint8").item(),
    ] == [44, 3, 255]


@pytest.mark.parametrize(
    "data", ["abc", None, {1: 2}, object(), 1 + 2j, [[1], [2, 3]], ["a"], 2**70]
)
def test_other_data_is_refused(data):
    with pytest.raises(TypeError) as caught:
        Tensor(data)
    assert isinstance(caught.value, errors.MsExtError)


def test_too_many_axes_are_refused_or_kept():
    array = np.zeros((1,) * 8)
    assert Tensor(array).ndim == 8


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        (lambda: Tensor([5]).item(), 5),
        (lambda: Tensor(5.5).item(), 5.5),
        (lambda: Tensor(True).item(), True),
        (lambda: int(Tensor(2.7)), 2),
        (lambda: float(Tensor([2])), 2.0),
        (lambda: bool(Tensor([0.0])), False),
        (lambda: len(Tensor([1, 2])), 2),
        (lambda: [int(t) for t in Tensor([1, 2])], [1, 2]),
        (lambda: operator.index(Tensor([3])), 3),
        (lambda: [10, 20][Tensor(1)], 20),
        (lambda: list(range(Tensor(2))), [0, 1]),
        (lambda: 1 in Tensor([1, 2]), True),
        (lambda: 3 in Tensor([1, 2]), False),
        (lambda: f"{Tensor(1.5)}|{Tensor(1.5):.3f}|{Tensor([1])}", "1.5|1.500|[1]"),
        (lambda: Tensor([1, 2]).__eq__(None) is NotImplemented, True),
        (lambda: Tensor([1, 2]) != "a", True),  # noqa: E711
        (lambda: Tensor([1, 2]) == [1, 2], False),
        (lambda: +Tensor(3) is not None, True),
        (lambda: Tensor([[1, 2], [3, 4]]).strides, (16, 8)),
        (lambda: Tensor(np.zeros((3, 2))).T.strides, (8, 16)),
    ],
)
def test_read_on_the_host(read, expected):
    assert read() == expected


@pytest.mark.parametrize(
    ("read", "kind"),
    [
        (lambda: Tensor([1, 2]).item(), ValueError),
        (lambda: bool(Tensor([1, 2])), ValueError),
        (lambda: bool(Tensor([])), ValueError),
        (lambda: int(Tensor([1, 2])), ValueError),
        (lambda: len(Tensor(1)), TypeError),
        (lambda: iter(Tensor(1)), TypeError),
        (lambda: operator.index(Tensor(1.0)), TypeError),
        (lambda: [1, 2][Tensor([0, 1])], TypeError),
        (lambda: Tensor([1, 2]).nothing, AttributeError),
        (lambda: Tensor([1]) < "a", TypeError),
        (lambda: Tensor([1]) + "a", TypeError),
        (lambda: None + Tensor([1]), TypeError),
        (lambda: Tensor([1]) + 2**70, ValueError),
        (lambda: Tensor([1]) @ object(), TypeError),
    ],
)
def test_what_makes_no_sense_is_refused(read, kind):
    with pytest.raises(kind):
        read()


INDICES = [
    0,
    -1,
    slice(1, 3),
    slice(None, None, -1),
    slice(3, 0, -2),
    (0, 1),
    (slice(None), 1),
    (..., 0),
    None,
    (None, 1),
    (slice(0, 0),),
    [0, 2],
    (slice(None), [2, 0]),
    True,
    False,
    np.array([True, False, True, True]),
    Tensor([0, 0]),
    Tensor(1),
    (Tensor(1), Tensor([0, 1])),
    (1, slice(None, None, 2)),
    (),
    slice(10, 20),
    np.int64(2),
]


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_indexing_is_numpys(index):
    array = np.arange(12).reshape(4, 3)
    plain = (
        tuple(i.asnumpy() if isinstance(i, Tensor) else i for i in index)
        if isinstance(index, tuple)
        else index
    )
    expected = array[plain.asnumpy() if isinstance(plain, Tensor) else plain]
    got = Tensor(array)[index]
    assert got.shape == expected.shape and got.asnumpy().tolist() == expected.tolist()
    strided = Tensor(np.ascontiguousarray(array.T)).T[index]
    assert strided.shape == expected.shape and strided.asnumpy().tolist() == expected.tolist()


@pytest.mark.parametrize(
    "index", [4, -5, (0, 3), (0, 0, 0), "a", 1.5, (0, "a"), [9], Tensor(0.5), {}], ids=str
)
def test_a_bad_index_is_refused(index):
    with pytest.raises(IndexError) as caught:
        Tensor(np.zeros((4, 3)))[index]
    assert isinstance(caught.value, errors.MsExtError)


def test_hash_is_identity():
    x, y = Tensor([1]), Tensor([1])
    assert len({x, y, x}) == 2 and hash(x) == hash(x)


@pytest.mark.parametrize(
    "again", [lambda t: pickle.loads(pickle.dumps(t)), copy.copy, copy.deepcopy]
)
@pytest.mark.parametrize("name", [t.public for t in dtypes.DTYPES])
def test_copies_have_memory_of_their_own(again, name):
    original = tensor([[1, 0], [0, 1]], name)
    copied = again(original.T)
    original[0, 0] = 0
    assert type(copied) is Tensor and copied.dtype is original.dtype
    assert copied.asnumpy().astype(float).tolist() == [[1, 0], [0, 1]]


def test_a_parameter_stays_a_parameter():
    weight = Parameter(Tensor([1.0]), name="w", requires_grad=False)
    weight.note = "kept"
    for copied in (pickle.loads(pickle.dumps(weight)), copy.deepcopy(weight)):
        assert type(copied) is Parameter and (copied.name, copied.requires_grad) == ("w", False)
        assert copied.note == "kept" and copied.asnumpy().tolist() == [1.0]
    assert type(weight * 2) is Tensor


def test_an_op_pickles_by_name():
    assert pickle.loads(pickle.dumps(ops.Add)) is ops.Add and copy.deepcopy(ops.Add) is ops.Add


def test_attributes_of_one_tensor():
    x, y = Tensor([1]), Tensor([1])
    x.tag = 5
    assert x.tag == 5 and not hasattr(y, "tag")
    with pytest.raises(AttributeError):
        x.shape = (1,)


def test_a_parameters_name_and_flag():
    first, second = Parameter(Tensor([1.0])), Parameter(Tensor([1.0]), name="")
    assert first.name != second.name and first.name.startswith("Parameter#")
    assert str(Parameter(1, name="i").dtype) == "Int32"
    assert Parameter([1.5], name="l").tolist() == [1.5]
    assert type(first.value()) is type(first.data) is Tensor
    with pytest.raises(ValueError):
        Parameter(Tensor([1.0]), name=3)
    with pytest.raises(TypeError):
        Parameter(Tensor([1.0]), requires_grad=2)
