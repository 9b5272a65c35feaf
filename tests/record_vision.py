"""Keep what MindSpore 2.10 answers to ``vision_cases``: ``python tests/record_vision.py``.

Values, gradients of the sum of the results times 1, 2, 3, ..., the kinds of errors, and texts.
"""

import json
import sys
from pathlib import Path

import numpy as np
from vision_cases import CASES, inputs
from vision_refusals import ERRORS, REPRS, operands

KEPT = Path(__file__).parent / "golden" / "vision.json"


def weighed(ms, f):
    """The results' sum, each element times its number."""

    def total(*xs):
        out = f(*xs)
        found = ms.Tensor(0.0, ms.float32)
        for y in out if isinstance(out, tuple) else (out,):
            if y.dtype == ms.float32:
                weights = np.arange(1, int(np.prod(y.shape)) + 1, dtype=np.float32) / 8
                found = found + (y * ms.Tensor(weights.reshape(y.shape))).sum()
        return found

    return total


def rounded(array):
    """A shape, and numbers to seven digits."""
    array = np.asarray(array)
    digits = [float(f"{v:.7g}") for v in array.ravel().astype(np.float64)]
    return {"shape": list(array.shape), "values": digits}


def answered(ms, names, text, shapes):
    """Results and gradients of one call, or the kind of its error."""
    xs = [ms.Tensor(x) for x in inputs(shapes)]
    found = {}
    try:
        out = eval(text, names)(*xs)
        found["out"] = [rounded(y.asnumpy()) for y in (out if isinstance(out, tuple) else (out,))]
    except Exception as error:
        return {"error": type(error).__name__, "text": str(error)[:300]}
    try:
        grads = ms.grad(weighed(ms, eval(text, names)), tuple(range(len(xs))))(*xs)
        grads = grads if isinstance(grads, tuple) else (grads,)
        found["grad"] = [rounded(g.asnumpy()) for g in grads]
    except Exception as error:
        found["grad_error"] = f"{type(error).__name__}: {str(error)[:200]}"
    return found


def refused(names, text):
    """The kind and text of an error, or None."""
    try:
        out = eval(text, names)
        for y in out if isinstance(out, tuple) else (out,):
            if hasattr(y, "asnumpy"):
                y.asnumpy()
    except Exception as error:
        return [type(error).__name__, str(error)[:300]]
    return None


def main(wanted):
    """Record all cases, or those whose names are given."""
    import mindspore as ms
    from mindspore import mint, nn, ops

    ms.runtime.launch_blocking()
    names = {"ms": ms, "nn": nn, "ops": ops, "mint": mint, "np": np}
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    for name, (text, *shapes) in CASES.items():
        if not wanted or name in wanted:
            kept.setdefault("cases", {})[name] = answered(ms, names, text, shapes)
    names |= operands(ms.Tensor)
    if not wanted:
        kept["errors"] = {text: refused(names, text) for text in ERRORS}
        kept["reprs"] = {text: repr(eval(text, names)) for text in REPRS}
    KEPT.write_text(json.dumps(kept, indent=0) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
