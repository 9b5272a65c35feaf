"""A custom op through the four stages: time until the call returns, and until its value is there.

The op is a Python function that hands its input back, so the times are those of the stages.
"returns": 40 calls in a row, nobody waits and no queue is full. "ready": a call, then its value.
MindSpore 2.10 needs about 400 us for such an op, blocking. Operators in C++: w8_builder.
"""

import time

import numpy as np

from benchmarks import measure
from ms_ext import Tensor, dtype, ops, runtime

ROUNDS, CALLS = 15, 40
SIZES = (16, 100_000)


def returning(op, x):
    """Seconds a call takes to return while the stages work."""
    runtime.synchronize()
    start = time.perf_counter()
    kept = [op(x) for _ in range(CALLS)]
    spent = time.perf_counter() - start
    runtime.synchronize()
    del kept
    return spent / CALLS


def ready(op, x):
    """Seconds from a call until its value is there."""
    start = time.perf_counter()
    for _ in range(CALLS):
        op(x).asnumpy()
    return (time.perf_counter() - start) / CALLS


def alone(op, x):
    """Seconds of the function itself, on a copy of the array."""
    array = x.asnumpy()
    start = time.perf_counter()
    for _ in range(CALLS):
        op.func(np.array(array))
    return (time.perf_counter() - start) / CALLS


PROGRAMS = {
    "the function alone": ("auto", alone),
    "returns, stages on threads": ("auto", returning),
    "ready, stages on threads": ("auto", ready),
    "ready, blocking": ("blocking", ready),
}


def main():
    """Print a table per size; the programs take turns."""
    for size in SIZES:
        op = ops.Custom(lambda a: a, (size,), dtype.float32)
        x = Tensor(np.ones(size, np.float32))
        samples = {name: [] for name in PROGRAMS}
        for _ in range(ROUNDS):
            for name, (policy, program) in PROGRAMS.items():
                with runtime.dispatch(policy):
                    samples[name].append(program(op, x))
        timings = {name: measure.timing(values) for name, values in samples.items()}
        measure.table(f"custom op on {size} float32", timings, "ready, blocking")


if __name__ == "__main__":
    main()
