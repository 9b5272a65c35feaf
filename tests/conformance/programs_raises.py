"""Raise and assert in graph mode."""

import mindspore as ms
from arguments import nothing, scalar, vector
from cases import case

# what is raised -----------------------------------------------------------------------------------


@case(nothing)
def raises_at_once():
    raise ValueError("at once")


@case(nothing)
def raises_a_class():
    raise ValueError


@case(nothing)
def raises_with_two_arguments():
    raise TypeError("one", 2)


@case(lambda: (*vector(), 5))
def raises_with_a_number(x, n):
    raise RuntimeError(f"n is {n}")


@case(vector, strict=False)
def raises_key_error(x):
    if x.sum() > 0:
        raise KeyError("key")
    return x


@case(vector)
def raises_a_class_on_tensor(x):
    if x.sum() > 0:
        raise IndexError
    return x


@case(vector)
def raises_in_the_else(x):
    if x.sum() > 100:
        return x
    raise NotImplementedError("too small")


@case(vector, strict=False)
def raises_with_a_tensor(x):
    if x.sum() > 0:
        raise ValueError("x is", x)
    return x


@case(vector)
def raises_from(x):
    raise ValueError("b") from TypeError("a")


@case(scalar)
def raises_in_a_loop(x):
    while x < 100:
        x = x * 3
        if x > 20:
            raise ValueError("over twenty")
    return x


def checked(x):
    if x.sum() > 0:
        raise ValueError("in a function")
    return x


@case(vector)
def raises_in_a_function(x):
    return checked(x) * 2


@case(vector)
def raises_after_a_print(x):
    print("before")
    if x.sum() > 0:
        raise ValueError("after")
    return x


class OwnError(ValueError):
    pass


@case(vector)
def raises_an_own_error(x):
    if x.sum() > 0:
        raise OwnError("own")
    return x


@case(nothing)
def raises_an_own_error_at_once():
    raise OwnError("own")


@case(nothing)
def raises_nothing():
    raise  # noqa: PLE0704


# what is asserted ---------------------------------------------------------------------------------


@case(vector)
def assert_that_holds(x):
    assert x.sum() > 0, "it is"
    assert x.shape == (3,), "it has"
    return x


@case(vector, strict=False)
def assert_without_a_message(x):
    assert x.sum() > 100
    return x


@case(vector)
def assert_of_a_constant(x):
    assert 1 > 2, "one is not"
    return x


@case(vector)
def assert_of_a_constant_without_a_message(x):
    assert len(x) == 4
    return x


@case(lambda: (ms.Tensor(-1),))
def assert_of_a_member(x):
    assert x in [2, 3, 4]
    return x
