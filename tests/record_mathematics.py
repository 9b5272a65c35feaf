"""Record what MindSpore or torch answers to the calls in mathematics_cases.py.

    python tests/record_mathematics.py mindspore   # with a Python that has MindSpore 2.10
    python tests/record_mathematics.py refused     # with the same: the classes of errors
    python tests/record_mathematics.py torch       # with one that has torch: gradients too

Writes tests/golden/mathematics_*.json, which test_mathematics.py compares with.
"""

import json
import sys
from pathlib import Path

import numpy as np
from mathematics_cases import CASES, operands_of
from mathematics_refused import BAD_OPERANDS, REFUSED
from torch_cases import weight

GOLDEN = Path(__file__).parent / "golden"


def mindspore_answers():
    """text -> [[dtype, shape, values], ...] in float32, or why it refused."""
    import mindspore as ms

    ms.runtime.launch_blocking()
    scope = {"ms": ms, "ops": ms.ops, "mint": ms.mint}
    for case in CASES:
        given = {name: ms.Tensor(narrowed(x)) for name, x in operands_of(case).items()}
        try:
            found = eval(case[0], scope, given)
            yield [described(t) for t in flat(found)]
        except Exception as error:  # noqa: BLE001 - whatever it says is the answer
            yield f"{type(error).__name__}"


def refusals():
    """text -> the class of MindSpore's error; None if there is none."""
    import mindspore as ms

    ms.runtime.launch_blocking()
    scope = {"ms": ms, "ops": ms.ops, "mint": ms.mint}
    for text in REFUSED:
        given = {name: ms.Tensor(x) for name, x in BAD_OPERANDS.items()}
        try:
            flat(eval(text, scope, given))[0].asnumpy()
            yield None
        except Exception as error:  # noqa: BLE001 - its class is the answer
            yield type(error).__name__


def narrowed(x):
    return x.astype(np.float32) if x.dtype.kind == "f" else x


def described(tensor):
    if not hasattr(tensor, "asnumpy"):
        return repr(tensor)
    return [str(tensor.dtype), list(tensor.shape), numbers(tensor.asnumpy())]


def numbers(array):
    return [float(f"{v:.9g}") for v in np.ravel(np.asarray(array, np.float64)).tolist()]


def flat(found):
    return found if isinstance(found, tuple | list) else (found,)


def torch_answers():
    """text -> {"value": ..., "gradients": ...} in float64; the gradient of weighed results."""
    import torch

    scope = {"torch": torch, "F": torch.nn.functional}
    for case in CASES:
        if case[1] is None:
            yield None
            continue
        given = {}
        for name, array in operands_of(case).items():
            tensor = torch.tensor(array)
            given[name] = tensor.requires_grad_() if array.dtype.kind == "f" else tensor
        found = flat(eval(case[1], scope, given))
        yield {
            "value": [numbers(t.numpy(force=True)) for t in found],
            "gradients": slopes(found, given),
        }


def slopes(found, given):
    """The gradients at the floating operands; None if there is none."""
    import torch

    moving = [t for t in found if t.requires_grad]
    operands = [t for t in given.values() if t.requires_grad]
    if not moving or not operands:
        return None
    total = sum((t * torch.tensor(weight(t.shape))).sum() for t in moving)
    parts = torch.autograd.grad(total, operands, allow_unused=True)
    return [
        numbers((torch.zeros_like(x) if g is None else g).numpy(force=True))
        for g, x in zip(parts, operands, strict=True)
    ]


def main(who):
    """Ask, write the answers."""
    texts = REFUSED if who == "refused" else [case[0] for case in CASES]
    answers = {"mindspore": mindspore_answers, "torch": torch_answers, "refused": refusals}[who]()
    rows = [json.dumps([text, row]) for text, row in zip(texts, answers, strict=True)]
    path = GOLDEN / f"mathematics_{who}.json"
    path.write_text("[\n" + ",\n".join(rows) + "\n]\n")
    print(f"{len(rows)} calls")


if __name__ == "__main__":
    main(sys.argv[1])
