"""Functions that are not of the Hybrid DSL, and what MindSpore 2.10 answered to each.

``REFUSED``: (function, class, text), as seen when ``ops.Custom(f, func_type="hybrid")`` was made.
"""

# ruff: noqa: B007, E731, F821, F841
import numpy as np

from ms_ext.ops import kernel

GLOBAL = 2.0
REFUSED = []


def answers(kind, text):
    """Enter a function with MindSpore's answer."""

    def enter(function):
        made = kernel(function)
        REFUSED.append((made, kind, text))
        return made

    return enter


@answers(
    TypeError, "Keyword 'break' not accepted in the function h_break written in the Hybrid DSL!"
)
def h_break(a):
    c = output_tensor(a.shape, a.dtype)
    for i in range(a.shape[0]):
        break
    return c


@answers(
    TypeError,
    "Keyword 'continue' not accepted in the function h_continue written in the Hybrid DSL!",
)
def h_continue(a):
    c = output_tensor(a.shape, a.dtype)
    for i in range(a.shape[0]):
        continue
    return c


@answers(
    TypeError, "Keyword 'while' not accepted in the function h_while written in the Hybrid DSL!"
)
def h_while(a):
    c = output_tensor(a.shape, a.dtype)
    while True:
        c[0] = 1
    return c


@answers(
    ValueError,
    "In the function h_undeclared written in the Hybrid DSL, there is a undeclared variable: zz",
)
def h_undeclared(a):
    c = output_tensor(a.shape, a.dtype)
    c[0, 0] = zz
    return c


@answers(
    ValueError,
    "In the function h_global written in the Hybrid DSL, there is a undeclared variable: GLOBAL",
)
def h_global(a):
    c = output_tensor(a.shape, a.dtype)
    c[0, 0] = GLOBAL
    return c


@answers(
    ValueError,
    "In the function h_lambda written in the Hybrid DSL, there is a undeclared variable: x",
)
def h_lambda(a):
    c = output_tensor(a.shape, a.dtype)
    f = lambda x: x
    return c


@answers(
    ValueError,
    "In the function h_attr written in the Hybrid DSL, a tensor object has no attribute called "
    "size",
)
def h_attr(a):
    c = output_tensor(a.shape, a.dtype)
    c[0, 0] = a.size
    return c


@answers(
    ValueError,
    "In the function h_attr_scalar written in the Hybrid DSL, getattr is only supported for a "
    "tensor variable after its declaration, not for: d",
)
def h_attr_scalar(a):
    c = output_tensor(a.shape, a.dtype)
    d = a[0, 0]
    c[0, 0] = d.shape
    return c


@answers(
    ValueError,
    "In the function h_attr_expr written in the Hybrid DSL, getattr is only supported for a tensor "
    "object, not for the object with type: <class 'ast.Subscript'>",
)
def h_attr_expr(a):
    c = output_tensor(a.shape, a.dtype)
    c[0, 0] = a[0].shape[0]
    return c


@answers(
    ValueError,
    "In the function [h_unknown], function call id [sinh] not in intrinsics list of the Hybrid "
    "DSL. For the full support list, please refer to 'Hybrid DSL' at https://www.mindspore.cn.",
)
def h_unknown(a):
    c = output_tensor(a.shape, a.dtype)
    c[0, 0] = sinh(a[0, 0])
    return c


@answers(TypeError, "In the function [h_unary], function [exp] expects one input, but get 2.")
def h_unary(a):
    c = output_tensor(a.shape, a.dtype)
    c[0, 0] = exp(a[0, 0], 1)
    return c


@answers(TypeError, "In the function [h_binary], function [power] expects two inputs, but get 1.")
def h_binary(a):
    c = output_tensor(a.shape, a.dtype)
    c[0, 0] = power(a[0, 0])
    return c


@answers(
    TypeError,
    "In the function [h_buffer], function [output_tensor] expects two inputs, but get 3.",
)
def h_buffer(a):
    c = output_tensor(a.shape, a.dtype, "global")
    return c


@answers(
    TypeError,
    "In the function [h_keyword], function [output_tensor] expects two inputs, but get 1.",
)
def h_keyword(a):
    c = output_tensor(a.shape, dtype=a.dtype)
    return c


@answers(
    TypeError,
    "In the function h_not_returned written in the Hybrid DSL, the tensor is allocated as an "
    "output tensor but not in the return value: d",
)
def h_not_returned(a):
    c = output_tensor(a.shape, a.dtype)
    d = output_tensor(a.shape, a.dtype)
    return c


@answers(
    TypeError,
    "In the function h_return_buffer written in the Hybrid DSL, the element in the return value "
    "should be either an input tensor or a tensor allocated by output_tensor, but get name: c",
)
def h_return_buffer(a):
    c = allocate(a.shape, a.dtype)
    return c


@answers(
    TypeError,
    "In the function h_return_sum written in the Hybrid DSL, the return value should be either a "
    "single tensor or a tuple, but get a <class 'ast.BinOp'>.",
)
def h_return_sum(a):
    c = output_tensor(a.shape, a.dtype)
    return c + 1


@answers(
    TypeError,
    "In the function h_return_number written in the Hybrid DSL, the element in the return value "
    "should be the name of a tensor, but get a <class 'ast.Constant'>.",
)
def h_return_number(a):
    c = output_tensor(a.shape, a.dtype)
    return c, 1


@answers(
    TypeError,
    "In the function h_bare_return written in the Hybrid DSL, the return value should be either a "
    "single tensor or a tuple, but get a <class 'NoneType'>.",
)
def h_bare_return(a):
    c = output_tensor(a.shape, a.dtype)
    return


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
