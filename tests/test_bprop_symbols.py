"""A bprop that is compiled sees symbols: what works on them, and what is said where it cannot.

The bprop of an ``ops.Custom`` that wants more runs outside: ``test_custom_bprop_outside``.
"""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, dtype, ops
from ms_ext.engine import errors, events
from ms_ext.engine.primitive import op

X = Tensor([1.0, -2.0])
HALF = np.sqrt(0.25)  # a np.float64, as most constants of a formula are


def op_with(bprop):
    return ops.Custom(np.exp, lambda shape: shape, lambda dtype: dtype, bprop=bprop)


def declared_with(rule):
    """An op that is declared, not one that is made of a function."""

    @op(operands="promote")
    class WithRule:
        """The exponential, with somebody's gradient."""

        compute, bprop = np.exp, rule

        def infer(x):
            return x

    return WithRule


def branch(x):
    return 1.0 if x[0] > 0 else 2.0


#: What wants elements that are not there yet.
WANTS = {
    "np.array": np.array,
    "np.asarray": lambda x: np.asarray(x, np.float32),
    "np.where": lambda x: np.where(x > 0, 1.0, 0.0),
    "a function of NumPy's": np.exp,
    "Python inside NumPy": np.linalg.norm,
    "NumPy on two symbols": lambda x: np.multiply(x, x),
    "NumPy with out": lambda x: np.multiply(np.ones(2), x, out=np.ones(2)),
    "an if": branch,
    "float": lambda x: float(x[0]),
    "int": lambda x: int(x[0]),
    "an index": lambda x: [1.0, 2.0][x[0].astype(dtype.int32)],
    "asnumpy": lambda x: x.asnumpy(),
    "item": lambda x: x[0].item(),
    "a tensor of it": Tensor,
}


@pytest.mark.parametrize("what", WANTS)
def test_who_wants_elements_is_told_what_a_bprop_sees(what):
    def bprop(x, out, dout):
        return dout * WANTS[what](x)

    with pytest.raises(errors.NotRunnable, match="the bprop asks for elements") as caught:
        ms.jit(ms.grad(declared_with(bprop)))(X)
    error = caught.value
    assert "sees symbols" in error.hint and "ops.where" in error.hint
    assert error.given.startswith("a symbol of type ")
    assert error.where.file == __file__
    assert error.where.line >= branch.__code__.co_firstlineno


@pytest.mark.parametrize("what", WANTS)
def test_the_bprop_of_a_custom_op_gets_them_and_says_so(what):
    def bprop(x, out, dout):
        return dout * WANTS[what](x)

    def taken(gradient):
        try:
            return gradient(X).tolist()
        except errors.MsExtError as error:  # float64 where float32 belongs
            return error.message

    once = ms.grad(op_with(bprop))
    with events.record() as recording:
        compiled = taken(ms.jit(once))
    assert compiled == taken(once)
    assert [event.name for event in recording.of("fallback")][0] == "bprop"


def test_the_line_is_the_one_in_the_bprop():
    def bprop(x, out, dout):
        first = dout * 2.0
        return first * np.linalg.norm(x)

    with pytest.raises(errors.NotRunnable) as caught:
        ms.jit(ms.grad(declared_with(bprop)))(X)
    assert caught.value.where.line == bprop.__code__.co_firstlineno + 2
    assert str(caught.value).splitlines()[-2].strip() == "return first * np.linalg.norm(x)"


@pytest.mark.parametrize("take", [ms.grad, ms.value_and_grad])
def test_a_gradient_inside_a_bprop_says_so(take):
    def bprop(x, out, dout):
        return take(ops.exp)(x) * dout

    with pytest.raises(errors.NotRunnable, match="ms.grad cannot be used inside a bprop") as caught:
        ms.jit(ms.grad(op_with(bprop)))(X)
    assert caught.value.where.line == bprop.__code__.co_firstlineno + 1
    assert "ms.grad(ms.grad(f))" in caught.value.hint


def test_an_error_of_an_op_stands_in_the_line_of_the_bprop():
    def bprop(x, out, dout):
        return dout * Tensor([1.0, 2.0, 3.0])

    with pytest.raises(errors.MsExtError, match="broadcast") as caught:
        ms.jit(ms.grad(op_with(bprop)))(X)
    assert caught.value.where.line == bprop.__code__.co_firstlineno + 1


# NumPy's numbers ----------------------------------------------------------------------------------

NUMBERS = [np.float64(2), np.float32(2), np.float16(2), np.int64(2), np.int8(2), np.bool_(True)]
OPERATIONS = {
    "left": lambda x, c: c * x,
    "right": lambda x, c: x * c,
    "minus": lambda x, c: c - x,
    "power": lambda x, c: c**x,
    "larger": lambda x, c: c > x,
    "maximum": lambda x, c: ops.maximum(x, c),
    "where": lambda x, c: ops.where(x > 0, x, c),
}
#: What MindSpore 2.10 gives for `number * tensor`, in both modes (recorded): NumPy's numbers are
#: taken for Python's. (number, tensor) -> result
MINDSPORE = {
    ("float64", "float32"): "Float32", ("float64", "float16"): "Float16",
    ("float64", "int32"): "Float32", ("float16", "int32"): "Float32",
    ("float32", "float16"): "Float16", ("int64", "int32"): "Int32", ("int64", "int8"): "Int8",
    ("float32", "float64"): "Float64", ("bool", "int8"): "Int8", ("int8", "float16"): "Float16",
}  # fmt: skip


@pytest.mark.parametrize("kind", ["float16", "float32", "float64", "int32", "int8"])
@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: type(number).__name__)
@pytest.mark.parametrize("name", OPERATIONS)
def test_numpys_numbers_mean_the_same_in_both_modes(name, number, kind):
    work, x = OPERATIONS[name], Tensor(np.array([1, 2]), getattr(dtype, kind))
    eager = work(x, number)
    for compiled in (ms.jit(work)(x, number), ms.jit(lambda x: work(x, number))(x)):
        assert (compiled.dtype, compiled.tolist()) == (eager.dtype, eager.tolist())


@pytest.mark.parametrize("number, kind", MINDSPORE)
def test_they_give_mindspores_dtype(number, kind):
    made = np.dtype(number).type(2)
    x = Tensor(np.array([1, 2]), getattr(dtype, kind))
    assert str((made * x).dtype) == str((x * made).dtype) == MINDSPORE[number, kind]


def test_a_formula_with_numpys_constants_is_a_bprop_in_both_modes():
    def bprop(x, out, dout):
        return HALF * dout + np.float32(1.5) * dout - dout / np.int64(2)

    halved = ms.grad(op_with(bprop))
    assert halved(X).tolist() == ms.jit(halved)(X).tolist() == [1.5, 1.5]


def test_an_array_on_the_left_gives_way():
    def bprop(x, out, dout):
        return np.float32([2, 3]) * dout

    assert ms.jit(ms.grad(op_with(bprop)))(X).tolist() == [2.0, 3.0]


def test_a_numpy_number_compiles_once_for_each_value():
    scaled = ms.jit(lambda x, c: x * c)
    for number in (np.float64(2), np.float64(2), np.float64(3), np.float32(2), np.float32(2)):
        scaled(X, number)
    assert scaled.compiled == 3


def test_a_numpy_number_goes_through_a_loop_and_out():
    def summed(x):
        total = np.float64(0)
        for _ in range(3):
            total = total + x.sum() * np.float64(2)
        return total, np.float32(0.5)

    total, half = ms.jit(summed)(X)
    assert (total.dtype, total.tolist()) == (dtype.float32, -6.0) and half == 0.5
