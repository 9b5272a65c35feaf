"""Inputs of several sizes, and whether two results are the same."""

import numpy as np

from ms_ext import Tensor


def rows(count, columns=3):
    """Float32 numbers, the same for the same sizes."""
    return Tensor(np.random.default_rng(count).standard_normal((count, columns)).astype(np.float32))


def same(one, other):
    """Check that two results are built alike, of the same types, with numbers that are close."""
    if isinstance(one, tuple | list):
        assert type(one) is type(other) and len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            same(a, b)
    elif isinstance(one, Tensor):
        assert one.dtype is other.dtype and one.shape == other.shape
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=2e-5, atol=1e-6)
    else:
        assert type(one) is type(other) and one == other
