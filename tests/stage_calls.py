"""Calls through the stages that several tests make, and a clean end for each test."""

import threading

import numpy as np
import pytest

from ms_ext import Tensor, ops
from ms_ext import dtype as dtypes
from ms_ext.engine import stages
from ms_ext.engine.stages import delivery

X = np.array([[1, 2], [3, 4]], np.float32)


@pytest.fixture
def fresh():
    """Every test ends with the default policy and nothing in flight."""
    yield
    stages.use("auto")
    delivery.pipeline.unseen.clear()
    delivery.settle()


def custom(func, shape=(2, 2), dtype=dtypes.float32):
    """A custom op that promises (2, 2) float32."""
    return ops.Custom(func, shape, dtype)


def raising(error):
    """A function that raises."""

    def func(*_inputs):
        raise error

    return func


def pending(value):
    """A tensor that is on its way until the event is set, and the event."""
    gate = threading.Event()

    def func(a):
        gate.wait(10)
        return a

    return custom(func)(Tensor(value)), gate
