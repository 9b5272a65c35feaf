"""In which dtype can a function be measured? In float64 if it means the same there, else its own.

A custom op may promise one dtype only, or its code read float64 memory as something else. So the
function is asked in both, and float64 counts only where the answers agree.
"""

from typing import NamedTuple

import numpy as np

from ... import errors
from ...tensor import Tensor

#: dtype -> (rounding, step of the differences: its cube root, how far a gradient may be off)
KINDS = {
    "float64": (2.0**-52, 1e-5, 1e-6),
    "float32": (2.0**-23, 5e-3, 1e-3),
    "float16": (2.0**-10, 0.1, 3e-2),
    "bfloat16": (2.0**-7, 0.2, 0.15),
}
#: How far a bprop that calculates in a dtype may be off for its rounding alone.
ROUNDING = {"float64": 1e-6, "float32": 1e-4, "float16": 1e-2, "bfloat16": 5e-2}


class Measured(NamedTuple):
    """A function of arrays: ``forward(*arrays)`` gives a tuple of them.

    ``arrays``: what it is measured on, one per input that moves; ``dtype``: theirs; ``outs``: its
    results there.
    """

    forward: object
    arrays: tuple
    dtype: str
    outs: tuple


def array_of(tensor):
    """The elements of a tensor in its own dtype, bfloat16 too."""
    return np.array(tensor.asnumpy()).astype(tensor.dtype.numpy)


def is_float(value):
    """Whether an input is a tensor whose elements can be moved."""
    return isinstance(value, Tensor) and value.dtype.kind == "float"


def results(fn, inputs):
    """What a function gives, as a tuple of tensors; TypeError for anything else."""
    out = fn(*inputs)
    outs = tuple(out) if isinstance(out, tuple | list) else (out,)
    if not outs or not all(isinstance(each, Tensor) for each in outs):
        raise errors.InvalidType(
            "gradcheck takes a function that returns a tensor, or a tuple of tensors.",
            given=f"it returned {out!r:.60}",
            hint="Check a function around it that returns the tensors: lambda x: net(x)['logits'].",
        )
    return outs


def measured(fn, inputs, places):
    """How ``fn`` is measured at these inputs, of which those at ``places`` move."""
    own = _floats(results(fn, inputs))
    again = _floats(results(fn, inputs))
    _same_twice(own, again)
    if not own:
        raise errors.InvalidType(
            "None of the results is a tensor of floats: nothing has a gradient.",
            hint="Check the function before its results become integers.",
        )
    narrow = [inputs[at].dtype.numpy for at in places]
    plain = tuple(array_of(inputs[at]) for at in places)
    wide = tuple(array.astype(np.float64) for array in plain)
    kinds = [each.dtype.name for each in (*own, *plain)]
    worst = max(kinds, key=lambda name: KINDS[name][0])
    forward = _forward(fn, inputs, places)
    if all(kind == np.float64 for kind in narrow) and worst == "float64":
        return Measured(forward, wide, "float64", own)
    there = _in_float64(forward, wide)
    if there is not None and _agree(own, there, ROUNDING[worst]):
        return Measured(forward, wide, "float64", there)
    return Measured(forward, plain, worst, own)


def _forward(fn, inputs, places):
    def forward(*arrays):
        given = list(inputs)
        for at, array in zip(places, arrays, strict=True):
            given[at] = Tensor.from_numpy(np.array(array))
        return _floats(results(fn, given))

    return forward


def _floats(outs):
    return tuple(array_of(out) for out in outs if out.dtype.kind == "float")


def _in_float64(forward, wide):
    """The results in float64; None where the function refuses it or answers in another dtype."""
    try:
        found = forward(*wide)
    except Exception:  # whatever a learner's function says to a dtype that it was not made for
        return None
    return found if all(out.dtype == np.float64 for out in found) else None


def _agree(own, there, tolerance):
    if [out.shape for out in own] != [out.shape for out in there]:
        return False
    for one, other in zip(own, there, strict=True):
        one = one.astype(np.float64)
        with np.errstate(all="ignore"):
            room = tolerance * (np.abs(other) + np.abs(one).max(initial=0.0)) + 1e-30
            near = (np.abs(one - other) <= room) | (one == other)
        if not (near | (np.isnan(one) & np.isnan(other))).all():
            return False
    return True


def _same_twice(own, again):
    for one, other in zip(own, again, strict=True):
        if not np.array_equal(one.astype(np.float64), other.astype(np.float64), equal_nan=True):
            raise errors.NotRunnable(
                "The function gives something else at every call: it has no differences.",
                hint="Take what is random out of it, a dropout or a draw, or give it a fixed seed.",
            )
