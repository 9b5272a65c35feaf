"""How do calls of C++ operators go through the same stages as Python's?

Importing this module readies the engine for them: the queues are compiled ones from now on
(``kernels_pyx/extension.pyx``), in which C++ tasks run without the GIL, between Python's and in
the order of all calls. ``bridge`` is what an operator's library fetches.

An operand is not copied: a C++ operator may write to it. Who wants its elements later waits.
"""

import importlib
import sys
import threading
from types import SimpleNamespace

from ... import kernels
from .. import errors, events, strict, tape
from ..infer import abstract_of
from ..tensor import core
from . import delivery, ending, policy
from .task import Failure, Later, announce_line, caller

KINDS = (
    errors.NotRunnable, errors.InvalidValue, errors.InvalidType, errors.InvalidIndex,
    MemoryError, NotImplementedError, errors.UnknownAttribute, errors.MissingKey, OverflowError,
    errors.DivisionByZero, AssertionError, errors.NotDefined, OSError, ImportError,
)  # fmt: skip
# MindSpore's levels of MS_LOG.
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


def _compiled():
    found = kernels.get("extension")
    if found is None:
        raise errors.NotRunnable(
            "C++ operators need the compiled kernels, which are not there.",
            hint="Build them: ./lab build (MS_EXT_CORE must not be 'reference').",
        )
    return found


extension = _compiled()
concerns = extension.concerns


class Operand:
    """What a call of Python waits for when a C++ call is still to write its operand.

    The part of a Task that other stages look at: ``failure``, ``types`` and ``results``.
    """

    def __init__(self, tensor):
        self._held = extension.hold(tensor)

    @property
    def failure(self):
        """The Failure of the call that should have made it, or None."""
        failed = self._held.failure
        return None if failed is None else failure_of(failed)

    @property
    def types(self):
        """After FrontendTask: its dtype and shape."""
        return (abstract_of(self._held.tensor(False)),)

    @property
    def results(self):
        """After LaunchTask: itself."""
        return (self._held.tensor(True),)


def read_in_place(operands, kept):
    """The operands that a call of Python reads where they lie: in use until it is done."""
    pairs = zip(operands, kept, strict=True)
    return [o for o, k in pairs if type(k) is Later and type(k.task) is Operand]


def make_lanes(_stages, capacity, issued):
    """Compiled lanes, which C++ calls use from now on."""
    lanes = extension.Lanes(capacity, issued, _begin)
    lanes.watch(events.on)
    lanes.use()
    return lanes


def _begin():
    ending.prepare()
    delivery.pipeline.start()


def follow(policy_name):
    """Do as a dispatch policy says; what is in flight is finished already."""
    extension.at_once(policy_name == "blocking")


def is_pending(tensor):
    """Whether a C++ call is still to write a tensor, or may be reading it."""
    return concerns(tensor) and not delivery.pipeline.idle


def wait_for(tensor, need):
    """Wait for the "shape" or the "data" of what a C++ call gives, or may be writing to."""
    if not concerns(tensor):
        return
    if delivery.pipeline.is_stage(threading.get_ident()):
        return _needed_inside(tensor)
    number = extension.number_of(tensor)
    if need == "shape":
        delivery.sleep(need, number, "FrontendTask")
        _throw_if_failed(tensor, shape_only=True)
        extension.tell(tensor)
        return
    delivery.sleep(need)
    _throw_if_failed(tensor)
    delivery.throw_unseen()
    delivery.settle()
    extension.fulfil(tensor)


def _throw_if_failed(tensor, shape_only=False):
    """MindSpore's way: what FrontendTask threw is raised always, later errors once."""
    failed = extension.failure_of(tensor)
    if failed is None:
        return
    delivery.collect()
    unseen = [f for f in delivery.pipeline.unseen if f.number == failed.number]
    if failed.stage == "FrontendTask":
        delivery.throw(unseen[0] if unseen else failure_of(failed))
    if unseen and not shape_only:
        delivery.throw(unseen[0])


def _needed_inside(tensor):
    """A function of Python in a stage reads the tensor: an earlier one is there, no later one.

    Nobody else is at an operand now: what comes earlier is done, what comes later waits.
    """
    if not extension.is_promise(tensor):
        return
    if delivery.pipeline.progress["LaunchTask"].reached < extension.number_of(tensor):
        raise errors.NotRunnable(
            "A function in LaunchTask needs what a C++ operator computes after it.",
            hint="Pass the tensor as an operand instead of reading it inside.",
        )
    extension.fulfil(tensor)


def failure_of(failed):
    """The Failure that the learner gets for what a C++ call threw."""
    task = SimpleNamespace(op=SimpleNamespace(name=failed.name), number=failed.number)
    task.place = _place(failed.place)
    return Failure(_error(failed), task, failed.stage)


def _error(failed):
    kind = KINDS[failed.kind] if 0 <= failed.kind < len(KINDS) else errors.NotRunnable
    return kind(failed.text or "A C++ operator failed without saying why.")


def _raise_failure(failed):
    error = _error(failed)
    error.__suppress_context__ = True
    raise error


def _place(found):
    """(code object, line) of (code object, instruction), if it is the learner's code."""
    if found is None or found[0].co_filename.startswith(errors.PACKAGE):
        return None
    code, instruction = found
    lines = [line for start, end, line in code.co_lines() if start <= instruction < end]
    return code, (lines or [code.co_firstlineno])[0]


def record(name, inputs, outputs, backward, saved):
    """Enter a C++ Function on the tape; answers the outputs to go on with.

    ``backward(*douts)``: for each input its gradient, and whether that is made of constants alone.
    """

    def bprop(*douts):
        found = backward(*douts)
        if tape.depth() and tape.watches((*douts, *saved)) and not strict.on():
            _must_be_recorded(name, found)
        return tuple(gradient for gradient, _constant in found)

    given, made = tuple(inputs), tuple(outputs)
    if any(output is operand for output in made for operand in given):
        return core.record_overwriting(name, given, made, bprop, saved)
    return tape.record(name, given, made, bprop, saved)


def _must_be_recorded(name, found):
    for index, (gradient, constant) in enumerate(found):
        if not constant and not tape.watches((gradient,)):
            raise errors.NotRunnable(
                f"There is no second derivative of '{name}': its Backward is C++ that nobody can"
                " differentiate.",
                given=f"the gradient of input {index}",
                hint="Write Backward with another Function's Apply, which has a Backward too.",
            )


def _log(level, text):
    print(f"[{_LEVELS[level] if 0 <= level < 5 else level}] {text}", file=sys.stderr)


def _python(module, function):
    return getattr(importlib.import_module(module), function)


def _tell_what_was_noted():
    """Emit what the compiled lanes noted as events."""
    lanes = delivery.pipeline.lanes
    if not isinstance(lanes, extension.Lanes):
        return
    for kind, name, start, end, thread, numbers in lanes.take_records():
        if kind == "stall":
            stage = extension.STAGES[numbers[1]]
            events.emit_for(thread, "stall", stage, start, end, numbers[0])
            continue
        if kind == "PyTask":
            events.emit_for(thread, "task", name, start, end, numbers[0], caller.stream)
        events.emit_for(thread, "stage", kind, start, end, *numbers)
    _tell_places(lanes)


def _tell_places(lanes):
    places, at = list(lanes.places), events.now()
    lanes.places.clear()
    for number, code, instruction in places:
        announce_line(_place((code, instruction)), at, at, number)


def _watch(recording):
    lanes = delivery.pipeline.lanes
    if isinstance(lanes, extension.Lanes):
        lanes.watch(recording)


def _prepare():
    extension.configure(_raise_failure)
    extension.set_helpers(
        SimpleNamespace(
            record=record, watched=lambda t: tape.watches((t,)), log=_log, python=_python
        )
    )
    delivery.cpp = sys.modules[__name__]
    delivery.replace(make_lanes)
    follow("blocking" if ending.ended else policy.policy)
    events.on_switch(_watch)
    events.collect_from(_tell_what_was_noted)


_prepare()
bridge = extension.bridge
