"""How much memory does the tape keep until the walk back, for which ops, and how much at most?

A call holds the tensors that its rule reads; the walk back of the outermost ``grad`` lets go of
each call once it is used. ``tape_held`` counts what is there now. ``watch_tape`` keeps an account
of each gradient, and so does the event "tape" while events are recorded; else nothing is counted.

>>> from ms_ext import Tensor, grad
>>> x = Tensor([1.0, 2.0])
>>> with watch_tape() as gradients:
...     dx = grad(lambda x: x * x + x)(x)
>>> gradients
[TapeMemory(entries=2, bytes=8, peak=24, by_op={'Mul': (1, 8), 'Add': (1, 0)})]

The peak: x, the gradient of the sum, and the one of x that is made of it.
"""

import threading
from contextlib import contextmanager
from typing import NamedTuple

from . import events
from .tensor import core

__all__ = ["TapeMemory", "tape_held", "walk_back", "watch_tape"]


class TapeMemory(NamedTuple):
    """What a tape holds: calls, bytes of tensors (each memory once), and both of each op.

    ``peak``: the most that calls and gradients held together up to the end of the walk back. A
    memory that several ops hold counts for the first; a view counts all that it keeps alive.
    """

    entries: int
    bytes: int
    peak: int
    by_op: dict


_watchers = []  # (thread, list) of every ``watch_tape`` block


def tape_held():
    """What this thread's tape holds now; nothing outside ``grad``.

    >>> from ms_ext import Tensor, value_and_grad
    >>> x, f = Tensor([1.0, 2.0]), lambda x: (x * x, tape_held())
    >>> (_, memory), dx = value_and_grad(f, has_aux=True)(x)
    >>> memory
    TapeMemory(entries=1, bytes=8, peak=8, by_op={'Mul': (1, 8)})
    """
    return _Account(core.held_calls()).before


@contextmanager
def watch_tape():
    """A list that gets a ``TapeMemory`` of every gradient this thread takes in the block.

    A ``grad`` inside another ``grad`` belongs to the outer one: they share a tape.
    """
    watcher = threading.get_ident(), []
    _watchers.append(watcher)
    try:
        yield watcher[1]
    finally:
        _watchers[:] = [each for each in _watchers if each is not watcher]


def walk_back(fn, level, outputs, douts, keep=False):
    """``core.backward`` from what ``fn`` gave, with an account if somebody wants one.

    ``douts``: better an iterator than a list, then a gradient lives only until it is used.
    ``keep``: another walk over the same calls follows.
    """
    if not (events.on or _watchers) or keep or core.recording():
        return core.backward(level, outputs, douts, None, keep)
    account, start = _Account(core.held_calls()), events.now()
    found = core.backward(level, outputs, douts, account.step)
    memory, here = account.before._replace(peak=account.peak), threading.get_ident()
    if events.on:
        from .frontend.naming import name_of  # the reader of functions is large, and seldom wanted

        name = name_of(fn, type(fn).__name__)
        events.emit("tape", name, start, events.now(), *memory[:3])
    for thread, gradients in _watchers:
        if thread == here:
            gradients.append(memory)
    return found


class _Account:
    """The memory of some calls, and of the gradients on their way back; step by step."""

    def __init__(self, calls):
        self.holders, self.total = {}, 0  # where a memory begins -> [how many hold it, bytes]
        self.calls, self.gradients, by_op = {}, {}, {}
        for position, name, tensors in calls:
            count, size = by_op.get(name, (0, 0))
            before = self.total
            self.calls[position] = [self._hold(t) for t in tensors]
            by_op[name] = count + 1, size + self.total - before
        self.peak = self.total
        self.before = TapeMemory(len(self.calls), self.total, self.peak, by_op)

    def step(self, position, gradients):
        """The call at ``position`` was used; ``gradients`` are what its slots hold now."""
        for slot, gradient in gradients.items():
            was = self.gradients.pop(slot, None)
            if gradient is not None:
                self.gradients[slot] = self._hold(gradient)
            self.peak = max(self.peak, self.total)
            if was is not None:
                self._drop(was)
        for place in self.calls.pop(position, ()):
            self._drop(place)

    def _hold(self, tensor):
        place, size = core.memory(tensor)
        holder = self.holders.setdefault(place, [0, size])
        self.total += 0 if holder[0] else size
        holder[0] += 1
        return place

    def _drop(self, place):
        holder = self.holders[place]
        holder[0] -= 1
        if not holder[0]:
            self.total -= self.holders.pop(place)[1]
