"""Print, raise and assert in graph mode."""

from arguments import half, matrix, negative, nothing, scalar, truth, vector, whole
from cases import case


@case(vector, negative)
def prints(x):
    print("sum", x.sum())
    if x.sum() > 0:
        print("positive")
    else:
        print("negative", x)
    return x


@case(scalar)
def prints_in_a_loop(x):
    i = 0
    while i < 3:
        print("turn", i, x)
        x = x + 1
        i += 1
    return x


@case(vector)
def prints_of_many_kinds(x):
    print(f"shape {x.ndim} {3}")
    print("a", 1, 2.5, None, True, (1, 2), "end")
    return x


@case(negative, vector)
def raises_on_tensor(x):
    if x.sum() > 0:
        raise ValueError("too big")
    return x


@case(vector)
def raises_with_value(x):
    if x.sum() > 0:
        raise ValueError(f"too big {x}")
    return x


@case(vector)
def asserts_on_tensor(x):
    assert x.sum() > 100, "sum is small"
    return x


@case(vector)
def asserts_on_shape(x):
    assert x.shape == (3,)
    return x


# what is printed ----------------------------------------------------------------------------------


@case(vector)
def prints_a_tensor(x):
    print(x)
    return x


@case(half)
def prints_a_tensor_without_axes(t):
    print(t)
    return t


@case(half)
def prints_two_tensors_without_axes(t):
    print(t, t * 2)
    return t


@case(half)
def prints_text_and_a_tensor_without_axes(t):
    print("t", t)
    return t


@case(scalar)
def prints_a_whole_tensor(t):
    print(t)
    print(t + 1)
    print("t", t)
    return t


@case(truth)
def prints_a_bool_tensor(t):
    print(t)
    print("t", t)
    return t


@case(matrix)
def prints_a_matrix(m):
    print("m", m)
    return m


@case(whole)
def prints_a_whole_vector(x):
    print(x, "x")
    return x


@case(nothing)
def prints_constants():
    print(1)
    print(2.5)
    print("a")
    print(True)
    print(None)
    return 1


@case(nothing)
def prints_containers():
    print((1, 2))
    print((1, "a"))
    return 1


@case(nothing)
def prints_a_list():
    print([1, "a"])
    print([1, 2])
    return 1


@case(nothing, strict=False)
def prints_a_dict():
    print({"a": 1})
    return 1


@case(nothing)
def prints_texts():
    print("a", "b")
    print("c", 1)
    return 1


@case(vector)
def prints_containers_of_tensors(x):
    print((x, 1))
    print([x])
    return x


@case(nothing)
def prints_nothing():
    print()
    print("")
    return 1


@case(nothing)
def prints_f_strings():
    n = 3
    print(f"n is {n}")
    print("n is %d" % n)  # noqa: UP031
    return n


@case(vector, strict=False)
def prints_an_f_string_of_a_tensor(x):
    print(f"x is {x}")
    return x


@case(vector)
def prints_with_keywords(x):
    print(1, 2, sep="-")
    return x


@case(vector)
def prints_in_order(x):
    print("one")
    y = x + 1
    print("two", y)
    y += 1
    print("three", y)
    return y


def says(x):
    print("inside", x.shape)
    return x * 2


@case(vector)
def prints_in_functions(x):
    return says(says(x))


@case(vector)
def prints_in_a_short_loop(x):
    for i in range(3):
        print(i)
    return x


@case(scalar)
def prints_in_a_long_loop(x):
    for i in range(20):
        if i == x:
            print("two")
    return x


@case(nothing)
def prints_only():
    print("hello")
