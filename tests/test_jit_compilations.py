"""Why a function was compiled, what it does not see of globals, and functions that are traced."""

import threading
import warnings

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import ops
from ms_ext.engine import errors, events, jit, registry

X = ms.Tensor([1.0, 2.0])


# why it was compiled ------------------------------------------------------------------------------


def test_each_compilation_says_what_was_new():
    compiled = ms.jit(lambda pair, table, scale=1: pair[0] * scale + table["b"] + pair[1])
    one, three = ms.Tensor(1.0), ms.Tensor([1.0, 2.0, 3.0])
    compiled((one, 2), {"b": one})
    compiled((one, 3), {"b": one})
    compiled((one, 3), {"b": three})
    compiled((one, 2), {"b": three}, scale=4)
    assert [each.text for each in compiled.compilations] == [
        "the first call: pair is (f32[], 2), table is {'b': f32[]}",
        "pair[1] was 2 and is 3",
        "table['b'] was f32[] and is f32[3]",
        "pair[1] was 3 and is 2; scale was not given and is 4",
    ]
    assert compiled.compilations[1].changes == [("pair[1]", "2", "3")]
    assert compiled.compilations[3].number == 4


def test_the_nearest_compilation_is_compared_with():
    compiled = ms.jit(lambda x, a, b: x * a * b)
    for a, b in [(1, 1), (5, 5), (1, 2)]:
        compiled(X, a, b)
    assert compiled.compilations[-1].text == "b was 1 and is 2"


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (1, 1.0, "n was 1 and is 1.0"),
        (1, True, "n was 1 and is True"),
        (2, X, "n was 2 and is f32[2]"),
        (X, ms.Tensor([1, 2]), "n was f32[2] and is i64[2]"),
        (X, X.asnumpy().astype(np.float64), "n was f32[2] and is f64[2] [1.0, 2.0]"),
        (ms.mutable(2), ms.mutable(2.5), "n was a mutable int and is a mutable float"),
        ((1,), [1], "n was (1) and is [1]"),
        ([1, 2], [1], "n was [1, 2] and is [1]"),
    ],
)
def test_how_values_are_worded(old, new, text):
    compiled = ms.jit(lambda x, n: x)
    compiled(X, old)
    compiled(X, new)
    assert compiled.compilations[1].text == text


def test_an_op_declared_again_is_a_reason(monkeypatch):
    compiled = ms.jit(lambda x: x + 1)
    compiled(X)
    monkeypatch.setattr(jit, "generation", lambda: "another")
    registry.declared()
    compiled(X)
    assert compiled.compilations[1].text == "an op, a pass or a backend was declared again"


def test_a_compilation_is_an_event():
    compiled = ms.jit(lambda x, n: x * n)
    with events.record() as recording:
        for n in (2, 3, 3):
            compiled(X, n)
    found = recording.of("compile")
    assert [each.name for each in found] == [
        "<lambda>: the first call: x is f32[2], n is 2",
        "<lambda>: n was 2 and is 3",
    ]
    assert [each.numbers for each in found] == [(1,), (2,)]


def test_threads_that_call_at_once_compile_each_signature_once():
    compiled = ms.jit(lambda x, n: ops.tanh(x) * n)
    barrier = threading.Barrier(8)

    def work(n):
        barrier.wait()
        compiled(X, n)

    threads = [threading.Thread(target=work, args=(at % 2,)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert compiled.compiled == len(compiled.compilations) == 2
    assert compiled.compilations[1].text in ("n was 0 and is 1", "n was 1 and is 0")


# globals ------------------------------------------------------------------------------------------

FACTOR = 2


def times_factor(x):
    return x * FACTOR


@pytest.mark.parametrize("mode", ["ast", "trace"])
def test_a_global_is_frozen_and_its_change_is_noticed_once(mode, monkeypatch):
    compiled = ms.jit(times_factor, capture_mode=mode)
    compiled(X)
    monkeypatch.setitem(globals(), "FACTOR", 7)
    with pytest.warns(errors.MsExtWarning, match="the global 'FACTOR' was 2. It is 7") as caught:
        assert compiled(X).asnumpy().tolist() == [2.0, 4.0]
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compiled(X).asnumpy().tolist() == [2.0, 4.0]


def test_a_function_called_inside_is_looked_at_too(monkeypatch):
    compiled = ms.jit(lambda x: times_factor(x) + 1)
    compiled(X)
    monkeypatch.setitem(globals(), "FACTOR", 7)
    with pytest.warns(errors.MsExtWarning, match="'FACTOR'"):
        compiled(X)


def test_a_global_of_equal_value_is_no_change(monkeypatch):
    monkeypatch.setitem(globals(), "FACTOR", 2.5)
    compiled = ms.jit(times_factor)
    compiled(X)
    monkeypatch.setitem(globals(), "FACTOR", float("2.5"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled(X)


def test_modules_and_ops_are_not_looked_at():
    compiled = ms.jit(lambda x: ops.tanh(x) + len(x.shape))
    compiled(X)
    assert [each.captured for each in compiled._known.values()] == [[]]


# traces -------------------------------------------------------------------------------------------

WEIGHT = ms.Parameter(ms.Tensor([3.0, 3.0]), name="weight")


def traced(function):
    return ms.jit(function, capture_mode="trace")


def test_a_trace_gives_what_the_function_gives():
    def tree(x, n):
        y = ops.tanh(x) * n
        for _ in range(n):
            y += 1
        return {"y": y, "both": (x, [y, n])}

    found, expected = traced(tree)(X, 3), tree(X, 3)
    assert found["y"].asnumpy() == pytest.approx(expected["y"].asnumpy())
    assert found["both"][1][1] == 3


def test_a_parameter_is_an_input_of_a_trace():
    compiled = traced(lambda x: x + WEIGHT * 2)
    before = WEIGHT.asnumpy().copy()
    assert compiled(X).asnumpy().tolist() == [7.0, 8.0]
    WEIGHT.set_data(ms.Tensor([1.0, 1.0]))
    assert compiled(X).asnumpy().tolist() == [3.0, 4.0]
    WEIGHT.set_data(ms.Tensor(before))
    assert compiled.compiled == 1


def test_a_compiled_function_called_by_a_trace_is_traced():
    inner = ms.jit(lambda x: x * 2)
    outer = traced(lambda x: inner(x) + 1)
    assert outer(X).asnumpy().tolist() == [3.0, 5.0]
    assert (outer.compiled, inner.compiled) == (1, 0)


def test_a_cell_is_traced_and_its_gradient_taken():
    net = ms.nn.Dense(2, 1)
    x = ms.Tensor([[1.0, 2.0]])
    assert traced(net)(x).asnumpy() == pytest.approx(net(x).asnumpy())
    assert ms.grad(traced(lambda v: v * v))(X).asnumpy().tolist() == [2.0, 4.0]


def test_python_outside_a_file_can_be_traced():
    names = {}
    exec("def outside(x):\n    return x * 3\n", names)
    assert traced(names["outside"])(X).asnumpy().tolist() == [3.0, 6.0]
