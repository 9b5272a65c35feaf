"""jvp, jacfwd, jacrev and Hessians in every mode, beyond what MindSpore answers too."""

import numpy as np
import pytest
from grad_modes import (
    DIAGONAL,
    MODES,
    V,
    W,
    both,
    cube,
    numbers,
    product,
    square,
    sum_of_cubes,
    traced,
)

import ms_ext as ms
from ms_ext import Tensor, ops


@pytest.fixture(params=MODES, ids=lambda mode: mode.__name__)
def mode(request):
    return request.param


def test_jvp(mode):
    def f(x, y):
        return ms.jvp(both, (x, y), (x * 0 + 1, y * 0))

    (out, total), (tangent, moved) = mode(f)(Tensor(V), Tensor(W))
    assert (numbers(out), numbers(tangent)) == ([4.0, 10.0, 18.0], W)
    assert (float(total), float(moved)) == (6.0, 3.0)


def test_jvp_of_a_tuple_of_one(mode):
    """MindSpore refuses it."""
    out, tangent = mode(lambda x: ms.jvp(cube, (x,), [x * 0 + 1]))(Tensor(2.0))
    assert (float(out), float(tangent)) == (12.0, 14.0)


def test_what_is_no_tensor_does_not_move(mode):
    out, moved = mode(lambda x: ms.jvp(lambda a: (a * a, 5, [a], None), x, x))(Tensor(3.0))
    assert numbers(out) == (9.0, 5, [3.0], None)
    assert numbers(moved) == (18.0, 0, [3.0], None)


def test_one_tensor_twice_moves_once_each(mode):
    out, moved = mode(lambda x: ms.jvp(product, (x, x), (x * 0, x * 0 + 1)))(Tensor(3.0))
    assert (float(out), float(moved)) == (9.0, 3.0)


def test_a_tangent_broadcasts(mode):
    assert numbers(mode(lambda x: ms.jvp(square, x, Tensor(2.0))[1])(Tensor(V))) == [4.0, 8.0, 12.0]


# Jacobians ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("outer", [ms.jacfwd, ms.jacrev])
@pytest.mark.parametrize("inner", [ms.jacfwd, ms.jacrev, ms.grad])
def test_hessians(mode, outer, inner):
    def hessian(x):
        return outer(inner(sum_of_cubes))(x)

    assert numbers(mode(hessian)(Tensor(V))) == DIAGONAL


@pytest.mark.parametrize("jacobian", [ms.jacfwd, ms.jacrev])
def test_jacobians_have_outputs_first(mode, jacobian):
    def f(m, v):
        return ops.matmul(m, v), (m * m).sum(0)

    def go(m, v):
        return jacobian(f, (0, 1))(m, v)

    m, v = np.arange(6.0).reshape(2, 3), np.array([1.0, 2.0, 3.0])
    (mm, mv), (sm, sv) = mode(go)(Tensor(m), Tensor(v))
    eye2, eye3 = np.eye(2), np.eye(3)
    np.testing.assert_allclose(mm.asnumpy(), np.einsum("ia,b->iab", eye2, v))
    np.testing.assert_allclose(mv.asnumpy(), m)
    np.testing.assert_allclose(sm.asnumpy(), np.einsum("jb,ab->jab", eye3, 2 * m))
    assert sv.shape == (3, 3) and not sv.asnumpy().any()


@pytest.mark.parametrize("jacobian", [ms.jacfwd, ms.jacrev])
@pytest.mark.parametrize("dtype", [ms.float64, ms.float16, ms.int32])
def test_jacobians_in_other_dtypes(mode, jacobian, dtype):
    """MindSpore's are Float32."""
    found = mode(lambda x: jacobian(square)(x))(Tensor([1, 2], dtype))
    assert (found.dtype, numbers(found)) == (dtype, [[2, 0], [0, 4]])


@pytest.mark.parametrize("jacobian", [ms.jacfwd, ms.jacrev])
def test_jacobians_without_elements(mode, jacobian):
    empty = Tensor(np.zeros((0, 2), np.float32))
    assert mode(lambda x: jacobian(square)(x))(empty).shape == (0, 2, 0, 2)
    assert mode(lambda x: jacobian(lambda a: a.sum())(x))(empty).shape == (0, 2)


@pytest.mark.parametrize("jacobian", [ms.jacfwd, ms.jacrev])
@pytest.mark.parametrize(
    "f", [lambda a: a > 2, lambda a: Tensor([1.0, 2.0, 3.0]), lambda a: ops.stop_gradient(a)]
)
def test_jacobians_of_what_does_not_move(mode, jacobian, f):
    def go(x):
        return jacobian(f)(x)

    found = mode(go)(Tensor(V))
    assert found.shape == (3, 3) and not found.asnumpy().any()


@pytest.mark.parametrize("jacobian", [ms.jacfwd, ms.jacrev])
def test_jacobians_through_control_flow(mode, jacobian):
    def f(x):
        s = x * 1
        while s.sum() < 100:
            s = s * x
        if s.sum() > 0:
            s = s * 2
        return s

    if mode is traced:
        pytest.skip("a function that is traced decides once")
    found = mode(lambda x: jacobian(f)(x))(Tensor([1.0, 3.0]))
    np.testing.assert_allclose(found.asnumpy(), [[10.0, 0.0], [0.0, 2 * 5 * 3.0**4]])


def test_a_jacobian_is_one_loop():
    graph = ms.jit(lambda x: ms.jacrev(ops.sin)(x)).graph(Tensor(np.ones(50, np.float32)))
    names = [node.primitive.name for node in graph.order()]
    assert names.count("For") == 1 and len(names) < 12


def test_a_jacobian_of_an_unknown_shape():
    """Each size is compiled for itself."""
    function = ms.jit(lambda x: ms.jacrev(square)(x), dynamic=1)
    for size in (2, 3, 4):
        assert function(Tensor(np.ones(size, np.float32))).shape == (size, size)
    assert function.compiled == 3
