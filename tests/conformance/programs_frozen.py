"""What is decided when a function is compiled: constants, globals, attributes; mutable."""

import mindspore as ms
from arguments import nothing, scalar, vector
from cases import case
from mindspore import Tensor, nn

factor = 2


def change_factor():
    global factor
    factor += 5
    return vector()


@case(vector, change_factor, strict=False)
def global_that_changes(x):
    return x * factor


@case(lambda: (*vector(), ms.mutable(3)), lambda: (*vector(), ms.mutable(4)))
def mutable_number(x, n):
    return x * n


# globals and attributes ---------------------------------------------------------------------------


table = {"a": 1}


def change_table():
    table["a"] += 1
    return vector()


@case(change_table, change_table, strict=False)
def dict_of_the_module_that_changes(x):
    return x * table["a"]


numbers = [1, 2]


def grow_numbers():
    numbers.append(3)
    return vector()


@case(grow_numbers, grow_numbers, strict=False)
def list_of_the_module_that_grows(x):
    return x * len(numbers)


constant = Tensor([1.0, 2.0, 3.0])


def change_constant():
    global constant
    constant = Tensor([10.0, 20.0, 30.0])
    return vector()


@case(vector, change_constant, strict=False)
def tensor_of_the_module_that_changes(x):
    return x + constant


def helper(x):
    return x + 1


def change_helper():
    global helper
    helper = lambda x: x + 100  # noqa: E731
    return vector()


@case(vector, change_helper, strict=False)
def function_of_the_module_that_changes(x):
    return helper(x)


class Keeper(nn.Cell):
    def __init__(self):
        super().__init__()
        self.k = 2

    @ms.jit
    def construct(self, x):
        return x * self.k


keeper = Keeper()


def change_keeper():
    keeper.k = 10
    return vector()


@case(vector, change_keeper, eager=True)
def attribute_that_changes(x):
    return keeper(x)


@case(eager=True)
def closure_that_changes():
    k = 2

    @ms.jit
    def f(x):
        return x * k

    first = f(*vector())
    k = 5
    return first, f(*vector())


# the key of what was compiled ---------------------------------------------------------------------


@case(
    lambda: (*vector(), 2), lambda: (*vector(), 2.0), lambda: (*vector(), True),
    lambda: (*vector(), "a"), lambda: (*vector(), (1, 2)),
)  # fmt: skip
def constants_of_many_kinds(x, n):
    return n, x


@case(lambda: (*vector(), "double"), lambda: (*vector(), "half"))
def text_decides(x, how):
    if how == "double":
        return x * 2
    return x / 2


@case(lambda: (*vector(), None), lambda: (*vector(), *vector()))
def none_or_a_tensor_is_given(x, y):
    if y is None:
        return x
    return x + y


@case(vector, lambda: (Tensor([1.0, 2.0]),), lambda: (Tensor([1, 2]),), vector)
def shapes_and_dtypes(x):
    return x * 2, x.shape


@case(lambda: (*vector(), {"by": 2}), lambda: (*vector(), {"by": 3}))
def dict_decides(x, options):
    return x * options["by"]


@case(lambda: (*vector(), [1, 2]), lambda: (*vector(), [1, 5]))
def list_decides(x, items):
    return x * items[1]


@case(lambda: (*vector(), ms.float32), lambda: (*vector(), ms.int32))
def dtype_decides(x, dtype):
    return x.astype(dtype)


@case(lambda: (*vector(), ms.ops.sin), lambda: (*vector(), ms.ops.cos))
def function_decides(x, f):
    return f(x)


# mutable ------------------------------------------------------------------------------------------


@case(lambda: (ms.mutable(3), ms.mutable(4)))
def mutable_numbers_calculated_with(a, b):
    return a + b, a * b, a / b, a - b, a // b, a % b, a > b, a == b


@case(lambda: (ms.mutable(2.5),))
def mutable_float(a):
    return a * 2, a + 1


@case(lambda: (ms.mutable(3),), lambda: (ms.mutable(5),))
def mutable_number_decides(n):
    if n > 4:
        return 1
    return 2


@case(lambda: (ms.mutable((1, 2, 3)),), lambda: (ms.mutable((4, 5, 6)),))
def mutable_tuple(t):
    return t[0] + t[2], t


@case(lambda: (ms.mutable([1, 2]),))
def mutable_list(t):
    return t[0] + t[1], len(t)


@case(lambda: (ms.mutable((vector()[0], scalar()[0])),))
def mutable_tuple_of_tensors(t):
    return t[0] * t[1]


@case(lambda: (ms.mutable({"a": vector()[0], "b": scalar()[0]}),))
def mutable_dict(d):
    return d["a"] * d["b"]


@case(lambda: (ms.mutable((1, 2), True),), lambda: (ms.mutable((1, 2, 3), True),))
def mutable_tuple_of_any_length(t):
    return len(t), t[0]


@case(nothing)
def mutable_inside():
    n = ms.mutable(3)
    return n + 1


@case(eager=True)
def mutable_of_a_text():
    return ms.mutable("a")


@case(eager=True)
def mutable_of_any_length_of_a_number():
    return ms.mutable(3, True)


@case(eager=True)
def mutable_of_nothing():
    return ms.mutable(None)
