"""``func_type="aot"``: the straight way from tensors to a kernel, and what must not disturb it."""

import threading

import numpy as np
import pytest
from custom_kernels import library, make
from custom_ops import X, Y, value
from custom_rows import aot, said

from ms_ext import Tensor, grad, jit, ops
from ms_ext import dtype as dtypes
from ms_ext.engine import stages
from ms_ext.engine.custom import calling

FIXTURES = library, make
pytestmark = pytest.mark.skipif(calling.BORDER is None, reason="kernels/border is not compiled")


def first(*given):
    return given[0]


def test_the_straight_way_and_the_ordinary_one_give_the_same(library):
    op = aot(library, "my_mul")
    for shape in [(), (0,), (1,), (3, 0, 2), (7, 5), (100, 100), (2, 1, 3, 1, 2)]:
        x, y = (np.random.default_rng(k).normal(size=shape).astype(np.float32) for k in (0, 1))
        for _ in range(3):  # the first call is made ready, the others are straight
            assert np.array_equal(op(Tensor(x), Tensor(y)).asnumpy(), x * y)
        before = stages.use("blocking")
        try:
            assert np.array_equal(op(Tensor(x), Tensor(y)).asnumpy(), x * y)
        finally:
            stages.use(before)


def test_more_kinds_than_are_remembered_alternate(library):
    op = aot(library, "my_add")
    for _ in range(3):
        for n in range(1, 80):
            x = np.arange(n, dtype=np.float32)
            assert np.array_equal(op(Tensor(x), Tensor(x)).asnumpy(), 2 * x)


def test_a_result_is_nobody_elses_memory(library):
    op, x = aot(library, "my_mul"), Tensor(X)
    results = [op(x, x) for _ in range(50)]
    results[0].asnumpy()[:] = 0
    assert all(value(r) == (X * X).tolist() for r in results[1:]) and value(x) == X.tolist()


def test_results_have_gradients_after_straight_calls(library):
    op = aot(library, "my_mul", bprop=lambda x, y, out, dout: (dout * y, dout * x))
    x, y = Tensor(X), Tensor(Y)
    for _ in range(2):
        assert value(op(x, y)) == (X * Y).tolist()
        dx, dy = grad(op, (0, 1))(x, y)
        assert (value(dx), value(dy)) == (Y.tolist(), X.tolist())
    assert value(grad(lambda x: op(op(x, y), y).sum())(x)) == (Y * Y).tolist()


def test_calls_keep_their_order_with_what_is_on_its_way(library):
    slow = ops.Custom(lambda x: (threading.Event().wait(0.05), x + 1)[1], first, first)
    op = aot(library, "my_mul")
    x = slow(Tensor(X))  # goes through the stages
    assert value(op(x, Tensor(Y))) == ((X + 1) * Y).tolist()


def test_an_input_written_to_later_changes_nothing(library):
    op, x = aot(library, "my_add"), Tensor(X)
    before = op(x, x)
    x[0] = 0
    assert value(before) == (2 * X).tolist() and value(op(x, x))[0] == [0, 0]


def test_many_threads_call_one_op(library):
    op, wrong = aot(library, "my_mul"), []

    def work(seed):
        rng = np.random.default_rng(seed)
        for _ in range(150):
            x = rng.normal(size=rng.integers(1, 40)).astype(np.float32)
            if not np.array_equal(op(Tensor(x), Tensor(x)).asnumpy(), x * x):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


#: Kernels that go wrong in their own ways.
ODD = """
#include <stdexcept>
#include <new>
extern "C" int throws_a_number(ABI) { throw 3; }
extern "C" int throws_a_text(ABI) { throw "a text"; }
extern "C" int has_no_memory(ABI) { throw std::bad_alloc(); }
extern "C" int is_negative(ABI) { return -2; }
extern "C" int once(ABI) {
  static int calls; ++calls;
  if (calls == 2) throw std::runtime_error("the second call");
  *static_cast<float *>(params[nparam - 1]) = calls;
  return 0;
}
extern "C" int sum_of_many(ABI) {
  float total = 0;
  for (int i = 0; i + 1 < nparam; ++i) total += *static_cast<float *>(params[i]);
  *static_cast<float *>(params[nparam - 1]) = total;
  return 0;
}
"""


@pytest.mark.parametrize(
    "symbol", ["throws_a_number", "throws_a_text", "has_no_memory", "is_negative"]
)
def test_whatever_a_kernel_throws_is_an_error_and_the_next_call_works(symbol, make, library):
    wrong = ops.Custom(f"{make(ODD, 'odd')}:{symbol}", first, first, "aot")
    for _ in range(2):
        text = said(RuntimeError, lambda: wrong(Tensor(X)).asnumpy())
        assert ("-2" if symbol == "is_negative" else "operator failed") in text
    assert value(aot(library, "my_mul")(Tensor(X), Tensor(X))) == (X * X).tolist()


def test_an_error_on_the_straight_way_is_that_calls_alone(make):
    op = ops.Custom(f"{make(ODD, 'odd')}:once", (1,), dtypes.float32, "aot")
    assert value(op(Tensor(X))) == [1]
    assert "the second call" in said(RuntimeError, lambda: op(Tensor(X)))
    assert value(op(Tensor(X))) == [3]


@pytest.mark.parametrize("count", [1, 15, 16, 17, 40])
def test_any_number_of_inputs(count, make):
    op = ops.Custom(f"{make(ODD, 'odd')}:sum_of_many", (1,), dtypes.float32, "aot")
    given = [Tensor(np.float32([k])) for k in range(count)]
    for _ in range(2):
        assert value(op(*given)) == [sum(range(count))]
    assert value(jit(lambda *xs: op(*xs))(*given)) == [sum(range(count))]
