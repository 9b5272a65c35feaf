"""Record what MindSpore answers where two dtypes meet, and how its tensors look.

    python tests/record_tensor.py        # with a Python that has MindSpore 2.10

Writes tests/golden/promotion.json and tests/golden/printing.json for test_tensor_dtypes.py.
"""

import json
from pathlib import Path

from tensor_cases import DTYPES, LOOKS, MEETINGS, NUMBERS

GOLDEN = Path(__file__).parent / "golden"


def answer(f, x, y):
    """The dtype of a result, or the class of the error."""
    try:
        return str(f(x, y).dtype)
    except Exception as error:  # noqa: BLE001 - whatever MindSpore raises is its answer
        return type(error).__name__


def promotion(ms):
    """operation -> "a b" -> dtype, with tensors on both sides or a number on one."""
    made = {name: ms.Tensor([1], getattr(ms, name)) for name in DTYPES}
    operands = made | NUMBERS
    pairs = [(a, b) for a in operands for b in operands if a in made or b in made]
    return {
        sign: {f"{a} {b}": answer(f, operands[a], operands[b]) for a, b in pairs}
        for sign, f in MEETINGS.items()
    }


def looks(ms):
    """expression -> [repr, str]."""
    import numpy as np

    def tensor(data, dtype=None):
        return ms.Tensor(data, None if dtype is None else getattr(ms, dtype))

    made = {text: eval(text, {"np": np, "T": tensor}) for text in LOOKS}
    return {text: [repr(t), str(t)] for text, t in made.items()}


def main():
    """Ask MindSpore, write the answers."""
    import mindspore as ms

    ms.runtime.launch_blocking()
    for name, found in {"promotion": promotion(ms), "printing": looks(ms)}.items():
        text = json.dumps({"mindspore": ms.__version__, name: found}, indent=1, sort_keys=True)
        (GOLDEN / f"{name}.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
