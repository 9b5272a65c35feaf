"""Writes in place while a gradient is recorded: they count, or they are refused."""

import pytest

from ms_ext import ops
from ms_ext.common import Parameter
from ms_ext.engine import errors
from ms_ext.engine.tape import differentiate
from ms_ext.engine.tensor import Tensor

X = Tensor([1.0, 2.0, 3.0])


def grad(f):
    return lambda x: differentiate(f, (x,), (0,))[1][0]


def test_a_write_is_recorded():
    def f(a, b):
        c = a * 1.0
        c[0] = b * b
        c[1] = 0
        return c * c

    _, (da, db), _ = differentiate(f, (X, Tensor(3.0)), (0, 1))
    assert (da.tolist(), db.item()) == ([0, 0, 6], 108)


def test_the_written_tensor_may_be_the_input_or_a_constant():
    def f(a):
        a[0] = a[1] * 10
        return ops.sum(a)

    x = Tensor([1.0, 2.0, 3.0])
    assert grad(f)(x).tolist() == [0, 11, 1]
    assert x.tolist() == [20, 2, 3]

    def g(a):
        z = ops.zeros((3,))
        z[1] = a[0] * 4
        return z * z

    assert grad(g)(Tensor([1.0, 2.0, 3.0])).tolist() == [32, 0, 0]


def test_a_parameter_may_be_written_while_it_is_a_weight():
    w = Parameter(Tensor([2.0, 3.0]), name="w")

    def f(x):
        y = ops.sum(w * w * x)
        w[0] = x
        return y + ops.sum(w)

    with pytest.raises(errors.NotRunnable, match="'Mul'"):
        differentiate(f, (Tensor(5.0),), (0,), (w,))

    def g(x):
        w[0] = x
        return ops.sum(w * w)

    _, (dx,), (dw,) = differentiate(g, (Tensor(5.0),), (0,), (w,))
    assert dx.item() == 10 and dw.tolist() == [0, 6]


def overwritten_factor(a):
    b = a * a
    c = b * b
    b[0] = 1.0
    return c


def overwritten_operand_of_the_input(a):
    c = a * a
    a[0] = 1.0
    return c


def overwritten_output(a):
    b = ops.exp(a)
    b[0] = 1.0
    return b


def written_through_a_view(a):
    b = a * 1.0
    b[0:2][0] = 9.0
    return b * 1


def view_of_what_was_written(a):
    b = a * 1.0
    v = b[0:2]
    b[0] = 9.0
    return v * 1


def constant_written_through_a_view(a):
    z = ops.zeros((3,))
    z[1:][0] = a[0]
    return z * 2


@pytest.mark.parametrize(
    "f",
    [
        overwritten_factor,
        overwritten_operand_of_the_input,
        overwritten_output,
        written_through_a_view,
        view_of_what_was_written,
        constant_written_through_a_view,
    ],
)
def test_a_stale_value_is_never_used(f):
    with pytest.raises(errors.NotRunnable, match="The gradient of"):
        grad(f)(Tensor([1.0, 2.0, 3.0]))


def test_harmless_writes_pass():
    def f(a):
        b = a + a  # its bprop reads nothing
        b[0] = 5.0
        z = ops.zeros((4,))
        z[1:][0] = 7.0  # no gradient in it
        return b * z[:3]

    assert grad(f)(Tensor([1.0, 2.0, 3.0])).tolist() == [0, 14, 0]
