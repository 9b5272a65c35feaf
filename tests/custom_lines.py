"""What must hold for each way into ``ops.Custom``: a function per line of the table of them all.

``line(way, library, run)``: ``run(function, *tensors)`` calls the function in one of the modes.
"""

import gc
import threading

import numpy as np
import pytest
from custom_ways import COMPOSED, plain, product, tensor, two

import ms_ext as ms
from ms_ext import Tensor, grad, nn, ops
from ms_ext import dtype as dtypes

SHAPES = {"2x3": (2, 3), "none": (0, 3), "scalar": (), "one": (1,), "4 axes": (2, 1, 3, 2)}
LARGE = (64, 300)


def agrees(result, wanted, dtype):
    """Whether a result has these elements and this dtype."""
    assert result.dtype is dtype and result.shape == wanted.shape
    np.testing.assert_array_equal(plain(result), wanted)


def dtype_line(dtype):
    def line(way, library, run):
        x, y = tensor((2, 3), dtype), tensor((2, 3), dtype, 1)
        op = product(way, library, x, y, None)
        wanted = plain(x) * plain(y)
        agrees(run(lambda x, y: op(x, y), x, y), wanted, dtype)

    return line


def shape_line(shape):
    def line(way, library, run):
        x, y = tensor(shape), tensor(shape, seed=1)
        op = product(way, library, x, y)
        wanted = plain(x) * plain(y)
        agrees(run(lambda x, y: op(x, y), x, y), wanted, dtypes.float32)
        dx, dy = run(lambda x, y: grad(lambda x, y: op(x, y), (0, 1))(x, y), x, y)
        agrees(dx, plain(y), dtypes.float32)
        agrees(dy, plain(x), dtypes.float32)

    return line


VIEWS = {
    "transposed": lambda x: x.T,
    "columns": lambda x: x[:, 1:3],
    "steps": lambda x: x[::2, ::3],
    "a row again and again": lambda x: ops.broadcast_to(x[0], (4, 6)),
    "one row": lambda x: x[1],
}


def view_line(name):
    view = VIEWS[name]

    def line(way, library, run):
        x, y = tensor((4, 6)), tensor((4, 6), seed=1)
        op = product(way, library, view(x), view(y))
        wanted = plain(view(x)) * plain(view(y))
        agrees(run(lambda x, y: op(view(x), view(y)), x, y), wanted, dtypes.float32)
        agrees(op(view(x), view(y)), wanted, dtypes.float32)
        assert plain(x).tolist() == plain(tensor((4, 6))).tolist()

    return line


def gradients(way, library, run):
    """Slopes of a sum, in float32 and float64, in the op's own bprop or in that of its ops."""
    for dtype in (dtypes.float32, dtypes.float64):
        x, y = tensor((2, 3), dtype), tensor((2, 3), dtype, 1)
        triple = tripled(product(way, library, x, y))
        dx, dy = run(lambda x, y: grad(triple, (0, 1))(x, y), x, y)  # noqa: B023
        agrees(dx, 3 * plain(y), dtype)
        agrees(dy, 3 * plain(x), dtype)


def tripled(op):
    """The sum of three times an op."""
    return lambda x, y: (3 * op(x, y)).sum()


def gradient_without_bprop(way, library, run):
    """Ways that are made of ops have the gradient of these; the others say that there is none."""
    x, y = tensor((2, 3)), tensor((2, 3), seed=1)
    op = product(way, library, x, y, None)
    take = lambda: run(lambda x, y: grad(lambda x, y: op(x, y))(x, y), x, y)  # noqa: E731
    if way in COMPOSED:
        agrees(take(), plain(y), dtypes.float32)
    else:
        with pytest.raises(RuntimeError, match="Custom's bprop not defined"):
            take()


def second_order(way, library, run):
    """The slope of the slope of x * x."""
    x = tensor((2, 3))
    op = product(way, library, x, x)
    once = grad(lambda x: op(x, x))
    agrees(run(lambda x: grad(lambda x: once(x))(x), x), np.full((2, 3), 2.0), dtypes.float32)


def chain(way, library, run):
    """Among other ops, several calls deep: nothing is read before it is written."""
    x, y = tensor((2, 3)), tensor((2, 3), seed=1)
    op = product(way, library, x, y)

    def power(x, y):
        result = x
        for _ in range(5):
            result = op(result + 0 * y, y) - y * 0
        return result

    agrees(run(power, x, y), plain(x) * plain(y) ** 5, dtypes.float32)


def shapes_by_turns(way, library, run):
    """One op, called with other shapes and dtypes; a saved graph has one signature and says so."""
    op = product(way, library, tensor((2, 3)), tensor((2, 3)))
    calls = [((2, 3), dtypes.float32), ((5,), dtypes.float32), ((2, 3), dtypes.int32)]
    for shape, dtype in [*calls, *calls]:
        x, y = tensor(shape, dtype), tensor(shape, dtype, 1)
        if way == "mindir" and (shape, dtype) != calls[0]:
            with pytest.raises(RuntimeError, match="not what the graph was saved for"):
                run(lambda x, y: op(x, y), x, y).asnumpy()
        else:
            agrees(run(lambda x, y: op(x, y), x, y), plain(x) * plain(y), dtype)


class Open(nn.Cell):
    """A Cell for tensors of a shape that is not known when it is compiled."""

    def __init__(self, op):
        super().__init__()
        self.op = op

    def construct(self, x, y):
        return self.op(x, y) + 1


def open_shape(way, library, run):
    """``set_inputs`` with a size of None: compiled once or again, the answers are right."""
    op = product(way, library, tensor((2, 3)), tensor((2, 3)))
    net = Open(op)
    kind = Tensor(shape=[None, 3], dtype=ms.float32)
    net.set_inputs(kind, kind)
    for rows in (2,) if way == "mindir" else (2, 7, 1):
        x, y = tensor((rows, 3)), tensor((rows, 3), seed=1)
        agrees(run(lambda x, y: net(x, y), x, y), plain(x) * plain(y) + 1, dtypes.float32)


def two_results(way, library, run):
    """A tuple of tensors comes out; its gradient sees both, or zeros for one."""
    x = tensor((2, 3))

    def bprop(x, out, dout):
        return (2.0 * dout[0] + 2.0 * x * dout[1],)

    op = two(way, library, x, bprop)
    double, square = run(lambda x: op(x), x)
    agrees(double, 2 * plain(x), dtypes.float32)
    agrees(square, plain(x) ** 2, dtypes.float32)
    slope = run(lambda x: grad(lambda x: op(x)[1].sum())(x), x)
    agrees(slope, 2 * plain(x), dtypes.float32)
    slope = run(lambda x: grad(lambda x: (10 * op(x)[0] + op(x)[1]).sum())(x), x)
    agrees(slope, 20 + 2 * plain(x), dtypes.float32)


def tuple_of_tensors(way, library, run):
    """Inputs in a tuple: a kernel gets them one by one; other ways refuse them in words."""
    x, y = tensor((2, 3)), tensor((2, 3), seed=1)
    library_ways = ("aot", "jit")
    op = product(way, library, x, y, None)
    if way in library_ways:
        func = op.func
        op = ops.Custom(func, (2, 3), dtypes.float32, way)
        agrees(run(lambda x, y: op((x, y)), x, y), plain(x) * plain(y), dtypes.float32)
    else:
        with pytest.raises((RuntimeError, TypeError), match="tuple|Tuple|input"):
            run(lambda x, y: op((x, y)), x, y).asnumpy()


def two_threads(way, library, run):
    """One op, called from two threads at once, with other tensors in each."""
    op = product(way, library, tensor(LARGE), tensor(LARGE))
    wrong = []

    def work(seed):
        x, y = tensor(LARGE, seed=seed), tensor(LARGE, seed=seed + 1)
        wanted = plain(x) * plain(y)
        try:
            for _ in range(20):
                result = op(x, y)
                if not np.array_equal(plain(result), wanted):
                    wrong.append(seed)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in (3, 11)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def large(way, library, run):
    """So many elements that the GIL is let go."""
    x, y = tensor((300, 400)), tensor((300, 400), seed=1)
    op = product(way, library, x, y)
    for _ in range(3):
        agrees(run(lambda x, y: op(x, y), x, y), plain(x) * plain(y), dtypes.float32)


def a_parameter(way, library, run):
    """A Parameter is an input like any other, and gets a gradient."""

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = ms.Parameter(tensor((2, 3), seed=1), name="weight")
            self.op = product(way, library, self.weight, self.weight)

        def construct(self, x):
            return self.op(x, self.weight).sum()

    net, x = Net(), tensor((2, 3))
    take = grad(net, grad_position=None, weights=net.trainable_params())
    slope = run(lambda x: take(x), x)
    slope = slope[0] if isinstance(slope, tuple) else slope
    agrees(slope, plain(x), dtypes.float32)


def written_after(way, library, run):
    """An input is written to right after the call: the result is that of what it was."""
    x, y = tensor((64, 64)), tensor((64, 64), seed=1)
    wanted = plain(x) * plain(y)
    op = product(way, library, x, y)
    result = run(lambda x, y: op(x, y), x, y)
    x[...] = 0.0
    y.add_(1.0)
    agrees(result, wanted, dtypes.float32)


def results_are_kept(way, library, run):
    """Each call has memory of its own; the op may go before its results are read."""
    x, y = tensor((2, 3)), tensor((2, 3), seed=1)
    op = product(way, library, x, y)
    call = lambda x, y: op(x, y)  # noqa: E731
    results = [run(call, x + i, y) for i in range(4)]
    op = call = None
    gc.collect()
    for i, result in enumerate(results):
        agrees(result, (plain(x) + i) * plain(y), dtypes.float32)


def control_flow(way, library, run):
    """In a loop and a branch that compiled code decides about when it runs."""
    x, y = tensor((2, 3)), tensor((2, 3), seed=1)
    op = product(way, library, x, y)

    def looped(x, y):
        n = x.sum() * 0
        while n < 3:
            x = op(x, y) if x.sum() < 1e6 else x
            n = n + 1
        return x

    agrees(run(looped, x, y), plain(x) * plain(y) ** 3, dtypes.float32)
    slope = run(lambda x, y: grad(looped, 0)(x, y), x, y)
    agrees(slope, plain(y) ** 3, dtypes.float32)


LINES = {
    **{f"dtype {dtype.public}": dtype_line(dtype) for dtype in dtypes.DTYPES},
    **{f"shape {name}": shape_line(shape) for name, shape in SHAPES.items()},
    **{f"view {name}": view_line(name) for name in VIEWS},
    **{
        line.__name__.replace("_", " "): line
        for line in (
            gradients, gradient_without_bprop, second_order, chain, shapes_by_turns, open_shape,
            two_results, tuple_of_tensors, two_threads, large, a_parameter, written_after,
            results_are_kept, control_flow,
        )
    },
}  # fmt: skip
