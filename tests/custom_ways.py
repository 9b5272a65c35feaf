"""x * y made an op by each way into ``ops.Custom``: what must hold for one must hold for all."""

import numpy as np
from custom_kernels import HEAD, elementwise
from custom_ops import mul_bprop

from ms_ext import Tensor, graph, jit, ops
from ms_ext import dtype as dtypes


@ops.kernel
def hybrid_product(a, b):
    """x * y in the Hybrid DSL, for tensors of any number of axes."""
    c = output_tensor(a.shape, a.dtype)  # noqa: F821
    for i in grid(a.shape):  # noqa: F821
        c[i] = a[i] * b[i]
    return c


@ops.kernel
def hybrid_two(a):
    """2 x and x * x."""
    c = output_tensor(a.shape, a.dtype)  # noqa: F821
    d = output_tensor(a.shape, a.dtype)  # noqa: F821
    for i in grid(a.shape):  # noqa: F821
        c[i] = a[i] + a[i]
        d[i] = a[i] * a[i]
    return c, d


TEXT = HEAD + elementwise("product", "a * b")
TWO_TEXT = """
#include <stdint.h>
int two(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes,
        void *stream, void *extra) {
  int64_t n = 1;
  for (int d = 0; d < ndims[0]; ++d) n *= shapes[0][d];
  for (int64_t i = 0; i < n; ++i) {
    float v = ((const float *)params[0])[i];
    ((float *)params[1])[i] = v + v;
    ((float *)params[2])[i] = v * v;
  }
  return 0;
}
"""


def first(x, y):
    """The result is like the first input."""
    return x


def both(x):
    """Two results like the only input."""
    return x, x


def _pyfunc(library, x, y, bprop):
    return ops.Custom(lambda a, b: a * b, first, first, bprop=bprop)


def _aot(library, x, y, bprop):
    return ops.Custom(f"{library}:my_mul", first, first, "aot", bprop)


def _jit(library, x, y, bprop):
    return ops.Custom(TEXT, first, first, "jit", bprop)


def _hybrid(library, x, y, bprop):
    return ops.Custom(hybrid_product, first, first, "hybrid", bprop)


def _tbe(library, x, y, bprop):
    return ops.Custom("x, y -> x * y", func_type="tbe", bprop=bprop)


def _mindir(library, x, y, bprop):
    return ops.Custom(saved(lambda x, y: x * y, x, y), func_type="mindir", bprop=bprop)


#: The ways in; ``WAYS[way](library, x, y, bprop)`` is an op for tensors like x and y.
WAYS = {
    "pyfunc": _pyfunc, "aot": _aot, "jit": _jit, "hybrid": _hybrid, "tbe": _tbe, "mindir": _mindir,
}  # fmt: skip
#: Those that a graph sees into: their gradient is that of their ops, and they need no bprop.
COMPOSED = ("tbe", "mindir")
#: Those that need no compiler.
UNCOMPILED = ("pyfunc", "tbe", "mindir")


def saved(function, *inputs):
    """A function's graph as text."""
    return graph.dump(jit(function).graph(*inputs))


def product(way, library, x, y, bprop=mul_bprop):
    """x * y by a way."""
    return WAYS[way](library, x, y, bprop)


def two(way, library, x, bprop=None):
    """2 x and x * x by a way, float32."""
    made = {
        "pyfunc": lambda a: (a + a, a * a),
        "aot": f"{library}:two_out",
        "jit": TWO_TEXT,
        "hybrid": hybrid_two,
        "tbe": "x -> x + x, x * x",
    }
    func = saved(lambda x: (x + x, x * x), x) if way == "mindir" else made[way]
    declared = () if way in COMPOSED else (both, both)
    if not declared:
        return ops.Custom(func, func_type=way, bprop=bprop)
    return ops.Custom(func, *declared, way, bprop)


def tensor(shape, dtype=dtypes.float32, seed=0):
    """Small whole numbers, which every dtype holds exactly, and so their products."""
    numbers = np.random.default_rng([seed, *shape]).integers(0, 8, shape)
    return Tensor(numbers.astype(np.float32), dtypes.float32).astype(dtype)


def plain(result):
    """A tensor as an array of float64."""
    return result.asnumpy().astype(np.float64)
