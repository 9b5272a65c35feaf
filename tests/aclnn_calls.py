"""Both phases of a function of aclnn, and arrays for it."""

import numpy as np

from ms_ext.engine.libraries.aclnn import function

RANDOM = np.random.default_rng(20)


def drawn(*shape, dtype="float32"):
    """Numbers of a normal distribution."""
    return RANDOM.standard_normal(shape).astype(np.dtype(dtype))


def called(name, *arguments):
    """Both phases, with a workspace of the size that was asked for."""
    size, executor = function(f"{name}GetWorkspaceSize")(*arguments)
    workspace = np.empty(size, np.uint8) if size else None
    assert function(name)(workspace, size, executor, None) == 0
    return size


def outputs(*forms):
    """Outputs full of something else."""
    return [np.full(shape, 77, np.dtype(dtype)) for dtype, shape in forms]


X, Y = drawn(3, 4), drawn(3, 4)
