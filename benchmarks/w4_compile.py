"""From a decorated function to its first result, and what a later call costs.

Each sample is a new function: its text is read, typed, optimised, verified, built and run once on
float32 arrays of 16. Peers are measured if they can be imported (torch.fx traces without running).
"""

import itertools
import linecache

import numpy as np

import ms_ext as ms
from benchmarks import measure
from ms_ext import ops

_numbers = itertools.count()
LINES = (
    "x = m.tanh(x) * y",
    "x = x + y * 2.0",
    "x = m.maximum(x, y)",
    "x = x - y",
    "x = m.abs(x) + 0.5",
)


def function_of(count, m=ops):
    """A new function with ``count`` lines of one or two ops."""
    text = (
        "def f(x, y):\n" + "".join(f"    {LINES[i % 5]}\n" for i in range(count)) + "    return x\n"
    )
    name = f"<benchmark {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"m": m}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def first_call(count):
    """Prepare: a function nobody has read. Work: compile and run it."""
    x, y = ms.Tensor(np.linspace(0, 1, 16, dtype=np.float32)), ms.Tensor(np.ones(16, np.float32))
    function = function_of(count)
    return lambda: ms.jit(function)(x, y)


def traced_by_torch(count):
    """The nearest thing in torch: the fx graph of the same function."""
    import torch
    import torch.fx

    function = function_of(count, torch)
    return lambda: torch.fx.symbolic_trace(function)


def main():
    """Print the tables of first and later calls."""
    for count in (10, 100, 700):
        timings = {"ms_ext, first result": measure.once(lambda c=count: first_call(c))}
        try:
            timings["torch.fx, trace only"] = measure.once(lambda c=count: traced_by_torch(c))
        except ImportError:
            pass
        measure.table(f"first call, {count} lines", timings, next(reversed(timings)))
    x, y = ms.Tensor(np.ones(16, np.float32)), ms.Tensor(np.ones(16, np.float32))
    compiled = ms.jit(lambda a, b: (a + b) * 2.0)
    compiled(x, y)
    a, b = x.asnumpy(), y.asnumpy()
    later = {
        "ms_ext, jitted (a + b) * 2": lambda: compiled(x, y),
        "numpy, the same": lambda: (a + b) * 2.0,
    }
    measure.table("later call", measure.interleaved(later), "numpy, the same")


if __name__ == "__main__":
    main()
