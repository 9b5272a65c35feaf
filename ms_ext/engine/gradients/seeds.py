"""Where does a gradient begin? At the results that count, with ones or what the caller weighs with.

``paired`` goes through the results and their weights together; the two modes of running have their
own words for what does not fit, as MindSpore has.

>>> list(paired((1, [2]), (10, (20,)), _mismatch))
[(1, 10), (2, 20)]
"""

import numpy as np

from .. import errors
from ..frontend.values import is_leaf
from ..tensor import Tensor, core

AUX_MISSING = "When has_aux is True, origin fn requires more than one outputs."


def counted(outputs, has_aux, least=2, kind=errors.InvalidValue):
    """The results that count: all, or with ``has_aux`` the first of at least ``least``."""
    if not has_aux:
        return outputs
    if not isinstance(outputs, tuple) or len(outputs) < least:
        raise kind(
            AUX_MISSING,
            given=f"a function that returned {_told(outputs)}",
            hint="Return a tuple, `return loss, more`, or leave has_aux=True away.",
        )
    return outputs[0]


def _told(outputs):
    if isinstance(outputs, tuple | list):
        return f"a {type(outputs).__name__} of {len(outputs)}"
    return f"one {type(outputs).__name__}"


def paired(outputs, sens, mismatch):
    """Each result with what weighs it: structures are gone through together."""
    if isinstance(outputs, dict):
        outputs = tuple(outputs.values())
        sens = tuple(sens.values()) if isinstance(sens, dict) else sens
    if isinstance(outputs, tuple | list):
        if not isinstance(sens, tuple | list) or len(sens) != len(outputs):
            raise mismatch(outputs, sens)
        for out, weight in zip(outputs, sens, strict=True):
            yield from paired(out, weight, mismatch)
    elif is_leaf(outputs):
        if isinstance(sens, tuple | list | dict):
            raise mismatch(outputs, sens)
        yield outputs, sens


# eager --------------------------------------------------------------------------------------------


def tensors_with_sens(outputs, sens):
    """(tensors that count, what each is weighed with): ones where ``sens`` is None."""
    if sens is None:
        tensors = (outputs,) if type(outputs) is Tensor else tuple(_tensors(outputs))
        return tensors, (core.filled_like(t, 1) for t in tensors)
    pairs = [p for p in paired(outputs, sens, _mismatch) if isinstance(p[0], Tensor)]
    return [out for out, _ in pairs], [_like(out, weight) for out, weight in pairs]


def _tensors(outputs):
    if isinstance(outputs, Tensor):
        yield outputs
    elif isinstance(outputs, tuple | list | dict):
        for item in outputs.values() if isinstance(outputs, dict) else outputs:
            yield from _tensors(item)


def _mismatch(outputs, sens):
    return errors.NotRunnable(
        "Failure info [The given sens gradient's size should be same as out of network!].",
        given=f"{_told(sens)} for {_told(outputs)}",
        hint="Give one tensor for each result, built as the results are.",
    )


def _like(out, weight):
    """What weighs a result, of its shape and dtype; a number fills it."""
    if isinstance(weight, int | float | np.number):
        return core.filled_like(out, weight)
    check_tensor(weight)
    if weight.shape != out.shape:
        raise _wrong_shape(weight, out)
    if weight.dtype is not out.dtype:
        raise _wrong_dtype(f"The dtype should be {out.dtype}, but got {weight.dtype}", weight, out)
    return weight


def check_tensor(weight):
    """Refuse what cannot weigh a result."""
    if not isinstance(weight, Tensor):
        raise errors.InvalidType(
            "The sens of a result must be a Tensor.",
            given=f"{weight!r:.60} of type {type(weight).__name__}",
            hint="Wrap it: Tensor(...).",
        )


def _wrong_shape(weight, out):
    return errors.ShapeMismatch(
        f"The shape should be {tuple(out.shape)}, but got {tuple(weight.shape)}: a result is "
        "weighed by a tensor of its shape.",
        given=f"sens {list(weight.shape)} for a result {list(out.shape)}",
        hint="Broadcast it: ops.broadcast_to(sens, shape).",
    )


def _wrong_dtype(message, weight, out):
    return errors.InvalidType(
        message,
        given=f"sens {weight.dtype} for a result {out.dtype}",
        hint=f"sens.astype(ms.{str(out.dtype).lower()}).",
    )


# graphs -------------------------------------------------------------------------------------------


def leaves_with_sens(outputs, sens):
    """What each leaf of the results is weighed with."""
    return [weight for _, weight in paired(outputs, sens, _no_join)]


def _no_join(outputs, sens):
    return errors.InvalidType(
        f"Type Join Failed: Abstract type {_kind(sens)} cannot join with {_kind(outputs)}.",
        given=f"{_told(sens)} for {_told(outputs)}",
        hint="Give one tensor for each result, built as the results are.",
    )


def _kind(value):
    return {tuple: "AbstractTuple", list: "AbstractList", dict: "AbstractDictionary"}.get(
        type(value), "AbstractTensor"
    )


def check_type(weight, out):
    """Refuse an abstract that cannot weigh a result of the abstract ``out``."""
    if weight.weak:
        raise _wrong_dtype(f"Type Join Failed: dtype1 = {out.dtype}, dtype2 = Any.", weight, out)
    if weight.dtype is not out.dtype:
        raise _wrong_dtype(
            f"Type Join Failed: dtype1 = {weight.dtype}, dtype2 = {out.dtype}.", weight, out
        )
    if not broadcasts(weight.shape, out.shape):
        raise _wrong_shape(weight, out)


def broadcasts(shape, wanted):
    """Whether a tensor of one shape can be repeated to another.

    >>> broadcasts((), (2,)), broadcasts((1, 3), (2, 3)), broadcasts((2,), (3,))
    (True, True, False)
    """
    pairs = zip(reversed(shape), reversed(wanted), strict=False)
    return len(shape) <= len(wanted) and all(one in (1, other) for one, other in pairs)
