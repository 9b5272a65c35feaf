"""Operators in graph mode: on numbers, texts, tuples and tensors."""

import mindspore as ms
from arguments import matrix, nothing, pair, scalar, truth, vector, whole
from cases import case
from mindspore import Tensor


@case(nothing)
def arithmetic_of_numbers():
    return 7 + 2, 7 - 2, 7 * 2, 7 / 2, 7 // 2, 7 % 2, 7**2, -7, +7


@case(nothing)
def arithmetic_of_negative_numbers():
    return -7 // 2, -7 % 3, 7 // -2, 7 % -3, -7.5 // 2, 7.5 % -2


@case(nothing, strict=False)
def power_to_a_negative_number():
    return 2**-1, pow(4, -1)


@case(nothing)
def arithmetic_of_floats():
    return 1.5 + 2, 1.5 - 2, 1.5 * 2, 1.5 / 2, 1.5 // 2, 1.5 % 2, 1.5**2


@case(nothing)
def bits_of_numbers():
    return 6 & 3, 6 | 3, 6 ^ 3, 6 << 1, 6 >> 1


@case(nothing)
def invert_a_number():
    return ~6


@case(nothing)
def comparisons_of_numbers():
    return 1 < 2, 1 <= 1, 2 > 3, 2 >= 2, 1 == 1.0, 1 != 2


@case(nothing)
def division_by_zero():
    return 1 / 0


@case(nothing)
def whole_division_by_zero():
    return 1 // 0


@case(nothing)
def remainder_by_zero():
    return 5 % 0


@case(vector)
def arithmetic_with_a_number(x):
    return x + 1, x - 1, x * 2, x / 2, x // 2, x % 2, x**2, -x, +x


@case(vector)
def arithmetic_with_a_number_first(x):
    return 1 + x, 1 - x, 2 * x, 2 / x, 7 // x, 7 % x, 2**x


@case(pair)
def arithmetic_of_tensors(x, y):
    return x + y, x - y, x * y, x / y, x // y, x % y, x**y


@case(whole)
def arithmetic_of_whole_tensors(x):
    return x + 1, x * 2, x / 2, x // 2, x % 2, x**2, x + 1.5, x * True


@case(whole)
def bits_of_tensors(x):
    return x & 3, x | 4, x ^ 1


@case(truth)
def bits_of_bool_tensors(t):
    return t & False, t | False, t ^ True, ~t


@case(whole)
def invert_a_whole_tensor(x):
    return ~x


@case(whole)
def shift_of_a_tensor(x):
    return x << 1


@case(pair)
def comparisons_of_tensors(x, y):
    return x < y, x <= y, x > y, x >= y, x == y, x != y


@case(vector)
def comparisons_with_numbers(x):
    return x < 2, 2 <= x, x > 2, 2 >= x, x == 2, 2 != x


@case(matrix)
def matrix_product(m):
    return m @ m.T


@case(vector)
def tensors_and_tuples(x):
    return x + (1, 2, 3), [1, 2, 3] * x


@case(vector, strict=False, says="Failed calling")
def tensor_and_text(x):
    return x + "a"


@case(nothing)
def number_and_text():
    return 1 + "a"


@case(vector, strict=False, says="Failed calling")
def tensor_and_none(x):
    return x + None


@case(nothing)
def texts():
    a, b = "Hello", "World"
    return a + b, a * 2, a[0], b[1:3], "H" in a, "x" not in a, a == b, a < b


@case(nothing)
def texts_with_values():
    return "n is %d" % 3, "{} and {}".format(1, "two"), "%s!" % "name"  # noqa: UP031


@case(nothing)
def f_strings():
    n, t = 3, "two"
    return f"{n} and {t}", f"{n + 1}", f"{n!r}"


@case(nothing, strict=False)
def f_string_with_a_format():
    return f"{3:02d} {2.5:.3f}"


@case(vector, strict=False)
def f_string_of_a_tensor(x):
    return f"x is {x}"


@case(vector)
def f_string_of_a_shape(x):
    return f"{x.ndim} {x.dtype}"


@case(vector, strict=False)
def f_string_of_a_tuple_of_one(x):
    return f"{x.shape}"


@case(vector)
def members(x):
    return 1 in (1, 2), 3 not in [1, 2], "a" in {"a": 1}, x.shape in ((3,), (2,)), 2 in range(3)


@case(vector, strict=False)
def tensor_in_a_list(x):
    return x[0] in [1.0, 5.0]


@case(nothing)
def none_compared():
    return None == 1, None != 1, (None, 1) == (None, 1), (None, 1) in ((None, 1), 2)


@case(vector)
def augmented_numbers(x):
    n, f, t = 7, 2.5, "a"
    n += 1
    n -= 2
    n *= 3
    n //= 2
    n %= 6
    n **= 2
    f /= 2
    t += "b"
    t *= 2
    return n, f, t


@case(vector)
def augmented_containers(x):
    a = (1,)
    a += (2, x)
    b = [1]
    b += [x]
    b *= 2
    return a, b


@case(vector)
def augmented_tensors(x):
    y = x * 1
    y += 1
    y -= 2
    y *= 3
    y /= 2
    y //= 1
    y %= 2
    y **= 2
    return y


@case(whole, strict=False)
def augmented_with_another_dtype(x):
    y = x * 1
    y += 1.5
    return y


@case(lambda: (*vector(), Tensor([[1.0], [2.0]])))
def augmented_with_another_shape(x, y):
    x += y
    return x


@case(lambda: (*vector(), Tensor([1.0, 2.0])), says="broadcast")
def shapes_that_do_not_fit(x, y):
    return x + y


@case(scalar)
def dtypes_that_meet(t):
    return t + 1.5, t * ms.Tensor(2, ms.int64), t + True, t / 4


# parts of tensors ---------------------------------------------------------------------------------


@case(matrix)
def parts(m):
    return m[0], m[1, 2], m[:, 1], m[-1], m[..., 0], m[None].shape, m[0:1, ::2]


@case(matrix)
def part_of_a_part(m):
    return m[0][1], m.T[2][0]


@case(vector)
def parts_by_a_tensor(x):
    return x[x > 1.5], x[Tensor([0, 2])]


@case(vector)
def parts_by_a_list(x):
    return x[[0, 2]], x[[True, False, True]]


@case(lambda: (*vector(), Tensor(1, ms.int32)))
def part_by_a_scalar_tensor(x, i):
    return x[i], x[i:], x[:i]


@case(vector, says="")
def part_outside(x):
    return x[3]


@case(vector)
def too_many_indices(x):
    return x[0, 0]


@case(vector, strict=False, says="Unsupported Python object type")
def part_by_text(x):
    return x["a"]


@case(vector)
def methods_of_tensors(x):
    return x.sum(), x.mean(), x.max(), x.reshape(3, 1).shape, x.astype(ms.int32), x.view(1, 3)


@case(matrix)
def methods_with_axes(m):
    return m.sum(0), m.sum(axis=1), m.mean(1, keep_dims=True), m.T, m.transpose(1, 0).shape
