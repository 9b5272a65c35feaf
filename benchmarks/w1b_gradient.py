"""Eager gradients: what recording costs, a chain forward and backward against others, and memory.

Others take part where they are installed: torch, jax and MindSpore, each on one thread, in turns
with ours. The last table is of children: the most memory that a process had while a gradient came
to be, with every call of the tape kept to the end, and with each let go of once it was used.
"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from benchmarks import measure
from ms_ext import Parameter, Tensor, grad, runtime
from ms_ext.engine.primitive import interpreting, op
from ms_ext.engine.tape import differentiate
from ms_ext.engine.tensor import core

CHAIN = 100  # ops of the chain
TAPE = 1000  # ops of a recorded loop
BIG = 1 << 20  # elements of the arrays whose memory is measured
LAYERS = 40
ONES = np.ones(16, np.float32)
STATUS = Path("/proc/self/status")


@op(operands="promote")
class PythonAdd:
    """x + y with a gradient in Python only."""

    compute = np.add
    kernel = "add"

    def bprop(_x, _y, _out, dout):
        return dout, dout


@op(operands="promote")
class PythonMul:
    """x * y with a gradient in Python only."""

    compute = np.multiply
    kernel = "mul"

    def bprop(x, y, _out, dout):
        return dout * y, dout * x


STEPS = {"add": lambda x, y: x + y, "mul": lambda x, y: x * y}
IN_PYTHON = {"add": PythonAdd, "mul": PythonMul}


def plain_loop():
    """TAPE adds that nobody records."""
    x = y = Tensor(ONES)
    for _ in range(TAPE):
        y = y + x
    return y


def recorded_loop():
    """The same, on a tape that is then freed."""
    level = core.open_tape()
    try:
        x = y = core.leaf(level, Tensor(ONES))
        core.start_recording()
        for _ in range(TAPE):
            y = y + x
    finally:
        core.close_tape(level)
    return y


def interpreted_loop():
    """The same, under an interpreter that lets every op run."""
    with interpreting(core.default):
        return plain_loop()


def recording():
    """Print what recording costs, per op."""
    programs = {
        "adds, not recorded": plain_loop,
        "adds, recorded": recorded_loop,
        "adds under an interpreter": interpreted_loop,
    }
    found = measure.interleaved(programs, 25)
    found = {name: scaled(timing, TAPE) for name, timing in found.items()}
    measure.table("recording, per op", found, "adds, not recorded")
    plain, recorded = found["adds, not recorded"], found["adds, recorded"]
    more = [f"{(recorded[k] - plain[k]) * 1e9:.3g} ns" for k in (0, 1)]
    print(f"\nRecording adds {more[0]} (median {more[1]}); goal 25 % or 15 ns.")


def scaled(timing, by):
    """A Timing of one of ``by`` repetitions."""
    return measure.Timing(*(value / by for value in timing))


def chain_of(step):
    """A function that runs CHAIN steps."""

    def chain(x, y):
        for _ in range(CHAIN):
            x = step(x, y)
        return x

    return chain


def ours(step):
    """The gradient of the chain by its first operand, by the tape."""
    chain, operands = chain_of(step), (Tensor(ONES), Tensor(ONES))
    return lambda: differentiate(chain, operands, (0,))


def public(step):
    """The same by the public function."""
    gradient, operands = grad(chain_of(step)), (Tensor(ONES), Tensor(ONES))
    return lambda: gradient(*operands)


def watched(step):
    """The same, with an account of its memory."""
    run = ours(step)

    def under_watch():
        with runtime.watch_tape():
            run()

    return under_watch


def in_torch(step):
    """The same in torch."""
    import torch

    torch.set_num_threads(1)
    chain, y = chain_of(step), torch.ones(16)
    x, dout = torch.ones(16, requires_grad=True), torch.ones(16)
    return lambda: torch.autograd.grad(chain(x, y), x, dout)


def in_jax(step):
    """The same in jax, not compiled: each op runs by itself."""
    import jax

    gradient = jax.grad(lambda x, y: chain_of(step)(x, y).sum())
    x = y = jax.numpy.ones(16, "float32")
    return lambda: gradient(x, y).block_until_ready()


def in_mindspore(step):
    """The same in MindSpore's eager mode."""
    import mindspore

    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    mindspore.runtime.launch_blocking()
    gradient = mindspore.grad(chain_of(step))
    x = y = mindspore.Tensor(ONES)
    return lambda: gradient(x, y).asnumpy()


PEERS = {"torch": in_torch, "jax": in_jax, "mindspore": in_mindspore}


def chains():
    """Print the tables of the chain, per op."""
    here = [name for name in PEERS if importlib.util.find_spec(name)]
    for name, step in STEPS.items():
        programs = {
            f"{name}, compiled bprop": ours(step),
            f"{name}, Python bprop": ours(IN_PYTHON[name]),
            f"{name}, compiled bprop, by ms.grad": public(step),
            f"{name}, compiled bprop, memory watched": watched(step),
        }
        programs |= {peer: PEERS[peer](step) for peer in here}
        found = measure.interleaved(programs, 60, burst=0.001)
        found = {each: scaled(timing, CHAIN) for each, timing in found.items()}
        reference = here[0] if here else next(iter(programs))
        measure.table(f"chain of {CHAIN}, forward and backward, per op", found, reference)


def layers(keep):
    """The gradients of LAYERS weights, one for each product of a chain."""
    weights = [Parameter(Tensor(np.ones(BIG, np.float32)), name=f"w{i}") for i in range(LAYERS)]
    level = core.open_tape()
    try:
        slots = [core.watch(level, weight) for weight in weights]
        core.start_recording()
        y = Tensor(np.ones(BIG, np.float32))
        for weight in weights:
            y = y * weight
        core.stop_recording(level)
        found = core.backward(level, [y], iter([core.filled_like(y, 1)]), None, keep)
        assert len(found) == len(slots)
    finally:
        core.close_tape(level)


def most_memory():
    """The most bytes that this program ever had; 0 where the system does not say."""
    if not STATUS.exists():
        return 0
    (line,) = [line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) << 10


def memory():
    """Print the most memory of a process that takes the gradients of ``layers``."""
    print(f"\n### {LAYERS} products with {LAYERS} weights of {BIG >> 18} MiB: most memory, MiB\n")
    print("| core | every call kept | each let go of |")
    print("|---|---|---|")
    for which in ("compiled", "reference"):
        row = [grown_by(which, kept) >> 20 for kept in ("kept", "let go")]
        print(f"| {which} | {row[0]} | {row[1]} |")


def grown_by(which, kept):
    """By how many bytes a child grows: the most it has, without what it had before."""
    command = [sys.executable, "-m", "benchmarks.w1b_gradient", kept]
    done = subprocess.run(
        command, env=os.environ | {"MS_EXT_CORE": which}, capture_output=True, text=True, check=True
    )
    return int(done.stdout)


def main(wanted=()):
    """Print the tables; with "kept" or "let go" only what the process grew by."""
    if wanted:
        before = most_memory()
        layers(wanted[0] == "kept")
        return print(most_memory() - before)
    recording()
    chains()
    memory()


if __name__ == "__main__":
    main(sys.argv[1:])
