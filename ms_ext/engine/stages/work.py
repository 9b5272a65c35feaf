"""What does each stage do to a call? FrontendTask: types; DeviceTask: memory; LaunchTask: values.

The three functions run on three threads, or one after the other on the caller's (``run_here``).
"""

import numpy as np

from .. import events
from ..infer import AbstractTuple, abstract_of, infer
from ..memory import POOL
from ..tensor import Tensor, core
from .task import Failure, Interrupted, Later


def frontend(task):
    """Infer shape and dtype of the results, and tell the tensors that the caller holds."""
    inferred = infer(task.op, tuple(map(_type, task.operands)), task.attributes)
    task.packed = isinstance(inferred, AbstractTuple)
    task.types = inferred.items if task.packed else (inferred,)
    if task.outputs:
        for tensor, abstract in zip(task.outputs, task.types, strict=True):
            core.set_meta(tensor, abstract.dtype, abstract.shape)
    return sum(t.nbytes for t in task.types)


def device(task):
    """Set memory aside for the results."""
    task.storage = tuple([POOL.empty(t.shape, t.dtype.numpy) for t in task.types])
    prepare = getattr(task.op, "prepare", None)
    return sum(s.nbytes for s in task.storage) + (prepare(task) if prepare else 0)


def launch(task):
    """Compute the results into that memory."""
    fill, run = getattr(task.op, "fill", None), getattr(task.op, "launch", None)
    if run is not None:
        run(task, [_own(o, task) for o in task.operands])
        task.results = tuple(map(Tensor.from_numpy, task.storage))
    elif fill is not None:
        fill([_own(o, task) for o in task.operands], task.types, task.packed, task.storage)
        task.results = tuple(map(Tensor.from_numpy, task.storage))
    else:
        _run_built_in(task)
    return sum(s.nbytes for s in task.storage)


def _run_built_in(task):
    values = tuple(map(_value, task.operands))
    result = core.default(task.op, values, task.attributes)
    results = result if type(result) is tuple else (result,)
    given = [core.raw(v) for v in values if isinstance(v, Tensor)]
    task.results = tuple([_placed(r, s, given) for r, s in zip(results, task.storage, strict=True)])


WORK = {"FrontendTask": frontend, "DeviceTask": device, "LaunchTask": launch}


def step(stage, task):
    """One stage of one call; an error stops the call and is kept. Returns a new Failure or None."""
    if task.failure is None:
        task.failure = _inherited(task)
    if task.failure is not None:
        return None
    begin, amount, failure = events.now(), 0, None
    try:
        amount = WORK[stage](task)
    except Interrupted:
        raise
    except BaseException as error:  # the learner's function may even exit
        failure = task.failure = Failure(error, task, stage)
    if events.on:
        events.emit("stage", stage, begin, events.now(), task.number, amount)
    return failure


def run_here(task):
    """All stages on this thread, as with MindSpore's launch_blocking: each inside the last."""
    begin = events.now()
    frontend(task)
    if events.on:
        _timed(device, "DeviceTask", task)
        _timed(launch, "LaunchTask", task)
        size = sum(t.nbytes for t in task.types)
        events.emit("stage", "FrontendTask", begin, events.now(), task.number, size)
    else:
        device(task)
        launch(task)


def _timed(work, stage, task):
    begin = events.now()
    amount = work(task)
    events.emit("stage", stage, begin, events.now(), task.number, amount)


def _inherited(task):
    """The failure of an earlier call whose result this one needs."""
    for operand in task.operands:
        if type(operand) is Later and operand.task.failure is not None:
            return operand.task.failure
    return None


def _type(operand):
    return operand.task.types[operand.index] if type(operand) is Later else abstract_of(operand)


def _value(operand):
    return operand.task.results[operand.index] if type(operand) is Later else operand


def _own(operand, task):
    """An operand as an array that the function may write to: nobody else will read it."""
    if not isinstance(operand, Tensor | Later):
        return operand
    array = core.raw(_value(operand))
    return array if task.private and not isinstance(operand, Later) else POOL.copy(array)


def _placed(result, storage, given):
    """The result in the memory set aside for it; a view of an operand stays a view."""
    array = core.raw(result)
    if any(np.may_share_memory(array, g) for g in given):
        return result
    np.copyto(storage, array)
    return Tensor.from_numpy(storage)
