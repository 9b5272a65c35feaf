"""Mistakes that learners make, one function each; their error texts are kept in golden/errors.txt.

Lines matter only relative to each other: the golden text shows a line's number in its function.
"""

# ruff: noqa: F821 - a name that is not defined is one of the mistakes

import numpy as np

import ms_ext as ms
from ms_ext import Tensor, ops, resolve

X = Tensor([1.0, 2.0])
S = Tensor(2.0)


def on(function, *args, **options):
    """A mistake inside compiled code."""
    return lambda: ms.jit(function, **options)(*args)


def uses_try(x):
    try:
        return x
    finally:
        pass


def uses_with(x):
    with x as y:
        return y * 2


def uses_import(x):
    import math

    return x * math.pi


def uses_set(x):
    return x * len({1, 2})


def uses_walrus(x):
    return (y := x) + y


def uses_yield(x):
    yield x


def uses_global_statement(x):
    global S
    S = x
    return x


def unknown_name(x):
    return x * undefined_name


def misspelt_op(x):
    return ops.tanhh(x)


def misspelt_method(x):
    return x.summ()


def one_branch_only(x):
    if x > 0:
        y = x
    return y


def other_dtypes(x):
    if x > 0:
        return x
    return x.astype(ms.float16)


def number_or_tensor(x):
    y = 1
    if x > 0:
        y = x
    return y + 1


def vector_condition(x):
    if x > 0:
        return x
    return -x


def missing_return(x):
    if x > 0:
        return x


def loop_changes_dtype(x):
    y = x
    while y < 10:
        y = (y + 1).astype(ms.float16)
    return y


def range_of_tensor(x):
    for i in range(x):
        x = x + i
    return x


def endless(x):
    y = x
    while True:
        y = y + 1
    return y


def float_of_tensor(x):
    return float(x)


def list_of_tensor(x):
    return x.tolist()


def print_in_one_line(x):
    print(x, end="")
    return x


def python_call_on_tensor(x):
    return sorted(x)


def item_assignment(x):
    pair = (x, x)
    pair[0] = 5.0
    return pair


def item_out_of_range(x):
    x[2] = 5.0
    return x


def unpack_two(x):
    a, b, c = x
    return a + b + c


def missing_argument(x):
    def scale(a, by):
        return a * by

    return scale(x)


def never_returns(x):
    return never_returns(x)


def bad_shapes(x):
    y = x * 2
    return y + Tensor([1.0, 2.0, 3.0])


def bad_axis(x):
    return ops.sum(x, 3)


def bad_reshape(x):
    return x.reshape(3, 5)


def reads_elements(x, out, dout):
    mask = np.array(x) > 0
    return dout * Tensor(mask)


def takes_a_gradient(x, out, dout):
    return ms.grad(ops.exp)(x) * dout


def wrong_shape_inside(x, out, dout):
    return dout * Tensor([1.0, 2.0, 3.0])


def compiled(bprop):
    """The gradient of an op with this bprop, compiled."""
    op = ops.Custom(np.exp, lambda x: x, lambda x: x, bprop=bprop)
    return lambda: ms.jit(ms.grad(op))(X)


def compiled_twice(bprop):
    """The gradient of such a gradient, compiled."""
    once = ms.grad(ops.Custom(np.exp, lambda x: x, lambda x: x, bprop=bprop))
    return lambda: ms.jit(ms.grad(lambda x: once(x)))(X)


def no_module():
    resolve.here()
    try:
        import mindspore.hub  # noqa: F401
    finally:
        resolve.withdraw()


def nothing_wrong(x):
    return x + 1


MISTAKES = {
    "unsupported try": on(uses_try, X),
    "unsupported with": on(uses_with, X),
    "unsupported import": on(uses_import, X),
    "unsupported set": on(uses_set, X),
    "unsupported walrus": on(uses_walrus, X),
    "unsupported yield": on(uses_yield, X),
    "unsupported global": on(uses_global_statement, X),
    "unknown name": on(unknown_name, X),
    "misspelt op in jit": on(misspelt_op, X),
    "misspelt op": lambda: ops.tanhh(X),
    "misspelt method in jit": on(misspelt_method, X),
    "misspelt layer": lambda: ms.nn.Dence,
    "misspelt name of the package": lambda: ms.Tenser,
    "variable in one branch": on(one_branch_only, S),
    "branches of two dtypes": on(other_dtypes, S),
    "number in one branch, tensor in the other": on(number_or_tensor, S),
    "condition on a vector": on(vector_condition, X),
    "missing return": on(missing_return, S, fullgraph=True),
    "loop that changes a dtype": on(loop_changes_dtype, S),
    "range of a tensor": on(range_of_tensor, S),
    "endless loop": on(endless, S),
    "float of two elements": on(float_of_tensor, X),
    "list of a tensor, with fullgraph": on(list_of_tensor, X, fullgraph=True),
    "print with keywords": on(print_in_one_line, S),
    "python call on a tensor, with fullgraph": on(python_call_on_tensor, X, fullgraph=True),
    "assignment to a part of a tuple": on(item_assignment, X),
    "assignment to a part that is not there": on(item_out_of_range, X),
    "unpacking the wrong number": on(unpack_two, X),
    "missing argument of an inner function": on(missing_argument, X),
    "wrong number of arguments": lambda: ms.jit(bad_shapes)(X, X),
    "recursion without end": on(never_returns, S),
    "shapes that do not broadcast, in jit": on(bad_shapes, X),
    "shapes that do not broadcast": lambda: X + Tensor([1.0, 2.0, 3.0]),
    "axis out of range, in jit": on(bad_axis, X),
    "axis out of range": lambda: ops.sum(X, 3),
    "reshape to another size": on(bad_reshape, X),
    "too many operands": lambda: ops.add(X, X, X),
    "too few operands": lambda: ops.add(X),
    "unknown attribute of an op": lambda: ops.sum(X, axes=0),
    "something that is no tensor": lambda: ops.add(X, "two"),
    "NumPy in a bprop, derived once more": compiled_twice(reads_elements),
    "a gradient in a bprop, in jit": compiled(takes_a_gradient),
    "shapes in a bprop, in jit": compiled(wrong_shape_inside),
    "unknown backend": on(nothing_wrong, X, backend="cyton"),
    "unknown pass": on(nothing_wrong, S, passes=["add_neg_to_subb"]),
    "unknown dtype": lambda: ms.dtype.named("float31"),
    "unknown context key": lambda: ms.set_context(mod=0),
    "bad mode": lambda: ms.set_context(mode=3),
    "jit of a NumPy function, with fullgraph": on(np.maximum, X, X, fullgraph=True),
    "a module that is not here": no_module,
    "a NumPy dtype for out_dtype": lambda: ops.Custom(np.abs, (2,), np.float32)(X),
    "gradient at a position that is not there": lambda: ms.grad(lambda x: x, 3)(X),
    "gradient of a NumPy array": lambda: ms.grad(lambda x: x * x)(np.ones(2)),
    "gradient of a complex number": lambda: ms.grad(lambda x: x * x)(3j),
    "Jacobian of a number": lambda: ms.jacrev(lambda x: x * x)(3.0),
    "jvp along another shape": lambda: ms.jvp(lambda x: x * x, X, Tensor([1.0, 2.0, 3.0])),
    "vjp weighed with another shape": lambda: ms.vjp(lambda x: x * x, X)[1](Tensor(1.0)),
    "has_aux of one result": lambda: ms.grad(lambda x: x * x, has_aux=True)(X),
    "gradient that is not there": lambda: ms.get_grad(((0, X), (1, X)), 2),
}
