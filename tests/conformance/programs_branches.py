"""Branches in graph mode: if, elif, the conditional expression, and, or, not."""

import mindspore as ms
from arguments import negative, vector
from cases import case
from mindspore import ops


@case(vector, negative)
def if_on_tensor(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = -x
    return y


@case(lambda: (*vector(), 1), lambda: (*vector(), 5), lambda: (*vector(), 1))
def if_on_python_number(x, n):
    if n > 3:
        return x + 100
    return x * n


@case(vector, negative)
def branches_of_different_shape(x):
    if x.sum() > 0:
        return x[:2]
    return x


@case(vector)
def branches_of_different_dtype(x):
    if x.sum() > 0:
        return x
    return x.astype(ms.float16)


@case(vector)
def tensor_and_number(x):
    if x.sum() > 0:
        return x
    return 1


@case(vector)
def defined_in_one_branch(x):
    if x.sum() > 0:
        y = x
    return y


@case(vector)
def condition_of_three(x):
    if x > 0:
        return x
    return -x


@case(vector, negative)
def chain_of_elifs(x):
    s = x.sum()
    if s > 10:
        r = x + 1
    elif s > 0:
        r = x + 2
    elif s > -3:
        r = x + 3
    else:
        r = x + 4
    return r


@case(vector, negative)
def ternary(x):
    return x * 2 if x.sum() > 0 else x * 3


@case(vector, negative)
def logic(x):
    a = x.sum() > 0 and x.max() < 10
    b = x.sum() > 0 or x.max() < -10
    c = not (x.sum() > 0)
    return a, b, c


@case(vector, negative)
def early_returns(x):
    if x[0] > 5:
        return x
    if x[0] > 0:
        return x * 10
    y = x + 1
    if y[1] > 0:
        return y
    return y * 100


# what the branches give ---------------------------------------------------------------------------


@case(vector, negative)
def one_branch_changes_shape_of_a_name(x):
    y = x
    if x.sum() > 0:
        y = x[1:]
    return y + 1


@case(vector, negative)
def shapes_that_meet_are_calculated_with(x):
    y = x[:2] if x.sum() > 0 else x
    return (y * 2).sum(), y * 3


@case(vector, negative)
def ranks_that_meet(x):
    if x.sum() > 0:
        return x.sum()
    return x


@case(vector, negative)
def if_without_else(x):
    y = x
    if x.sum() > 0:
        y = x * 2
    return y


@case(vector)
def if_that_gives_nothing(x):
    if x.sum() > 0:
        y = x * 2  # noqa: F841
    return x


@case(vector, negative)
def numbers_from_branches(x):
    n = 1
    if x.sum() > 0:
        n = 5
    return n


@case(vector, negative)
def numbers_returned_by_branches(x):
    if x.sum() > 0:
        return 1
    return 2


@case(vector)
def numbers_of_two_kinds(x):
    if x.sum() > 0:
        return 1
    return 2.5


@case(vector)
def number_and_bool(x):
    if x.sum() > 0:
        return 1
    return True


@case(vector, negative)
def bools_from_branches(x):
    return True if x.sum() > 0 else False  # noqa: SIM210


@case(vector, strict=False)
def texts_from_branches(x):
    if x.sum() > 0:
        return "yes"
    return "no"


@case(vector)
def none_or_tensor(x):
    if x.sum() > 0:
        return x
    return None


@case(vector)
def no_return_in_one_branch(x):  # noqa: RET503
    if x.sum() > 0:
        return x


@case(vector, negative)
def tuples_from_branches(x):
    if x.sum() > 0:
        return x, x * 2
    return -x, x


@case(vector)
def tuples_of_two_lengths(x):
    if x.sum() > 0:
        return x, x
    return (x,)


@case(vector, negative)
def lists_from_branches(x):
    y = [x, x + 1] if x.sum() > 0 else [x * 2, x]
    return y


@case(vector, negative)
def dicts_from_branches(x):
    d = {"a": x}
    if x.sum() > 0:
        d = {"a": x * 2}
    return d


@case(vector, negative)
def tuple_and_list(x):
    if x.sum() > 0:
        return (x, x)
    return [x, x]


@case(vector)
def integer_and_float_tensor(x):
    y = x
    if x.sum() > 0:
        y = x.astype(ms.int32)
    return y


@case(vector, negative, strict=False)
def functions_chosen_by_a_tensor(x):
    f = ops.sin if x.sum() > 0 else ops.cos
    return f(x)


def doubled(x):
    return x * 2


def tripled(x):
    return x * 3


@case(vector, negative)
def own_functions_chosen_by_a_tensor(x):
    f = doubled if x.sum() > 0 else tripled
    return f(x)


@case(vector, negative)
def own_functions_chosen_in_branches(x):
    if x.sum() > 0:
        f = doubled
    else:
        f = tripled
    return f(x)


@case(vector, negative)
def several_names(x):
    if x.sum() > 0:
        a, b = x, x + 1
    else:
        b, a = x, x + 1
    return a, b


@case(vector)
def defined_in_the_other_branch(x):
    if x.sum() > 100:
        y = x
    else:
        z = x  # noqa: F841
    return y
