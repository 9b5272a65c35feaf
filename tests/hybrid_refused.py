"""Functions that are not of the Hybrid DSL, and what MindSpore 2.10 answered to each.

``REFUSED``: (function, class, text), as seen when ``ops.Custom(f, func_type="hybrid")`` was made.
"""

# ruff: noqa: B007, E731, F821, F841
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
