"""How deep a tape is; set aside and taken up again, it is whole, and goes when nobody wants it."""

import gc
import weakref

import numpy as np
import pytest

from ms_ext import ops
from ms_ext.common import Parameter
from ms_ext.engine import errors
from ms_ext.engine.primitive import op
from ms_ext.engine.tape import depth, differentiate
from ms_ext.engine.tape_memory import tape_held
from ms_ext.engine.tensor import Tensor, core

X = Tensor([1.0, 2.0, 3.0])


def recorded(f, x, weights=()):
    """(the aside, the level, slots of x and of the weights, f's result)"""
    level = core.open_tape()
    at = core.leaf(level, x)
    slots = [core.slot_of(at), *[core.watch(level, w) for w in weights]]
    core.start_recording()
    out = f(at)
    core.stop_recording(level)
    return core.set_aside(level), level, slots, out


def walked(level, slots, out, dout, **options):
    found = core.backward(level, [out], [dout], **options)
    return [found[slot].tolist() for slot in slots]


def grad(f):
    return lambda x: differentiate(f, (x,))[1][0]


def test_the_depth_of_what_records():
    seen = []

    def step(by):
        """x * by, and how deep the calls are: forward, and on the way back."""
        seen.append(depth())

        def pull(_x, _out, dout):
            seen.append(depth())
            return (dout * by,)

        body = {"__module__": __name__, "compute": lambda x: x * by, "bprop": pull}
        return op()(type("Step", (), body))

    assert grad(lambda x: step(2)(x))(X).tolist() == [2, 2, 2]
    assert seen == [1, 0]
    seen.clear()
    assert grad(grad(lambda x: step(2)(x) * x))(X).tolist() == [4, 4, 4]
    assert seen == [2, 1, 0] and depth() == 0
    with pytest.raises(ZeroDivisionError):
        grad(grad(lambda x: 1 // 0))(X)
    assert depth() == 0


def test_other_gradients_may_be_taken_meanwhile():
    w = Parameter(Tensor(2.0), name="w")
    aside, level, slots, out = recorded(lambda x: ops.sin(x) * w, X, (w,))
    assert tape_held().entries == 0 and core.slot_of(w) == -1
    assert differentiate(lambda x: x * x * w, (X,), (0,), (w,))[1][0].tolist() == [4, 8, 12]
    assert core.take_up(aside) and tape_held().entries == 2
    dx, dw = walked(level, slots, out, Tensor([1.0, 1.0, 1.0]))
    core.close_tape(level)
    np.testing.assert_allclose(dx, 2 * np.cos(X.asnumpy()), rtol=1e-6)
    np.testing.assert_allclose(dw, np.sin(X.asnumpy()).sum(), rtol=1e-6)
    assert tape_held().entries == 0 and core.slot_of(w) == -1 and not core.take_up(aside)


def test_two_in_any_order():
    first, second = (recorded(f, X) for f in (lambda x: x * x, lambda x: x * x * x))
    for (aside, level, slots, out), expected in ((first, [2, 4, 6]), (second, [3, 12, 27])):
        assert core.take_up(aside)
        assert walked(level, slots, out, Tensor([1.0, 1.0, 1.0])) == [expected]
        core.close_tape(level)


def test_what_is_never_taken_up_goes():
    seen = []

    def f(x):
        y = x * x
        seen.append(weakref.ref(y))
        return y * y

    aside, *_, out = recorded(f, X)
    gc.collect()
    assert seen[0]() is not None
    del aside
    assert seen[0]() is None and out.tolist() == [1, 16, 81]


def test_walked_often_when_kept():
    aside, level, slots, out = recorded(lambda x: x * x * x, X)
    for turn in range(1, 4):
        assert core.take_up(aside)
        dout = Tensor([1.0, 1.0, 1.0]) * turn
        assert walked(level, slots, out, dout, keep=True) == [[3 * turn, 12 * turn, 27 * turn]]
        assert tape_held().entries == 2
        aside = core.set_aside(level)
    assert tape_held().entries == 0


def test_not_inside_another_gradient():
    def f(x):
        aside, *_, out = recorded(lambda y: y * y, x)
        assert not aside.moved  # its calls stay on the tape around it
        return out

    assert differentiate(f, (X,))[1][0].tolist() == [2, 4, 6]
    aside, level, *_ = recorded(lambda x: x * x, X)
    assert differentiate(lambda x: x * int(core.take_up(aside)), (X,))[1][0].tolist() == [0, 0, 0]
    assert core.take_up(aside)
    core.close_tape(level)


def test_only_where_it_was():
    """While a walk is under way the tape is longer: the slots would be others."""
    asides, answers = [], []

    def rule(dout):
        answers.append(core.take_up(asides[0]))
        return (dout,)

    asides.append(recorded(lambda x: x * x, X)[0])
    turn = lambda x: core.record_call("turn", (x,), (x * 1,), rule)[0]  # noqa: E731
    assert differentiate(turn, (X,))[1][0].tolist() == [1, 1, 1]
    assert answers == [False]


def test_a_write_meanwhile_is_refused():
    w = Tensor([1.0, 2.0, 3.0])
    aside, level, slots, out = recorded(lambda x: x * w, X)
    w[0] = 7.0
    assert core.take_up(aside)
    with pytest.raises(errors.NotRunnable, match="written in place"):
        walked(level, slots, out, X)
    core.close_tape(level)
    assert tape_held().entries == 0


def test_hooks_go_along():
    def f(x):
        y = x * x
        core.hook(y, lambda dout: dout * 10)
        return y * 1

    aside, level, slots, out = recorded(f, X)
    assert differentiate(lambda x: x * x * 1, (X,))[1][0].tolist() == [2, 4, 6]
    assert core.take_up(aside)
    assert walked(level, slots, out, Tensor([1.0, 1.0, 1.0])) == [[20, 40, 60]]
    core.close_tape(level)
    assert differentiate(lambda x: x * x * 1, (X,))[1][0].tolist() == [2, 4, 6]
