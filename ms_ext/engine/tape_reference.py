"""How are gradients recorded and walked back, in plain Python?

One linear tape per thread. An entry owns what its bprop reads, and the slots (tape positions) that
its operands came from. A tensor is on the tape if its mark is the tape's generation. Generations
come from one counter for all threads: a tensor that crosses threads is a constant there.
"""

import itertools

import numpy as np

from . import errors
from .operands import Form
from .storage_reference import (
    Tensor,
    hooks,
    memory_of,
    ready,
    slots,
    thread,
    version_of,
    view,
    wrap,
)

_generations = itertools.count(1)
_WATCHED = -2  # mark of a tensor whose slot is kept per thread: a Parameter
_LATER = object()  # further outputs of the entry before


class _Entry:
    """One recorded call: ``pull(douts)`` gives a gradient per operand; to ``slots``."""

    __slots__ = ("name", "outputs", "pull", "saved", "slots", "specs")

    def __init__(self, name, pull, slots_of, specs, outputs):
        self.name, self.pull, self.slots, self.specs, self.outputs = (
            name,
            pull,
            slots_of,
            specs,
            outputs,
        )
        self.saved = ()


class Level:
    """One running ``grad``: where its entries begin, and what to restore at its end."""

    def __init__(self):
        self.outer, self.generation, self.around = (
            thread.recording,
            thread.generation,
            thread.watched,
        )
        self.start = self.leaves_end = len(thread.tape)
        self.watched = []


def open_tape():
    """Begin a ``grad``; leaves follow, then ``start_recording``."""
    level = Level()
    if not level.outer:
        thread.generation, thread.watched = next(_generations), {}
    return level


def leaf(level, tensor):
    """A fresh alias of ``tensor`` that the walk stops at; an outer ``grad`` sees through it."""
    alias = view(tensor, ready(tensor)._array)
    alias._mark, alias._slot = thread.generation, _leaf_slot(level, tensor)
    return alias


def watch(level, tensor):
    """Make ``tensor`` itself a leaf, in this thread only: its slot is kept beside it, by id."""
    level.watched.append((tensor, slot_of(tensor)))
    slot = _leaf_slot(level, tensor)
    tensor._mark, thread.watched[id(tensor)] = _WATCHED, slot
    return slot


def _leaf_slot(level, tensor):
    thread.tape.append(_Entry("leaf", lambda douts: douts, (slot_of(tensor),), (None,), (None,)))
    level.leaves_end = len(thread.tape)
    return level.leaves_end - 1


def start_recording():
    """From now on ops on tensors of the tape are recorded."""
    thread.attend(recording=True)


def stop_recording(level):
    """Back to what it was before ``level``."""
    thread.attend(recording=level.outer)


def close_tape(level):
    """End a ``grad``. The outermost frees the tape."""
    for tensor, before in level.watched:
        thread.watched[id(tensor)] = before
    thread.attend(recording=level.outer)
    thread.generation, thread.watched = level.generation, level.around
    if not level.outer:
        del thread.tape[level.start :]


def slot_of(value):
    """Where a tensor stands on this thread's tape; -1: nowhere."""
    if not isinstance(value, Tensor):
        return -1
    if value._mark == thread.generation:
        return value._slot
    return thread.watched.get(id(value), -1) if value._mark == _WATCHED else -1


def record(op, values, attributes, result):
    """Enter a call of ``op``, if an operand is on the tape. Only what its bprop reads is kept."""
    found = tuple(map(slot_of, values))
    if max(found, default=-1) < 0:
        return _check_current(op.name, values, found)
    count = 1 if op.arity is None else op.arity
    kept = [_held(op, 0 if op.arity is None else i, v) for i, v in enumerate(values)]
    given = (tuple(kept),) if op.arity is None else tuple(kept)
    out = result if count in op.keep else None
    named = {key: attributes[key] for key in op.bprop_attributes}
    results = result if type(result) is tuple else (result,)

    def pull(douts):
        return op.bprop(*given, out, douts if many else douts[0], **named)

    many = type(result) is tuple
    entry = _Entry(op.name, pull, found, tuple(map(_spec, values)), tuple(map(_spec, results)))
    _append(entry, values, results, [*kept, *(results if out is not None else ())])


def _held(op, position, value):
    """What a bprop gets of an operand: itself, of ``x_`` shape and dtype, of ``_x`` nothing."""
    if position in op.forms:
        return Form(value.dtype, value.shape) if isinstance(value, Tensor) else value
    return value if position in op.keep else None


def record_call(name, inputs, outputs, bprop):
    """Enter what is no op: ``bprop(*douts)`` gives a gradient per input. Returns the outputs."""
    found = tuple(map(slot_of, inputs))
    if not thread.recording or max(found, default=-1) < 0:
        return outputs
    outputs = tuple(
        [
            view(t, t._array) if slot_of(t) >= 0 or any(t is i for i in inputs) else t
            for t in outputs
        ]
    )
    entry = _Entry(
        name, lambda d: bprop(*d), found, tuple(map(_spec, inputs)), tuple(map(_spec, outputs))
    )
    _append(entry, inputs, outputs, ())
    return outputs


def record_write(tensor, value, index):
    """Enter ``tensor[index] = value`` before it happens: the same tensor gets a new slot."""
    found = (slot_of(tensor), slot_of(value))
    if max(found) < 0:
        return
    op = slots["setitem"]
    kept = [_held(op, i, v) for i, v in enumerate((tensor, value))]
    specs = (_spec(tensor), _spec(value))
    entry = _Entry(
        op.name, lambda d: op.bprop(*kept, None, d[0], index=index), found, specs, specs[:1]
    )
    _append(entry, (tensor, value), (tensor,), kept)
    memory_of(tensor).written = thread.generation


def _spec(value):
    return (value.shape, value.dtype) if isinstance(value, Tensor) else None


def _append(entry, values, results, kept):
    _check_current(entry.name, values, entry.slots)
    entry.saved = tuple([(t, version_of(t)) for t in kept if isinstance(t, Tensor)])
    for position, t in enumerate(results, len(thread.tape)):
        if t._mark == _WATCHED:
            thread.watched[id(t)] = position
        else:
            t._mark, t._slot = thread.generation, position
    thread.tape += [entry] + [_LATER] * (len(results) - 1)


def _check_current(name, values, found):
    """Refuse a tensor whose memory was written through another one, unknown to its slot."""
    for value, slot in zip(values, found, strict=True):
        if isinstance(value, Tensor) and value._seen != version_of(value):
            if slot >= 0 or value._memory.written == thread.generation:
                raise _overwritten(name, "whose memory was written through another tensor (a view)")


def _overwritten(name, what):
    return errors.NotRunnable(
        f"The gradient of '{name}' needs a tensor {what}.",
        hint="Write by one index, `x[0, 1] = ...`, before x is used; or to a copy: `y = x + 0`.",
    )


def backward(level, outputs, douts):
    """Walk back from the outputs to the leaves of ``level``: {slot: gradient}."""
    found: dict = {}
    for tensor, dout in zip(outputs, douts, strict=True):
        _add(found, level, slot_of(tensor), dout)
    for position in range(len(thread.tape) - 1, level.leaves_end - 1, -1):
        entry = thread.tape[position]
        if entry is _LATER:
            continue
        given = [found.pop(position + k, None) for k in range(len(entry.outputs))]
        if any(d is not None for d in given):
            for slot, gradient in zip(entry.slots, _pull(entry, given), strict=True):
                _add(found, level, slot, gradient)
    return found


def _add(found, level, slot, gradient):
    if slot >= level.start and gradient is not None:
        found[slot] = slots["+"](found[slot], gradient) if slot in found else gradient


def _pull(entry, douts):
    for tensor, version in entry.saved:
        if version_of(tensor) != version:
            raise _overwritten(entry.name, "that was written in place after it was used")
    if len(douts) > 1:
        both = zip(douts, entry.outputs, strict=True)
        douts = [wrap(np.zeros(s[0], s[1].numpy)) if d is None else d for d, s in both]
    result = entry.pull(tuple(douts))
    return (
        result
        if entry.name == "leaf"
        else hooks["fit"](entry.name, result, entry.specs, entry.slots)
    )


hooks["write"] = record_write
