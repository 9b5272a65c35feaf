"""Run the programs on real MindSpore and keep what it answers: value and first derivative.

python tests/record_programs.py        (with a Python that has mindspore 2.10)
"""

import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))


def plain(value):
    """Tensors and tuples as JSON."""
    if isinstance(value, tuple | list):
        return [plain(v) for v in value]
    if hasattr(value, "asnumpy"):
        return {"dtype": str(value.dtype), "value": np.asarray(value.asnumpy()).tolist()}
    return {"dtype": type(value).__name__, "value": value}


def answer_of(ms, function, args, kind):
    """One program's answer; a refusal is an answer too."""
    make = ms.jit if kind == "value" else lambda f: ms.jit(ms.grad(f))
    try:
        return plain(make(function)(*args))
    except Exception as error:
        return {"error": type(error).__name__, "text": str(error).strip().splitlines()[0]}


def main():
    import mindspore as ms
    from programs import PROGRAMS, name_of

    ms.runtime.launch_blocking()
    path = HERE / "golden" / "programs.json"
    found = json.loads(path.read_text()) if path.exists() else {}
    for function, inputs in PROGRAMS:
        args = [v if type(v) is int else ms.Tensor(v, ms.float32) for v in inputs]
        for kind in ("value", "gradient"):
            case = f"{name_of((function, inputs))} {kind}"
            if case in found:
                continue
            found[case] = {"error": "no answer", "text": "did not come back"}  # kept if it hangs
            path.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
            found[case] = answer_of(ms, function, args, kind)
    path.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
