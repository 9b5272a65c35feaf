"""More functions that are not of the Hybrid DSL: scopes, ``with``, and what only strict refuses."""

# ruff: noqa: B007, F821, F841
import numpy as np
from hybrid_refused import REFUSED, answers

from ms_ext.ops import kernel


@answers(
    ValueError,
    "In the function h_redefined written in the Hybrid DSL, the tensor is redefined: c",
)
def h_redefined(a):
    c = output_tensor(a.shape, a.dtype)
    c = output_tensor(a.shape, a.dtype)
    return c


@answers(
    ValueError,
    "In the function h_counter written in the Hybrid DSL, iter var cannot be overwritten: i",
)
def h_counter(a):
    c = output_tensor(a.shape, a.dtype)
    for i in range(2):
        i = 3
    return c


@answers(
    ValueError,
    "In the function h_scope written in the Hybrid DSL, there is a variable used out of the scope "
    "it is defined: d",
)
def h_scope(a):
    c = output_tensor(a.shape, a.dtype)
    for i in range(2):
        d = 1.0
    c[0, 0] = d
    return c


@answers(
    ValueError,
    "One statement with multiple assignments is not allowed in the function h_multiple written in "
    "the Hybrid DSL.",
)
def h_multiple(a):
    c = output_tensor(a.shape, a.dtype)
    d = e = 1.0
    return c


@answers(
    ValueError,
    "Unsupported function in With scope in the function h_with written in the Hybrid DSL: grid ",
)
def h_with(a):
    c = output_tensor(a.shape, a.dtype)
    with grid(c):
        c[0, 0] = 1.0
    return c


@answers(
    ValueError,
    "In the function h_one written in the Hybrid DSL, two inputs are expected by 'attr', but get 1",
)
def h_one(a):
    c = output_tensor(a.shape, a.dtype)
    with attr("x"):
        c[0, 0] = 1.0
    return c


@answers(
    ValueError,
    "In the function h_no_text written in the Hybrid DSL, the first input of 'attr' should be a "
    "string, but get <class 'ast.Name'>",
)
def h_no_text(a):
    c = output_tensor(a.shape, a.dtype)
    with attr(c, 1):
        c[0, 0] = 1.0
    return c


@answers(
    ValueError,
    "In the function h_no_value written in the Hybrid DSL, the second input of 'attr' should be a "
    "string, number or bool value, but get <class 'ast.Name'>",
)
def h_no_value(a):
    c = output_tensor(a.shape, a.dtype)
    with attr("x", c):
        c[0, 0] = 1.0
    return c


@answers(
    ValueError,
    "In the function h_realize_two written in the Hybrid DSL, only one input is accepted by "
    "'block_realize', but get 2",
)
def h_realize_two(a):
    c = output_tensor(a.shape, a.dtype)
    with block_realize(a, c):
        c[0, 0] = 1.0
    return c


@answers(
    ValueError,
    "In the function h_realize_row written in the Hybrid DSL, the input of 'block_realize' should "
    "be a tensor name, but get <class 'ast.Subscript'>",
)
def h_realize_row(a):
    c = output_tensor(a.shape, a.dtype)
    with block_realize(a[0]):
        c[0, 0] = 1.0
    return c


# what strict answers, and the default otherwise ---------------------------------------------------

GUIDE = "For the full support list, please refer to 'Hybrid DSL' at https://www.mindspore.cn."


@kernel
def h_method(a):
    c = output_tensor(a.shape, a.dtype)
    c[0, 0] = np.sin(a[0, 0])
    return c


@kernel
def h_nested(a):
    c = output_tensor(a.shape, a.dtype)

    def f(x):
        return x

    c[0, 0] = f(a[0, 0])
    return c


@kernel
def h_no_return(a):
    c = output_tensor(a.shape, a.dtype)
    c[0, 0] = 1.0


@kernel
def h_atan2(a):
    c = output_tensor(a.shape, a.dtype)
    for i in range(2):
        c[i, 0] = atan2(a[i, 0], 2)
    return c


@kernel
def h_grid(a):
    c = output_tensor(a.shape, a.dtype)
    for i, j in grid(a.shape):
        c[i, j] = expm1(a[i, j])
    return c


#: (function, MindSpore's class and text, ours: class and text, None where it works)
STRICT = [
    (h_method, AttributeError, "'Attribute' object has no attribute 'id'",
     (AttributeError, "function call id [np.sin] not in intrinsics list")),
    (h_nested, TypeError, "In the function h_nested written in the Hybrid DSL, the tensor is "
     "allocated as an output tensor but not in the return value: c",
     (TypeError, "A function inside the function h_nested is not accepted")),
    (h_no_return, None, None, (TypeError, "h_no_return written in the Hybrid DSL returns nothing")),
    (h_atan2, ValueError, f"In the function [h_atan2], function call id [atan2] is not available "
     f"on the device CPU. {GUIDE}", None),
    (h_grid, AttributeError, "'Tuple' object has no attribute 'id'", None),
]  # fmt: skip

__all__ = ["REFUSED", "STRICT"]
