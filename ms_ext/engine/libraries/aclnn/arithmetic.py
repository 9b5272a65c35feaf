"""Kernels of one element at a time, and casts."""

import numpy as np

from ....dtype import from_numpy, named, promote
from ... import errors
from ..places import Form
from .declared import KERNELS, broadcast, kernel


def _promoted(name, x, other):
    meet = promote(*[from_numpy(_numpy(form)) for form in (x, other)])
    return (Form(meet.numpy.name, broadcast(name, x, other)),)


def _numpy(form):
    return named(form.dtype).numpy


def _scaled(other, alpha):
    return other if alpha == 1 else other * np.asarray(alpha, other.dtype)


@kernel
class Add:
    """x + alpha * other."""

    order = ("x", "other", "alpha", "out")

    def infer(x, other, alpha=1):
        return _promoted("Add", x, other)

    def body(x, other, alpha):
        return x + _scaled(other, alpha)


@kernel
class Sub:
    """x - alpha * other."""

    order = ("x", "other", "alpha", "out")

    def infer(x, other, alpha=1):
        return _promoted("Sub", x, other)

    def body(x, other, alpha):
        return x - _scaled(other, alpha)


@kernel
class Mul:
    """x * other."""

    def infer(x, other):
        return _promoted("Mul", x, other)

    def body(x, other):
        return x * other


@kernel
class Div:
    """x / other; whole numbers give float32."""

    def infer(x, other):
        (form,) = _promoted("Div", x, other)
        is_float = named(form.dtype).kind == "float"
        return (form if is_float else Form("float32", form.shape),)

    def body(x, other):
        return x / other


def _floating(name, x):
    if named(x.dtype).kind != "float":
        raise KERNELS[name].refused("needs floating-point numbers", given=str(x))
    return (x,)


def _unary(name, body, sentence):
    def infer(x):
        return (x,) if name in ("Neg", "Abs", "Relu") else _floating(name, x)

    said = {"infer": infer, "body": body, "__doc__": sentence}
    return kernel(type(name, (), said))


for _name, _body, _sentence in [
    ("Exp", np.exp, "e to the x."),
    ("Log", np.log, "The natural logarithm."),
    ("Sqrt", np.sqrt, "The square root."),
    ("Rsqrt", lambda x: 1 / np.sqrt(x), "One over the square root."),
    ("Neg", np.negative, "-x."),
    ("Abs", np.abs, "x without its sign."),
    ("Tanh", np.tanh, "The hyperbolic tangent."),
    ("Relu", lambda x: np.maximum(x, 0), "x where it is positive, else 0."),
]:
    _unary(_name, _body, _sentence)


@kernel
class Cast:
    """x in another dtype; floats become whole numbers by cutting off."""

    def infer(x, dtype):
        try:
            found = named(dtype)
        except errors.InvalidValue:
            raise KERNELS["Cast"].refused(
                "casts to a dtype that tensors have", given=repr(dtype), hint="ms.float32"
            ) from None
        return (Form(found.numpy.name, x.shape),)

    def body(x, dtype):
        return x
