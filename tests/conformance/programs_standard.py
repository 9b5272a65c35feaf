"""Python's standard library in graph mode: it is called, on constants while the graph is built."""

import collections
import copy
import functools
import heapq
import itertools
import json
import logging
import math
import operator
import os
import random
import re
import statistics

import mindspore as ms
from arguments import nothing, vector
from cases import case
from mindspore import Tensor, ops

# functions of functions ---------------------------------------------------------------------------


@case(vector, strict=False)
def reduce_of_tensors(x):
    return functools.reduce(lambda a, b: a + b, [x, x * 2])


@case(vector, strict=False)
def reduce_with_a_start(x):
    return functools.reduce(lambda a, b: a * b, (x, x), 2.0)


@case(nothing, strict=False)
def reduce_of_constants():
    return functools.reduce(lambda a, b: a * b, [1, 2, 3], 10)


@case(nothing, strict=False)
def reduce_of_nothing():
    return functools.reduce(lambda a, b: a + b, [])


@case(vector, strict=False)
def reduce_of_rows(x):
    return functools.reduce(lambda a, b: a + b, x)


@case(nothing, strict=False)
def sorted_by_a_key():
    return sorted([3, 1, 2], key=lambda v: -v)[0]


@case(nothing, strict=False)
def sorted_every_way():
    a = sorted((3, 1, 2), reverse=True)
    b = sorted(["b", "A"], key=str.lower)
    c = sorted([(2, "b"), (1, "a")], key=operator.itemgetter(0))
    return a, b, c, sorted({"b": 1, "a": 2}), sorted([3, 1, 2], key=lambda v: -v, reverse=True)


@case(vector, strict=False)
def sorted_tensors(x):
    return sorted([x[2], x[0], x[1]])


@case(vector, strict=False)
def sorted_tensors_by_a_key(x):
    return sorted([x[2], x[0], x[1]], key=lambda v: -v)


@case(vector, strict=False)
def sorted_rows(x):
    return sorted(x)


@case(nothing, strict=False)
def max_by_a_key():
    return max([3, 1, 2], key=lambda v: -v)


@case(vector, strict=False)
def partial_of_a_lambda(x):
    return functools.partial(lambda a, b: a * b, 2.0)(x)


@case(vector, strict=False)
def callable_things(x):
    return callable(lambda v: v), callable(3), callable(math.sqrt)


class Doubling:
    def __call__(self, x):
        print("doubled")
        return x * 2


class Trying:
    def __call__(self, x):
        try:
            return x * 2
        finally:
            pass


doubling, trying = Doubling(), Trying()


def called(x):
    return doubling(x)


@case(vector, strict=False)
def object_that_is_called(x):
    return doubling(x)


@case(vector, strict=False)
def gradient_of_an_object_that_is_called(x):
    return ms.grad(called)(x)


@case(vector, strict=False, says="Unsupported statement 'Try'.")
def object_whose_call_cannot_be_read(x):
    return trying(x)


# constants ----------------------------------------------------------------------------------------


@case(nothing, strict=False)
def random_numbers():
    return random.randint(2, 2), random.choice([5]), random.uniform(2.0, 2.0)


@case(nothing, strict=False)
def random_numbers_of_a_seed():
    random.seed(0)
    return random.randint(0, 100)


@case(vector, strict=False)
def logs(x):
    logging.info("x")
    logging.getLogger("conformance").info("said %s", 3)
    return x


@case(nothing, strict=False)
def environment():
    return os.environ.get("NIX_OF_THE_KIND", ""), os.getenv("NIX_OF_THE_KIND", "d")


@case(vector, strict=False)
def environment_decides(x):
    return x if "NIX_OF_THE_KIND" in os.environ else x * 2


@case(nothing, strict=False)
def paths():
    return os.path.join("a", "b"), os.path.basename("a/b"), os.path.splitext("a.b")


@case(nothing, strict=False)
def library_texts():
    return re.sub("a", "b", "aa"), json.dumps({"a": 1}), ",".join(["a", "b"])


@case(nothing, strict=False)
def numbers():
    return statistics.mean([1, 2, 3]), math.prod([1, 2, 3]), divmod(7, 2), heapq.nlargest(2, [1, 3])


@case(nothing, strict=False)
def iterators():
    a = list(itertools.chain([1], [2]))
    b = list(itertools.accumulate([1, 2, 3], lambda u, v: u * v))
    return a, b, collections.Counter([1, 1, 2])[1]


@case(vector, strict=False)
def chain_of_tensors(x):
    return list(itertools.chain([x], (x * 2,)))


@case(vector, strict=False)
def operators_as_functions(x):
    return operator.mul(x, 2), operator.neg(x), operator.lt(x, 2), operator.add(1, 2)


@case(vector, strict=False)
def copies(x):
    return copy.copy(x), copy.deepcopy(x)


# the running function -----------------------------------------------------------------------------


@case(vector, strict=False)
def names_of_the_function(x):
    y = x * 2  # noqa: F841 - it is looked for
    return locals(), vars(), dir(), "x" in locals(), len(locals())


@case(vector, strict=False)
def name_among_the_locals(x):
    y = 2  # noqa: F841 - it is looked for
    return locals()["y"]


@case(nothing, strict=False)
def evaluated_text():
    return eval("1 + 1")


@case(vector, strict=False)
def evaluated_text_with_a_name(x):
    return eval("x")


# tensors made of what is not constant -------------------------------------------------------------


@case(vector, strict=False)
def tensor_of_a_list_of_tensors(x):
    return Tensor([x[0], x[1]]), Tensor((x[0], 2.0)), Tensor([x[0], x[1]], ms.float16)


@case(vector, strict=False)
def tensor_of_lists_in_a_list(x):
    return Tensor([[x[0], x[1]], [x[1], x[2]]]), Tensor([x, x]), ms.tensor([x[0], x[1]])


def of_a_list(x):
    return ops.sum(Tensor([x[0], x[1]]) * 3)


@case(vector, strict=False)
def gradient_of_a_tensor_of_a_list(x):
    return ms.grad(of_a_list)(x)
