"""From a decorated function to its first result, and what a later call costs.

Each sample is a new function in a file of its own, of straight-line ops on float32 arrays of 16:
its text is read, typed, optimised, verified, built and run once. Peers take turns with it where
they can be imported: torch.fx traces the function and runs what it wrote, jax.jit compiles it.
"""

import functools
import importlib.util
import itertools
import sys
import tempfile
from pathlib import Path

import numpy as np

import ms_ext as ms
from benchmarks import measure
from ms_ext import ops  # noqa: F401  the generated functions name it

_numbers = itertools.count()
_folder = tempfile.TemporaryDirectory()
LINES = ("t = t * 1.01", "t = t + y", "t = {relu}(t)", "t = t - 0.5")
X, Y = np.linspace(-1, 1, 16, dtype=np.float32), np.ones(16, np.float32)


def function_of(count, head="from ms_ext import ops", relu="ops.relu"):
    """A new function of ``count`` ops, read from a file nobody has read."""
    body = "".join(f"    {LINES[i % 4].format(relu=relu)}\n" for i in range(count))
    name = f"w4_{next(_numbers)}"
    path = Path(_folder.name) / f"{name}.py"
    path.write_text(f"{head}\n\ndef f(x, y):\n    t = x\n{body}    return t\n")
    spec = importlib.util.spec_from_file_location(name, path)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


def ours(count):
    """Prepare: a function nobody has read. Work: compile and run it."""
    function, x, y = function_of(count), ms.Tensor(X), ms.Tensor(Y)
    return lambda: ms.jit(function)(x, y).asnumpy()


def torch_fx(count):
    """The fx graph of the same function, and its first run."""
    import torch
    import torch.fx

    function = function_of(count, "import torch", "torch.relu")
    x, y = torch.from_numpy(X), torch.from_numpy(Y)
    return lambda: torch.fx.symbolic_trace(function)(x, y)


def jax_jit(count):
    """The same function compiled by XLA."""
    import jax

    function = function_of(count, "import jax", "jax.nn.relu")
    return lambda: jax.jit(function)(X, Y).block_until_ready()


def present(*peers):
    """The peers that are installed."""
    found = {}
    for name, module, make in peers:
        if importlib.util.find_spec(module):
            found[name] = make
    return found


def first_results():
    """Tables of first results, each program in its turn."""
    peers = present(("torch.fx", "torch", torch_fx), ("jax.jit", "jax", jax_jit))
    for count in (10, 100, 1000):
        makers = {"ms_ext": ours} | peers
        timings = measure.in_turn({n: functools.partial(m, count) for n, m in makers.items()})
        for reference in list(peers) or ["ms_ext"]:
            measure.table(f"first result, {count} ops", timings, reference)


def later_calls():
    """What a call costs beside its kernel: the jitted function, and what it calls in the end."""
    for count in (2, 10):
        compiled, x, y = ms.jit(function_of(count)), ms.Tensor(X), ms.Tensor(Y)
        compiled(x, y)
        kernel = next(iter(compiled._known.values())).compiled.run
        a, b = x.asnumpy(), y.asnumpy()
        programs = {
            "ms_ext, the kernel alone": lambda run=kernel, a=a, b=b: run(a, b),
            "ms_ext, jitted": lambda f=compiled, x=x, y=y: f(x, y),
        }
        timings = measure.interleaved(programs | _jax_later(count), rounds=25)
        measure.table(f"later call, {count} ops", timings, "ms_ext, the kernel alone")
        alone, call = timings.values() if len(timings) == 2 else list(timings.values())[:2]
        print(f"\nover the kernel: least {measure.shown(call.least - alone.least)}, "
              f"median {measure.shown(call.median - alone.median)}")  # fmt: skip


def _jax_later(count):
    if not importlib.util.find_spec("jax"):
        return {}
    import jax

    function = jax.jit(function_of(count, "import jax", "jax.nn.relu"))
    x, y = jax.numpy.asarray(X), jax.numpy.asarray(Y)
    function(x, y)
    return {"jax.jit": lambda: function(x, y)}


def main():
    """Print the tables of first and later calls."""
    first_results()
    later_calls()


if __name__ == "__main__":
    main()
