"""Built-in functions that choose, reduce and ask for kinds."""

import numpy as np
from arguments import matrix, nothing, vector
from cases import case
from mindspore import Parameter, Tensor

# choosing and reducing ----------------------------------------------------------------------------


@case(nothing)
def all_of_many():
    return all(["a", ""]), all(("a", "b")), all([]), all([0, 1]), all({"a": 1})


@case(nothing)
def any_of_many():
    return any(["a", ""]), any(("", 0)), any([]), any([False, 1]), any({})


@case(vector, lambda: (Tensor([1.0, 0.0]),))
def all_and_any_of_a_tensor(x):
    return all(x), any(x)


@case(nothing)
def max_and_min_of_constants():
    return max([0, 3, 1]), min((2, 1)), max(1, 2.5), min("b", "a"), max((1, 2, 3), (1, 4))


@case(nothing)
def max_and_min_of_dicts():
    return max({1: 10, 2: 3}), min({1: 10, 2: 3})


@case(nothing)
def max_of_an_array():
    return max(np.array([1, 4, 2]))


@case(vector)
def max_and_min_of_a_tensor(x):
    return max(x), min(x)


@case(vector)
def max_of_a_tensor_and_a_number(x):
    return max(x[0], 2), min(x[2], 2)


@case(vector)
def max_of_two_tensors(x):
    return max(x[0], x[1]), min(x[0], x[1])


@case(matrix)
def max_of_a_matrix(m):
    return max(m)


@case(nothing)
def max_of_nothing():
    return max([])


@case(nothing)
def max_of_a_number_alone():
    return max(3)


@case(nothing)
def sum_of_constants():
    return sum([0, 1, 2]), sum((1.5, 2), 10), sum(())


@case(matrix)
def sum_of_tensors(m):
    return sum(m), sum([1, m], m), sum(m[0], 10)


@case(nothing)
def sum_of_a_number():
    return sum(3)


@case(nothing)
def abs_of_constants():
    return abs(-45), abs(2.5), abs(True), abs(0)


@case(nothing)
def pow_of_constants():
    return pow(2, 3), pow(2.0, 2), pow(3, 0)


@case(vector)
def pow_of_tensors(x):
    return pow(x, x), pow(2, x), pow(x, 2)


@case(nothing)
def round_of_constants():
    return round(10), round(10.5), round(11.5), round(10.567, 1), round(10.72, -1), round(17, -1)


@case(lambda: (Tensor([1.4, 2.6]),))
def round_of_a_tensor(x):
    return round(x)


@case(nothing)
def map_of_many():
    return map(lambda a, b: a + b, (1, 2), (3, 4)), map(lambda a: a * 2, [1, 2])


@case(vector)
def map_of_tensors(x):
    return map(lambda a: a * 2, (x, x + 1))


@case(vector)
def map_of_a_builtin(x):
    return map(abs, (-1, 2)), map(len, ((1,), (1, 2)))


@case(nothing)
def filter_of_many():
    return filter(lambda a: a % 2, (1, 2, 3)), filter(lambda a: a > 5, [6, 7, 1])


@case(vector, strict=False)
def filter_by_a_tensor(x):
    return filter(lambda a: a > 1.5, [x[0], x[1]])


@case(nothing)
def reversed_of_many():
    return list(reversed([1, 2])), tuple(reversed((1, 2)))


@case(nothing)
def sorted_of_numbers():
    return sorted([3, 1, 2])


# kinds --------------------------------------------------------------------------------------------


@case(vector)
def isinstance_of_many(x):
    a = isinstance(x, Tensor), isinstance(x, (int, Tensor)), isinstance(x, Parameter)
    b = isinstance((1,), tuple), isinstance([1], list), isinstance({}, dict), isinstance("", str)
    c = isinstance(1, float), isinstance(True, int), isinstance(None, type(None))
    return a, b, c


@case(nothing)
def isinstance_without_a_type():
    return isinstance(1, 2)


@case(nothing)
def type_of_many():
    return int, float, type([1]), type((1,)), type({"a": 1}), str, bool


@case(nothing)
def type_of_an_array():
    return type(np.array([1]))


@case(nothing)
def type_of_a_constant_tensor():
    return type(Tensor([1]))


@case(vector)
def types_compared(x):
    return int == int, type(x) == Tensor  # noqa: E721


@case(vector)
def getattr_of_many(x):
    return getattr(x, "shape"), getattr(x, "nosuch", 5)  # noqa: B009


@case(vector)
def getattr_without_it(x):
    return getattr(x, "nosuch")  # noqa: B009


@case(vector)
def hasattr_of_many(x):
    return hasattr(x, "shape"), hasattr(x, "nosuch"), hasattr([1], "append")


@case(nothing)
def builtins_that_are_constants():
    return divmod(7, 2), ord("a"), chr(98), hex(10), bin(5), repr(1)


@case(nothing)
def callable_and_issubclass():
    return callable(len), issubclass(int, object)


@case(nothing)
def complex_number():
    return complex(1, 2)


@case(nothing)
def slice_object():
    return [1, 2, 3][slice(0, 2)]
