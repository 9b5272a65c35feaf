"""What does a bprop give? The gradients at some inputs, with random numbers for what comes back."""

import numpy as np

from ... import strict
from ...gradients.gradient import grad
from ...primitive import Primitive
from ...tensor import Tensor


def douts(outs, seed):
    """What comes back to each result: numbers between 0.5 and 1.5 of either sign.

    Nothing comes back to a result that is not of floats.
    """
    rng = np.random.default_rng(seed)
    return tuple([_dout(out, rng) for out in outs])


def _dout(out, rng):
    if out.dtype.kind != "float":
        return Tensor(np.zeros(out.shape, out.dtype.numpy), out.dtype)
    numbers = rng.uniform(0.5, 1.5, out.shape) * rng.choice([-1.0, 1.0], out.shape)
    return Tensor(np.asarray(numbers).astype(out.dtype.numpy), out.dtype)


def gradients(fn, inputs, places, out, weights):
    """(a Tensor or None for each place, None), or (None, what was raised instead).

    ``out``: what ``fn`` returned; ``weights``: the douts, one per tensor of it. Of a custom op a
    gradient that is refused for its shape or dtype, or None, is given as it was returned.
    """
    sens = type(out)(weights) if isinstance(out, tuple | list) else weights[0]
    try:
        found = grad(_function(fn), tuple(places), sens_param=True)(*inputs, sens)
        found, raised = found if len(places) > 1 else (found,), None
    except Exception as error:  # what the learner's bprop raises, or is refused with
        found, raised = None, f"{type(error).__name__}: {error}"
    own = _returned(fn, inputs, out, sens)
    if own is None:
        return found, raised
    own = [own[at] for at in places]
    if raised is None:
        return [None if one is None else each for one, each in zip(own, found, strict=True)], None
    if all(one is None or _suits(one, inputs[at]) for one, at in zip(own, places, strict=True)):
        return None, raised  # it is right by itself: the way there is not
    return own, None


def _returned(fn, inputs, out, sens):
    """What the bprop of a custom op itself returns, one per input; None where that is no use."""
    rule = getattr(getattr(fn, "op", None), "bprop", None)
    if not hasattr(rule, "returned"):
        return None
    try:
        found = rule.returned(tuple(inputs), out, sens)
    except Exception:  # it was told by the gradient already
        return None
    usable = all(one is None or isinstance(one, Tensor) for one in found)
    return found if usable and len(found) == len(inputs) else None


def _suits(gradient, given):
    return gradient.shape == given.shape and gradient.dtype is given.dtype


def _function(fn):
    """What ``grad`` takes also where MindSpore's answers are wanted: a function around an op."""
    if not (isinstance(fn, Primitive) and strict.on()):
        return fn

    def around(*inputs):
        return fn(*inputs)

    return around
