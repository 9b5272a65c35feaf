"""Calls of the device's libraries that several tests make, and empty caches for each test."""

import numpy as np
import pytest

from ms_ext import Tensor
from ms_ext.engine.libraries import (
    LAUNCH_ACLNN_FUNC,
    AclnnOpRunner,
    RunAtbOp,
    aclnn,
    asdsip,
    atb,
)

SWIGLU = atb.ActivationParam(atb.ActivationType.ACTIVATION_SWIGLU_FORWARD)


@pytest.fixture
def empty_libraries():
    """Caches are empty, and ActivationParam has a hash."""

    @atb.HashOpParam(atb.ActivationParam)
    def of_activation(param):
        atb.add_param_to_buf("activationType", param.activationType)
        atb.add_param_to_buf("dim", param.dim)

    aclnn.CACHE.clear()
    asdsip.CACHE.clear()
    atb.MANAGER.Release()
    yield
    asdsip.CACHE.set_size(64)
    atb.forget_hash(atb.ActivationParam)


def empty(*shape, dtype=np.float32):
    """A tensor whose elements are to be written."""
    return Tensor(np.full(shape, 77, dtype))


def tensor(*shape, seed=0, dtype=np.float32):
    """Numbers of a normal distribution."""
    return Tensor(np.random.default_rng(seed).standard_normal(shape).astype(dtype))


def matmul(x, y, out=None):
    """x @ y by the library."""
    out = empty(x.shape[0], y.shape[1], dtype=x.asnumpy().dtype) if out is None else out
    runner = AclnnOpRunner("Matmul")
    runner.SetLaunchFunc(LAUNCH_ACLNN_FUNC("aclnnMatmul", x, y, out, 0))
    runner.Run([x, y], [out])
    return out


def swiglu(x):
    """SwiGLU by ATB."""
    out = empty(x.shape[0], x.shape[1] // 2)
    RunAtbOp("SwiGLU", SWIGLU, [x], [out])
    return out


def silu_of_halves(x):
    """In float64."""
    gate, up = np.split(np.float64(x), 2, -1)
    return gate / (1 + np.exp(-gate)) * up
