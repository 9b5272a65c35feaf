"""Record what torch gives for the calls in array_cases.TORCH: results and gradients.

    python tests/record_arrays_torch.py        # with a Python that has torch and NumPy

Writes tests/golden/arrays_torch.json, which test_ops_arrays.py compares with.
"""

import json
from pathlib import Path

import numpy as np
import torch
from array_cases import TORCH, operands_of

GOLDEN = Path(__file__).parent / "golden" / "arrays_torch.json"
NAMES = {"float32": "Float32", "float64": "Float64", "float16": "Float16", "int64": "Int64"}
NAMES |= {"int32": "Int32", "bool": "Bool"}


def weighed(results):
    """The sum of the floating results, each element times a number of its own."""
    several = results if isinstance(results, tuple | list) else (results,)
    return sum(_weight(r) for r in several if r.dtype.is_floating_point)


def _weight(result):
    weights = np.reshape((np.arange(result.numel()) * 7 % 5 - 1.75) / 2, result.shape)
    return (result * torch.tensor(weights.astype(np.float32)).to(result.dtype)).sum()


def described(value):
    """A result as plain data: [dtype, shape, values]."""
    if isinstance(value, tuple | list):
        return [described(v) for v in value]
    values = value.detach().double().numpy().ravel().tolist()
    kind = NAMES[str(value.dtype).removeprefix("torch.")]
    return [kind, list(value.shape), [float(f"{v:.8g}") for v in values]]


def answer(text):
    """{"results", "gradients"} of one case."""
    given = {name: torch.tensor(array) for name, array in operands_of(text).items()}
    floats = [x.requires_grad_() for x in given.values() if x.dtype.is_floating_point]
    results = eval(TORCH[text], {"torch": torch}, given)
    row = {"results": described(results)}
    total = weighed(results)
    if floats and getattr(total, "requires_grad", False):
        try:
            found = torch.autograd.grad(total, floats, allow_unused=True)
        except RuntimeError:  # torch has none
            return row
        zeros = [torch.zeros_like(x) for x in floats]
        pairs = zip(found, zeros, strict=True)
        row["gradients"] = [described(z if g is None else g) for g, z in pairs]
    return row


def main():
    """Ask torch, write the answers."""
    rows = [f"  {json.dumps(text)}: {json.dumps(answer(text))}" for text in TORCH]
    head = f'{{"torch": {json.dumps(torch.__version__)}, "cases": {{'
    GOLDEN.write_text("\n".join([head, ",\n".join(rows), "}}", ""]))
    print(f"{len(rows)} calls")


if __name__ == "__main__":
    main()
