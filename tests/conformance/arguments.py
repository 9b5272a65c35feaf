"""What the programs are called with."""

import mindspore as ms
import numpy as np
from mindspore import Tensor


def vector():
    return (Tensor(np.array([1.0, 2.0, 3.0], np.float32)),)


def negative():
    return (Tensor(np.array([-1.0, -2.0, -3.0], np.float32)),)


def pair():
    return (*vector(), *negative())


def matrix():
    return (Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)),)


def whole():
    return (Tensor(np.array([3, 1, 2], np.int32)),)


def scalar():
    return (Tensor(2, ms.int32),)


def large():
    return (Tensor(40, ms.int32),)


def half():
    return (Tensor(0.5, ms.float32),)


def truth():
    return (Tensor(True),)


def lie():
    return (Tensor(False),)


def two():
    return (Tensor(2.0, ms.float32),)


def two_and_three():
    return Tensor(2.0, ms.float32), Tensor(3.0, ms.float32)


def vectors():
    return (*vector(), Tensor(np.array([4.0, 5.0, 6.0], np.float32)))


def nothing():
    return ()
