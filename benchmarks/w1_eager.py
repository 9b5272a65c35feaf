"""Eager calls on small tensors against NumPy's; recording and gradients are w1b.

Every statement is compiled fifty times in a row into one function, so that a call of the function
does not count. The last table is from a child in which nothing is compiled.
"""

import os
import subprocess
import sys

import numpy as np

from benchmarks import measure
from ms_ext import ops
from ms_ext.common import Parameter
from ms_ext.engine.primitive import op
from ms_ext.engine.tensor import COMPILED, Tensor

TIMES = 50  # copies of a statement in one function


@op()
class OnlyCompute:
    """x * x, declared with its NumPy meaning alone."""

    compute = np.square


def world():
    """What the statements speak of: arrays a, b, ... and tensors x, y, ... of the same values."""
    ones = np.ones(16, np.float32)
    made = {
        "a": ones, "b": ones.copy(),
        "am": np.ones((4, 4), np.float32), "av": np.ones(4, np.float32),
        "ai": np.ones(16, np.int32), "big": np.ones(1024, np.float32),
    }  # fmt: skip
    made |= {
        name: Tensor(made[array])
        for name, array in {
            "x": "a",
            "y": "b",
            "m": "am",
            "v": "av",
            "i": "ai",
            "big_x": "big",
        }.items()
    }
    made["w"] = Parameter(made["y"], name="w")
    return made | {"np": np, "ops": ops, "Tensor": Tensor, "OnlyCompute": OnlyCompute}


#: (what, ours, NumPy's, goal for the ratio of the least times or None)
CASES = [
    ("x + y", "x + y", "a + b", 0.20),
    ("ops.add(x, y)", "ops.add(x, y)", "a + b", 0.30),
    ("x.add(y)", "x.add(y)", "a + b", 0.30),
    ("x * 2.0", "x * 2.0", "a * 2.0", None),
    ("(4, 4) + (4,)", "m + v", "am + av", None),
    ("int32 + float32", "x + i", "a + ai", None),
    ("m.T + m", "m.T + m", "am.T + am", None),
    ("-x", "-x", "-a", None),
    ("x < y", "x < y", "a < b", None),
    ("ops.exp(x)", "ops.exp(x)", "np.exp(a)", None),
    ("Parameter * y", "w * y", "a * b", None),
    ("x + y of 1024", "big_x + big_x", "big + big", None),
    ("only compute", "OnlyCompute(x)", "np.square(a)", 2.5),
    ("x[1:3]", "x[1:3]", "a[1:3]", None),
    ("x.shape", "x.shape", "a.shape", None),
    ("x.asnumpy()", "x.asnumpy()", "a.view()", None),
    ("Tensor(a)", "Tensor(a)", "a.copy()", None),
    ("Tensor.from_numpy(a)", "Tensor.from_numpy(a)", "a.view()", None),
]  # fmt: skip
UNCOMPILED = [
    ("x + y", "x + y", "a + b", 6),
    ("x * 2.0", "x * 2.0", "a * 2.0", None),
    ("(4, 4) + (4,)", "m + v", "am + av", None),
]


def repeated(statement, names):
    """A function that runs the statement TIMES times."""
    body = "\n".join(f"    {statement}" for _ in range(TIMES))
    made = {}
    exec(f"def run({', '.join(f'{n}={n}' for n in names)}):\n{body}", dict(names), made)
    return made["run"]


def scaled(timing, by):
    """A Timing of one of ``by`` repetitions."""
    return measure.Timing(*(value / by for value in timing))


def compare(cases, rounds=15):
    """Print a row per case: both times, and the ratios of least and median times."""
    names = world()
    print(
        "| case | ours least (median) | NumPy least (median) | least ratio | median ratio | goal |"
    )
    print("|---|---|---|---|---|---|")
    for what, ours, theirs, goal in cases:
        pair = {"ours": repeated(ours, names), "numpy": repeated(theirs, names)}
        found = measure.interleaved(pair, rounds, burst=0.002)
        us, them = scaled(found["ours"], TIMES), scaled(found["numpy"], TIMES)
        row = [what, f"{measure.shown(us.least)} ({measure.shown(us.median)})"]
        row += [f"{measure.shown(them.least)} ({measure.shown(them.median)})"]
        row += [f"{us.least / them.least:.3f}", f"{us.median / them.median:.3f}", f"{goal or ''}"]
        print(f"| {' | '.join(row)} |")


def main():
    """Print the tables."""
    if not COMPILED:
        return compare(UNCOMPILED)
    compare(CASES)
    print("\n### nothing compiled (MS_EXT_CORE=reference)\n")
    sys.stdout.flush()
    command = [sys.executable, "-m", "benchmarks.w1_eager"]
    subprocess.run(command, env=os.environ | {"MS_EXT_CORE": "reference"}, check=True)


if __name__ == "__main__":
    main()
