"""Writing to tensors, Parameters and attributes in graph mode."""

import mindspore as ms
from arguments import matrix, pair, scalar, vector
from cases import case
from mindspore import Parameter, Tensor, nn, ops


@case(vector)
def writes_an_item(a):
    b = a
    a[0] = 9.0
    return a, b


@case(vector)
def adds_in_place(a):
    b = a * 2
    b += 1
    c = b
    c *= 2
    return b, c


@case(vector)
def adds_to_an_argument(a):
    a += 1
    return a


@case(vector)
def adds_with_a_method(a):
    b = a
    b.add_(1)
    return a, b


@case(matrix)
def writes_rows_and_slices(m):
    m[0, 1] = 7.0
    m[1] = Tensor([9.0, 9.0, 9.0])
    m[:, 1:] *= 2
    m[0][0] = -1.0
    return m


@case(vector)
def writes_in_branches_and_loops(a):
    for i in range(3):
        a[i] = a[i] * 2
    if a[0] > 0:
        a[0] = -1.0
    i = 0
    while i < 2:
        a[i] = 0.0
        i += 1
    return a


class Counter(nn.Cell):
    def __init__(self):
        super().__init__()
        self.total = Parameter(Tensor(1.0, ms.float32), name="total")
        self.last = 0

    @ms.jit
    def construct(self, x):
        self.total = self.total + x.sum()
        ops.assign(self.total, self.total * 2)
        return x * self.total


counter = Counter()


@case(vector, vector, eager=True)
def assigns_a_parameter(x):
    return counter(x), counter.total.value()


# parts of tensors ---------------------------------------------------------------------------------


def writes(a):
    a[0] = 100.0


def adds(a):
    a += 1


@case(vector)
def function_that_writes(a):
    b = a * 1
    writes(b)
    return b


@case(vector)
def function_that_adds(a):
    b = a * 1
    adds(b)
    return b


@case(vector)
def writes_a_slice(a):
    a[1:] = 0.0
    return a


@case(matrix)
def writes_a_column(m):
    m[:, 0] = Tensor([10.0, 20.0])
    return m


@case(vector)
def writes_where(a):
    a[a > 1.5] = 0.0
    return a


@case(vector)
def writes_at_indices(a):
    a[Tensor([0, 2])] = 5.0
    return a


@case(lambda: (*vector(), Tensor(1, ms.int32)))
def writes_at_a_scalar_tensor(a, i):
    a[i] = 5.0
    return a


@case(vector)
def writes_at_a_list(a):
    a[[0, 2]] = 5.0
    return a


@case(vector)
def writes_outside(a):
    a[3] = 0.0
    return a


@case(vector, strict=False)
def writes_text(a):
    a[0] = "a"
    return a


@case(vector)
def writes_a_whole_number(a):
    a[0] = 7
    return a


@case(vector)
def adds_to_an_item(a):
    a[0] += 5
    return a


@case(vector)
def a_copy_stays_what_it_was(a):
    b = a.copy()
    a[0] = 9.0
    return a, b


@case(vector)
def a_slice_written_to(a):
    b = a[1:]
    b[0] = 9.0
    return a, b


@case(pair)
def two_names_of_one_tensor(a, b):
    c = a
    c += b
    return a, c


@case(vector)
def in_place_methods(a):
    b = a * 1
    b.add_(1)
    b.mul_(3)
    return b


@case(vector, strict=False)
def subtraction_in_place(a):
    b = a * 1
    b.sub_(2)
    return b


@case(vector)
def adds_to_an_argument_in_a_branch(a):
    if a.sum() > 0:
        a += 1
    return a


@case(scalar)
def adds_to_an_argument_in_a_loop(a):
    while a < 10:
        a += 3
    return a
