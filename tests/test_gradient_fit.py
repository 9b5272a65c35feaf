"""A gradient gets the shape and dtype of its operand: fuzzed against plain sums, in both modes.

Whole numbers are added, so every sum is exact in every dtype, whatever its order.
"""

import numpy as np
import pytest
from drawn_operands import laid_out

import ms_ext as ms
from ms_ext import Tensor, ops
from ms_ext.engine import backends, infer, tape
from ms_ext.engine.autodiff import vjp
from ms_ext.engine.ir import FuncGraph
from ms_ext.engine.primitive import OPS

KINDS = ["float16", "float32", "float64", "int32", "int8"]


def by_sum(found, shape):
    """``found``, summed one axis after the other until it has ``shape``."""
    while found.ndim > len(shape):
        found = found.sum(axis=0, dtype=found.dtype)
    for axis, size in enumerate(shape):
        if size == 1:
            found = found.sum(axis=axis, keepdims=True, dtype=found.dtype)
    return found


def shapes(rng, most=5):
    """Two shapes that broadcast: ranks up to 5, sizes 0 to 3, ones and missing axes anywhere."""
    whole = rng.choice([0, 1, 2, 3], rng.integers(most + 1), p=[0.05, 0.2, 0.35, 0.4])
    for _ in range(2):
        cut = rng.integers(whole.size + 1) if rng.random() < 0.5 else 0
        yield tuple(1 if rng.random() < 0.3 else int(n) for n in whole[cut:])


#: op -> (dx, dy) before they are fitted, by its operands and dout.
RULES = {
    "Add": lambda x, y, d: (d, d),
    "Sub": lambda x, y, d: (d, -d),
    "Mul": lambda x, y, d: (d * y, d * x),
    "Maximum": lambda x, y, d: (np.where(x > y, d, 0), np.where(y > x, d, 0)),
    "FloorDiv": lambda x, y, d: (d * 0, d * 0),
    "FloorMod": lambda x, y, d: (d, -d * np.floor(x / y)),
}


def drawn(rng, name):
    """Operands of two shapes and dtypes, and a dout: whole numbers, x never equal to y."""
    one, other = shapes(rng)
    kinds = rng.choice(KINDS, 2)
    x = np.asarray(2 * rng.integers(-3, 4, one)).astype(kinds[0])
    y = np.asarray(2 * rng.integers(-2, 2, other) + 1).astype(kinds[1])
    operands = (y, x) if name == "Maximum" and rng.random() < 0.5 else (x, y)
    dout = np.asarray(rng.integers(-2, 3, np.broadcast_shapes(one, other)))
    return operands, dout


def expected(name, operands, dout):
    """Each gradient in float64, summed, then cast to its operand's dtype."""
    wide = [x.astype(np.float64) for x in operands]
    rules = RULES[name](*wide, dout.astype(np.float64))
    return [
        by_sum(np.broadcast_to(rule, dout.shape), x.shape).astype(x.dtype)
        for rule, x in zip(rules, operands, strict=True)
    ]


def compiled(name, operands, dout):
    """The gradients that graph mode finds."""
    graph = FuncGraph(name)
    parameters = [graph.add_parameter(infer.abstract_of(x)) for x in operands]
    node = graph.add(OPS[name], parameters)
    graph.returns(node)
    given = (*operands, dout.astype(node.abstract.dtype.numpy))
    return backends.build("reference", vjp(graph))(*given)


def check(name, seed):
    rng = np.random.default_rng([seed, len(name)])
    operands, dout = drawn(rng, name)
    what = f"{name} {[(x.dtype.name, x.shape) for x in operands]} seed {seed}"
    wanted = expected(name, operands, dout)
    tensors = tuple(laid_out(rng, x) for x in operands)
    eager = tape.differentiate(OPS[name], tensors, (0, 1), sens=Tensor(dout))[1]
    in_graph = compiled(name, operands, dout)
    for tensor, array, want in zip(eager, in_graph, wanted, strict=True):
        for found in (tensor.asnumpy(), np.asarray(array)):
            assert (found.shape, found.dtype) == (want.shape, want.dtype), what
            np.testing.assert_array_equal(found, want, err_msg=what)


@pytest.mark.parametrize("name", RULES)
def test_broadcast_operands(name):
    for seed in range(60):
        check(name, seed)


@pytest.mark.long
@pytest.mark.parametrize("name", RULES)
def test_many_broadcast_operands(name):
    for seed in range(60, 3000):
        check(name, seed)


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
@pytest.mark.parametrize("shape", [(1, 3), (3,), (1, 1), ()])
def test_half_floats_are_added_in_float32(kind, shape):
    """5000 ones are 5000: added in float16 they would stay at 2048."""
    dtype = getattr(ms, kind)
    bias, x = ops.zeros(shape, dtype), ops.ones((5000, 3), dtype)
    count = 5000 if 3 in shape else 15000
    want = ops.full(shape, count).astype(dtype).tolist()
    assert ms.grad(ops.add)(bias, x).tolist() == want
    assert ms.jit(ms.grad(ops.add))(bias, x).tolist() == want


@pytest.mark.parametrize("f", [ops.mean, ops.amax], ids=["mean", "amax"])
def test_more_elements_than_float16_can_count(f):
    """100,000 of them; MindSpore 2.10 gives zeros."""
    x = ops.ones((100000,), ms.float16)

    def scaled(x):
        return f(x) * 1024

    want = np.float16(1024 / 100000)
    for gradient in (ms.grad(scaled)(x), ms.jit(ms.grad(scaled))(x)):
        assert gradient.dtype is ms.float16
        np.testing.assert_array_equal(gradient.asnumpy(), want)


@pytest.mark.parametrize("f", [ops.prod, ops.ReduceProd()], ids=["prod", "ReduceProd"])
def test_a_product_whose_parts_leave_the_range_of_float16(f):
    """300 * 300 is too large for float16, and the product is not."""
    x = Tensor([300, 300, 0.001, 0.001], ms.float16)
    others = x.asnumpy().astype(np.float64)
    want = np.prod(others) / others
    for gradient in (ms.grad(f)(x), ms.jit(ms.grad(f))(x)):
        assert gradient.dtype is ms.float16
        np.testing.assert_allclose(gradient.asnumpy(), want, 2e-3)


def test_a_product_is_multiplied_in_the_dtype_that_is_asked_for():
    x = Tensor([300, 300, 300], ms.float16)
    assert ms.grad(lambda x: ops.prod(x, dtype=ms.float32) / 9e4)(x).tolist() == [1, 1, 1]


def test_a_sum_that_has_no_value_is_silent():
    """inf - inf in a sum over a broadcast axis is NaN, and no warning of NumPy's."""
    x, y = Tensor([1.0, 1.0]), Tensor(0.0)
    found = ms.grad(lambda y: ops.div(x * Tensor([1.0, -1.0]), y))(y)
    assert np.isnan(found.item())


def test_the_second_derivative_goes_through_a_fitted_gradient():
    """f = sum((x + b)**3), x of shape (2, 3), b of (3,): the gradient is fitted on the way."""
    x, b = Tensor(np.arange(6.0).reshape(2, 3)), Tensor(np.float64([1, 2, 3]))

    def slope(b):
        return tape.differentiate(lambda b: (x + b) ** 3, (b,))[1][0]

    got = tape.differentiate(slope, (b,))[1][0].asnumpy()
    np.testing.assert_allclose(got, (6 * (x.asnumpy() + b.asnumpy())).sum(axis=0))
