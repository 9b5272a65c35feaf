"""MindSpore 2.10's own answers, where they differ from ours: its errors, and what it lets pass.

What is written here was recorded with MindSpore 2.10.0 on a CPU, after ``launch_blocking()``.
"""

import subprocess
import sys

import numpy as np
import pytest
from custom_ops import F32, X, Y, mul_bprop, value

import ms_ext as ms
from ms_ext import Tensor, grad, jit, nn, ops, value_and_grad
from ms_ext import dtype as dtypes
from ms_ext.engine import errors, strict


@pytest.fixture(autouse=True)
def as_mindspore():
    """Every test here asks for MindSpore's answers."""
    with strict.as_mindspore():
        yield


@pytest.fixture
def check_bprop():
    """MindSpore's check of bprops is on."""
    ms.set_context(check_bprop=True)
    yield
    ms.set_context(check_bprop=False)


class Around(nn.Cell):
    """A Cell around an op."""

    def __init__(self, op):
        super().__init__()
        self.op = op

    def construct(self, x, y):
        return self.op(x, y)


def _function(op):
    return grad(lambda x, y: op(x, y), (0, 1))(Tensor(X), Tensor(Y))


def _jit(op):
    return jit(lambda x, y: grad(lambda x, y: op(x, y), (0, 1))(x, y))(Tensor(X), Tensor(Y))


def _graph_cell(op):
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return grad(Around(op), (0, 1))(Tensor(X), Tensor(Y))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def _eager_cell(op):
    return grad(Around(op), (0, 1))(Tensor(X), Tensor(Y))


EAGER = {"function": _function, "Cell": _eager_cell}
GRAPH = {"jit": _jit, "Cell in graph mode": _graph_cell}


def mul(bprop):
    """x * y."""
    return ops.Custom(lambda x, y: x * y, (2, 2), F32, bprop=bprop)


def plain(result):
    """A gradient as it can be compared: (dtype, elements), or the Python value it is."""
    return (str(result.dtype), value(result)) if isinstance(result, Tensor) else result


DX, DY = ("Float32", Y.tolist()), ("Float32", X.tolist())
ZEROS = ("Float32", [[0, 0], [0, 0]])
FLAT = ("Float32", [5, 6, 7, 8])
BPROPS = {
    "right": mul_bprop,
    "three": lambda x, y, out, dout: (dout * y, dout * x, dout),
    "shape": lambda x, y, out, dout: ((dout * y).reshape((4,)), dout * x),
    "one column": lambda x, y, out, dout: ((dout * y)[:, :1], dout * x),
    "second shape": lambda x, y, out, dout: (dout * y, (dout * x).reshape((4,))),
    "dtype": lambda x, y, out, dout: ((dout * y).astype(dtypes.float16), dout * x),
    "float": lambda x, y, out, dout: (1.0, dout * x),
    "int": lambda x, y, out, dout: (1, dout * x),
    "first None": lambda x, y, out, dout: (None, dout * x),
    "second None": lambda x, y, out, dout: (dout * y, None),
    "one": lambda x, y, out, dout: (dout * y,),
    "bare": lambda x, y, out, dout: dout * y,
    "list": lambda x, y, out, dout: [dout * y, dout * x],
    "empty": lambda x, y, out, dout: (),
    "text": lambda x, y, out, dout: ("a", dout * x),
    "array": lambda x, y, out, dout: (np.ones((2, 2), np.float32), dout * x),
    "nested": lambda x, y, out, dout: ((dout * y, dout * x),),
    "nothing": lambda x, y, out, dout: None,
    "too few": lambda x, y, dout: (dout * y, dout * x),
    "too many": lambda x, y, out, dout, more: (dout * y, dout * x),
    "star": lambda *all: (all[3] * all[1], all[3] * all[0]),
    "default": lambda x, y, out, dout, k=2: (dout * y, dout * x),
    "none": None,
    "three itself": 3,
}

#: What MindSpore hands on: (eager, graph); None: it refuses there.
ACCEPTED = {
    "right": ((DX, DY), (DX, DY)),
    "three": ((DX, DY), (DX, DY)),
    "shape": ((FLAT, DY), (FLAT, DY)),
    "one column": ((("Float32", [[5], [7]]), DY),) * 2,
    "second shape": ((DX, ("Float32", [1, 2, 3, 4])),) * 2,
    "dtype": ((("Float16", Y.tolist()), DY),) * 2,
    "float": ((("Float32", 1.0), DY), (1.0, DY)),
    "int": ((("Int64", 1), DY), (1, DY)),
    "first None": ((ZEROS, DY), (None, DY)),
    "second None": ((DX, ZEROS), (DX, None)),
    "list": ((DX, DY), None),
    "nested": ((DX, DY), None),
    "star": ((DX, DY), None),
    "default": ((DX, DY), None),
    "text": (None, ("a", DY)),
}
FEW = "Fn gradient size should larger than next edges size, but got 1 vs 2. This may because"
TUPLE = "The type of argument in TupleAdd operator should be tuple, but the first argument is"
PARAMETERS = (
    "The parameters number of the function is {}, but the number of provided arguments is 2."
)
REFUSED_EAGER = {
    "one": (RuntimeError, FEW),
    "bare": (RuntimeError, FEW),
    "empty": (RuntimeError, "Hook fn output is not <PyObjectRef> type!"),
    "text": (TypeError, "Unreasonable data type: <class 'str'>."),
    "array": (TypeError, "Unreasonable data type: <class 'numpy.ndarray'>."),
    "nothing": (TypeError, "The python function output is none."),
    "too few": (TypeError, "<lambda>() takes 3 positional arguments but 4 were given"),
    "too many": (TypeError, "<lambda>() missing 1 required positional argument: 'more'"),
    "none": (RuntimeError, "Illegal primitive Custom's bprop not defined"),
    "three itself": (TypeError, "'int' object is not callable"),
}
REFUSED_GRAPH = {
    "one": (IndexError, "The tuple_getitem index should be less than 2, but got 2"),
    "nested": (IndexError, "The tuple_getitem index should be less than 2, but got 2"),
    "empty": (IndexError, "The tuple_getitem index should be less than 1, but got 1"),
    "bare": (RuntimeError, TUPLE),
    "list": (RuntimeError, TUPLE),
    "nothing": (RuntimeError, TUPLE),
    "too few": (TypeError, PARAMETERS.format(1)),
    "too many": (TypeError, PARAMETERS.format(3)),
    "default": (TypeError, PARAMETERS.format(3)),
    "star": (RuntimeError, "The function 'bprop' of Primitive or Cell requires at least 2 params"),
    "none": (
        RuntimeError,
        "Illegal primitive: Primitive Custom's bprop not defined.node:ValueNode<Primitive> fake_",
    ),
    "three itself": (RuntimeError, "Illegal primitive: Primitive Custom's bprop not defined"),
}


def said(kind, call):
    """What an error says, which is of this built-in class."""
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize("place", EAGER)
@pytest.mark.parametrize("case", [case for case in ACCEPTED if ACCEPTED[case][0]])
def test_what_passes_in_eager_mode(case, place):
    assert tuple(map(plain, EAGER[place](mul(BPROPS[case])))) == ACCEPTED[case][0]


@pytest.mark.parametrize("place", GRAPH)
@pytest.mark.parametrize("case", [case for case in ACCEPTED if ACCEPTED[case][1]])
def test_what_passes_in_a_graph(case, place):
    assert tuple(map(plain, GRAPH[place](mul(BPROPS[case])))) == ACCEPTED[case][1]


@pytest.mark.parametrize("place", EAGER)
@pytest.mark.parametrize("case", REFUSED_EAGER)
def test_what_is_refused_in_eager_mode(case, place):
    kind, words = REFUSED_EAGER[case]
    assert said(kind, lambda: EAGER[place](mul(BPROPS[case]))).startswith(words)


@pytest.mark.parametrize("place", GRAPH)
@pytest.mark.parametrize("case", REFUSED_GRAPH)
def test_what_is_refused_in_a_graph(case, place):
    kind, words = REFUSED_GRAPH[case]
    assert said(kind, lambda: GRAPH[place](mul(BPROPS[case]))).startswith(words)


def test_an_array_in_a_graph_is_handed_on_as_it_is():
    dx, dy = _jit(mul(BPROPS["array"]))
    assert isinstance(dx, np.ndarray) and dx.tolist() == [[1, 1], [1, 1]] and plain(dy) == DY


def by_numpy(x, y, out, dout):
    return Tensor(dout.asnumpy() * y.asnumpy()), None if x.asnumpy()[0, 0] > 9 else dout * x


@pytest.mark.parametrize("place", [*EAGER, *GRAPH])
def test_a_bprop_may_ask_for_elements_in_every_mode(place):
    """By default it is refused in a graph: a lesson of chapter 05."""
    taken = {**EAGER, **GRAPH}[place](mul(by_numpy))
    assert tuple(map(plain, taken)) == (DX, DY)


def test_a_bprop_of_several_results_may_ask_for_elements_in_a_graph():
    def bprop(x, out, dout):
        return (Tensor(2 * dout[0].asnumpy() + 2 * x.asnumpy() * dout[1].asnumpy()),)

    op = ops.Custom(lambda x: (2 * x, x * x), ((2, 2), (2, 2)), (F32, F32), bprop=bprop)
    found = jit(lambda x: grad(lambda x: 10 * op(x)[0] + op(x)[1])(x))(Tensor(X))
    assert value(found) == [[22, 24], [26, 28]]


def test_one_input_may_have_a_bare_gradient_in_eager_mode_only():
    op = ops.Custom(lambda x: x + x, (2, 2), F32, bprop=lambda x, out, dout: dout)
    assert value(grad(lambda x: op(x))(Tensor(X))) == [[1, 1], [1, 1]]
    compiled = jit(lambda x: grad(lambda x: op(x))(x))
    assert said(RuntimeError, lambda: compiled(Tensor(X))).startswith(TUPLE)


def test_results_one_by_one_are_refused():
    def bprop(x, o1, o2, d1, d2):
        return (2 * d1 + 2 * x * d2,)

    op = ops.Custom(lambda x: (2 * x, x * x), ((2, 2), (2, 2)), (F32, F32), bprop=bprop)
    words = "bprop() missing 2 required positional arguments: 'd1' and 'd2'"
    assert words in said(TypeError, lambda: grad(lambda x: op(x)[0])(Tensor(X)))
    compiled = jit(lambda x: grad(lambda x: op(x)[0])(x))
    words = "The parameters number of the function is 3, but the number of provided arguments is 1."
    assert said(TypeError, lambda: compiled(Tensor(X))).startswith(words)


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
    text = said(kind, lambda: _function(mul(BPROPS[case])))
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
    assert words in said(TypeError, lambda: _jit(mul(BPROPS[case])))


@pytest.mark.usefixtures(check_bprop.__name__)
def test_check_bprop_lets_the_right_one_pass():
    for place in (_function, _jit, _graph_cell):
        assert tuple(map(plain, place(mul(mul_bprop)))) == (DX, DY)


@pytest.mark.usefixtures(check_bprop.__name__)
@pytest.mark.parametrize("case", ["one", "shape", "dtype"])
def test_check_bprop_has_mindspores_words_without_strict_too(case):
    ms.set_context(strict=None)
    op = mul(BPROPS[case])
    eager, graph = CHECKED_EAGER[case], CHECKED_GRAPH[case]
    assert eager[1] in said(eager[0], lambda: _function(op))
    assert graph[1] in said(graph[0], lambda: _jit(op))
    assert "test_strict.py:" in said(graph[0], lambda: _jit(op))  # and the learner's line


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
