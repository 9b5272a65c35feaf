"""Ops that are not fused but better run than by their ``compute``: products by BLAS into pooled memory."""

import numpy as np

from .... import kernels, ops
from .. import lower

POOLED_FROM = 1 << 15  # bytes; a smaller result is not worth the call


@lower(ops.MatMul, backend="cython")
def matmul(node):
    """NumPy's own BLAS, the result in memory that was used before."""
    return _into_pool(node, np.matmul) if node.abstract.dtype.kind == "float" else None


def _into_pool(node, ufunc):
    machine, out = kernels.get("fused"), node.abstract
    if machine is None or out.nbytes < POOLED_FROM or out.dtype.size < 4:
        return None
    empty, shape, dtype = machine.empty, out.shape, out.dtype.numpy
    return lambda *arrays: ufunc(*arrays, out=empty(shape, dtype))
