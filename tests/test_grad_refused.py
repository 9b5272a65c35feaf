"""What the grad family refuses, with a way out; and where it is found."""

import numpy as np
import pytest
from grad_modes import cube, eager, in_graph_mode

import ms_ext as ms
from ms_ext import Parameter, Tensor, ops
from ms_ext.engine import errors


def plain(*args):
    return args[0] * args[0]


COMPLEX = np.array([1 + 2j], np.complex64)


@pytest.mark.parametrize(
    "call",
    [
        lambda: Tensor(COMPLEX),
        lambda: Tensor(1 + 2j),
        lambda: Tensor.from_numpy(COMPLEX),
        lambda: Parameter(COMPLEX),
        lambda: ms.grad(plain)(COMPLEX),
        lambda: ms.grad(plain)(1 + 2j),
        lambda: ms.jit(ms.grad(plain))(1 + 2j),
        lambda: ms.value_and_grad(plain, 1)(Tensor(1.0), COMPLEX),
    ],
)
def test_complex_numbers_are_refused(call):
    with pytest.raises(TypeError, match="complex") as caught:
        call()
    assert "Use two tensors" in caught.value.hint


@pytest.mark.parametrize("mode", [eager, ms.jit], ids=["eager", "jit"])
@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda x: ms.grad(plain)(np.ones(2)), TypeError, "Input 0 is a NumPy array"),
        (lambda x: ms.grad(plain, sens_param=True)(), TypeError, "the last argument weighs"),
        (lambda x: ms.grad(plain, sens_param=1)(x), TypeError, "'sens_param' should be bool"),
        (lambda x: ms.vjp(3, x), TypeError, "should be callable, but got int"),
        (lambda x: ms.jvp(x, x, x), TypeError, "should be callable"),
        (lambda x: ms.jacrev("f"), TypeError, "should be callable, but got str"),
        (lambda x: ms.jacfwd(plain, "0")(x), TypeError, "must be int or tuple"),
        (lambda x: ms.jacrev(plain)(3.0), TypeError, "not a tensor, so it has no Jacobian"),
        (lambda x: ms.jacrev(lambda a: 3.0)(x), TypeError, "of a tensor or a tuple of tensors"),
        (lambda x: ms.jacfwd(plain, 1)(x), ValueError, "must belong to"),
        (lambda x: ms.jvp(plain, (x, x), (x,)), ValueError, "should be 2, but got 1"),
        (lambda x: ms.jvp(plain, x, Tensor([1.0, 2.0])), ValueError, "The shape of v should be"),
        (lambda x: ms.jvp(plain, x, Tensor(1)), TypeError, "dtype1 = Int64, dtype2 = Float32"),
        (lambda x: ms.vjp(plain, x)[1](1.0), TypeError, "The inputs type must be Tensor"),
        (lambda x: ms.vjp(plain, x)[1](Tensor(1)), TypeError, "Int64"),
        (lambda x: ms.vjp(plain, x)[1](Tensor([1.0])), ValueError, "should be"),
        (lambda x: ms.vjp(plain, x)[1](x, x), (RuntimeError, TypeError), "sens|join"),
        (lambda x: ms.vjp(plain, x, weights=3), TypeError, "expected to be a tensor"),
        (lambda x: ms.vjp(plain, x, has_aux=True), ValueError, "more than one outputs"),
        (lambda x: ms.grad(plain, None, [3])(x), TypeError, "must be Parameters"),
        (lambda x: ms.get_grad((0, x), 1), RuntimeError, "position or Parameter 1"),
        (lambda x: ms.get_grad((0, x), "w"), TypeError, "an integer or a Parameter"),
    ],
)
def test_refused_with_a_way_out(mode, call, kind, text):
    with pytest.raises(kind, match=text) as caught:
        mode(call)(Tensor(2.0))
    assert isinstance(caught.value, errors.MsExtError)
    assert caught.value.given or caught.value.hint


@pytest.mark.parametrize("wrong", [{"position": 0}, {"fn": 3}])
def test_a_keyword_that_is_none_in_compiled_code(wrong):
    with pytest.raises(RuntimeError, match="keyword|argument") as caught:
        ms.jit(lambda x: ms.grad(plain, **wrong)(x))(Tensor(1.0))
    assert "grad(fn, grad_position=0" in caught.value.hint


def test_a_pullback_cannot_be_returned_by_compiled_code():
    with pytest.raises(RuntimeError, match="Function in output is not supported"):
        ms.jit(lambda x: ms.vjp(plain, x))(Tensor(1.0))


@pytest.mark.parametrize(
    "name", ["grad", "value_and_grad", "vjp", "jvp", "jacfwd", "jacrev", "get_grad"]
)
def test_the_same_in_ops(name):
    assert getattr(ops, name) is getattr(ms, name)


def test_a_gradient_in_graph_mode_is_compiled_once():
    gradient = ms.grad(cube)
    found = in_graph_mode(lambda: [float(gradient(Tensor(float(x)))) for x in (1, 2)])()
    assert found == [5.0, 14.0] and gradient._compiled.compiled == 1
