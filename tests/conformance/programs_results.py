"""What a compiled function may return."""

import mindspore as ms
from arguments import nothing, pair, vector
from cases import case
from mindspore import Tensor

# results ------------------------------------------------------------------------------------------


@case(vector)
def nested_results(x):
    return (x, (x + 1, (x + 2,))), [], (), {}


@case(nothing)
def constants_as_results():
    return 1, 2.5, True, "text", None, (1, (2,)), [1, [2]], {"a": 1}


@case(vector)
def none_beside_a_tensor(x):
    return None, x


@case(nothing)
def floats_as_results():
    return 0.1, 0.1 + 0.2, 1 / 3


@case(nothing)
def one_number():
    return 3


@case(nothing)
def one_text():
    return "text"


@case(vector)
def the_argument_itself(x):
    return x


@case(vector)
def list_result(x):
    return [x, x + 1]


@case(vector)
def dict_of_lists(x):
    return {"a": [x, 1], 2: (x,), True: 4}


@case(nothing)
def constant_tensor():
    return Tensor([1, 2, 3])


@case(vector)
def dtype_as_result(x):
    return x.dtype == ms.float32, x.astype(ms.int32)


@case(pair)
def operators_between_tuples(x, y):
    return (x, y) + (1,), [x] + [y], (1, 2) * 2, [x] * 2, (1, 2) == (1, 2), [1] != [2]
