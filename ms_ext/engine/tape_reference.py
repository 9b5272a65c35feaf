"""How are gradients recorded, in plain Python? ``walk_reference`` walks back.

One linear tape per thread. An entry owns what its bprop reads, and the slots (tape positions) that
its operands came from. A tensor is on the tape if its mark is the tape's generation. Generations
come from one counter for all threads: a tensor that crosses threads is a constant there.
"""

import itertools

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
)

_generations = itertools.count(1)
_WATCHED = -2  # mark of a tensor whose slot is kept per thread: a Parameter
LATER = object()  # further outputs of the entry before


class Entry:
    """One recorded call: ``pull(douts)`` gives a gradient per operand; to ``slots``.

    That of a block gives {slot: gradient}, its ``slots`` are None. ``origin``: of a leaf.
    """

    __slots__ = ("attributes", "name", "origin", "outputs", "pull", "saved", "slots", "specs")

    def __init__(self, name, pull, slots_of, specs, outputs):
        self.name, self.pull, self.slots, self.specs, self.outputs = (
            name,
            pull,
            slots_of,
            specs,
            outputs,
        )
        self.saved, self.attributes, self.origin = (), None, None


class Level:
    """One running ``grad``: where its entries begin, and what to restore at its end."""

    def __init__(self):
        self.outer, self.generation, self.around = (
            thread.recording,
            thread.generation,
            thread.watched,
        )
        self.start = self.leaves_end = len(thread.tape)
        self.depth = thread.depth
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
    thread.tape[alias._slot].origin = tensor  # whose hooks are the alias's too
    return alias


def watch(level, tensor):
    """Make ``tensor`` itself a leaf, in this thread only: its slot is kept beside it, by id."""
    level.watched.append((tensor, slot_of(tensor)))
    slot = _leaf_slot(level, tensor)
    tensor._mark, thread.watched[id(tensor)] = _WATCHED, slot
    return slot


def _leaf_slot(level, tensor):
    thread.tape.append(Entry("leaf", lambda douts: douts, (slot_of(tensor),), (None,), (None,)))
    level.leaves_end = len(thread.tape)
    return level.leaves_end - 1


def start_recording():
    """From now on ops on tensors of the tape are recorded."""
    thread.depth += 1
    thread.attend(recording=True)


def stop_recording(level):
    """Back to what it was before ``level``."""
    thread.depth = level.depth
    thread.attend(recording=level.outer)


def recording():
    """Whether what this thread calls is recorded."""
    return thread.recording


def depth():
    """How many ``grad``s are recording on this thread now, one inside the other."""
    return thread.depth


def close_tape(level):
    """End a ``grad``. The outermost frees the tape."""
    for tensor, before in level.watched:
        thread.watched[id(tensor)] = before
    stop_recording(level)
    thread.generation, thread.watched = level.generation, level.around
    if not level.outer:
        forget(level.start)


def forget(start):
    """Free the entries from ``start`` on, and the hooks of their slots."""
    del thread.tape[start:]
    if thread.hooks:
        thread.hooks = {slot: change for slot, change in thread.hooks.items() if slot < start}


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
    entry = Entry(op.name, pull, found, tuple(map(_spec, values)), tuple(map(_spec, results)))
    entry.attributes = named
    append(entry, values, results, [*kept, *(results if out is not None else ())])


def _held(op, position, value):
    """What a bprop gets of an operand: itself, of ``x_`` shape and dtype, of ``_x`` nothing."""
    if position in op.forms:
        return Form(value.dtype, value.shape) if isinstance(value, Tensor) else value
    return value if position in op.keep else None


def record_call(name, inputs, outputs, bprop, saved=()):
    """Enter what is no op: ``bprop(*douts)`` gives a gradient per input. Returns the outputs.

    ``saved``: what ``bprop`` reads; its tensors as they are now.
    """
    found = tuple(map(slot_of, inputs))
    if not thread.recording or max(found, default=-1) < 0:
        return outputs
    outputs = distinct(outputs, inputs)
    entry = Entry(
        name, lambda d: bprop(*d), found, tuple(map(_spec, inputs)), tuple(map(_spec, outputs))
    )
    entry.attributes = saved
    append(entry, inputs, outputs, saved)
    return outputs


def distinct(outputs, inputs):
    """The outputs, as aliases where they stand on the tape already."""
    known = [slot_of(t) >= 0 or any(t is i for i in inputs) for t in outputs]
    return tuple([view(t, t._array) if k else t for t, k in zip(outputs, known, strict=True)])


def record_write(tensor, value, index):
    """Enter ``tensor[index] = value`` before it happens: the same tensor gets a new slot."""
    found = (slot_of(tensor), slot_of(value))
    if max(found) < 0:
        return
    op = slots["setitem"]
    kept = [_held(op, i, v) for i, v in enumerate((tensor, value))]
    specs = (_spec(tensor), _spec(value))
    entry = Entry(
        op.name, lambda d: op.bprop(*kept, None, d[0], index=index), found, specs, specs[:1]
    )
    entry.attributes = index
    append(entry, (tensor, value), (tensor,), kept)
    memory_of(tensor).written = thread.generation


def _spec(value):
    return (value.shape, value.dtype) if isinstance(value, Tensor) else None


def append(entry, values, results, kept):
    """Put an entry on the tape, and its results there."""
    _check_current(entry.name, values, entry.slots)
    entry.saved = tuple([(t, version_of(t)) for t in kept if isinstance(t, Tensor)])
    for position, t in enumerate(results, len(thread.tape)):
        if t._mark == _WATCHED:
            thread.watched[id(t)] = position
        else:
            t._mark, t._slot = thread.generation, position
    thread.tape += [entry] + [LATER] * (len(results) - 1)


def _check_current(name, values, found):
    """Refuse a tensor whose memory was written through another one, unknown to its slot."""
    for value, slot in zip(values, found, strict=True):
        if isinstance(value, Tensor) and value._seen != version_of(value):
            if slot >= 0 or value._memory.written == thread.generation:
                raise overwritten(name, "whose memory was written through another tensor (a view)")


def overwritten(name, what):
    """The error where a value is not what it was when it was used."""
    return errors.NotRunnable(
        f"The gradient of '{name}' needs a tensor {what}.",
        hint="Write by one index, `x[0, 1] = ...`, before x is used; or to a copy: `y = x + 0`.",
    )


hooks["write"] = record_write
