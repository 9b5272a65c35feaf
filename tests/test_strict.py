"""MindSpore 2.10's own answers, where they differ from ours: its errors, and what it lets pass.

What is written here was recorded with MindSpore 2.10.0 on a CPU, after ``launch_blocking()``.
"""

import numpy as np
import pytest
from custom_ops import F32, X, Y, value
from strict_cases import BPROPS, DX, DY, EAGER, FLAT, GRAPH, ZEROS, as_mindspore, mul, plain, said

from ms_ext import Tensor, grad, jit, ops

FIXTURES = (as_mindspore,)

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
    dx, dy = GRAPH["jit"](mul(BPROPS["array"]))
    assert isinstance(dx, np.ndarray) and dx.tolist() == [[1, 1], [1, 1]] and plain(dy) == DY


def by_numpy(x, y, out, dout):
    return Tensor(dout.asnumpy() * y.asnumpy()), None if x.asnumpy()[0, 0] > 9 else dout * x


@pytest.mark.parametrize("place", [*EAGER, *GRAPH])
def test_a_bprop_may_ask_for_elements_in_every_mode(place):
    taken = {**EAGER, **GRAPH}[place](mul(by_numpy))
    assert tuple(map(plain, taken)) == (DX, DY)


def test_what_it_returned_then_is_counted_when_the_graph_runs():
    def bprop(x, y, out, dout):
        return (Tensor(dout.asnumpy()),)

    kind, words = REFUSED_GRAPH["one"]
    assert said(kind, lambda: GRAPH["jit"](mul(bprop))).startswith(words)


def test_the_gradient_of_such_a_gradient_is_refused_in_a_graph():
    op = mul(by_numpy)
    once = grad(lambda x, y: op(x, y))
    twice = jit(lambda x, y: grad(lambda x, y: once(x, y))(x, y))
    words = "The pointer[local_dict_cnode] is null."
    assert said(RuntimeError, lambda: twice(Tensor(X), Tensor(Y))).startswith(words)


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
