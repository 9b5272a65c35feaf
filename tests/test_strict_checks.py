"""MindSpore's check_bprop=True, the forms it refuses, and the switch that asks for its answers.

What is written here was recorded with MindSpore 2.10.0 on a CPU, after ``launch_blocking()``.
"""

import subprocess
import sys

import numpy as np
import pytest
from custom_ops import F32, X, Y, mul_bprop, value
from strict_cases import (
    BPROPS,
    DX,
    DY,
    EAGER,
    FLAT,
    GRAPH,
    as_mindspore,
    check_bprop,
    mul,
    plain,
    said,
)

import ms_ext as ms
from ms_ext import Tensor, grad, jit, ops, value_and_grad
from ms_ext.engine import errors, strict

FIXTURES = as_mindspore, check_bprop

# check_bprop=True --------------------------------------------------------------------------------

METHOD = "For user defined method 'bprop'"
NTH = "the {0}th return value(gradient of the {0}th argument)"
SAME = NTH + " should have the same {1} as the {0}th argument, which is:{2}, but got: {3}."
COUNT = (
    "the number of return values(gradients) {} be equal to the number of input arguments except "
    "'out' and 'dout', which is:{}2{}"
)
CHECKED_EAGER = {
    "one": (TypeError, COUNT.format("should", " ", ", but got:1.")),
    "three": (TypeError, COUNT.format("should", " ", ", but got:3.")),
    "list": (TypeError, COUNT.format("should", " ", ", but got:1.")),
    "empty": (TypeError, COUNT.format("should", " ", ", but got:0.")),
    "shape": (ValueError, SAME.format(0, "shape", "(2, 2)", "(4,)")),
    "second shape": (ValueError, SAME.format(1, "shape", "(2, 2)", "(4,)")),
    "dtype": (TypeError, SAME.format(0, "dtype", "Float32", "Float16")),
    "float": (TypeError, NTH.format(0) + " should be Tensor, but got float, and the value is 1.0."),
    "second None": (
        TypeError,
        NTH.format(1) + " should be Tensor, but got NoneType, and the value is None.",
    ),
}
CHECKED_GRAPH = {
    "one": (ValueError, COUNT.format("must", "", " but got 1.")),
    "three": (ValueError, COUNT.format("must", "", " but got 3.")),
    "shape": (ValueError, SAME.format(0, "shape", "[2, 2]", "[4]")),
    "dtype": (TypeError, SAME.format(0, "dtype", "Tensor[Float32]", "Tensor[Float16]")),
    "float": (TypeError, SAME.format(0, "dtype", "Tensor[Float32]", "Float32")),
    "int": (TypeError, SAME.format(0, "dtype", "Tensor[Float32]", "Int64")),
    "second None": (TypeError, SAME.format(1, "dtype", "Tensor[Float32]", "None")),
}


@pytest.mark.usefixtures(check_bprop.__name__)
@pytest.mark.parametrize("case", CHECKED_EAGER)
def test_check_bprop_in_eager_mode(case):
    kind, words = CHECKED_EAGER[case]
    text = said(kind, lambda: EAGER["function"](mul(BPROPS[case])))
    assert text.startswith(f"{METHOD} of net '', {words}")


@pytest.mark.usefixtures(check_bprop.__name__)
@pytest.mark.parametrize("place", GRAPH)
@pytest.mark.parametrize("case", CHECKED_GRAPH)
def test_check_bprop_in_a_graph(case, place):
    kind, words = CHECKED_GRAPH[case]
    assert said(kind, lambda: GRAPH[place](mul(BPROPS[case]))).startswith(f"{METHOD}, {words}")


@pytest.mark.usefixtures(check_bprop.__name__)
@pytest.mark.parametrize(("case", "kind"), [("bare", "TensorType"), ("list", "list")])
def test_check_bprop_wants_a_tuple_in_a_graph(case, kind):
    words = f"the type of 'grads' should be 'tuple', but got type '{kind}'."
    assert words in said(TypeError, lambda: GRAPH["jit"](mul(BPROPS[case])))


@pytest.mark.usefixtures(check_bprop.__name__)
def test_check_bprop_lets_the_right_one_pass():
    for place in (EAGER["function"], *GRAPH.values()):
        assert tuple(map(plain, place(mul(mul_bprop)))) == (DX, DY)


@pytest.mark.usefixtures(check_bprop.__name__)
@pytest.mark.parametrize("case", ["one", "shape", "dtype"])
def test_check_bprop_has_mindspores_words_without_strict_too(case):
    ms.set_context(strict=None)
    op = mul(BPROPS[case])
    eager, graph = CHECKED_EAGER[case], CHECKED_GRAPH[case]
    assert eager[1] in said(eager[0], lambda: EAGER["function"](op))
    assert graph[1] in said(graph[0], lambda: GRAPH["jit"](op))
    assert "strict_cases.py:" in said(graph[0], lambda: GRAPH["jit"](op))  # and the learner's line


# other forms -------------------------------------------------------------------------------------

TARGET = "For 'GradOperation', the first argument must be a 'Function' or 'Cell', but got Primitive"


@pytest.mark.parametrize("take", [grad, value_and_grad])
def test_no_gradient_of_the_op_itself(take):
    op = mul(mul_bprop)
    words = "'Custom' object has no attribute '__name__'"
    assert words in said(AttributeError, lambda: take(op)(Tensor(X), Tensor(Y)))
    compiled = jit(lambda x, y: take(op)(x, y))
    assert said(RuntimeError, lambda: compiled(Tensor(X), Tensor(Y))).startswith(TARGET)
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert said(RuntimeError, lambda: take(op)(Tensor(X), Tensor(Y))).startswith(TARGET)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_infer_functions_get_plain_lists_and_dtypes():
    x, y = Tensor(X), Tensor(Y)
    op = ops.Custom(lambda x, y: x * y, lambda x, y: x.shape, F32)
    assert "'list' object has no attribute 'shape'" in said(AttributeError, lambda: op(x, y).shape)
    op = ops.Custom(lambda x, y: x * y, lambda x, y: x, lambda x, y: x.dtype)
    assert "has no attribute 'dtype'" in said(AttributeError, lambda: op(x, y).shape)
    op = ops.Custom(lambda x, y: x * y, lambda x, y: x, lambda x, y: x)
    assert value(op(x, y)) == (X * Y).tolist()


@pytest.mark.parametrize("func_type", ["mindir", "jit", "julia"])
def test_func_types_that_mindspore_does_not_know(func_type):
    words = said(ValueError, lambda: ops.Custom("my_mul", (2, 2), F32, func_type))
    assert words.startswith(
        f"For 'Custom', 'func_type': {func_type}, 'func': my_mul, 'func_type' must be one of "
        f"['hybrid', 'akg', 'tbe', 'aicpu', 'aot', 'pyfunc'], but got {func_type}"
    )


def test_reg_format_is_no_argument():
    words = said(TypeError, lambda: ops.Custom(np.add, (2, 2), F32, reg_format="ND"))
    assert words.startswith("Custom.__init__() got an unexpected keyword argument 'reg_format'")


# the switch --------------------------------------------------------------------------------------


def test_the_switch_is_read_and_taken_back():
    assert ms.get_context("strict") == "2.10" and strict.on()
    ms.set_context(strict=None)
    assert ms.get_context("strict") is None and not strict.on()
    ms.set_context(strict="2.10")
    assert strict.on()
    assert "strict=None takes that back" in said(ValueError, lambda: ms.set_context(strict="3"))
    said(TypeError, lambda: ms.set_context(strict=2.1))
    said(TypeError, lambda: ms.set_context(check_bprop=1))
    assert ms.get_context("check_bprop") is False


def test_a_compiled_function_notices_the_switch():
    compiled = jit(lambda x, y: grad(lambda x, y: op(x, y), (0, 1))(x, y))
    op = mul(BPROPS["shape"])
    assert plain(compiled(Tensor(X), Tensor(Y))[0]) == FLAT
    ms.set_context(strict=None)
    with pytest.raises(errors.InvalidValue):
        compiled(Tensor(X), Tensor(Y))


def test_the_environment_begins_with_it(monkeypatch):
    code = "import ms_ext as ms; print(ms.get_context('strict'))"
    monkeypatch.setenv(strict.VARIABLE, "2.10")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "2.10\n"
