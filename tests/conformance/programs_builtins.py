"""Python's built-in functions in graph mode."""

import mindspore as ms
import numpy as np
from arguments import nothing, scalar, vector
from cases import case
from mindspore import Tensor


@case(vector)
def builtins_on_constants(x):
    a = [len(x), len((1, 2)), len({"a": 1}), max(3, 7), min([4, 2]), sum([1, 2, 3]), abs(-4)]
    b = [round(10.567), pow(2, 3), int("12", 16), float("1.5"), bool([]), str(12)]
    c = (isinstance(x, Tensor), isinstance(3, int), all([1, 0]), any((0, 1)))
    return a, b, c


@case(vector)
def builtins_on_tensors(x):
    return abs(-x), sum(x), max(x), min(x), pow(x, 2)


@case(nothing)
def sequences():
    z = zip((1, 2), (3, 4))  # noqa: B905 - strict is not for graph mode
    e = enumerate([10, 20], 1)
    m = map(lambda a: a + 1, (1, 2))
    f = filter(lambda a: a > 1, [1, 2, 3])
    return z, e, m, f, range(0, 6, 2)


@case(vector)
def comprehensions(x):
    a = [x * i for i in range(3) if i != 1]
    b = {k: v for k, v in (("a", 1), ("b", 2))}
    c = [i * j for i in (1, 2) for j in (3, 4)]
    return a, b, c


@case(vector)
def lists_and_dicts(x):
    a = [x, 1]
    a.append(x + 1)
    a[1] = 5
    d = {"k": x}
    d["n"] = 3
    return a, d, list(d.keys()), d["n"] in (3, 4)


@case(vector)
def unpacking(x):
    a, (b, *c) = x, (1, 2, 3)
    first, second, third = x
    return a, b, c, first, second, third


@case(vector)
def attributes_of_tensors(x):
    return x.shape, x.dtype, x.ndim, x.size, getattr(x, "shape"), hasattr(x, "nosuch")  # noqa: B009


# making numbers and texts -------------------------------------------------------------------------


@case(nothing)
def int_of_constants():
    return 0, int(3.6), int("12"), int("12", 16), int("0xa", 16), int("10", 8), int(True)


@case(lambda: (Tensor([-1.5]),), scalar)
def int_of_tensors(x):
    return int(x)


@case(nothing)
def float_of_constants():
    return 0.0, float(1), float("1.5"), float(True), (-123.5)


@case(lambda: (Tensor([-1], ms.int32),), scalar)
def float_of_tensors(x):
    return float(x)


@case(vector)
def int_of_many(x):
    return int(x)


@case(nothing)
def bool_of_constants():
    return False, bool(0), bool("abc"), bool([1]), bool(()), bool({}), bool(0.5), bool(None)


@case(scalar, lambda: (Tensor(0.0),))
def bool_of_tensors(x):
    return bool(x)


@case(vector)
def bool_of_many(x):
    return bool(x)


@case(nothing)
def str_of_constants():
    return "", str(0), str(2.5), str([1, 2]), str((1,)), str(True), str(None), str({"a": 1})


@case(nothing)
def str_of_a_constant_tensor():
    return str(Tensor([10]))


@case(nothing)
def str_of_an_array():
    return str(np.array([1, 2, 3]))


@case(vector)
def str_of_a_tensor(x):
    return str(x)


# containers ---------------------------------------------------------------------------------------


@case(nothing)
def tuple_of_many():
    return tuple((1, 2)), tuple([1, 2]), tuple({"a": 1}), tuple(), tuple(range(3))  # noqa: C408


@case(vector)
def tuple_of_a_tensor(x):
    return tuple(x)


@case(nothing)
def tuple_of_an_array():
    return tuple(np.array([1, 2]))


@case(nothing)
def list_of_many():
    return list((1, 2)), list([1]), list({"a": 1}), list(), list("ab")  # noqa: C408, C411


@case(vector)
def list_of_a_tensor(x):
    return list(x)


@case(vector)
def len_of_many(x):
    return len(x), len("abc"), len(()), len([1, [2, 3]]), len({"a": 1}), len(range(5))


@case(scalar)
def len_of_a_tensor_without_axes(t):
    return len(t)


@case(nothing)
def len_of_a_number():
    return len(3)


@case(nothing)
def range_of_numbers():
    return range(0, 6, 2), range(2, 5), range(3), range(3, 0, -1), range(0)


@case(lambda: (3,))
def range_of_an_argument(n):
    return range(n)


@case(nothing)
def range_of_a_float():
    return range(3.0)


@case(nothing)
def range_with_step_zero():
    return range(0, 3, 0)


@case(vector)
def enumerate_of_many(x):
    return enumerate((5, 6), 3), enumerate([7]), enumerate(x)


@case(nothing)
def zip_of_many():
    return zip((1, 2, 3), [4, 5]), zip(), zip((1,))  # noqa: B905


@case(nothing)
def zip_of_a_number():
    return zip(3, (1, 2))  # noqa: B905
