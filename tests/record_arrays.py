"""Record what MindSpore gives for the calls in array_cases.py: results, gradients, or a refusal.

    python tests/record_arrays.py        # with a Python that has MindSpore 2.10 and NumPy

Writes tests/golden/arrays_mindspore.json, which test_ops_arrays.py compares with.
"""

import json
from pathlib import Path

import numpy as np
from array_cases import CASES, operands_of

GOLDEN = Path(__file__).parent / "golden" / "arrays_mindspore.json"


def tensors_of(ms, text):
    """name -> operand; ``w`` is a Parameter."""
    made = {name: ms.Tensor(array) for name, array in operands_of(text).items()}
    return {n: ms.Parameter(t, name="w") if n == "w" else t for n, t in made.items()}


def called(ms, text, operands):
    """The results of one case."""
    return eval(text, {"ms": ms, "ops": ms.ops, "mint": ms.mint}, dict(operands))


def weighed(ms, results):
    """The sum of the floating results, each element times a number of its own."""
    several = results if isinstance(results, tuple | list) else (results,)
    parts = [_weight(ms, r) for r in several if "loat" in str(getattr(r, "dtype", ""))]
    return sum(parts[1:], parts[0])


def _weight(ms, result):
    size = int(np.prod(result.shape))
    weights = np.reshape((np.arange(size) * 7 % 5 - 1.75) / 2, result.shape)
    return ms.ops.sum(result * ms.Tensor(weights.astype(np.float32)).astype(result.dtype))


def is_differentiable(text, operands, results):
    """Whether a gradient is asked for: floating operands and results, nothing drawn or written."""
    several = results if isinstance(results, tuple | list) else (results,)
    floats = [n for n, x in operands.items() if "loat" in str(x.dtype)]
    out = any("loat" in str(getattr(r, "dtype", "")) for r in several)
    return floats if out and "w" not in operands else []


def gradients(ms, text, operands, names, compiled=None):
    """The gradients at the floating operands."""

    def loss(*varied):
        given = dict(operands) | dict(zip(names, varied, strict=True))
        return weighed(ms, called(ms, text, given))

    take = ms.grad(loss, tuple(range(len(names))))
    found = (compiled(take) if compiled else take)(*[operands[n] for n in names])
    return found if isinstance(found, tuple) else (found,)


def described(value):
    """A result as plain data: [dtype, shape, values], or what it is."""
    if isinstance(value, tuple | list):
        return [described(v) for v in value]
    if not hasattr(value, "asnumpy"):
        return f"{type(value).__name__}:{value}"
    array = value.asnumpy().astype(np.float64).ravel().tolist()
    return [str(value.dtype), list(value.shape), [float(f"{v:.8g}") for v in array]]


def answer(ms, text):
    """{"results", "gradients"}, or what it says instead."""
    operands = tensors_of(ms, text)
    try:
        results = called(ms, text, operands)
        row = {"results": described(results)}
    except Exception as error:  # noqa: BLE001 - whatever MindSpore raises is its answer
        return {"refused": said(error)}
    names = is_differentiable(text, operands, results)
    if names:
        try:
            found = gradients(ms, text, tensors_of(ms, text), names)
            row["gradients"] = [described(g) for g in found]
        except Exception as error:  # noqa: BLE001
            row["gradients"] = said(error)
    return row


def said(error):
    """An error in one line."""
    return f"{type(error).__name__}: {str(error).strip()[:90]}".splitlines()[0]


def main():
    """Ask MindSpore, write the answers."""
    import mindspore as ms

    ms.runtime.launch_blocking()
    rows = []
    for text in CASES:
        rows.append(f"  {json.dumps(text)}: {json.dumps(answer(ms, text))}")
    head = f'{{"mindspore": {json.dumps(ms.__version__)}, "cases": {{'
    GOLDEN.write_text("\n".join([head, ",\n".join(rows), "}}", ""]))
    print(f"{len(rows)} calls, {sum('refused' in row for row in rows)} refused")


if __name__ == "__main__":
    main()
