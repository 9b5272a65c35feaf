"""The operators of extension_sources/order.cpp, for tests of how calls come through the stages."""

import pytest
from extension_modules import load

from ms_ext import ops
from ms_ext.engine.stages import delivery

#: The same in Python, through the stages too.
MODULO = ops.Custom(lambda a, b: (a + b) % 97, lambda a, _b: a, lambda a, _b: a, "pyfunc")


@pytest.fixture(scope="session")
def order():
    """The operators of order.cpp."""
    return load("order")


@pytest.fixture(autouse=True)
def at_rest():
    """Nothing is in flight after a test."""
    yield
    delivery.drain()
    delivery.collect()
    delivery.pipeline.unseen.clear()
