"""Python inside the graph: NumPy, objects, and what fullgraph says to them."""

import mindspore as ms
import numpy as np
from arguments import matrix, negative, nothing, vector
from cases import case
from mindspore import Tensor


@case(vector)
def numpy_inside(x):
    y = x.asnumpy()
    return y + 1, np.sum(y), y.shape, len(y), y.tolist()


@case(vector, negative)
def branch_on_numpy(x):
    y = x.asnumpy()
    if y.sum() > 3:
        return x * 2
    return x


@case(vector)
def numbers_from_tensors(x):
    return float(x.sum()), int(x.sum()) + 1, x.sum().item(), str(x.sum())


@case(vector, fullgraph=True)
def strict_refuses_python(x):
    return x.asnumpy()


class Scale:
    def __init__(self, by):
        self.by = by

    def of(self, x):
        return x * self.by


scale = Scale(3)


@case(vector)
def objects(x):
    return scale.of(x), x + scale.by


# NumPy --------------------------------------------------------------------------------------------


@case(nothing)
def arrays_of_constants():
    a, b = np.array([1, 2, 3]), np.array([4, 5, 6])
    return a + b


@case(lambda: (np.array([1.0, 2.0], np.float32),))
def array_as_argument(a):
    return a * 2


@case(lambda: (np.array([1.0, 2.0], np.float32),))
def array_returned(a):
    return a


@case(vector)
def array_and_tensor(x):
    return x + np.array([1.0, 2.0, 3.0], np.float32)


@case(nothing)
def tensor_of_an_array():
    return Tensor(np.array([1, 2, 3])) + 1


@case(nothing)
def tensor_function_of_an_array():
    return ms.tensor(np.array([1.0, 2.0]), ms.float32) * 2


@case(vector)
def tensor_of_what_python_gives(x):
    return Tensor(x.asnumpy() * 2, ms.float32) + 1


@case(nothing)
def item_of_an_array_is_written_to():
    a = np.array([1, 2, 3])
    a[0] += 1
    return a


@case(nothing, strict=False)
def shape_of_an_array_is_set():
    a = np.array([1, 2, 3, 4])
    a.shape = (2, 2)
    return a.shape


@case(matrix)
def functions_of_numpy(m):
    a = m.asnumpy()
    return np.sum(a, axis=0), np.max(a), a.mean(), a.T.shape


@case(vector)
def loop_over_an_array(x):
    s = 0.0
    for v in x.astype(ms.float64).asnumpy():
        s = s + v
    return s


@case(vector)
def builtins_of_an_array(x):
    a = x.asnumpy()
    return len(a), float(a[0]), int(a[1]), bool(a[2]), str(a), list(a), abs(-a)


@case(vector)
def operators_of_arrays(x):
    a = x.asnumpy()
    return a + 1, a * a, a > 1, -a, a[0], a[1:]


@case(vector)
def constants_of_numpy(x):
    return x * np.pi, np.float32(2.5), np.int32(3)


@case(vector)
def one_number_of_numpy(x):
    return np.sum(x.asnumpy())


@case(vector)
def one_whole_number_of_numpy(x):
    return np.argmax(x.asnumpy())


@case(vector)
def numbers_of_numpy_in_a_list(x):
    return [np.argmax(x.asnumpy()), {"a": np.sum(x.asnumpy())}]
