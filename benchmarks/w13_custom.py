"""What a call of ``ops.Custom`` costs, over the function in C itself: x * y on 2 x 2 float32.

``python -m benchmarks.w13_custom write`` also writes the least times where ``viz.ways`` and the
page of ways look for them.
"""

import datetime
import json
import os
import platform
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks import measure
from benchmarks.w1_eager import TIMES, repeated, scaled
from ms_ext import Tensor, graph, jit, ops

COSTS = Path(__file__).parents[1] / "ms_ext" / "viz" / "ways_cost.json"
NODES = 16  # calls in a row in one graph, to know what a node costs
SIGNATURE = """
#include <stdint.h>
#define ABI int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, \\
  void *stream, void *extra
"""
KERNEL = """
int my_mul(ABI) {
  int64_t n = 1;
  for (int d = 0; d < ndims[2]; ++d) n *= shapes[2][d];
  const float *x = (const float *)params[0], *y = (const float *)params[1];
  float *out = (float *)params[2];
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] * y[i];
  return 0;
}
"""
#: Nanoseconds of one call of the kernel, from C, with a result of its own.
TIMED = """
#include <time.h>
typedef int (*Kernel)(ABI);
int timed(ABI) {
  float out[64];
  void *inner[3] = {params[0], params[1], out};
  int axes[3] = {ndims[0], ndims[1], ndims[0]};
  int64_t *sizes[3] = {shapes[0], shapes[1], shapes[0]};
  volatile Kernel kernel = my_mul;
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < 100000; ++i) kernel(3, inner, axes, sizes, dtypes, stream, extra);
  clock_gettime(CLOCK_MONOTONIC, &end);
  *(double *)params[2] = ((end.tv_sec - begin.tv_sec) * 1e9 + end.tv_nsec - begin.tv_nsec) / 1e5;
  return 0;
}
"""


@ops.kernel
def looped(a, b):
    """x * y in the Hybrid DSL."""
    c = output_tensor(a.shape, a.dtype)  # noqa: F821
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            c[i, j] = a[i, j] * b[i, j]
    return c


def first(x, y):
    """The result is like the first input."""
    return x


def made(folder, x, y):
    """The op of each way, and the one that times the bare kernel."""
    source = Path(folder, "bench.c")
    source.write_text(SIGNATURE + KERNEL + TIMED)
    saved = graph.dump(jit(lambda x, y: x * y).graph(x, y))
    made_ops = {
        "pyfunc": ops.Custom(lambda a, b: a * b, first, first),
        "aot": ops.Custom(f"{source}:my_mul", first, first, "aot"),
        "jit": ops.Custom(SIGNATURE + KERNEL, first, first, "jit"),
        "hybrid": ops.Custom(looped, first, first, "hybrid"),
        "tbe": ops.Custom("x, y -> x * y", func_type="tbe"),
        "mindir": ops.Custom(saved, func_type="mindir"),
    }
    return made_ops, ops.Custom(f"{source}:timed", (), Tensor(1.0).astype("float64").dtype, "aot")


def doubled(function):
    """Twice as many calls, one after the other, and no loop."""
    return lambda x, y: function(function(x, y), y)


def chained(op, nodes):
    """A compiled function of so many calls, a power of two."""

    def function(x, y):
        return op(x, y)

    for _ in range(nodes.bit_length() - 1):
        function = doubled(function)
    return jit(function)


def measured(rounds=21):
    """(nanoseconds of the bare kernel, {way: {"eager", "graph", "node": Timing}})."""
    x, y = Tensor(np.ones((2, 2), np.float32)), Tensor(np.full((2, 2), 2, np.float32))
    with tempfile.TemporaryDirectory() as folder:
        made_ops, timed = made(folder, x, y)
        names = {"x": x, "y": y, "a": x.asnumpy(), "b": y.asnumpy()}
        functions = {}
        for way, op in made_ops.items():
            assert op(x, y).tolist() == [[2, 2], [2, 2]]
            one, many = chained(op, 1), chained(op, NODES)
            for key, called in (("eager", op), ("graph", one), ("many", many)):
                statement, space = "f(x, y)", names | {"f": called}
                functions[way, key] = repeated(statement, space)
        functions["x * y", "eager"] = repeated("x * y", names)
        functions["NumPy", "eager"] = repeated("a * b", names)
        bare = [float(timed(x, y).asnumpy()) for _ in range(rounds)]
        found = measure.interleaved(functions, rounds, burst=0.002)
        bare += [float(timed(x, y).asnumpy()) for _ in range(rounds)]
    return measure.timing([ns * 1e-9 for ns in bare]), {
        key: scaled(timing, TIMES) for key, timing in found.items()
    }


def shown(bare, found):
    """Print the table; the goal is aot at most 1 us over the bare kernel."""
    print(f"bare kernel, called from C: {measure.shown(bare.median)}\n")
    print("| way | eager: least | median | quartiles | over the kernel | graph | a node more |")
    print("|---|---|---|---|---|---|---|")
    for way, key in found:
        if key != "eager":
            continue
        t = found[way, key]
        over = measure.shown(t.median - bare.median)
        spread = f"{measure.shown(t.low)} .. {measure.shown(t.high)}"
        cells = [way, measure.shown(t.least), measure.shown(t.median), spread, over, "", ""]
        if (way, "graph") in found:
            one, many = found[way, "graph"], found[way, "many"]
            cells[-2:] = [measure.shown(one.least), measure.shown(node(one.least, many.least))]
        print(f"| {' | '.join(cells)} |")


def node(one, many):
    """Seconds of a further call in a graph."""
    return max(many - one, 0) / (NODES - 1)


def kept(bare, found):
    """What `COSTS` says: microseconds, the least of the rounds, which others disturb the least."""
    rows = {}
    for way, key in found:
        if (way, "graph") in found and key == "eager":
            eager, one, many = [found[way, k].least for k in ("eager", "graph", "many")]
            numbers = {
                "call_us": eager,
                "over_us": max(eager - bare.least, 0),
                "graph_us": one,
                "node_us": node(one, many),
            }
            rows[way] = {name: float(f"{s * 1e6:.2g}") for name, s in numbers.items()}
    machine = f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}"
    return {
        "when": datetime.date.today().isoformat(),
        "machine": f"{machine}, Python {'.'.join(platform.python_version_tuple()[:2])}",
        "bare_us": float(f"{bare.least * 1e6:.2g}"),
        "rows": rows,
    }


def main(write=False):
    """Print the table, and write the file of costs if that is asked for."""
    bare, found = measured()
    shown(bare, found)
    if write:
        COSTS.write_text(json.dumps(kept(bare, found), indent=1) + "\n")


if __name__ == "__main__":
    main(write="write" in sys.argv[1:])
