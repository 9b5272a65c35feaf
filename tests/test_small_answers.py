"""Small programs whose answers are known by heart, in both modes: first layers, names and dtypes.

The numbers are what MindSpore gives on a CPU. N01, N02, ... name the rows of one table of such
programs; rows that are told elsewhere have their name there. What they give on the way to a trained
network is in test_small_steps.py.
"""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, nn, ops

pytestmark = pytest.mark.usefixtures("mode")


def answered(f, *inputs, mode):
    return (ms.jit(f) if mode == "graph" else f)(*inputs)


def test_a_sum_of_two_numbers_in_a_cell():  # N01
    class Net(nn.Cell):
        def construct(self, x, y):
            return x + y

    answer = Net()(Tensor(1), Tensor(2))
    assert (str(answer), answer.dtype, answer.shape) == ("3", ms.int64, ())


def test_a_function_and_its_slope(mode):  # N02
    def f(x):
        return x**3 + 2 * x

    value = answered(f, Tensor(2.0), mode=mode)
    slope = answered(ms.grad(f), Tensor(2.0), mode=mode)
    assert (float(value), value.dtype) == (12, ms.float32)
    assert (float(slope), slope.dtype) == (14, ms.float32)


def test_a_sum_that_is_compiled():  # N03
    @ms.jit
    def add(x, y):
        return x + y

    answer = add(Tensor(3), Tensor(4))
    assert (int(answer), answer.dtype) == (7, ms.int64)


def test_dense():  # N04
    weight, bias = Tensor([[1.0, 2, 3], [4, 5, 6]]), Tensor([0.5, -0.5])
    layer = nn.Dense(3, 2, weight_init=weight, bias_init=bias)
    assert layer(ops.ones((1, 3))).asnumpy().tolist() == [[6.5, 14.5]]
    assert [(p.name, p.shape) for p in layer.get_parameters()] == [
        ("weight", (2, 3)),
        ("bias", (2,)),
    ]


def test_gradient_of_an_embedding():  # N14
    layer = nn.Embedding(4, 2)

    def loss(ids):
        return layer(ids).sum()

    ids = Tensor(np.array([[1, 3], [1, 0]], np.int32))
    (table,) = ms.grad(loss, None, tuple(layer.trainable_params()))(ids)
    assert table.asnumpy().tolist() == [[1, 1], [2, 2], [0, 0], [1, 1]]


def test_dropout_by_default_and_in_training():  # N15
    drop, x = nn.Dropout(p=0.5), ops.ones(200)
    assert (drop(x).asnumpy() == 1).all()
    assert set(np.unique(drop.set_train()(x).asnumpy())) == {0, 2}


class Net(nn.Cell):
    """A Parameter with a name of its own, and Cells in containers."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0]), name="my_w")
        self.seq = nn.SequentialCell(nn.Dense(1, 1, has_bias=False), nn.ReLU())
        self.lst = nn.CellList([nn.ReLU(), nn.Dense(1, 1, has_bias=False)])

    def construct(self, x):
        return self.lst[1](self.seq(x)) * self.w


def test_names():  # N19
    net = Net()
    assert [p.name for p in net.get_parameters()] == ["my_w", "seq.0.weight", "lst.1.weight"]
    paths = [path for path, _ in net.parameters_and_names()]
    assert paths == ["w", "seq.0.weight", "lst.1.weight"]
    assert net(ops.ones((2, 1))).shape == (2, 1)


def test_two_parameters_of_one_name():  # N20
    net = nn.Cell()
    net.a, net.b = (Parameter(Tensor([1.0]), name="x") for _ in range(2))
    assert [p.name for p in net.get_parameters()] == ["x", "x"]
    with pytest.raises(ValueError, match="its name 'x' already exists"):
        nn.SGD(net.trainable_params())


def test_a_cell_that_was_not_begun():  # N21
    class B(nn.Cell):
        def __init__(self):
            self.layer = nn.ReLU()

    with pytest.raises(AttributeError, match="The 'B' object has no attribute '_auto_prefix'."):
        B()


def test_a_cell_without_construct():  # N22
    class Empty(nn.Cell):
        pass

    with pytest.raises(AttributeError, match="For 'Cell', the method 'construct' is not defined."):
        Empty()(Tensor([1.0]))


def test_dtypes_by_default(mode):  # N33
    assert Tensor(1).dtype == ms.int64 and Tensor(1.0).dtype == ms.float32
    assert Tensor(np.ones(1)).dtype == ms.float64
    seven, two = Tensor(7), Tensor(-2)

    def divided(x, y):
        return x / y, x % y, x // y

    quotient, rest, floor = answered(divided, seven, two, mode=mode)
    assert quotient.dtype == ms.float32 and float(quotient) == -3.5
    assert (int(rest), int(floor)) == (-1, -4)


PROMOTED = [  # N34
    (Tensor([1.0], ms.float16), 2.5, "*", ms.float16),
    (Tensor([1], ms.int32), 2.5, "*", ms.float32),
    (Tensor([1.0], ms.float16), Tensor([1], ms.int32), "+", ms.float16),
    (Tensor([1.0], ms.bfloat16), Tensor([1.0], ms.float16), "+", ms.float32),
    (Tensor([True]), Tensor([True]), "+", ms.bool_),
]


@pytest.mark.parametrize(("x", "y", "sign", "dtype"), PROMOTED)
def test_dtypes_where_two_meet(x, y, sign, dtype, mode):
    def f(x, y):
        return x * y if sign == "*" else x + y

    assert answered(f, x, y, mode=mode).dtype == dtype
