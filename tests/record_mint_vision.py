"""Keep what PyTorch answers to ``mint_vision_cases``: values, and two orders of gradients.

python tests/record_mint_vision.py        # with a Python that has torch and NumPy
"""

import json
from pathlib import Path

import numpy as np
from mint_vision_cases import CASES, inputs, weight

KEPT = Path(__file__).parent / "golden" / "mint_vision.json"


def main():
    """Ask torch, write the answers."""
    import torch
    from torch.nn import functional

    kept = {}
    for name, (_, text, shapes) in CASES.items():
        xs = [torch.tensor(x, requires_grad=True) for x in inputs(shapes)]
        out = eval(text, {"F": functional}, dict(zip("xw", xs, strict=False)))
        several = out if isinstance(out, tuple) else (out,)
        total = (several[0] ** 2 * torch.tensor(weight(several[0].shape))).sum()
        first = torch.autograd.grad(total, xs, create_graph=True)
        again = sum((g * torch.tensor(weight(g.shape))).sum() for g in first)
        second = torch.autograd.grad(again, xs)
        found = {"out": several, "first": first, "second": second}
        kept[name] = {key: [plain(t) for t in tensors] for key, tensors in found.items()}
    KEPT.write_text(json.dumps(kept, indent=0) + "\n")


def plain(tensor):
    """A shape and numbers of nine digits."""
    array = tensor.detach().double().numpy()
    return [list(array.shape), [float(f"{v:.9g}") for v in np.ravel(array).tolist()]]


if __name__ == "__main__":
    main()
