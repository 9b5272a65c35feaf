"""What does calling an op do, in plain Python? Cast, compute with NumPy, record.

With ``storage_reference`` and ``tape_reference`` the readable twin of the compiled core
(``kernels_pyx/tensor.pyx``): same names, same meaning, same tests. It runs where nothing is
compiled, and it is what the compiled core is checked against.
"""

from types import MethodType

import numpy as np

from . import operands, operators_reference, tensor_methods
from .again_reference import (
    again,
    backward_to,
    end_again,
    hook,
    origin,
    record_block,
    set_recording,
)
from .aside_reference import set_aside, take_up
from .calling_reference import Caller, Ready, may_hurry, watch_calls
from .quiet import applied, quietly
from .storage_reference import (
    Tensor,
    hooks,
    placeholder,
    raw,
    ready,
    set_meta,
    set_ready,
    slots,
    thread,
    view,
    wrap,
)
from .tape_reference import (
    close_tape,
    depth,
    leaf,
    open_tape,
    record,
    record_call,
    recording,
    slot_of,
    start_recording,
    stop_recording,
    watch,
)
from .walk_reference import backward, held_calls, memory

__all__ = [
    "Caller", "Op", "Ready", "Tensor", "again", "asynchronous", "backward", "backward_to",
    "close_tape", "configure", "end_again", "hook", "origin", "record_block", "set_recording",
    "set_aside", "take_up",
    "default", "depth", "fill_slot", "filled_like", "held_calls", "install", "leaf", "may_hurry",
    "memory", "open_tape", "placeholder", "pop_interpreter",
    "push_interpreter", "raw", "record_call", "recording", "register", "set_dispatcher",
    "set_fallback_listener", "set_meta", "set_ready", "set_waiter", "slot_of", "slots",
    "start_recording", "stop_recording", "watch", "watch_calls",
]  # fmt: skip


class Op:
    """A primitive: calling it with tensors runs it, or tells the interpreter of this thread."""

    def __init__(self, fields):
        self.__dict__.update(fields, fallbacks=0)
        self.is_plain = not self.attributes and self.arity is not None
        self.is_ufunc = isinstance(self.compute, np.ufunc)
        self.is_promoting = "as given" not in self.operands and len(set(self.operands)) == 1

    def __call__(self, *args, **kwargs):
        if self.is_plain and len(args) == self.arity and not kwargs:
            return run(self, args, _NONE)
        bound = hooks["prepare"](self, args, kwargs)
        return run(self, *bound) if type(bound) is tuple else bound

    def __get__(self, instance, owner=None):
        return self if instance is None else MethodType(self, instance)

    def __repr__(self):
        return self.name

    def __reduce__(self):
        return hooks["named"], (self.name,)


_NONE: dict = {}  # of an op without attributes


def run(op, values, attributes):
    """A call whose arguments are bound: to the interpreter, or really."""
    if not thread.attended and not _may_be_heavy(op, values):
        return _compute(op, values, attributes)
    if thread.interpreters:
        return thread.interpreters[-1](op, values, dict(attributes))
    return default(op, values, attributes)


HEAVY = 1 << 19  # elements of operands from which handing a call over may gain


def _may_be_heavy(op, values):
    """Whether the dispatcher is asked although nothing is in flight: no loop, and many elements."""
    if op.kernel is not None or hooks["dispatcher"] is None:
        return False
    return sum([v.size for v in values if isinstance(v, Tensor)]) >= HEAVY


def default(op, values, attributes):
    """Really run an op: cast, compute with NumPy, record if a gradient is being taken."""
    values = tuple([v if type(v) is Tensor else as_operand(v, op) for v in values])
    result = NotImplemented
    if thread.asynchronous or _may_be_heavy(op, values):
        result = hooks["dispatcher"](op, values, attributes)
    if result is NotImplemented:
        result = _compute(op, values, attributes)
    if thread.recording and op.bprop is not None:
        record(op, values, attributes, result)
    return result


def _compute(op, values, attributes):
    op.fallbacks += 1
    if hooks["fallback"] is not None:
        hooks["fallback"](op)
    given = _usual(op, *values) if len(values) == 2 else None
    if given is None:
        values = [v if type(v) is Tensor else as_operand(v, op) for v in values]
        given = _cast_all(op, values)
    try:
        result = applied(op.compute, given, attributes)
    except (ValueError, TypeError, IndexError):
        refusal = operands.refusal(op, values, attributes)
        if refusal is None:
            raise
        raise refusal from None
    if op.is_ufunc and type(result) is np.ndarray:
        return wrap(result)
    if isinstance(result, (tuple, list)):
        return tuple([_result(r, values) for r in result])
    return _result(result, values)


def _usual(op, x, y):
    """The arrays of two operands that no rule changes: like floats, a float and a number."""
    if type(x) is Tensor and not x._state and x._dtype.kind == "float":
        if type(y) is Tensor:
            return (x._array, y._array) if y._dtype is x._dtype and not y._state else None
        return (x._array, _beside(x, y)) if _is_modest(op, y) else None
    if type(y) is Tensor and not y._state and y._dtype.kind == "float" and _is_modest(op, x):
        return _beside(y, x), y._array
    return None


def _is_modest(op, number):
    """A number that every float dtype can hold, and that the op gives the tensor's dtype."""
    return (
        (type(number) is float or type(number) is int) and -6e4 < number < 6e4 and op.is_promoting
    )


def _beside(x, number):
    return np.array(number, x._array.dtype)


def _cast_all(op, values):
    """The arrays that ``compute`` gets, cast by the op's rule."""
    kinds = [ready(v)._dtype if isinstance(v, Tensor) else operands.number_kind(v) for v in values]
    wanted = operands.cast_dtypes(op.operands, kinds)
    return [_cast(v, k, w) for v, k, w in zip(values, kinds, wanted, strict=True)]


def _cast(value, kind, wanted):
    if isinstance(kind, str):
        return operands.number_array(value, wanted)
    return value._array if kind is wanted else quietly(value._array.astype, wanted.numpy)


def _result(array, values):
    """A tensor from what NumPy computed; part of an operand's memory is a view of that operand."""
    array = np.asarray(array)
    if array.base is None:
        return wrap(array)
    if not array.flags.writeable:
        return wrap(array.copy())
    origin = _owner(array)
    for value in values:
        if isinstance(value, Tensor) and _owner(value._array) is origin:
            return view(value, array)
    return wrap(array)


def _owner(array):
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def as_operand(value, op):
    """A tensor or a Python number; arrays, NumPy scalars and lists of numbers are converted."""
    if type(value) is float or type(value) is int or isinstance(value, Tensor):
        return value
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        return value.item()
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, np.ndarray):
        return Tensor.from_numpy(value)
    if isinstance(value, (list, tuple)):
        return Tensor(value)
    raise operands.not_an_operand(op.name, value)


# what the engine sets up ---------------------------------------------------------------------


def configure(**given):
    """Hand in what the core needs from above it: ``prepare``, ``named``, ``fit``."""
    hooks.update(given)


def register(fields):
    """A new Op."""
    return Op(fields)


def install(methods):
    """Give Tensor methods."""
    for name, method in methods.items():
        setattr(Tensor, name, method)


def fill_slot(slot, op):
    """Put an op behind one of Python's operators."""
    slots[slot] = op


def filled_like(tensor, value):
    """A tensor of the same shape and dtype, every element ``value``."""
    return wrap(np.full(tensor.shape, value, tensor.dtype.numpy))


def push_interpreter(f):
    """From now on ``f(op, operands, attributes)`` gets every op call of this thread."""
    thread.attend(interpreters=[*thread.interpreters, f])


def pop_interpreter():
    """End the innermost interpreter."""
    thread.attend(interpreters=thread.interpreters[:-1])


def set_fallback_listener(listener):
    """``listener(op)`` hears of every call that NumPy computes; returns the one before."""
    return _swap("fallback", listener)


def _swap(hook, value):
    before, hooks[hook] = hooks[hook], value
    return before


# results that are still to come --------------------------------------------------------------


def set_waiter(waiter):
    """``waiter(tensor, need)`` waits for the tensor's "shape" or "data"; returns the one before."""
    return _swap("waiter", waiter)


def set_dispatcher(dispatcher):
    """``dispatcher(op, operands, attributes)``: a Tensor, or NotImplemented to run the op here."""
    return _swap("dispatcher", dispatcher)


def asynchronous(on):
    """Whether this thread's ops are offered to the dispatcher; returns what it was."""
    was = thread.asynchronous
    thread.attend(asynchronous=bool(on))
    return was


install(operators_reference.methods(run))
install(tensor_methods.INSTALLED)
