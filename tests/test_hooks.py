"""Hooks on gradients beyond what is recorded of MindSpore: both cores, graphs, orders, errors."""

import copy
import pickle
import re

import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, ops
from ms_ext.engine import tape

MODES = [pytest.param(lambda f: f, id="eager"), pytest.param(ms.jit, id="graph")]


def double(gradient):
    return gradient * 2


def value(tensor):
    return tensor.asnumpy().tolist()


@pytest.mark.parametrize("wrap", MODES)
def test_a_hook_belongs_to_every_use_of_its_tensor(wrap):
    def f(x):
        z = x * x
        before = z * 3
        z.register_hook(double)
        return before + z * x

    assert value(wrap(ms.grad(f))(Tensor(2.0))) == (3 + 2.0) * 2 * 4 + 4


@pytest.mark.parametrize("wrap", MODES)
@pytest.mark.parametrize("order, expected", [(1, 48), (2, 88), (3, 96)])
def test_a_hook_is_part_of_the_next_derivative(wrap, order, expected):
    def f(x):
        z = x * x
        z.register_hook(double)
        return z * x * x

    for _ in range(order):
        f = ms.grad(f)
    assert value(wrap(f)(Tensor(2.0))) == expected


def test_a_hook_in_a_graph_is_a_graph():
    def f(x):
        z = x * x
        z.register_hook(double)
        return z

    graph = ms.jit(f).graph(Tensor(2.0))
    call = graph.outputs[0]
    assert call.primitive.name == "Call"
    assert [each.name for each in call.graphs] == ["register_hook", "register_hook_bprop"]


def test_a_call_with_its_own_gradient_is_written_and_read():
    from ms_ext.engine.ir import dump, load

    def f(x):
        z = x * x
        z.register_hook(double)
        return z

    text = dump(ms.jit(f).graph(Tensor(2.0)))
    assert re.sub(r"[@%]\d+", "", dump(load(text))) == re.sub(r"[@%]\d+", "", text)
    (call,) = [n for n in load(text).order() if n.primitive.name == "Call"]
    assert len(call.graphs) == 2


def test_a_hook_captures_values_of_the_graph():
    def f(x, y):
        z = x * y

        def by_x(gradient):
            return gradient * x

        z.register_hook(by_x)
        return z * y

    x, y = Tensor(2.0), Tensor(3.0)
    found = ms.jit(ms.grad(f, (0, 1)))(x, y)
    assert list(map(value, found)) == list(map(value, ms.grad(f, (0, 1))(x, y))) == [18.0, 18.0]
    second = ms.grad(ms.grad(f))
    assert value(ms.jit(second)(x, y)) == value(second(x, y)) == 9.0


def test_a_hook_in_a_graph_may_print(capfd):
    def shows(gradient):
        print("gradient", gradient)

    def f(x, y):
        z = x * y
        z.register_hook(shows)
        return z * 2

    ms.jit(ms.grad(f, 1))(Tensor(2.0), Tensor(3.0))
    assert capfd.readouterr().out == "gradient\n2\n"


def test_what_is_wrong_with_a_hook_is_said_on_the_way_back():
    def larger(gradient):
        return ops.stack((gradient, gradient))

    def f(x):
        z = x * x
        z.register_hook(larger)
        return z

    assert value(ms.jit(f)(Tensor(2.0))) == 4.0
    with pytest.raises(ValueError, match="another shape"):
        ms.jit(ms.grad(f))(Tensor(2.0))
    with pytest.raises(ValueError, match="another shape"):
        ms.grad(f)(Tensor(2.0))


def test_a_hook_in_a_graph_writes_nothing_outside():
    total = Parameter(Tensor(0.0), name="total")

    def counts(gradient):
        ops.assign(total, gradient)
        return gradient

    def f(x):
        z = x * x
        z.register_hook(counts)
        return z

    with pytest.raises(RuntimeError, match="cannot write to what is outside"):
        ms.jit(ms.grad(f))(Tensor(2.0))
    ms.grad(f)(Tensor(2.0))
    assert value(total) == 1.0


def test_hooks_of_an_input_stay_with_the_tensor_of_the_caller():
    x = Tensor(2.0)

    def f(x):
        x.register_hook(double)
        return x * 3

    assert value(ms.grad(f)(x)) == 6.0
    assert len(x.hooks()) == 1
    assert value(ms.grad(lambda x: x * 3)(x)) == 6.0
    x.remove_hook(x.register_hook(double).id)
    assert len(x.hooks()) == 1


def test_hooks_of_an_input_in_graph_mode():
    x = Tensor(2.0)
    x.register_hook(double)
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert value(ms.grad(lambda x: x * 3)(x)) == 6.0
        assert value(ms.grad(lambda x: x * 3)(Tensor(2.0))) == 3.0
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_hooks_are_not_copied():
    x = Tensor([1.0])
    x.register_hook(lambda gradient: gradient)
    assert copy.deepcopy(x).hooks() == pickle.loads(pickle.dumps(x)).hooks() == []


def test_a_hook_is_called_once_where_an_input_is_given_twice():
    x, told = Tensor(2.0), []
    x.register_hook(lambda gradient: told.append(value(gradient)))
    ms.grad(lambda a, b: a * b, (0, 1))(x, x)
    assert told == [4.0]


def test_a_raising_hook_leaves_the_tape_as_it_was():
    def f(x):
        z = x * x
        z.register_hook(lambda gradient: 1 / 0)
        return z

    with pytest.raises(ZeroDivisionError):
        ms.grad(f)(Tensor(2.0))
    assert tape.depth() == 0
    assert value(ms.grad(lambda x: x * x)(Tensor(2.0))) == 4.0


def test_hooks_of_one_gradient_are_gone_in_the_next():
    def f(x):
        z = x * x
        z.register_hook(double)
        return z

    assert value(ms.grad(f)(Tensor(2.0))) == 8.0
    assert value(ms.grad(lambda x: x * x)(Tensor(2.0))) == 4.0


def test_parameter_hooks_are_those_of_when_the_graph_was_compiled():
    weight = Parameter(Tensor([2.0]), name="weight")

    def f(x):
        return (weight * x).sum()

    handle = weight.register_hook(double)
    compiled = ms.jit(lambda x: ms.grad(f, None, weight)(x))
    assert value(compiled(Tensor([3.0]))) == [6.0]
    handle.remove()
    assert value(compiled(Tensor([3.0]))) == [6.0]
    assert value(ms.jit(lambda x: ms.grad(f, None, weight)(x))(Tensor([3.0]))) == [3.0]


@pytest.mark.parametrize("wrap", MODES)
def test_gradients_of_two_hooked_results(wrap):
    def f(x):
        parts = ops.split(x, 1)
        first = parts[0]
        first.register_hook(double)
        return (first * parts[1]).sum()

    assert value(wrap(ms.grad(f))(Tensor([3.0, 5.0]))) == [10.0, 3.0]


def test_hook_backward_refuses_what_is_no_tensor():
    with pytest.raises(TypeError, match="the element of 'input' must be Tensor, but got Float32"):
        ops.HookBackward(lambda gradients: None)(3.0)


# what is run on symbols -------------------------------------------------------------------------


def hooked(x, y):
    z = x * y
    before = z * 3
    z.register_hook(double)
    return before + z * y


@pytest.mark.parametrize("capture", ["trace", "bytecode"])
def test_hooks_where_a_function_is_run_on_symbols(capture):
    x, y = Tensor(2.0), Tensor(3.0)
    f = ms.jit(hooked, capture_mode=capture)
    assert list(map(value, ms.grad(f, (0, 1))(x, y))) == list(
        map(value, ms.grad(hooked, (0, 1))(x, y))
    )
