"""Hooks of a Cell: what is called before and after ``construct``, and on the way back.

>>> from ms_ext import Tensor, grad
>>> from ms_ext.nn import ReLU
>>> net, seen = ReLU(), []
>>> handle = net.register_backward_hook(lambda cell, dx, dout: seen.append((dx[0], dout[0])))
>>> _ = grad(net)(Tensor(2.0))
>>> handle.remove()
>>> seen
[(Tensor(shape=[], dtype=Float32, value= 1), Tensor(shape=[], dtype=Float32, value= 1))]
"""

import itertools
import warnings

from ..engine import errors, hooks, tape
from ..engine.gradients.gate import Gate
from ..engine.gradients.own import rebuilt
from ..engine.tensor import Tensor, core

_numbers = itertools.count()


class Kept:
    """The hooks of one Cell: by kind, number -> hook. Some take keywords, some are always called.

    They hold while the Cell runs eagerly; a graph has those that were there when it was compiled.
    """

    __slots__ = ("always", "backward", "backward_pre", "forward", "forward_pre", "with_kwargs")

    def __init__(self):
        self.forward_pre, self.forward, self.backward_pre, self.backward = {}, {}, {}, {}
        self.with_kwargs, self.always = set(), set()

    def enter(self, kind, hook, first=False):
        """Keep a hook: its number."""
        hooks.check(hook)
        number, known = next(_numbers), getattr(self, kind)
        setattr(self, kind, {number: hook} | known if first else known | {number: hook})
        return number

    def forget(self, number):
        """Let a hook go, if it is still there."""
        for kind in ("forward_pre", "forward", "backward_pre", "backward"):
            left = {n: hook for n, hook in getattr(self, kind).items() if n != number}
            setattr(self, kind, left)

    def __bool__(self):
        return bool(self.forward_pre or self.forward or self.backward_pre or self.backward)


class HookHandle:
    """What registering a hook of a Cell returns: ``remove()`` takes the hook away."""

    __slots__ = ("_kept", "_number")

    def __init__(self, kept=None, number=None):
        self._kept, self._number = kept, number

    def remove(self):
        """The hook is not called any more; a second time nothing happens."""
        if self._kept is not None:
            self._kept.forget(self._number)


# forwards -----------------------------------------------------------------------------------------


def run(cell, kept, args, kwargs, construct):
    """``construct(*args, **kwargs)`` of a Cell with its hooks around it, in eager mode."""
    called, out = set(), None
    try:
        args, kwargs = _before(cell, kept, args, kwargs)
        way = _WayBack(cell, kept) if kept.backward or kept.backward_pre else None
        if way is not None:
            args = way.into(args)
        out = construct(*args, **kwargs)
        for number, hook in kept.forward.items():
            called.add(number)
            out = _or_kept(_after(kept, number, hook, cell, args, kwargs, out), out)
        return out if way is None else way.out_of(out)
    except Exception:
        _always(cell, kept, called, args, kwargs, out)
        raise


def _before(cell, kept, args, kwargs):
    for number, hook in kept.forward_pre.items():
        if number not in kept.with_kwargs:
            given = hook(cell, args)
            args = args if given is None else given if isinstance(given, tuple) else (given,)
            continue
        given = hook(cell, args, kwargs)
        if given is None:
            continue
        if not isinstance(given, tuple) or len(given) != 2:
            raise errors.NotRunnable(
                "forward pre hook with kwargs must return None or a tuple of (new_args, "
                f"new_kwargs), but got {given}",
                hint="Return both: `return args, kwargs`.",
            )
        args, kwargs = given
    return args, kwargs


def _after(kept, number, hook, cell, args, kwargs, out):
    return hook(cell, args, kwargs, out) if number in kept.with_kwargs else hook(cell, args, out)


def _or_kept(given, before):
    return before if given is None else given


def _always(cell, kept, called, args, kwargs, out):
    """After an error: the forward hooks that are always called, and were not yet."""
    for number, hook in kept.forward.items():
        if number in called or number not in kept.always:
            continue
        try:
            out = _or_kept(_after(kept, number, hook, cell, args, kwargs, out), out)
        except Exception as error:
            warnings.warn(
                "cell forward hook with ``always_call=True`` raised an exception that was "
                f"silenced because another error was already raised in forward: {error}",
                errors.MsExtWarning,
                stacklevel=4,
            )


# backwards ----------------------------------------------------------------------------------------


class _WayBack:
    """One call of a Cell: its results' gradients are noted for the hooks that get the inputs'."""

    def __init__(self, cell, kept):
        self.cell, self.kept, self.dout, self.waits = cell, kept, (None,), False

    def into(self, args):
        """The arguments to go on with."""
        if not self.kept.backward:
            return args
        tensors = [arg for arg in args if isinstance(arg, Tensor)]
        self.waits = tape.watches(tensors)
        found = iter(Gate("backward hook", self._changed).passed(tensors))
        return tuple([next(found) if isinstance(arg, Tensor) else arg for arg in args])

    def out_of(self, out):
        """The results to go on with."""
        if self.kept.backward:
            out = self._gated(out, self._noted)
        if self.kept.backward_pre:
            out = self._gated(out, self._changed_first)
        return out

    def _gated(self, out, change):
        tensors = tuple(tape.tensors_in(out))
        return rebuilt(out, Gate("backward hook", change).passed(tensors))

    def _changed_first(self, douts):
        for hook in list(self.kept.backward_pre.values()):
            douts = fitting(hook(self.cell, douts), douts, "pre hook", "output")
        return douts

    def _noted(self, douts):
        self.dout = douts
        if not self.waits:  # no input's gradient will come
            self._changed((None,))
        return douts

    def _changed(self, gradients):
        dout = self.dout
        self.dout = tuple([d if d is None else core.filled_like(d, 0) for d in dout])  # for another
        for hook in list(self.kept.backward.values()):
            given = hook(self.cell, gradients, dout)
            gradients = fitting(given, gradients, "hook", "grad input")
        return gradients


def as_many(given, before, hook, what):
    """What a hook returned, as a tuple as long as ``before``; InvalidType if it is not."""
    several = given if isinstance(given, tuple) else (given,)
    if len(several) != len(before):
        raise errors.InvalidType(
            f"The {hook} return value size is {len(several)} not equal to {what} size "
            f"{len(before)}",
            hint="Return as many values as came in, or nothing.",
        )
    return several


def fitting(given, before, hook, what):
    """The gradients that a hook returned, as many as came in; those that came in for None."""
    if given is None:
        return before
    several = as_many(given, before, f"backward {hook}", f"expect {what}")
    for new in several:
        if new is not None and not isinstance(new, Tensor):
            raise errors.InvalidType(
                "The output type of function: hook_backward_grad should be a tensor but got "
                f"{type(new).__name__}.",
                given=f"{new!r:.60}",
                hint="Return one gradient for each that came in, or nothing.",
            )
    return several
