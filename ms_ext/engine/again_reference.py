"""How are hooks, and blocks that are calculated again on the way back, recorded, in plain Python?

The twin of ``kernels_pyx/tensor_again.pxi``; the tape itself is ``tape_reference``.
"""

from .storage_reference import thread
from .tape_reference import LATER, Entry, Level, append, distinct, forget, slot_of
from .walk_reference import backward


def hook(tensor, change):
    """``change(gradient)`` of what arrives at the tensor's place; whether there is one.

    A leaf's hooks are not the tape's: what differentiates applies them.
    """
    slot = slot_of(tensor)
    if slot < 0 or thread.tape[slot] is not LATER and thread.tape[slot].name == "leaf":
        return False
    thread.hooks[slot] = change
    return True


def origin(tensor):
    """The tensor that a leaf is an alias of; None for any other."""
    slot = slot_of(tensor)
    return None if slot < 0 or thread.tape[slot] is LATER else thread.tape[slot].origin


def set_recording(on):
    """Record on this thread, or not; how it was before."""
    before = thread.recording
    thread.attend(recording=bool(on))
    return before


def record_block(name, inputs, outputs, bprop):
    """Enter a block of which nothing is kept: ``bprop(*douts)`` gives {slot: gradient}.

    The slots are those of whatever the block reads; ``inputs`` must not be written to until then.
    """
    if not thread.recording:
        return outputs
    results = distinct(outputs, inputs)
    specs = tuple([(t.shape, t.dtype) for t in results])
    entry = Entry(name, lambda douts: bprop(*douts), tuple(map(slot_of, inputs)), None, specs)
    append(entry, inputs, results, inputs)
    entry.slots = None
    return results


def again():
    """Record what is calculated once more, at the end of the tape on which a walk is under way."""
    level = Level()
    thread.attend(recording=True)
    return level


def backward_to(level, outputs, douts):
    """Walk back to where ``again`` began: {slot: gradient} of what stands before it."""
    thread.attend(recording=level.outer)
    return backward(level, outputs, douts, before=True)


def end_again(level):
    """End ``again``; who differentiates around it keeps what was recorded."""
    thread.attend(recording=level.outer)
    if not level.outer:
        forget(level.start)
