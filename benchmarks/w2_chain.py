"""A chain of ten elementwise ops on float32, 1e3 to 1e7 elements, and one with exp and tanh.

Peers: the ten ufuncs of NumPy, the same in place, and a loop written in C by hand (if there is a
compiler). The floor is what memory allows: 12 bytes an element over the speed of a triad.
"""

import ctypes
import functools
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import ms_ext as ms
from benchmarks import measure
from ms_ext import kernels, ops
from ms_ext.engine import backends, jit, toolchain
from ms_ext.engine.backends import node_by_node

SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)

C = r"""
#include <math.h>
void chain(const float* restrict x, const float* restrict y, float* restrict o, long n) {
    for (long i = 0; i < n; i++) {
        float t = x[i] * 1.1f + y[i];
        t = t > 0 ? t : 0;
        t = fabsf(t * y[i] - x[i]);
        t = (sqrtf(t) + 1.0f) * 0.5f;
        o[i] = t < 6.0f ? t : 6.0f;
    }
}
void triad(const float* restrict x, const float* restrict y, float* restrict o, long n) {
    for (long i = 0; i < n; i++) o[i] = x[i] + 1.1f * y[i];
}
"""


def chain(x, y, m=ops):
    """Ten ops in a row."""
    t = m.maximum(x * 1.1 + y, 0.0)
    t = m.sqrt(m.abs(t * y - x))
    return m.minimum((t + 1.0) * 0.5, 6.0)


def bends(x, y, m=ops):
    """Six ops, two of them transcendental."""
    return x / (m.exp(-m.tanh(x * 0.7 + y)) + 1.0)


def in_place(x, y, out):
    """The chain with NumPy, every result in the same array."""
    one = np.float32
    np.multiply(x, one(1.1), out)
    np.add(out, y, out)
    np.maximum(out, one(0), out=out)
    np.multiply(out, y, out)
    np.subtract(out, x, out)
    np.abs(out, out)
    np.sqrt(out, out)
    np.add(out, one(1), out)
    np.multiply(out, one(0.5), out)
    return np.minimum(out, one(6), out=out)


@functools.cache
def by_hand():
    """The C loops, or None without a compiler."""
    compiler = toolchain.c_compiler()
    if compiler is None or toolchain.WINDOWS:
        return None
    folder = Path(tempfile.mkdtemp())
    source, library = folder / "chain.c", folder / "chain.so"
    source.write_text(C)
    flags = ["-O3", "-shared", "-fPIC", "-fno-math-errno", "-fno-trapping-math"]
    flags += ["-march=x86-64-v3"] if toolchain.cpu_runs_v3() else []
    if subprocess.run([compiler.path, *flags, str(source), "-o", str(library), "-lm"]).returncode:
        return None
    return ctypes.CDLL(str(library))


def loop(name, x, y):
    """A call of one of the C loops on arrays that stay the same."""
    function, out = getattr(by_hand(), name), np.zeros_like(x)
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (x, y, out)] + [ctypes.c_long(x.size)]
    run = functools.partial(function, *pointers)
    run.arrays = x, y, out
    return run


def programs(function, x, y):
    """The function in NumPy, by jit on tensors, by the bare executable, and node by node."""
    graph = jit.trace(function, ms.Tensor(x), ms.Tensor(y))
    fused, alone = backends.build("cython", graph), node_by_node(graph)
    a, b, compiled = ms.Tensor(x), ms.Tensor(y), jit.jit(function)
    return {
        "numpy, a ufunc for each op": lambda: function(x, y, np),
        "ms_ext, jit on tensors": lambda: compiled(a, b),
        "ms_ext, the executable alone": lambda: fused(x, y),
        "ms_ext, nothing compiled": lambda: alone(x, y),
    }


def main():
    """Print one table for each size."""
    print(f"tile machine: {kernels.variant('fused')}")
    for size in SIZES:
        rng = np.random.default_rng(0)
        x, y = rng.standard_normal((2, size), dtype=np.float32)
        candidates, out = programs(chain, x, y), np.empty_like(x)
        candidates["numpy, in place"] = lambda x=x, y=y, out=out: in_place(x, y, out)
        if by_hand():
            candidates["C by hand"] = loop("chain", x, y)
            candidates["C triad (the floor)"] = loop("triad", x, y)
        rounds = 9 if size > 100_000 else 15
        measure.table(
            f"chain of 10, {size} elements",
            measure.interleaved(candidates, rounds),
            next(iter(candidates)),
        )
        if size == 1_000_000:
            found = measure.interleaved(programs(bends, x, y), rounds)
            measure.table(
                f"x / (1 + exp(-tanh(0.7 x + y))), {size} elements", found, next(iter(found))
            )


if __name__ == "__main__":
    main()
