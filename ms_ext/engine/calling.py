"""When may a call of a compiled function go straight to its kernel? Which signature is Ready?

A call whose arguments look like an earlier call's need not be bound, keyed and looked up again:
``core.Caller`` compares dtypes, shapes and constants and runs the kernel. What is recorded,
interpreted, written to or built of parts takes the long way.
"""

import numpy as np

from . import events, mutable, registry
from .tensor import core

events.on_switch(core.watch_calls)

CONTAINERS = tuple | list | dict | set | np.ndarray  # what they hold may change


def learn(caller, launcher, arguments, finish):
    """Let ``caller`` take the short way for calls like this one, if there is one.

    ``finish`` makes the result of a list of tensors; None if the one tensor is the result.
    """
    compiled = launcher.compiled
    if compiled.writes or compiled.numbers or launcher.rereads or not compiled.gives_tensors:
        return
    if not all(map(_is_told_at_a_glance, arguments)):
        return
    more = tuple(launcher.parsed.parameters)
    kernel = None if more else getattr(compiled.run, "kernel", None)
    captured = tuple([(names, name, names.get(name)) for names, name, _ in launcher.captured])
    caller.learn(
        core.Ready(
            arguments,
            registry.EPOCH,
            captured,
            kernel or compiled.run,
            kernel is not None,
            more,
            finish,
        )
    )


def _is_told_at_a_glance(value):
    """Whether an argument is a tensor, or one object that stays what it is."""
    return not isinstance(value, CONTAINERS) and type(value) not in mutable.MADE
