"""Calls of a custom op: results written into inputs, calls that are told, and an op's life."""

import gc
import weakref

import numpy as np
import pytest
from custom_ops import (
    F32,
    X,
    Y,
    halved,
    mode,
    my_mul,
    policy,
    same,
    two_outputs,
    value,
)  # fmt: skip

from ms_ext import Parameter, Tensor, graph, jit, ops
from ms_ext import grad as grad_of
from ms_ext.engine.custom.debugging import shown

both_policies = pytest.mark.usefixtures(policy.__name__)
FIXTURES = (mode,)


# in place -------------------------------------------------------------------------------------


def scaled_in_place():
    """x * y, written into x."""
    return my_mul().in_place(0)


@both_policies
def test_the_input_is_the_result_from_then_on(mode):
    op = scaled_in_place()

    def function(x, y):
        before = x + 0
        out = op(x, y)
        return before, out + x

    x = Tensor(X)
    before, twice = mode(function)(x, Tensor(Y))
    assert (value(before), value(twice)) == (X.tolist(), (2 * X * Y).tolist())
    assert value(x) == (X * Y).tolist()


def test_the_tensor_itself_comes_back():
    x = Tensor(X)
    assert scaled_in_place()(x, Tensor(Y)) is x
    one = two_outputs().in_place(0, result=1)
    first, second = one(x)
    assert second is x and value(first) == (2 * X * Y).tolist()


@both_policies
def test_gradients_read_the_input_as_it_was(mode):
    op = scaled_in_place()

    def function(x, y):
        out = op(x, y)
        return (out + x) * 3

    dx, dy = mode(lambda x, y: grad_of(function, (0, 1))(x, y))(Tensor(X), Tensor(Y))
    assert (value(dx), value(dy)) == ((6 * Y).tolist(), (6 * X).tolist())
    dx, dy = grad_of(mode(function), (0, 1))(Tensor(X), Tensor(Y))
    assert (value(dx), value(dy)) == ((6 * Y).tolist(), (6 * X).tolist())


def test_one_tensor_may_be_several_inputs(mode):
    op = scaled_in_place()

    def function(x):
        return op(x, x) + x

    x = Tensor(X)
    assert value(mode(function)(x)) == (2 * X * X).tolist() and value(x) == (X * X).tolist()
    assert value(mode(lambda x: grad_of(function)(x))(Tensor(X))) == (4 * X).tolist()
    assert value(grad_of(mode(function))(Tensor(X))) == (4 * X).tolist()


def test_a_parameter_may_be_written_to(mode):
    op, weight = scaled_in_place(), Parameter(Tensor(X), name="weight")
    function = mode(lambda y: op(weight, y) * 1)
    assert value(function(Tensor(Y))) == (X * Y).tolist() == value(weight)
    assert value(function(Tensor(Y))) == (X * Y * Y).tolist() == value(weight)


def test_a_view_is_written_to_where_it_lies():
    x = Tensor(np.stack([X, X]))
    ops.Custom(lambda a: a * 2, same, same).in_place()(x[0])
    assert value(x) in ([(2 * X).tolist(), X.tolist()], [X.tolist(), X.tolist()])


def test_the_way_works_in_the_memory_of_the_result():
    def func(a):
        a += 1
        return a

    x = Tensor(X)
    ops.Custom(func, same, same).in_place(0)(x)
    assert value(x) == (X + 1).tolist()


@both_policies
@pytest.mark.parametrize(
    ("op", "said"),
    [
        (
            lambda: ops.Custom(same, (3,), F32).in_place(0),
            "does not fit into the memory of input 0",
        ),
        (lambda: ops.Custom(same, same, same).in_place(2), "cannot be written into input 2"),
        (lambda: ops.Custom(same, same, same).in_place(0, 1), "result 1 cannot be written"),
    ],
)
def test_what_does_not_fit_is_refused(op, said, mode):
    made = op()
    with pytest.raises((RuntimeError, IndexError), match=said):
        value(mode(lambda x: made(x))(Tensor(X)))


def test_a_number_and_a_wrong_position_are_refused():
    with pytest.raises((TypeError, RuntimeError)):
        ops.Custom(same, same, same).in_place(0)(2.0)
    with pytest.raises(ValueError, match="the position of an input, counted from 0"):
        my_mul().in_place(-1)
    with pytest.raises(ValueError, match="two cannot share its memory"):
        two_outputs().in_place(0).in_place(0, result=1)


# debug ----------------------------------------------------------------------------------------


@both_policies
def test_every_call_is_told_with_its_line(mode):
    told, (op, _) = [], halved()
    op.debug(printer=told.append)
    function = mode(lambda x: op(x) + op(x * 2))
    for _ in range(2):
        function(Tensor(X))
    assert len(told) == 4
    lines = told[0].splitlines()
    assert lines[0].startswith("Custom(half, func_type=pyfunc) called at ")
    plain = getattr(function, "function", function)
    assert f"test_custom_calls.py:{plain.__code__.co_firstlineno}" in lines[0]
    assert lines[1:] == [
        "    input 0: Float32[2, 2]  min 1  max 4  mean 2.5  first 1, 2, 3, 4",
        "    result: Float32[2, 2]  min 0.5  max 2  mean 1.25  first 0.5, 1, 1.5, 2",
    ]
    op.debug(False)
    function(Tensor(X))
    assert len(told) == 4


def test_debug_tells_of_gradients_in_place_and_formulas(mode, capsys):
    told = []
    op = scaled_in_place().debug(printer=told.append)
    mode(lambda x, y: grad_of(lambda x, y: op(x, y) * 1)(x, y))(Tensor(X), Tensor(Y))
    assert len(told) == 1 and "input 0: Float32[2, 2]  min 1  max 4" in told[0]
    formula = ops.Custom("x * 2", func_type="tbe").debug()
    mode(lambda x: formula(x))(Tensor(X))
    assert (
        capsys.readouterr().out.splitlines()[-1].strip().startswith("result: Float32[2, 2]  min 2")
    )


def test_values_are_shown_short():
    assert shown(Tensor([np.inf, np.nan, 2.0])) == (
        "Float32[3]  min 2  max 2  mean 2  2 not finite  first inf, nan, 2"
    )
    assert shown(Tensor([True, False])) == "Bool[2]  first True, False"
    assert shown(Tensor(list(range(9)))).endswith("first 0, 1, 2, 3, 4, 5, ...")


# life -----------------------------------------------------------------------------------------


@both_policies
def test_a_way_goes_with_its_op_also_after_calls_graphs_and_gradients():
    op, _ = halved()
    function = jit(lambda x: op(x) + 1)
    assert value(function(Tensor(X))) == (X / 2 + 1).tolist()
    assert value(grad_of(op)(Tensor(X))) == [[0.5, 0.5], [0.5, 0.5]]
    way = weakref.ref(op.way)
    op = function = None
    gc.collect()
    assert way() is None


@both_policies
def test_results_on_their_way_and_gradients_keep_an_op_alive():
    results = [ops.Custom(lambda x, n=n: x + n, same, same)(Tensor(X)) for n in range(20)]
    assert [value(each)[0][0] for each in results] == [1 + n for n in range(20)]
    assert value(grad_of(lambda x: halved()[0](x))(Tensor(X))) == [[0.5, 0.5], [0.5, 0.5]]


def test_a_graph_that_outlives_an_op_still_runs():
    made = [halved()[0]]
    found = jit(lambda x: made[0](x)).graph(Tensor(X))
    way = weakref.ref(made.pop().way)
    assert way() is None
    run = graph.build("reference", found)
    for _ in range(2):
        assert value(Tensor(run(X)[0])) == (X / 2).tolist()
