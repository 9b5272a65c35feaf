"""How is a tape walked back, and what does it hold until then, in plain Python?

One gradient per slot, each rule called once. The calls of the outermost ``grad`` go as they are
used, so that the memory they hold falls while the gradients come to be.
"""

import numpy as np

from .storage_reference import Tensor, hooks, slots, thread, version_of, wrap
from .tape_reference import LATER, overwritten, slot_of


def backward(level, outputs, douts, watch=None, keep=False, before=False):
    """Walk back from the outputs to the leaves of ``level``: {slot: gradient}.

    While nobody records, nobody will walk over these calls again, and each goes once it is used,
    unless they are to be kept for another walk. ``watch(position, gradients)`` hears of every
    step: what the slots that it touched hold now, None where that was used. ``before``: what
    stands before the level has gradients too.
    """
    found: dict = {}
    end, first = len(thread.tape), 0 if before else level.start
    releases = not (keep or thread.recording)
    for dout, tensor in zip(douts, outputs, strict=True):
        _add(found, first, slot_of(tensor), dout)
    dout = None  # nobody but the walk holds on to it
    if watch is not None:
        watch(end, _touched(found, level, end, map(slot_of, outputs)))
    for position in range(end - 1, level.leaves_end - 1, -1):
        places = _step_back(found, first, position, releases)
        if watch is not None:
            watch(position, _touched(found, level, end, places))
    if releases and len(thread.tape) == end:
        del thread.tape[level.leaves_end :]
    return found


def _step_back(found, first, position, releases):
    """One entry: hand its gradients on; then it may go. Returns the slots it touched."""
    entry = thread.tape[position]
    if releases:
        thread.tape[position] = LATER  # no other tensor gets its number until the end
    if entry is LATER:
        return ()
    own = range(position, position + len(entry.outputs))
    given = [_hooked(place, found.pop(place, None), entry) for place in own]
    if all(d is None for d in given):
        return own
    gradients = _gradients(entry, position, _pull(entry, given))
    for slot, gradient in gradients:
        _add(found, first, slot, gradient)
    return (*own, *[slot for slot, _ in gradients])


def _hooked(slot, dout, entry):
    """A gradient as the hooks of its slot leave it; those of a leaf are not the tape's."""
    change = thread.hooks.get(slot) if entry.name != "leaf" else None
    return dout if change is None or dout is None else change(dout)


def _gradients(entry, position, result):
    """(slot, gradient) for all that an entry reads."""
    if entry.slots is not None:
        return list(zip(entry.slots, result, strict=True))
    if max(result, default=-1) >= position:
        raise overwritten(entry.name, "that was written in place after it was used")
    return list(result.items())


def _touched(found, level, end, places):
    """{slot: its gradient so far, or None} for those of this level."""
    return {place: found.get(place) for place in places if level.start <= place < end}


def _add(found, first, slot, gradient):
    if slot >= first and gradient is not None:
        found[slot] = slots["+"](found[slot], gradient) if slot in found else gradient


def _pull(entry, douts):
    for tensor, version in entry.saved:
        if version_of(tensor) != version:
            raise overwritten(entry.name, "that was written in place after it was used")
    if len(douts) > 1:
        both = zip(douts, entry.outputs, strict=True)
        douts = [wrap(np.zeros(s[0], s[1].numpy)) if d is None else d for d, s in both]
    result = entry.pull(tuple(douts))
    return (
        result
        if entry.name == "leaf" or entry.slots is None
        else hooks["fit"](entry.name, result, entry.specs, entry.slots)
    )


def memory(held):
    """(where its memory begins, how many bytes it has); of a view, all that it keeps alive."""
    array = held._array if isinstance(held, Tensor) else held
    if array is None:
        return 0, 0
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array.__array_interface__["data"][0], array.nbytes


def held_calls():
    """(position, name, tensors and arrays it holds) of every call on this thread's tape."""
    calls = [(i, e) for i, e in enumerate(thread.tape) if e is not LATER and e.name != "leaf"]
    return [(i, e.name, list(_arrays_in((e.saved, e.attributes)))) for i, e in calls]


def _arrays_in(value):
    """The tensors and arrays in a value of any form."""
    if isinstance(value, Tensor | np.ndarray):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _arrays_in(each)
    elif isinstance(value, dict):
        yield from _arrays_in(tuple(value.values()))
