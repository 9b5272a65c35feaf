"""How do results and errors come back from the stages to the caller?

A tensor whose value is still to come is *pending*: a table knows the call that makes it. To read
its elements is to wait until nothing is in flight. Then every pending tensor becomes an ordinary
one, so no stage ever reads memory that the caller can reach without waiting:

* an ordinary operand is copied when the call is made (PyTask), whatever is written to it later;
* a pending operand is memory that only the stages know.
"""

import threading
import weakref
from typing import NamedTuple

from .. import errors, events
from ..memory import POOL
from ..tensor import Tensor, core
from .pipeline import Pipeline
from .task import Failure, Later, Task, announce, announce_line, calling_place

ASK = -1  # how many results a call has is known only after its FrontendTask


class Pending(NamedTuple):
    """Which result of which call a tensor is waiting for."""

    tensor: weakref.ref
    task: Task
    index: int


pipeline = Pipeline()
attentive = False  # whether the dispatcher is asked about ops also when nothing is in flight
cpp = None  # the module cpp_calls, once a library of C++ operators was loaded
_pending: dict = {}  # id of a tensor -> Pending


def is_pending(value):
    """Whether a tensor is still waiting for its value."""
    return id(value) in _pending or (cpp is not None and cpp.is_pending(value))


def replace(make_lanes):
    """Let calls go through lanes of another kind from now on."""
    global pipeline
    drain()
    old, pipeline = pipeline, Pipeline(pipeline.capacity, pipeline.issued, make_lanes)
    pipeline.unseen = old.unseen
    old.close(0)


def send(op, operands, attributes, count):
    """PyTask: copy the operands, promise ``count`` results (None: one, alone) and go on at once.

    Returns the promised tensors and how many they are (``ASK`` still, if nobody could say).
    """
    begin = events.now()
    task = Task(op, tuple(map(_private, operands)), attributes, calling_place())
    task.private = True
    copied = sum(o.nbytes for o in task.operands if isinstance(o, Tensor)) if events.on else 0
    promised = None
    if count != ASK:
        promised = _promise(task, count)
        task.outputs = (promised,) if count is None else promised
    end = events.now()
    try:
        in_place = cpp.read_in_place(operands, task.operands) if cpp is not None else ()
        pipeline.submit(task)
        for operand in in_place:
            cpp.extension.use_until(operand, task.number)
        if events.on:
            announce(task, begin, end, copied)
        if promised is None:
            promised, count = _promise_late(task)
        return promised, count
    except KeyboardInterrupt:
        give_up()
        raise


def wait_for(tensor, need):
    """The core calls this when the "shape" or the "data" of a pending tensor is needed."""
    entry = _pending.get(id(tensor))
    if entry is None:
        return cpp and cpp.wait_for(tensor, need)
    if pipeline.is_stage(threading.get_ident()):
        return _needed_inside(tensor, entry)
    if need == "shape":
        sleep(need, entry.task.number, "FrontendTask")
        if entry.task.types is None:
            throw(entry.task.failure)
        return
    sleep(need)
    if entry.task.failure is not None:
        throw(entry.task.failure)
    throw_unseen()
    settle()


def synchronize():
    """Wait for every call made so far; raise the first error that nobody has seen yet."""
    if not pipeline.is_stage(threading.get_ident()):
        sleep("synchronize")
        throw_unseen()
        settle()


def wait_until(mark):
    """Wait until LaunchTask has come past a mark; errors stay where they are."""
    if not pipeline.is_stage(threading.get_ident()):
        sleep("event", mark.number)


def keep_alive(result, owner):
    """``result`` of a call; until that is finished, ``owner`` lives."""
    for tensor in result if type(result) is tuple else (result,):
        entry = _pending.get(id(tensor))
        if entry is None:
            continue
        entry.task.owner = owner
        if entry.task.results is not None or entry.task.failure is not None:
            entry.task.owner = None  # it was finished before it could know of its owner
    return result


def promise_into(tensor, promised):
    """A tensor that exists is what ``promised`` will be; what it held before is gone."""
    entry = _pending.get(id(promised))
    if entry is None:
        core.set_ready(tensor, promised)
        return
    core.set_meta(tensor, tensor.dtype, tensor.shape)
    _enter(tensor, entry.task, entry.index)


def drain():
    """Wait for every call made so far; errors stay where they are."""
    if not pipeline.is_stage(threading.get_ident()):
        sleep("drain")


def settle():
    """Make every tensor whose call is finished an ordinary tensor again."""
    for key, entry in list(_pending.items()):
        if entry.task.results is not None:
            _fulfil(entry)
            _pending.pop(key, None)
    core.asynchronous(attentive)


def collect():
    """Enter the failures of C++ calls among those that nobody has seen."""
    pipeline.unseen.extend(map(cpp.failure_of, pipeline.lanes.take_unseen()) if cpp else ())


def settle_if_idle():
    """The same, if nothing is in flight and no error is waiting to be seen. Whether it was so."""
    collect()
    rest = pipeline.idle and not pipeline.unseen
    if rest:
        settle()
    return rest


def come_to_rest():
    """Wait for what is in flight, so that this thread's ops run at once. Whether they do now."""
    if attentive or pipeline.is_stage(threading.get_ident()):
        return False
    drain()
    return settle_if_idle()


def give_up():
    """After Ctrl-C: what is not finished will never be; the next call starts new threads."""
    global pipeline
    old, pipeline = pipeline, pipeline.successor()
    for task in old.abandon():
        _fail(task, "was interrupted before it was finished")


def start_afresh(reason):
    """In a forked child, where the threads do not exist: unfinished calls fail."""
    global pipeline
    old, pipeline = pipeline, pipeline.successor()
    for task in old.flight:
        _fail(task, reason)


def _fail(task, what):
    if task.failure is None and task.results is None:
        error = errors.NotRunnable(f"'{task.op.name}' {what}.", hint="Run the call again.")
        task.failure = Failure(error, task, "LaunchTask" if task.types else "FrontendTask")


def _private(operand):
    if not isinstance(operand, Tensor):
        return operand
    entry = _pending.get(id(operand))
    if entry is not None:
        return Later(entry.task, entry.index)
    if cpp is not None and cpp.concerns(operand):
        return Later(cpp.Operand(operand), 0)
    return Tensor.from_numpy(POOL.copy(core.raw(operand)))


def _promise(task, count):
    """Tensors that will get the results of ``task``."""
    tensors = tuple([core.placeholder() for _ in range(1 if count is None else count)])
    for tensor, abstract in zip(tensors, task.types or (), strict=False):
        core.set_meta(tensor, abstract.dtype, abstract.shape)
    for index, tensor in enumerate(tensors):
        _enter(tensor, task, index)
    return tensors[0] if count is None else tensors


def _enter(tensor, task, index):
    key = id(tensor)
    ref = weakref.ref(tensor, lambda _ref, key=key, table=_pending: table.pop(key, None))
    _pending[key] = Pending(ref, task, index)


def _promise_late(task):
    """The same for a call whose FrontendTask has to say how many results there are."""
    sleep("count", task.number, "FrontendTask")
    if task.types is None:
        return _promise(task, None), ASK
    count = len(task.types) if task.packed else None
    return _promise(task, count), count


def _fulfil(entry):
    tensor = entry.tensor()
    if tensor is not None:
        core.set_ready(tensor, entry.task.results[entry.index])


def _needed_inside(tensor, entry):
    """A function in a stage reads a pending tensor: an earlier one is there, a later one never."""
    if entry.task.failure is not None:
        entry.task.failure.throw()
    if entry.task.results is None:
        raise errors.NotRunnable(
            f"A function in LaunchTask needs '{entry.task.op.name}', which is computed after it.",
            hint="Pass the tensor as an operand instead of reading it inside.",
        )
    _fulfil(entry)
    _pending.pop(id(tensor), None)


def sleep(need, number=None, stage="LaunchTask"):
    """Sleep until ``stage`` has done call ``number``, without one every call made so far."""
    begin, number = events.now(), pipeline.issued if number is None else number
    try:
        pipeline.wait(number, stage)
    except KeyboardInterrupt:
        give_up()
        raise
    if events.on and number:
        end = events.now()
        events.emit("sync", need, begin, end, number)
        announce_line(calling_place(), begin, end, number)


def throw(failure):
    """Raise what a call failed with; now somebody has seen it."""
    if failure in pipeline.unseen:
        pipeline.unseen.remove(failure)
    failure.throw()


def throw_unseen():
    """Raise the first error that nobody has seen; the others are named in a note."""
    collect()
    failures = sorted(pipeline.unseen, key=lambda failure: failure.number)
    pipeline.unseen.clear()
    if not failures:
        return
    first, *others = failures
    if others:
        names = ", ".join(sorted({f"'{failure.name}'" for failure in others}))
        first.error.add_note(f"{len(others)} later call(s) failed as well: {names}")
    first.throw()
