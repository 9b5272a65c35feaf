"""What jit may be told, and how a function is captured."""

import linecache

import mindspore as ms
import numpy as np
from arguments import nothing, pair, scalar, vector
from cases import case
from mindspore import Tensor, mint, ops


def plus_one(x):
    return x + 1


def with_option(name, value):
    return lambda: (name, value)


REFUSED = {
    "capture_mode": ("AST", 3, None, ["ast"]),
    "jit_level": ("O2", 0, None, "o0"),
    "dynamic": (True, 2, -1, "1", None, 1.0),
    "fullgraph": (1, None, "True", 0),
    "backend": (3, "nosuch"),
    "exec_order": ("x", 3),
    "disable_format_transform": (1,),
    "auto_offload": ("x",),
    "ge_options": (3, {"a": 1}, {"global": 3}),
    "infer_boost": ("x", 1),
}


@case(*[with_option(name, v) for name, values in REFUSED.items() for v in values], eager=True)
def option_refused(name, value):
    ms.jit(plus_one, **{name: value})
    return "decorated"


ACCEPTED = {
    "capture_mode": ("ast",),
    "jit_level": ("O0", "O1"),
    "dynamic": (0, 1),
    "fullgraph": (True, False),
    "backend": ("", "ms_backend"),
    "exec_order": ("bfs", "dfs"),
    "disable_format_transform": (True,),
    "infer_boost": ("off",),
    "nosuch": (1,),
}


@case(*[with_option(name, v) for name, values in ACCEPTED.items() for v in values], eager=True)
def option_accepted(name, value):
    return ms.jit(plus_one, **{name: value})(Tensor([1.0, 2.0]))


@case(vector, eager=True)
def option_infer_boost(x):
    return ms.jit(plus_one, infer_boost="on")(x)


@case(lambda: (3,), lambda: (None,), lambda: ("text",), lambda: ([1],), eager=True)
def jit_of_what_is_no_function(value):
    return ms.jit(value)


@case(vector, eager=True)
def positional_option(x):
    return ms.jit(plus_one, "ast")(x)


@case(vector, eager=True)
def jit_of_an_op(x):
    return ms.jit(ops.sin)(x)


@case(vector, eager=True)
def jit_of_jit(x):
    return ms.jit(ms.jit(plus_one))(x)


@case(vector, eager=True)
def jit_that_is_called_empty(x):
    return ms.jit()(plus_one)(x)


@case(eager=True)
def name_of_what_is_compiled():
    return ms.jit(plus_one).__name__


@case(vector, eager=True)
def jit_calls_jit(x):
    inner = ms.jit(plus_one)

    @ms.jit
    def f(y):
        return inner(y) * 2

    return f(x)


# where the text is --------------------------------------------------------------------------------

TEXT = "def told(x):\n    return x * 3\n"


@case(vector, eager=True, says="can not compile temporary source code in terminal.")
def text_from_exec(x):
    space = {"__name__": __name__}
    exec(TEXT, space)
    return ms.jit(space["told"])(x)


@case(vector, eager=True)
def text_from_linecache(x):
    name, space = "<cell 1>", {"__name__": __name__}
    linecache.cache[name] = (len(TEXT), None, TEXT.splitlines(True), name)
    exec(compile(TEXT, name, "exec"), space)
    return ms.jit(space["told"])(x)


@case(vector, eager=True)
def lambda_on_a_line(x):
    f = lambda y: y * 2  # noqa: E731
    return ms.jit(f)(x)


@case(vector, eager=True)
def lambda_in_a_call(x):
    return ms.jit(lambda y: y * 2)(x)


def decorated_by(n):
    def decorate(function):
        def wrapped(x):
            return function(x) * n

        return wrapped

    return decorate


@ms.jit
@decorated_by(5)
def wrapped_twice(x):
    return x + 1


@case(vector, eager=True)
def decorated_function(x):
    return wrapped_twice(x)


# trace and bytecode -------------------------------------------------------------------------------


@case(pair, strict=False, capture_mode="trace")
def trace_of_functions(a, b):
    return mint.add(a, b) * 2, ops.add(a, b)


@case(pair, strict=False, capture_mode="trace")
def trace_of_an_operator(a, b):
    return a + b


@case(vector, lambda: (-vector()[0],), strict=False, capture_mode="trace")
def trace_freezes_a_branch(x):
    if x.sum() > 0:
        return x * 2
    return x * 3


@case(vector, strict=False, capture_mode="trace")
def trace_of_a_loop(x):
    for i in range(3):
        x = ops.add(x, i)
    return x


@case(lambda: (*vector(), 2), lambda: (*vector(), 3), strict=False, capture_mode="trace")
def trace_with_a_number(x, n):
    return ops.mul(x, n)


@case(vector, strict=False, capture_mode="trace")
def trace_of_containers(x):
    return [x * 2, (x * 3,)]


@case(pair, strict=False, capture_mode="bytecode")
def bytecode_of_an_operator(a, b):
    return a + b


@case(vector, strict=False, capture_mode="bytecode")
def bytecode_of_a_loop(x):
    for i in range(3):
        x = x + i
    return x


# dynamic shapes -----------------------------------------------------------------------------------


@case(vector, lambda: (Tensor([1.0, 2.0]),), lambda: (Tensor([1.0]),), dynamic=1)
def dynamic_lengths(x):
    return x * 2 + x.sum()


@case(vector, lambda: (Tensor(np.ones((2, 2), np.float32)),), dynamic=1)
def dynamic_ranks(x):
    return (x * 2).sum()


@case(scalar, nothing, dynamic=1)
def dynamic_and_too_few(x):
    return x


@ms.jit(dynamic=1)
def reshaped(x):
    return x.reshape(-1) * 2, x.shape


@case(lambda: (Tensor(np.ones((2, 3), np.float32)),),
      lambda: (Tensor(np.ones((4, 1), np.float32)),), eager=True)  # fmt: skip
def dynamic_shapes_reshaped(x):
    return reshaped(x)
