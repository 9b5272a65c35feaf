"""Record the gradients that MindSpore finds of the calls in gradient_cases.py.

    python tests/record_gradients.py        # with a Python that has MindSpore 2.10 and NumPy

Writes tests/golden/gradients_mindspore.json, which test_gradients_mindspore.py compares with.
"""

import json
from pathlib import Path

from gradient_cases import CASES, gradients

GOLDEN = Path(__file__).parent / "golden" / "gradients_mindspore.json"
DTYPES = ("float32", "float16")


def answer(ms, text, dtype):
    """One [dtype, shape, values] per operand, or what it says instead."""
    try:
        return [described(ms, gradient) for gradient in gradients(text, ms, dtype)]
    except Exception as error:  # noqa: BLE001 - whatever MindSpore raises is its answer
        return {"refused": f"{type(error).__name__}: {str(error).strip().splitlines()[0]}"}


def described(ms, gradient):
    """A gradient as plain data."""
    values = gradient.astype(ms.float32).asnumpy().ravel().tolist()
    return [str(gradient.dtype), list(gradient.shape), [float(f"{v:.8g}") for v in values]]


def main():
    """Ask MindSpore, write the answers."""
    import mindspore as ms

    ms.runtime.launch_blocking()
    rows = []
    for text in CASES:
        row = {dtype: answer(ms, text, dtype) for dtype in DTYPES}
        rows.append(f"  {json.dumps(text)}: {json.dumps(row)}")
    head = f'{{"mindspore": {json.dumps(ms.__version__)}, "cases": {{'
    GOLDEN.write_text("\n".join([head, ",\n".join(rows), "}}", ""]))
    print(f"{len(rows)} calls, {sum('refused' in row for row in rows)} refused")


if __name__ == "__main__":
    main()
