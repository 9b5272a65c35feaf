"""vjp: the function is called once, and gone back through as often as its pullback is called."""

import threading
import weakref

import pytest
from grad_modes import MODES, V, cube, numbers, square, traced

import ms_ext as ms
from ms_ext import Parameter, Tensor, ops
from ms_ext.engine import errors


@pytest.fixture(params=MODES, ids=lambda mode: mode.__name__)
def mode(request):
    return request.param


def test_vjp(mode):
    def f(x, v):
        out, back = ms.vjp(square, x)
        return out, back(v)

    out, (dx,) = mode(f)(Tensor(V), Tensor([1.0, 10.0, 100.0]))
    assert (numbers(out), numbers(dx)) == ([1.0, 4.0, 9.0], [2.0, 40.0, 600.0])


def test_a_pullback_in_a_branch_and_in_a_loop():
    def f(x):
        _, back = ms.vjp(square, x)
        s = x * 0
        for _ in range(30):
            s = s + back(s + 1)[0]
        if s > 1:
            s = s + back(x)[0]
        return s

    expected, x = 0.0, 0.05
    for _ in range(30):
        expected += 2 * x * (expected + 1)
    expected += 2 * x * x
    assert float(ms.jit(f)(Tensor(x))) == pytest.approx(expected, rel=1e-5)
    assert float(ms.grad(ms.jit(f))(Tensor(x))) == pytest.approx(
        float(ms.grad(f)(Tensor(x))), rel=1e-4
    )


def test_the_way_back_begins_with_what_was_read():
    """Names and Parameters have other values by the time the pullback is called."""
    weight = Parameter(Tensor(2.0), name="weight")

    def f(x):
        scale = x * 3

        def inner(z):
            return z * scale * weight

        _, back = ms.vjp(inner, x)
        scale = scale * 100
        ops.assign(weight, weight * 50)
        return back(x)[0], scale, weight * 1

    assert numbers(ms.jit(f)(Tensor(1.0))) == (6.0, 300.0, 100.0)


@pytest.mark.parametrize("call", [lambda f, x: ms.vjp(f, x)[1](x), lambda f, x: ms.jvp(f, x, x)])
def test_the_function_runs_once(call, capfd):
    def f(x):
        print("called")
        return x * x

    call(f, Tensor(2.0))
    ms.jit(lambda x: call(f, x))(Tensor(2.0))
    assert capfd.readouterr().out.count("called") == 2


@pytest.mark.parametrize("jacobian", [ms.jacfwd, ms.jacrev])
def test_the_function_of_a_jacobian_runs_once(jacobian, capfd):
    def f(x):
        print("called")
        return x * x

    jacobian(f)(Tensor(V))
    ms.jit(lambda x: jacobian(f)(x))(Tensor(V))
    assert capfd.readouterr().out.count("called") == 2


def counting(function):
    def counted(*args):
        counted.calls += 1
        return function(*args)

    counted.calls = 0
    return counted


def test_a_pullback_waits_while_others_record():
    f = counting(cube)
    out, back = ms.vjp(f, Tensor(2.0))
    assert float(ms.grad(square)(Tensor(3.0))) == 6.0
    assert (float(out), numbers(back(Tensor(1.0))), f.calls) == (12.0, (14.0,), 1)


def test_a_pullback_is_called_as_often_as_one_likes():
    f = counting(cube)
    _, back = ms.vjp(f, Tensor(2.0))
    assert [numbers(back(Tensor(v))) for v in (1.0, 2.0, 3.0)] == [(14.0,), (28.0,), (42.0,)]
    with pytest.raises(ValueError, match="should be"):
        back(Tensor([1.0]))
    assert (numbers(back(Tensor(1.0))), f.calls) == ((14.0,), 1)


def test_what_is_kept_goes_with_the_pullback():
    seen = []

    def f(x):
        y = x * x
        seen.append(weakref.ref(y))
        return y * y

    out, back = ms.vjp(f, Tensor(2.0))
    assert seen[0]() is not None and numbers(back(Tensor(1.0))) == (32.0,)
    del back
    assert seen[0]() is None


def test_pullbacks_in_any_order():
    backs = [ms.vjp(counting(cube), Tensor(float(x)))[1] for x in range(4)]
    found = [numbers(backs[place](Tensor(1.0))) for place in (2, 0, 3, 1)]
    assert found == [(14.0,), (2.0,), (29.0,), (5.0,)]


def test_a_pullback_inside_another_gradient():
    _, back = ms.vjp(cube, Tensor(2.0))
    with pytest.warns(RuntimeWarning, match="is calculated again"):
        assert float(ms.grad(lambda v: back(v)[0] * v)(Tensor(3.0))) == 14.0 * 2 * 3
    assert float(ms.grad(lambda x: ms.vjp(cube, x)[1](x)[0])(Tensor(2.0))) == 14.0 + 12.0 * 2


def test_a_pullback_that_leaves_its_gradient():
    kept = []

    def f(x):
        out, back = ms.vjp(cube, x)
        kept.append(back)
        return out

    assert float(ms.grad(f)(Tensor(2.0))) == 14.0
    with pytest.warns(RuntimeWarning, match="is calculated again"):
        assert numbers(kept[0](Tensor(1.0))) == (14.0,)


def test_a_pullback_in_another_thread():
    found = []
    _, back = ms.vjp(cube, Tensor(2.0))
    thread = threading.Thread(target=lambda: found.append(numbers(back(Tensor(1.0)))))
    thread.start()
    thread.join()
    assert found == [(14.0,)]


def test_weights_of_a_pullback_that_waited():
    weight = Parameter(Tensor(3.0), name="weight")
    _, back = ms.vjp(lambda x: x * weight, Tensor(2.0), weights=weight)
    assert float(ms.grad(lambda x: x * x * weight, None, weight)(Tensor(5.0))) == 25.0
    assert numbers(back(Tensor(1.0))) == ((3.0,), 2.0)


def test_an_input_that_was_written_to_is_refused():
    x = Tensor([1.0, 2.0])
    _, back = ms.vjp(square, x)
    x[0] = 5.0
    with pytest.raises(errors.NotRunnable, match="written in place"):
        back(Tensor([1.0, 1.0]))


def test_a_failing_function_leaves_the_tape_as_it_was():
    with pytest.raises(ZeroDivisionError):
        ms.vjp(lambda x: x * (1 / 0), Tensor(1.0))
    assert float(ms.grad(square)(Tensor(3.0))) == 6.0


def test_structures_of_v(mode):
    def f(x):
        return {"a": x * x, "b": [x, (x * 3, 5)]}

    def go(x):
        out, back = ms.vjp(f, x)
        return back({"a": x, "b": [x * 0, (x * 0 + 10, 0)]})

    assert numbers(mode(go)(Tensor(2.0))) == (8.0 + 30.0,)


def test_a_tuple_is_an_input_where_it_is_made_inside():
    """From outside it is a constant to a graph; to eager code it has no gradient, as a number."""

    def product(pair):
        return pair[0] * pair[1]["k"]

    def made(x, y):
        return ms.grad(product)((x, {"k": y}))

    def given(pair):
        return ms.grad(product)(pair)

    x, y = Tensor(2.0), Tensor(3.0)
    for compiled in (ms.jit, traced):
        dx, named = compiled(made)(x, y)
        assert (float(dx), float(named["k"])) == (3.0, 2.0)
    assert made(x, y) == given((x, {"k": y})) == ms.jit(given)((x, {"k": y})) == ()
    dx, named = ms.jit(given)(ms.mutable((x, {"k": y})))
    assert (float(dx), float(named["k"])) == (3.0, 2.0)
