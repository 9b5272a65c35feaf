"""Programs that a tensor's shape decides: while the graph is built it is known."""

import mindspore as ms
import numpy as np
from arguments import matrix, vector
from cases import case
from mindspore import Tensor, ops


def cube():
    return (Tensor(np.arange(8, dtype=np.float32).reshape(2, 2, 2)),)


@case(matrix)
def shape_taken_apart(m):
    rows, columns = m.shape
    return m.reshape(columns, rows), rows * columns, m.shape[-1]


@case(matrix, vector)
def shape_decides_a_branch(x):
    if x.ndim == 2:
        return x.sum(1)
    return x.sum()


@case(matrix)
def loop_over_a_length(m):
    s = m[0] * 0
    for i in range(len(m)):
        s = s + m[i]
    return s


@case(cube)
def loop_over_each_axis(x):
    sizes = []
    for size in x.shape:
        sizes.append(size + 1)
    return sizes, tuple(x.shape) + (1,)


@case(matrix)
def recursion_on_a_shape(m):
    return halved(m)


def halved(x):
    if x.shape[-1] == 1:
        return x
    return halved(x[..., 1:])


@case(matrix)
def dtype_decides_a_branch(m):
    if m.dtype == ms.float32:
        return m * 2
    return m


@case(vector)
def made_from_a_shape(x):
    return ops.zeros(x.shape, ms.int32), ops.ones((2, x.shape[0]), x.dtype), ops.full((2,), 3)


@case(cube)
def comprehension_over_a_shape(x):
    return [n * 2 for n in x.shape], [row.sum() for row in x]


@case(matrix)
def zip_of_tensors(m):
    return [a * b for a, b in zip(m, m * 2)]  # noqa: B905


@case(matrix)
def rows_taken_apart(m):
    a, b = m
    return a + b


@case(matrix)
def stars_of_rows(m):
    first, *rest = m
    return first, rest


@case(vector)
def concatenation_in_a_short_loop(x):
    y = x
    for _ in range(3):
        y = ops.cat((y, x))
    return y.shape, y.sum()


@case(vector)
def list_of_tensors_stacked(x):
    rows = []
    for i in range(3):
        rows.append(x * i)
    return ops.stack(rows)


@case(vector)
def shapes_of_what_is_selected(x):
    return x[x > 1.5].sum(), x[x > 1.5]


@case(matrix)
def negative_axes(m):
    return m.sum(-1), m.mean(axis=-2), m.max(axis=1), m.argmax(axis=0)


@case(matrix)
def axes_exchanged(m):
    return m.T.shape, m.swapaxes(0, 1), m.expand_dims(0).shape, m.squeeze().shape


@case(vector)
def comparison_of_shapes(x):
    return x.shape == (3,), x.shape != (3,), 3 in x.shape, x.shape + x.shape
