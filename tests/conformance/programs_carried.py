"""What a loop carries from turn to turn."""

import mindspore as ms
from arguments import large, nothing, scalar, vector
from cases import case
from mindspore import Tensor, ops

# what a loop carries ------------------------------------------------------------------------------


@case(scalar, large)
def number_carried_by_a_loop(x):
    n, r = 0, 1.5
    while x < 100:
        x = x * 2
        n, r = n + 1, r * 2
    return n, r


@case(scalar)
def tuple_carried_by_a_loop(x):
    pair = (x, x + 1)
    while pair[0] < 50:
        pair = (pair[0] + pair[1], pair[0])
    return pair


@case(scalar)
def list_carried_by_a_loop(x):
    items = [x, x + 1]
    while items[0] < 50:
        items = [items[0] + items[1], items[0]]
    return items


@case(scalar)
def name_defined_in_a_loop_only(x):
    while x < 10:
        y = x
        x = x + 3
    return y


@case(vector, strict=False)
def concatenation_that_grows(x):
    y = x
    while y.sum() < 50:
        y = ops.cat((y, x))
    return y


@case(scalar)
def dtype_changed_by_a_loop(x):
    y = x
    while x < 10:
        x = x + 1
        y = y * 1.5
    return y


@case(scalar)
def number_that_becomes_a_tensor_in_while(x):
    s = 0
    while x < 10:
        x = x + 1
        s = s + x
    return s


@case(vector)
def fifty_turns_unrolled(x):
    for i in range(50):
        if i % 2:
            x = x + 1
        else:
            x = x - 0.5
    return x


@case(nothing)
def two_loops_after_each_other():
    n = 0
    for i in range(3):
        n += i
    while n < 10:
        n += 4
    return n


@case(lambda: (Tensor(3, ms.int32), Tensor(4, ms.int32)))
def loop_in_a_loop_on_tensors(a, b):
    s = a * 0
    i = a * 0
    while i < a:
        j = b * 0
        while j < b:
            s = s + i * j
            j = j + 1
        i = i + 1
    return s


@case(scalar)
def branch_in_a_loop(x):
    odd = x * 0
    while x < 30:
        if x % 2 == 0:
            x = x + 3
        else:
            odd = odd + 1
            x = x + 5
    return x, odd
