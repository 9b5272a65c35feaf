"""How is a tangent carried forward in eager mode? By the tape, walked back twice.

``f`` runs once while the tape records. Walking back from douts that are themselves recorded gives
the gradients, which are linear in these douts; walking back from there, weighed by the inputs'
tangents, gives what each dout is multiplied by: the tangents of the outputs.

>>> from ms_ext import Tensor
>>> pushforward_eager(lambda x, y: x * y, (Tensor(2.0), Tensor(3.0)), (Tensor(1.0), None))
(Tensor(shape=[], dtype=Float32, value= 6), [Tensor(shape=[], dtype=Float32, value= 3)])
"""

from . import tape
from .tensor import core


def pushforward_eager(fn, inputs, tangents):
    """``(outputs, tangents of the outputs)`` of ``fn(*inputs)``.

    A tangent has its input's shape and dtype; None: it does not move, and the input may be
    anything. There is a tangent for each tensor among the outputs, depth first; None for booleans.
    """
    outputs, (found,) = pushforwards_eager(fn, inputs, [tangents])
    return outputs, found


def pushforwards_eager(fn, inputs, several):
    """As ``pushforward_eager`` for several lists of tangents: the function is called once.

    >>> from ms_ext import Tensor
    >>> pushes = [(Tensor(1.0), None), (None, Tensor(1.0))]
    >>> out, found = pushforwards_eager(lambda x, y: x * y, (Tensor(2.0), Tensor(3.0)), pushes)
    >>> [float(tangent) for (tangent,) in found]
    [3.0, 2.0]
    """
    level = core.open_tape()
    try:
        moving = [i for i, each in enumerate(zip(*several, strict=True)) if _any(each)]
        arguments = list(inputs)
        for position in moving:
            arguments[position] = core.leaf(level, inputs[position])
        slots = {position: core.slot_of(arguments[position]) for position in moving}
        core.start_recording()
        outputs = fn(*arguments)
        given = [[(slots[i], t) for i, t in enumerate(each) if t is not None] for each in several]
        found = _carried(level, list(tape.tensors_in(outputs)), given)
    finally:
        core.close_tape(level)
    return outputs, found


def _any(tangents):
    return any(tangent is not None for tangent in tangents)


def _carried(level, outputs, several):
    """The tangents of the outputs: the gradient of the gradients with respect to their douts."""
    inner = core.open_tape()
    try:
        douts = [
            None if out.dtype.kind == "bool" else core.leaf(inner, core.filled_like(out, 0))
            for out in outputs
        ]
        slots = [core.slot_of(dout) for dout in douts]
        gradients = core.backward(level, outputs, douts)
        core.stop_recording(level)
        return [_weighed(inner, gradients, given, slots, outputs) for given in several]
    finally:
        core.close_tape(inner)


def _weighed(inner, gradients, given, slots, outputs):
    """The tangents of the outputs for one list of those of the inputs, as (slot, tangent)."""
    pairs = [(gradients[slot], tangent) for slot, tangent in given if slot in gradients]
    found = core.backward(inner, [g for g, _ in pairs], [t for _, t in pairs], None, True)
    return [
        None if slot < 0 else _or_zeros(found.get(slot), out)
        for slot, out in zip(slots, outputs, strict=True)
    ]


def _or_zeros(tangent, out):
    return core.filled_like(out, 0) if tangent is None else tangent
