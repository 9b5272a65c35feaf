"""Record what torch answers to the calls in mint_cases.py.

    python tests/record_mint.py        # with a Python that has torch and NumPy

Writes tests/golden/mint_torch.json, which test_mint_names.py compares with.
"""

import json
from pathlib import Path

import numpy as np
import torch
from mint_cases import CASES, operands_of

GOLDEN = Path(__file__).parent / "golden" / "mint_torch.json"


def answer(text):
    """[[dtype, shape, values], ...], or the Python value."""
    scope = {"mint": torch, "F": torch.nn.functional}
    given = {name: torch.tensor(x) for name, x in operands_of(text).items()}
    found = eval(text, scope, given)
    several = found if isinstance(found, tuple | list) else (found,)
    return [described(t) for t in several]


def described(tensor):
    """A tensor as plain data."""
    if not isinstance(tensor, torch.Tensor):
        return tensor
    values = np.ravel(tensor.numpy(force=True).astype(np.float64)).tolist()
    kind = str(tensor.dtype).removeprefix("torch.")
    return [kind, list(tensor.shape), [float(f"{v:.8g}") for v in values]]


def main():
    """Ask torch, write the answers."""
    rows = [json.dumps([text, answer(text)]) for text in CASES]
    GOLDEN.write_text("[\n" + ",\n".join(rows) + "\n]\n")
    print(f"{len(rows)} calls")


if __name__ == "__main__":
    main()
