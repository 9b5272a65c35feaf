"""Programs with a gradient for the views to show: random ones, and a loop with a branch inside."""

import numpy as np

from ms_ext import Tensor, ops

CALLS = [
    lambda a, b: a + b,
    lambda a, b: a * b,
    lambda a, b: a - b,
    lambda a, b: a / (b * b + 1.0),
    lambda a, b: ops.tanh(a),
    lambda a, b: ops.mean(a, -1, True),
    lambda a, b: ops.maximum(a, b),
    lambda a, b: ops.stop_gradient(a) * b,
]


def random_program(seed, own, length):
    """A random program of broadcasting, reducing and reusing calls, and its three arguments.

    ``own`` is a call that a view adds to ``CALLS``.
    """
    rng = np.random.default_rng(seed)
    calls = [*CALLS, own]
    plan = [
        (calls[rng.integers(len(calls))], rng.integers(99), rng.integers(99)) for _ in range(length)
    ]

    def run(x, y, z):
        known = [x, y, z]
        for call, one, other in plan:
            known.append(call(known[one % len(known)], known[other % len(known)]))
        return known[-1], ops.sum(known[-2] * known[-4])

    shapes = ((2, 3), (3,), (2, 1))
    return run, [Tensor(rng.uniform(0.5, 1, shape).astype(np.float32)) for shape in shapes]


def settled(x, a):
    y = x
    while y < 30.0:
        if y > 4.0:
            y = y * a
        else:
            y = ops.exp(y) + 0.2
    return y
