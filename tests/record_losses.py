"""Record what MindSpore or torch gives for the calls in losses_cases.py: values and gradients.

    python tests/record_losses.py mindspore     # with a Python that has it
    python tests/record_losses.py metrics       # with the same
    python tests/record_losses.py torch

Each writes its part of tests/golden/losses.json.
"""

import json
import sys
from pathlib import Path

import numpy as np
from losses_cases import METRICS, OF_MINDSPORE, OF_TORCH, operands_of, weight

GOLDEN = Path(__file__).parent / "golden" / "losses.json"


def of_mindspore():
    """text -> answer, of MindSpore."""
    import mindspore as ms

    ms.runtime.launch_blocking()
    scope = {"ms": ms, "ops": ms.ops, "nn": ms.nn, "mint": ms.mint, "float": float}
    found = {}
    for text, operands in OF_MINDSPORE.items():
        given = {k: ms.Tensor(v) for k, v in operands_of(text, operands).items()}
        names = [k for k, v in given.items() if v.dtype == ms.float32]
        code = compile(text, text, "eval")

        def results(*floats, code=code, given=given, names=names):
            out = eval(code, scope, given | dict(zip(names, floats, strict=True)))
            return out if isinstance(out, tuple | list) else (out,)

        def total(*floats, results=results):
            parts = [(r * ms.Tensor(weight(r.shape), r.dtype)).sum() for r in results(*floats)]
            return sum(parts[1:], parts[0])

        floats = [given[n] for n in names]
        values = [r.asnumpy() for r in results(*floats)]
        try:
            slopes = ms.grad(total, tuple(range(len(names))))(*floats)
            slopes = slopes if isinstance(slopes, tuple) else (slopes,)
        except (TypeError, RuntimeError) as error:  # no kernel for the gradient
            print(text, str(error).partition("\n")[0])
            slopes = ()
        found[text] = answer(values, [s.asnumpy() for s in slopes])
    return found


def of_torch():
    """text -> answer, of torch in Float64."""
    import torch
    from torch.nn import functional

    found = {}
    for text, (theirs, operands) in OF_TORCH.items():
        given = {}
        for name, array in operands_of(text, operands).items():
            tensor = torch.tensor(array)
            given[name] = tensor if array.dtype.kind == "i" else tensor.double().requires_grad_()
        fixed = {k: v.detach() if k in "ws" else v for k, v in given.items()}
        out = eval(theirs, {"F": functional}, fixed)
        floats = [v for v in fixed.values() if v.requires_grad]
        total = (out * torch.tensor(weight(out.shape))).sum()
        slopes = torch.autograd.grad(total, floats)
        found[text] = answer([out.detach().numpy()], [s.numpy() for s in slopes])
    return found


def of_metrics():
    """text -> what MindSpore's metric gives after its updates."""
    from mindspore.train import metrics

    found = {}
    for text, updates in METRICS.items():
        metric = eval(text, vars(metrics))
        for inputs in updates:
            metric.update(*[np.array(each) for each in inputs])
        found[text] = nested(metric.eval())
    return found


def nested(value):
    """Arrays in lists and tuples as lists."""
    if isinstance(value, tuple | list):
        return list(map(nested, value))
    return np.float64(value).tolist()


def answer(values, slopes):
    """Arrays as lists of numbers with nine digits."""
    return {"value": list(map(plain, values)), "gradients": list(map(plain, slopes))}


def plain(array):
    """One array."""
    return [float(f"{v:.9g}") for v in np.ravel(np.float64(array)).tolist()]


if __name__ == "__main__":
    engine = sys.argv[1]
    kept = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
    kept[engine] = {"mindspore": of_mindspore, "torch": of_torch, "metrics": of_metrics}[engine]()
    parts = []
    for name, calls in sorted(kept.items()):
        rows = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in calls.items())
        parts.append(f"{json.dumps(name)}: {{\n{rows}\n}}")
    GOLDEN.write_text("{\n" + ",\n".join(parts) + "\n}\n")
    print(len(kept[engine]), "calls")
