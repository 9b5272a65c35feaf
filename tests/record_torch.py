"""Record what torch gives for the calls in torch_cases.py: values, gradients, second derivatives.

    python tests/record_torch.py        # with a Python that has torch and NumPy

Writes tests/golden/gradients_torch.json, which test_gradients_torch.py compares with.
"""

import json
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional
from torch_cases import BRAIN, CASES, operands_of, weight

GOLDEN = Path(__file__).parent / "golden" / "gradients_torch.json"


def weighed(results):
    """The sum of the results, each element times a number of its own."""
    several = results if isinstance(results, tuple | list) else (results,)
    return sum((r * torch.tensor(weight(r.shape)).to(r.dtype)).sum() for r in several)


def called(case, dtype):
    """The results of one case, and its floating operands."""
    given = {}
    for name, array in operands_of(case).items():
        tensor = torch.tensor(array)
        given[name] = tensor.to(dtype).requires_grad_() if array.dtype.kind == "f" else tensor
    results = eval(case[1], {"torch": torch, "F": functional}, given)
    return results, [x for x in given.values() if x.requires_grad]


def slopes(total, operands):
    """The gradients, zeros where there is none."""
    found = torch.autograd.grad(total, operands, create_graph=True, allow_unused=True)
    return [torch.zeros_like(x) if g is None else g for g, x in zip(found, operands, strict=True)]


def answer(case, dtype, orders):
    """{"value": ..., "gradients": ..., "second": gradients of the weighed gradients}."""
    results, operands = called(case, dtype)
    several = results if isinstance(results, tuple | list) else (results,)
    first = slopes(weighed(results), operands)
    found = {"value": plain(several), "gradients": plain(first)}
    moving = [g for g in first if g.requires_grad]
    if orders == 2:
        zeros = [torch.zeros_like(x) for x in operands]
        found["second"] = plain(slopes(weighed(moving), operands) if moving else zeros)
    return found


def plain(tensors):
    """Tensors as lists of numbers with nine digits."""
    wide = [t.detach().double().numpy() for t in tensors]
    return [[float(f"{v:.9g}") for v in np.ravel(x).tolist()] for x in wide]


def main():
    """Ask torch, write the answers."""
    rows = [(case[0], "float64", answer(case, torch.float64, 2)) for case in CASES]
    rows += [(case[0], "bfloat16", answer(case, torch.bfloat16, 1)) for case in BRAIN]
    lines = [f"  {json.dumps(list(row))}" for row in rows]
    head = f'{{"torch": {json.dumps(torch.__version__)}, "calls": ['
    GOLDEN.write_text("\n".join([head, ",\n".join(lines), "]}", ""]))
    print(f"{len(rows)} calls")


if __name__ == "__main__":
    main()
