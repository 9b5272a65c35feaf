"""Operators in C++ as MindSpore 2.10 was seen to run them, row by row.

The rows are those of the specification of custom operators, section 7.

| row | what | test |
|---|---|---|
| 1 - 3 | the tutorial's add3: values, keywords, a count and a type that do not fit | here |
| 4, 5 | the same of PYBOOST_CALLER | here |
| 6 - 8 | two results, three of two, no result and a write to the arguments | here |
| 14 - 16 | an accessor of another rank, what a view says of itself, numbers of dtypes | here |
| 17, 18 | tensors made in C++, an undefined tensor | here |
| 53, 54 | gradients of a Function, of an operator that has none | here |
| 9 - 13 | order, threads and errors of the stages | test_cpp_stages |
| 19 - 24 | CustomOpBuilder | the tests of the builder |

What else is asked of MindSpore's operators: test_extension_mindspore.
"""

import numpy as np
import pytest
from extension_modules import gradients, needs_compiler, needs_pybind11, surface, tutorial

import ms_ext as ms
from ms_ext import Parameter, Tensor

FIXTURES = gradients, surface, tutorial
pytestmark = [needs_compiler, needs_pybind11]


def i32(values):
    return Tensor(np.array(values, np.int32))


@pytest.fixture
def x():
    return Tensor(np.array([[1, 2], [3, 4]], np.float32))


@pytest.fixture
def y():
    return Tensor(np.array([[5, 6], [7, 8]], np.float32))


def test_row_1_the_tutorials_add3(tutorial, capsys):
    x, y, z = i32([1, 2]), i32([3, 4]), i32([5, 6])
    print(tutorial.add3(x, y, z))
    assert capsys.readouterr().out == "[ 9 12]\n"
    out = tutorial.add3(z=z, x=x, y=y)
    assert out.asnumpy().tolist() == [9, 12] and out.dtype == ms.int32
    assert tutorial.add3.__doc__ == (
        "add3(x: Tensor, y: Tensor, z: Tensor) -> object\n\nthe result of 'x + y + z'\n"
    )


@pytest.mark.parametrize("last", [(), (np.ones(2),), (3,)])
def test_rows_2_and_3_arguments_that_do_not_fit(tutorial, last):
    with pytest.raises(TypeError) as caught:
        tutorial.add3(i32([1, 2]), i32([3, 4]), *last)
    text = str(caught.value)
    assert text.startswith("add3(): incompatible function arguments.")
    assert "1. (x: Tensor, y: Tensor, z: Tensor) -> object\n\nInvoked with: " in text


def test_rows_4_and_5_arguments_that_a_caller_cannot_use(surface, x, y):
    with pytest.raises(RuntimeError) as caught:
        surface.add3_caller(x, y)
    assert str(caught.value) == "Argument count mismatch: expected 3, got 2"
    with pytest.raises(RuntimeError) as caught:
        surface.add3_caller(x, y, 3)
    assert str(caught.value) == (
        "Unable to cast Python instance of type <class 'int'> to C++ type 'ms::Tensor'"
    )
    assert surface.add3_caller(x, y, x).asnumpy().tolist() == [[7, 10], [13, 16]]


def test_row_6_two_results(surface, x):
    out = surface.two(x)
    assert type(out) is tuple
    assert [each.asnumpy().tolist() for each in out] == [[[2, 4], [6, 8]], [[1, 4], [9, 16]]]


def test_row_7_three_results_of_two(surface, x):
    with pytest.raises(RuntimeError, match="the output size should be equal to 3, but got 2"):
        surface.three_of_two(x)[0].asnumpy()


def test_row_8_no_result_but_a_write(surface):
    a, b = i32([1, 2]), i32([3, 4])
    assert surface.swap(a, b) is None
    assert (a.asnumpy().tolist(), b.asnumpy().tolist()) == ([3, 4], [1, 2])


def test_row_14_an_accessor_of_another_rank(surface):
    vector = Tensor(np.array([1, 2], np.float32))
    text = (
        "TensorAccessor error: The tensor's shape or stride does not match the specified dimension "
        "N. Expected dimension: 2, but got shape size: 1 and stride size: 1."
    )
    with pytest.raises(RuntimeError) as caught:
        surface.wrong_rank(vector)
    assert str(caught.value) == text
    with pytest.raises(RuntimeError) as caught:
        surface.accessed(vector).asnumpy()
    assert str(caught.value).startswith(text)


def test_row_15_what_a_view_says_of_itself(surface, x):
    dtype, shape, _, stride, offset, contiguous, *_ = surface.meta(x[:, 1:])
    assert (dtype, shape, stride, offset, contiguous) == (43, [2, 1], [2, 1], 1, False)


def test_row_16_the_numbers_of_dtypes(surface):
    found = surface.type_ids()
    assert [found[name] for name in ("float32", "int32", "bool", "bfloat16")] == [43, 34, 30, 45]


def test_row_17_tensors_made_in_cpp(surface):
    assert surface.made(2, 34).asnumpy().tolist() == [1, -2]
    pi = surface.made(1, 42)
    assert (pi.asnumpy().item(), pi.shape, pi.dtype) == (3.140625, (), ms.float16)


@pytest.mark.parametrize("what", range(7))
def test_row_18_an_undefined_tensor(surface, what):
    with pytest.raises(RuntimeError) as caught:
        surface.from_undefined(what)
    assert str(caught.value) == "Failure info [The Tensor is not defined]."


def test_row_53_gradients_of_a_function(gradients, x, y):
    dx, dy = ms.grad(lambda x, y: (3 * gradients.mul(x, y)).sum(), (0, 1))(x, y)
    assert dx.asnumpy().tolist() == [[15, 18], [21, 24]]
    assert dy.asnumpy().tolist() == [[3, 6], [9, 12]]
    weight = Parameter(y, name="weight")
    _, (dweight,) = ms.value_and_grad(lambda x: gradients.mul(x, weight).sum(), None, [weight])(x)
    assert dweight.asnumpy().tolist() == [[1, 2], [3, 4]]


def test_row_54_an_operator_without_a_gradient_gives_zeros(gradients, x):
    dx = ms.grad(lambda x: gradients.plain(x).sum())(x)
    assert dx.asnumpy().tolist() == [[0, 0], [0, 0]]
