"""The samples of an op, taken apart, and cast to every dtype: what the generated tests run on."""

import numpy as np

from ms_ext import dtype as dtypes


def split_case(op, sample):
    """``(operands, attributes)`` of one sample, defaults filled in."""
    sample = tuple(sample)
    operands, given = sample, {}
    if sample and isinstance(sample[-1], dict):
        *operands, given = sample
    return tuple(operands), {key: given.get(key, default) for key, default in op.attributes}


def cases(op, seed=0):
    """Every sample as it is, and with all its floating operands cast to each dtype."""
    for sample in op.samples(np.random.default_rng(seed)):
        operands, attributes = split_case(op, sample)
        yield operands, attributes
        if not any(_floating(x) for x in operands):
            continue
        for dtype in dtypes.DTYPES:
            with np.errstate(all="ignore"):
                yield (
                    tuple(x.astype(dtype.numpy) if _floating(x) else x for x in operands),
                    attributes,
                )


def _floating(x):
    return isinstance(x, np.ndarray) and x.dtype.kind == "f"


def run(op, operands, attributes):
    """Call an op with its operands; of a variadic op they are one tuple."""
    if op.arity is None:
        return op(tuple(operands), **attributes)
    if op.arity and not any(hasattr(x, "shape") for x in operands):
        return op(**dict(zip(op.operand_names, operands, strict=True)), **attributes)
    return op(*operands, **attributes)


def flat(result):
    """An op's results as a tuple, also where it is one."""
    return result if isinstance(result, tuple) else (result,)


def described(op, operands, attributes):
    """One case, for a failing test's message."""
    shown = ", ".join(
        f"{getattr(x, 'dtype', type(x).__name__)}{getattr(x, 'shape', '')}" for x in operands
    )
    return f"{op.name}({shown}, {attributes})"
