"""Programs about Cells, Parameters and layers, and what they answer here and in MindSpore.

    python tests/cell_programs.py        # with a Python that has MindSpore 2.10

Writes tests/golden/cells_mindspore.json, which test_cell_surface.py compares with. A program is a
line of Python that leaves its answer in r, or raises.
"""

import json
from pathlib import Path

HERE = Path(__file__).parent
GOLDEN = HERE / "golden" / "cells_mindspore.json"
PROGRAMS = (HERE / "cell_programs.txt").read_text().splitlines()


def environment(ms):
    """The names that programs use."""
    import copy
    import importlib
    import pickle
    from collections import OrderedDict

    import numpy as np

    class C(ms.nn.Cell):
        """A Cell with nothing in it."""

    rules = importlib.import_module(f"{ms.__name__}.common.initializer")
    return {name: getattr(rules, name) for name in rules.__all__} | {
        "ms": ms, "nn": ms.nn, "ops": ms.ops, "np": np, "copy": copy, "pickle": pickle, "C": C,
        "OrderedDict": OrderedDict, "Tensor": ms.Tensor, "Parameter": ms.Parameter,
        "ParameterTuple": ms.ParameterTuple,
        "P": lambda value, name=None: ms.Parameter(ms.Tensor(value, ms.float32), name=name),
        "o": lambda *shape: ms.ops.ones(shape, ms.float32),
        "names": lambda cell: [p.name for p in cell.get_parameters()],
    }  # fmt: skip


def answered(ms, program):
    """["is", how r looks], or ["raises", the built-in class of the error]."""
    known = environment(ms)
    try:
        exec(program, known)
    except Exception as error:  # noqa: BLE001 - whatever it raises is the answer
        return [
            "raises",
            next(k.__name__ for k in type(error).__mro__ if k.__module__ == "builtins"),
        ]
    return ["is", repr(known.get("r"))]


def main():
    """Ask MindSpore, write the answers."""
    import mindspore as ms

    ms.runtime.launch_blocking()
    rows = [f" {json.dumps(p)}: {json.dumps(answered(ms, p))}" for p in PROGRAMS]
    GOLDEN.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
