"""What decides a branch: tensors, numbers, containers, comparisons, and, or, not."""

import mindspore as ms
from arguments import half, large, lie, negative, pair, scalar, truth, vector
from cases import case
from mindspore import Tensor

# conditions ---------------------------------------------------------------------------------------


@case(truth, lie)
def bool_tensor(t):
    return 1 if t else 2


@case(scalar, lambda: (Tensor(0, ms.int32),))
def whole_tensor_as_truth(t):
    if t:
        return t + 1
    return t - 1


@case(lambda: (Tensor([2.0]),), lambda: (Tensor([0.0]),))
def one_element_as_truth(t):
    if t:
        return t + 1
    return t - 1


@case(lambda: (Tensor([[2.0]]),))
def one_element_of_two_axes_as_truth(t):
    if t:
        return t + 1
    return t - 1


@case(vector)
def list_as_truth(x):
    if [1]:
        x = x + 1
    if ():
        x = x + 10
    if {"a": 1}:
        x = x + 100
    if "":
        x = x + 1000
    return x


@case(vector)
def none_as_truth(x):
    y = None
    if y:
        return x
    if y is None:
        return x * 2
    return x * 3


@case(vector)
def is_none(x):
    return x is None, x is not None, None is None


@case(vector)
def tensor_equal_to_none(x):
    return x == None, x != None  # noqa: E711


@case(vector, strict=False)
def is_of_two_tensors(x):
    return x is x


@case(pair, lambda: pair()[::-1])
def any_and_all(x, y):
    if (x > y).any():
        return x
    if (x > y).all():
        return x * 3
    return y


@case(vector, negative)
def nested_branches(x):
    if x.sum() > 0:
        if x[0] > 5:
            y = x + 1
        else:
            y = x + 2
    else:
        if x[0] > -5:
            y = x + 3
        else:
            y = x + 4
    return y


@case(vector, negative)
def nested_ternary(x):
    s = x.sum()
    return x if s > 10 else x * 2 if s > 0 else x * 3


@case(half, large)
def chained_comparison(x):
    return 0 < x < 1, 1 < 2 < 3


@case(vector, lambda: (Tensor([0.0, 0.0, 0.0]),))
def and_or_of_values(x):
    a = x.sum() and x.max()
    b = x.sum() or x.max()
    return a, b


@case(vector)
def and_or_of_constants(x):
    return 0 or 3, 2 and 5, [] or "a", None or x, not [], not 3


@case(truth)
def not_of_tensors(t):
    return not t, not (t and t)
