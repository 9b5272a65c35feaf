"""A call of a function on the tape: run once, then walked back from its results.

MindSpore's eager mode knows an input by its object: one tensor given twice is one input, and each
place of it gets the whole gradient. What the function reads from outside is no input here.

>>> with Recording(lambda x, y: x * y, [core.Tensor(2.0), core.Tensor(3.0)], {}, (0,)) as call:
...     call.walked_back((call.outputs,), (core.Tensor(1.0),))
...     call.of_input(0)
Tensor(shape=[], dtype=Float32, value= 3)
"""

from itertools import compress

from .. import errors, hooks, tape_memory
from ..frontend.values import mapped
from ..symbol import Symbol
from ..tensor import Tensor, core
from .options import check_input


class Recording:
    """``fn(*args, **kwargs)`` on the tape, within a ``with`` block; ``outputs`` is what it gave.

    ``places``: the inputs, arguments first and keywords behind, whose gradients are wanted.
    """

    __slots__ = (
        "aside", "found", "fn", "inputs", "level", "names", "outputs", "places", "ran", "slots",
        "watched", "weights",
    )  # fmt: skip

    def __init__(self, fn, args, kwargs, places=(), weights=()):
        self.fn, self.places, self.weights = fn, places, weights
        self.inputs = [*args, *kwargs.values()] if kwargs else args
        self.names = kwargs and tuple(kwargs)
        self.ran, self.aside = False, None

    def __enter__(self):
        if not self.ran:
            self.level, self.ran = core.open_tape(), True
            try:
                self._run()
            except BaseException:
                core.close_tape(self.level)
                raise
        return self

    def __exit__(self, *error):
        if self.aside is None:
            core.close_tape(self.level)
        elif self.aside.moved:
            self.aside = core.set_aside(self.level)

    def run_aside(self):
        """Run the function now, to be entered and walked back later, as often as it is kept."""
        self.__enter__()
        self.aside = core.set_aside(self.level)
        return self

    def taken_up(self):
        """Whether what was set aside is on the tape again, to be entered."""
        return core.take_up(self.aside)

    def _run(self):
        inputs, level, leaves, slots = self.inputs, self.level, {}, {}
        for place in self.places:
            value = inputs[place]
            if not isinstance(value, Tensor):
                _check(value, place)
            elif id(value) not in leaves and (type(value) is Tensor or _moves(value)):
                leaf = leaves[id(value)] = core.leaf(level, value)
                slots[id(value)] = core.slot_of(leaf)  # now: a write moves a leaf on
        self.slots = slots  # of a leaf, by the id of its tensor
        self.watched = self.weights and {
            id(weight): core.watch(level, weight)
            for weight in self.weights
            if type(weight) is not Tensor and _moves(weight)  # a plain tensor is no weight
        }
        given = [
            leaves.get(id(value), value) if isinstance(value, Tensor) else _inside(value, leaves)
            for value in inputs
        ]
        core.start_recording()
        if not self.names:
            self.outputs = self.fn(*given)
        else:
            count = len(given) - len(self.names)
            named = dict(zip(self.names, given[count:], strict=True))
            self.outputs = self.fn(*given[:count], **named)
        core.stop_recording(level)

    def walked_back(self, outputs, douts, keep=False):
        """Find the gradients of tensors among the outputs, weighed with ``douts``.

        ``keep``: another walk back follows.
        """
        moving = [out.dtype.kind != "bool" for out in outputs]
        if not all(moving):
            outputs, douts = list(compress(outputs, moving)), compress(douts, moving)
        self.found = tape_memory.walk_back(self.fn, self.level, outputs, douts, keep)
        if hooks.are_there():
            self._hook(self.inputs, self.slots)
            self._hook(self.weights, self.watched)

    def _hook(self, tensors, slots):
        """Each gradient, once, as the hooks of its tensor leave it."""
        for slot, tensor in {slots.get(id(tensor)): tensor for tensor in tensors}.items():
            if slot in self.found:
                self.found[slot] = hooks.changed(tensor, self.found[slot])

    def of_input(self, place):
        """The gradient of an input; None for what is no tensor."""
        value = self.inputs[place]
        return self._of(value, self.slots) if isinstance(value, Tensor) else None

    def of_weight(self, weight):
        """The gradient of a weight."""
        return self._of(weight, self.watched)

    def _of(self, tensor, slots):
        gradient = self.found.get(slots.get(id(tensor)))
        return core.filled_like(tensor, 0) if gradient is None else gradient


def _moves(parameter):
    """Whether the gradient of a Parameter is looked for: not of one that is to stay."""
    return getattr(parameter, "requires_grad", True)


def _inside(value, leaves):
    """A tuple, list or dict with the leaves in place of their tensors; anything else as it is."""
    if isinstance(value, tuple | list | dict):
        return mapped(lambda each: leaves.get(id(each), each), value)
    return value


def _check(value, place):
    if isinstance(value, Symbol):
        raise _is_symbol(value, place)
    check_input(value, place)


def _is_symbol(value, place):
    return errors.NotRunnable(
        "ms.grad cannot be used inside a bprop or a pass: in compiled code they are run on "
        "symbols.",
        given=f"input {place} is a symbol of type {value.abstract}",
        hint="Write this derivative with ops. A gradient of a gradient is ms.grad(ms.grad(f)).",
    )
