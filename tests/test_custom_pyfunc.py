"""``ops.Custom`` with a Python function: forwards, in a graph, and every refusal."""

import numpy as np
import pytest
from custom_ops import F32, X, Y, my_mul, policy, two_outputs, value

from ms_ext import Tensor, jit, ops
from ms_ext import dtype as dtypes
from ms_ext.engine import infer, ir
from ms_ext.engine.custom.declared import GivenDtype, GivenShape

pytestmark = pytest.mark.usefixtures(policy.__name__)


# forwards ------------------------------------------------------------------------------------


def test_a_ufunc_a_lambda_and_a_closure_are_functions():
    scale = np.float32(3)
    assert np.allclose(ops.Custom(np.sin, (2, 2), F32)(Tensor(X)).asnumpy(), np.sin(X))
    assert value(ops.Custom(lambda a: a * scale, (2, 2), F32)(Tensor(X))) == (X * 3).tolist()


def test_the_function_gets_copies_as_arrays_and_numbers_as_numbers():
    seen = []

    def func(a, b, c):
        seen.extend([type(a), a.dtype, a.flags.c_contiguous, b, c])
        a[:] = 0
        return a

    x = Tensor(X)
    value(ops.Custom(func, (2, 2), F32)(x.T, 3, Tensor(2.5)))
    assert seen == [np.ndarray, np.float32, True, 3, 2.5]
    assert value(x) == X.tolist()


def test_several_results_are_a_tuple():
    one, other = two_outputs()(Tensor(X))
    assert (value(one), value(other)) == ((2 * X).tolist(), (X * X).tolist())
    (alone,) = ops.Custom(lambda x: x, ((2, 2),), (F32,))(Tensor(X))
    assert value(alone) == X.tolist()


def test_how_many_results_there_are_may_be_known_only_from_the_functions():
    op = ops.Custom(lambda x: (x, x[0]), lambda x: (x, x[1:]), lambda x: (x, x))
    for _ in range(2):
        one, other = op(Tensor(X))
        assert (one.shape, other.shape, value(other)) == ((2, 2), (2,), [1, 2])


def test_no_input_a_tensor_result_and_an_exception_pass_through():
    assert value(ops.Custom(lambda: np.ones(2, np.float32), (2,), F32)()) == [1, 1]
    assert value(ops.Custom(lambda a: Tensor(a) + 1.0, (2, 2), F32)(Tensor(X))) == (X + 1).tolist()

    def boom(_x):
        raise KeyError("py boom")

    with pytest.raises(KeyError, match="py boom"):
        ops.Custom(boom, (2, 2), F32)(Tensor(X)).asnumpy()


@pytest.mark.parametrize("dtype", dtypes.DTYPES)
def test_every_dtype_goes_through(dtype):
    x = Tensor([[0, 1], [1, 0]], dtype)
    y = ops.Custom(lambda a: a, lambda s: s, lambda t: t)(x)
    assert y.dtype is dtype and value(y) == value(x)


def test_infer_functions_get_lists_and_dtypes_that_also_have_shape_and_dtype():
    seen = []

    def out_shape(x, y):
        seen.append((x == [2, 2], x.shape == [2, 2], isinstance(x, list), y == []))
        return x

    def out_dtype(x, y):
        seen.append((x == F32, x.dtype is F32, str(x), hash(x) == hash(F32)))
        return x

    value(ops.Custom(lambda x, y: x, out_shape, out_dtype)(Tensor(X), 3))
    assert seen == [(True, True, True, True), (True, True, "Float32", True)]
    assert GivenShape([1, 2]).ndim == 2 and repr(GivenDtype(F32, [1])) == "mindspore.float32"


# refusals ------------------------------------------------------------------------------------

AT_ONCE = {
    "julia": (
        dict(func_type="julia"),
        ValueError,
        r"must be one of \['hybrid', 'akg', 'tbe', 'aicpu', 'aot', 'pyfunc'\], but got julia",
    ),
    "func": (
        dict(func=3),
        TypeError,
        "'func' must be of type function or str, but got <class 'int'>",
    ),
    "name": (dict(func="my_mul"), TypeError, "must be a function, not its name"),
    "bprop": (dict(bprop=3), TypeError, "'int' object is not callable"),
    "reg_info": (dict(reg_info=3), TypeError, "'reg_info' must be a dict"),
    "keyword": (dict(format=3), TypeError, "unexpected keyword argument 'format'"),
}


@pytest.mark.parametrize("case", AT_ONCE)
def test_what_makes_no_op_is_refused_when_it_is_made(case):
    changed, kind, words = AT_ONCE[case]
    with pytest.raises(kind, match=words):
        ops.Custom(**{"func": lambda x: x, "out_shape": (2, 2), "out_dtype": F32} | changed)


OUT_SHAPE = "'out_shape' must be one of .tuple, list, function., but got <class '{}'>"
OUT_DTYPE = "'out_dtype' must be one of .mindspore.dtype, tuple, list, function."
CALLS = {
    "a list": ((2, 2), F32, ([Tensor(X)],), "Tuple/List inputs are not supported"),
    "a string": ((2, 2), F32, ("x",), "an input of type str is not supported"),
    "too many": ((2, 2), F32, (Tensor(X), Tensor(X)), "cannot be called with 2 input"),
    "too few": ((2, 2), F32, (), "cannot be called with 0 input"),
    "out_shape": (4, F32, (Tensor(X),), OUT_SHAPE.format("int")),
    "out_dtype": ((2,), 4, (Tensor(X),), OUT_DTYPE),
    "nothing": (None, None, (Tensor(X),), OUT_SHAPE.format("NoneType")),
}


@pytest.mark.parametrize("case", CALLS)
def test_a_call_that_cannot_work_is_refused_by_the_call(case):
    shape, dtype, inputs, words = CALLS[case]
    with pytest.raises((RuntimeError, TypeError), match=words):
        ops.Custom(lambda x: x, shape, dtype)(*inputs)


RESULTS = {
    "shape": (lambda x: x[0], (2, 2), F32, "result has another shape than out_shape promises"),
    "order": (lambda x: x.reshape(4), (2, 2), F32, "another shape"),
    "dtype": (lambda x: x.astype(np.float64), (2, 2), F32, "another dtype than out_dtype promises"),
    "nothing": (lambda x: None, (2, 2), F32, "returned nothing"),
    "list": (lambda x: [x, x], ((2, 2),) * 2, (F32,) * 2, "The output num is 1, with 2 expect"),
    "two for one": (lambda x: (x, x), (2, 2), F32, "The output num is: 2, with 1 expect"),
    "one short": (lambda x: (x, x[0]), ((2, 2),) * 2, (F32,) * 2, "result 1 has another shape"),
    "sizes": (lambda x: x, (2, -1), F32, "sizes, integers that are not negative"),
    "pairs": (lambda x: x, ((2,), (2,)), F32, "different numbers of results"),
}


@pytest.mark.parametrize("case", RESULTS)
def test_a_result_that_was_not_promised_is_refused(case):
    func, shape, dtype, words = RESULTS[case]
    with pytest.raises((RuntimeError, ValueError), match=words):
        found = ops.Custom(func, shape, dtype)(Tensor(X))
        [part.asnumpy() for part in (found if isinstance(found, tuple) else (found,))]


def test_what_is_the_same_but_for_axes_of_one_is_taken():
    assert value(ops.Custom(lambda x: x.sum(), (1,), F32)(Tensor(X))) == [10]
    assert value(ops.Custom(lambda x: 1.5, (), F32)(Tensor(X))) == 1.5


# graph mode ----------------------------------------------------------------------------------


def graph_of(op, count):
    """A graph that calls the op once on (2, 2) float32 parameters."""
    graph = ir.FuncGraph("custom")
    inputs = [graph.add_parameter(infer.AbstractTensor(F32, (2, 2)), f"x{i}") for i in range(count)]
    graph.returns(graph.add(op.op, inputs))
    return graph


def test_in_a_graph_the_op_is_a_node_with_its_promised_type():
    graph = graph_of(my_mul(), 2)
    assert [(n.primitive.name, str(n.abstract)) for n in graph.order()] == [
        ("Custom.<lambda>", "f32[2,2]")
    ]
    (node,) = graph.order()
    assert node.primitive.compute(X, Y).tolist() == (X * Y).tolist()
    assert str(graph_of(two_outputs(), 1).outputs[0].abstract) == "(f32[2,2], f32[2,2])"


def test_compiled_it_gives_the_same_with_numbers_too():
    op, scale = my_mul(), ops.Custom(lambda a, s: a * s, lambda x, s: x, lambda x, s: x)
    compiled = jit(lambda x, y: op(x, y) * 3.0 + scale(x, 3) + scale(y, 2.5))
    assert value(compiled(Tensor(X), Tensor(Y))) == (X * Y * 3 + X * 3 + Y * 2.5).tolist()


def test_a_function_that_may_do_anything_is_neither_merged_nor_folded():
    calls = []
    op = ops.Custom(lambda x: (calls.append(1), x)[1], (2, 2), F32)
    value(jit(lambda x: op(x) + op(x))(Tensor(X)))
    assert len(calls) == 2


def test_a_wrong_promise_is_an_error_where_the_graph_is_built():
    op = ops.Custom(lambda x: x, lambda x: 4, F32)
    with pytest.raises(TypeError, match="'out_shape' must be one of"):
        graph_of(op, 1)
