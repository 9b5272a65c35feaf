"""How is a gradient taken in eager mode? Record the calls, walk back, fit gradients to operands.

The tape itself is the core's; the rules are the ops' own ``bprop``.

>>> import numpy as np
>>> from ms_ext import ops
>>> out, (dx,), () = differentiate(lambda x: x * x * x, (core.Tensor(2.0),), (0,))
>>> out, dx
(Tensor(shape=[], dtype=Float32, value= 8), Tensor(shape=[], dtype=Float32, value= 12))
"""

from itertools import repeat
from types import FunctionType

import numpy as np

from ..dtype import bool_
from . import errors, tape_memory
from .strict import AsGiven
from .tensor import Tensor, core


def differentiate(fn, inputs, positions=(0,), weights=(), sens=None, has_aux=False, zeros=True):
    """``(outputs, gradients of inputs[positions], gradients of weights)`` of ``fn(*inputs)``.

    ``sens`` weighs the outputs (ones by default); with ``has_aux`` only the first output counts.
    Without ``zeros`` the gradient of what nothing comes back to is None.
    """
    level = core.open_tape()
    try:
        arguments, wanted = list(inputs), []
        for position in positions:
            arguments[position] = core.leaf(level, inputs[position])
            wanted.append(core.slot_of(arguments[position]))  # now: a write moves a leaf on
        watched = [core.watch(level, weight) for weight in weights] if weights else ()
        core.start_recording()
        outputs = fn(*arguments)
        core.stop_recording(level)
        counted = _counted(outputs, has_aux)
        found = tape_memory.walk_back(fn, level, *_weighed(counted, sens))
    finally:
        core.close_tape(level)
    if not zeros:
        return outputs, tuple(map(found.get, wanted)), tuple(map(found.get, watched))
    by_input = map(_or_zeros, repeat(found), wanted, map(inputs.__getitem__, positions))
    by_weight = map(_or_zeros, repeat(found), watched, weights)
    return outputs, tuple(by_input), tuple(by_weight)


def record(name, inputs, outputs, bprop, saved=()):
    """Enter a call the tape cannot see into: ``bprop(*douts)`` returns one gradient per input.

    ``saved``: what ``bprop`` reads, which counts as held; who writes to a tensor of it before the
    walk back is refused.
    Returns the outputs to go on with. Outside ``differentiate`` nothing is recorded.
    """
    return core.record_call(name, tuple(inputs), tuple(outputs), bprop, saved)


def watches(inputs):
    """Whether the gradient of something that one of these tensors came from is being taken.

    >>> watches((core.Tensor(2.0),))
    False
    """
    return any(core.slot_of(t) >= 0 for t in inputs)


def depth():
    """How many ``grad``s are recording on this thread now, one inside the other; 0 outside.

    A walk back is recorded by the ``grad``s around its own only.

    >>> differentiate(lambda x: x * depth(), (core.Tensor(2.0),))[1][0].item(), depth()
    (1.0, 0)
    """
    return core.depth()


def copied(tensor):
    """The elements of a tensor as they are now, for the way back.

    >>> x = core.Tensor([1.0])
    >>> before, x[0] = copied(x), 2.0
    >>> before
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """
    return _step("copy", tensor, tensor.asnumpy().copy(), lambda d: d)


def _counted(outputs, has_aux):
    if type(outputs) is Tensor and not has_aux:
        return (outputs,)
    if has_aux:
        if not isinstance(outputs, tuple | list) or len(outputs) < 2:
            raise errors.InvalidValue(
                "When has_aux is True, origin fn requires more than one outputs."
            )
        outputs = outputs[0]
    return tuple(tensors_in(outputs))


def tensors_in(outputs):
    """The tensors among what a function gives, depth first through tuples, lists and dicts."""
    if isinstance(outputs, Tensor):
        yield outputs
    elif isinstance(outputs, tuple | list):
        for item in outputs:
            yield from tensors_in(item)
    elif isinstance(outputs, dict):
        yield from tensors_in(tuple(outputs.values()))


def _weighed(outputs, sens):
    """The outputs that have a gradient, Bool has none, and what weighs each: handed out once."""
    moving = [t for t in outputs if t.dtype is not bool_]
    if sens is None:
        return moving, map(_ones, moving)
    given = _flat(sens)
    if len(given) != len(outputs):
        raise errors.InvalidValue(
            "The sens values do not match the outputs.",
            given=f"{len(given)} for {len(outputs)} outputs",
        )
    pairs = [p for p in zip(given, outputs, strict=True) if p[1].dtype is not bool_]
    return moving, iter([_fitted("sens", s, t.shape, t.dtype) for s, t in pairs])


def _ones(tensor):
    return core.filled_like(tensor, 1)


def _flat(values):
    if not isinstance(values, tuple | list):
        return [values]
    return [item for value in values for item in _flat(value)]


def _or_zeros(found, slot, tensor):
    gradient = found.get(slot)
    return core.filled_like(tensor, 0) if gradient is None else gradient


# one gradient per operand, of the operand's shape and dtype -----------------------------------


def fit(name, result, specs, slots):
    """What a bprop returned, fitted: summed over broadcast axes, cast to the operand's dtype.

    ``specs``: (shape, dtype) of each operand, None for a number; ``slots``: -1 where nobody asks.
    A Bool operand has no gradient, as in a graph. A gradient that is a function of no arguments is
    calculated only where somebody asks: that of a layer's input data, mostly, is not.
    """
    gradients = result if isinstance(result, tuple | list) else (result,)
    if isinstance(result, AsGiven):
        return [None if slot < 0 else g for g, slot in zip(gradients, slots, strict=True)]
    if len(gradients) != len(specs):
        raise _wrong_count(name, gradients, specs)
    return [
        None if g is None or s is None or slot < 0 or s[1].kind == "bool"
        else _fitted(name, g() if isinstance(g, FunctionType) else g, *s)
        for g, s, slot in zip(gradients, specs, slots, strict=True)
    ]  # fmt: skip


def _fitted(name, gradient, shape, dtype):
    if not isinstance(gradient, Tensor):
        gradient = _from_number(name, gradient, shape, dtype)
    if gradient.shape != shape:
        gradient = _summed(name, gradient, shape)
    return gradient if gradient.dtype is dtype else _cast(gradient, dtype)


def _from_number(name, value, shape, dtype):
    if isinstance(value, np.ndarray | np.generic | int | float):
        return Tensor(np.array(np.broadcast_to(value, np.shape(value) or shape)), dtype)
    raise errors.InvalidType(
        f"For '{name}', bprop returned something that is not a tensor.",
        given=f"{value!r:.60} of type {type(value).__name__}",
        hint="Return tensors (or None where there is no gradient).",
    )


def _wrong_count(name, gradients, specs):
    shapes = [list(s[0]) if s else "number" for s in specs]
    return errors.NotRunnable(
        f"For '{name}', bprop returned {len(gradients)} gradients "
        f"but there are {len(specs)} operands.",
        given=f"operands {', '.join(map(str, shapes))}",
        hint="Return one gradient per operand, in order: `return dx, dy`.",
    )


def _summed(name, gradient, shape):
    """The sum over the axes that broadcasting added, of half floats in float32.

    Its own gradient is the broadcast.
    """
    given = gradient.shape
    axes = _broadcast_axes(given, shape)
    if axes is None:
        raise errors.InvalidValue(
            f"For '{name}', bprop returned a gradient of the wrong shape.",
            given=f"{list(given)} for an operand of shape {list(shape)}",
            hint="Return a gradient of the operand's shape (or one that broadcasting came from).",
        )
    kind = gradient.dtype.numpy
    wide = np.float32 if gradient.dtype.kind == "float" and kind.itemsize == 2 else kind
    with np.errstate(invalid="ignore", over="ignore"):
        total = gradient.asnumpy().sum(axis=axes, dtype=wide)
        total = np.asarray(total, kind).reshape(shape)
    return _step("sum", gradient, total, lambda d: _spread(d, given))


def _broadcast_axes(given, shape):
    """Axes to sum so that ``given`` becomes ``shape``; None if no broadcasting did that."""
    added = len(given) - len(shape)
    if added < 0 or any(s not in (1, g) for s, g in zip(shape, given[added:], strict=True)):
        return None
    kept = [i + added for i, s in enumerate(shape) if s == 1 and given[i + added] != 1]
    return (*range(added), *kept)


def _spread(gradient, shape):
    was = gradient.shape
    array = np.array(np.broadcast_to(gradient.asnumpy(), shape))
    return _step("broadcast", gradient, array, lambda d: _summed("broadcast", d, was))


def _cast(gradient, dtype):
    was = gradient.dtype
    with np.errstate(invalid="ignore", over="ignore"):
        array = gradient.asnumpy().astype(dtype.numpy)
    return _step("cast", gradient, array, lambda d: _cast(d, was))


def _step(name, before, array, bprop):
    """A result that a higher derivative can be taken of."""
    after = Tensor.from_numpy(array)
    return record(name, (before,), (after,), lambda dout: (bprop(dout),))[0]


core.configure(fit=fit)
