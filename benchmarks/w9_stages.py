"""W9: what does a custom op through the four stages cost, to return and until its value is there?

A Python function that hands its input back, so the numbers are of the stages. "returns": calls
one after the other, nobody waits, the queues not full. "ready": a call, then its value. MindSpore's
numbers (C++ op: 2.5 us to return, 6.7 us blocking; Python op: 1.07 ms) are not measured here.
"""

import time

import numpy as np

from ms_ext import Tensor, dtype, ops, runtime

ROUNDS, CALLS = 15, 40


def rounds(measure):
    """(minimum, median) of several rounds, in microseconds."""
    found = sorted(measure() for _ in range(ROUNDS))
    return found[0] * 1e6, found[len(found) // 2] * 1e6


def to_return(op, x):
    """Seconds a call takes to return, while the stages still work on it."""
    runtime.synchronize()
    begin = time.perf_counter()
    kept = [op(x) for _ in range(CALLS)]
    taken = time.perf_counter() - begin
    runtime.synchronize()
    del kept
    return taken / CALLS


def to_value(op, x):
    """Seconds from a call until its value is there."""
    begin = time.perf_counter()
    for _ in range(CALLS):
        op(x).asnumpy()
    return (time.perf_counter() - begin) / CALLS


def plain(op, x):
    """Seconds of the same function called on the array, without any op."""
    array, func = x.asnumpy(), op.func
    begin = time.perf_counter()
    for _ in range(CALLS):
        func(np.array(array))
    return (time.perf_counter() - begin) / CALLS


def main():
    """Print the table."""
    print(f"{'custom op on float32':<24}{'measure':<34}{'min us':>9}{'median us':>11}")
    for size in (16, 100_000):
        op = ops.Custom(lambda a: a, (size,), dtype.float32)
        x = Tensor(np.ones(size, np.float32))
        rows = [("the function alone, with a copy", "auto", plain)]
        rows += [(f"returns, {p}", p, to_return) for p in ("auto", "blocking")]
        rows += [(f"ready, {p}", p, to_value) for p in ("auto", "blocking")]
        for name, policy, measure in rows:
            with runtime.dispatch(policy):
                least, median = rounds(lambda op=op, x=x, measure=measure: measure(op, x))
            print(f"{f'({size},)':<24}{name:<34}{least:>9.1f}{median:>11.1f}")


if __name__ == "__main__":
    main()
