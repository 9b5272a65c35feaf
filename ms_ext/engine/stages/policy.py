"""Which calls go through the stages, and why? Each decision can be recorded, and had in words.

| policy | what goes through the stages |
|---|---|
| "auto" | what gains from it: custom ops, ops with a pending operand, much work; no small work |
| "stages" | everything that may |
| "blocking" | everything, on the caller's thread (MindSpore's ``launch_blocking``) |
"""

import threading
from typing import NamedTuple

from .. import errors, events
from ..infer import abstract_of, infer
from ..tensor import core
from . import delivery, ending
from .task import Task, announce, calling_place
from .work import run_here

POLICIES = ("auto", "stages", "blocking")
WORTHWHILE = 1_000_000_000  # FLOPs: some 10 ms of one core, beside which handing over is nothing
PER_BYTE = 8  # FLOPs per byte of operands that must be copied first

REASONS = {
    "small": "runs here at once: {flops} FLOPs are less work than handing it over ({limit} FLOPs)",
    "copies": "runs here at once: {flops} FLOPs do not pay for copying {bytes} bytes of operands",
    "inside": "runs here: this thread is itself a stage",
    "effect": "runs here, after everything before it: it has an effect beyond its result",
    "view": "runs here at once: its result may share memory with an operand",
    "ended": "runs here: the interpreter is about to exit",
    "custom": "goes through the stages: a custom op may take any time",
    "pending": "goes through the stages: an operand is still on its way through them",
    "large": "goes through the stages: {flops} FLOPs are worth more than handing it over",
    "policy": "goes through the stages: the policy is 'stages'",
    "blocking": "goes through the stages on the caller's thread: the policy is 'blocking'",
    "declared": "goes through the stages: a custom op, of {flops} FLOPs as it says itself",
}
_CODES = {reason: code for code, reason in enumerate(REASONS)}
_HERE = ("small", "copies", "inside", "effect", "view", "ended")

policy = "auto"


class Decision(NamedTuple):
    """Why a call runs where it runs: ``reason`` is a key of ``REASONS``."""

    reason: str
    flops: int = 0
    bytes: int = 0

    @property
    def staged(self):
        """Whether the call goes through the stages."""
        return self.reason not in _HERE

    def sentence(self, name):
        """The decision in words."""
        words = REASONS[self.reason].format(flops=self.flops, bytes=self.bytes, limit=WORTHWHILE)
        return f"'{name}' {words}."


def use(new):
    """Set the policy; calls in flight are finished first. Returns the old one."""
    global policy
    if new not in POLICIES:
        raise errors.InvalidValue(
            f"There is no dispatch policy {new!r}.", hint=errors.did_you_mean(new, POLICIES)
        )
    delivery.drain()
    old, policy = policy, new
    if delivery.cpp is not None:
        delivery.cpp.follow(new)
    _attend(events.on)
    return old


def _attend(recording):
    """Be asked about every op where the policy, or somebody who records, wants that."""
    delivery.attentive = policy != "auto" or recording
    if not delivery.settle_if_idle():
        core.asynchronous(True)


def stage_always(op, count, fill=None, *, prepare=None, launch=None):
    """Have the calls of an op go through the stages.

    ``count``: how many results a call has: None (one, alone), a number or ASK;
    ``fill(inputs, types, several, storage)`` computes them into that memory.
    An op with work of its own in two stages has ``prepare(task)`` in DeviceTask, which answers the
    bytes it asked for, and ``launch(task, inputs)``, which computes into ``task.storage``.
    """
    op.staged, op.fill, op.prepare, op.launch = count, fill, prepare, launch


def call(op, operands):
    """Call a custom op: the dispatcher is asked although nothing may be in flight."""
    was = core.asynchronous(True)
    try:
        if not operands and op.arity is None:
            return op(())  # called with nothing at all, such an op answers with itself
        return op(*operands)
    finally:
        if not was and delivery.settle_if_idle():
            core.asynchronous(delivery.attentive)


def dispatch(op, operands, attributes):
    """The core's dispatcher: tensors on their way, or NotImplemented to run the op at once."""
    idle = delivery.settle_if_idle()
    decision = decide(op, operands, attributes)
    if events.on:
        at = events.now()
        code = _CODES[decision.reason]
        events.emit("dispatch", op.name, at, at, code, decision.flops, decision.bytes)
    if decision.reason == "blocking":
        return _blocking(op, operands, attributes)
    if decision.staged:
        return _send(op, operands, attributes)
    if decision.reason == "effect" and not idle:
        delivery.synchronize()
    return NotImplemented


def decide(op, operands, attributes):
    """Where this call would run, and why."""
    if ending.ended:
        return Decision("ended")
    if delivery.pipeline.is_stage(threading.get_ident()):
        return Decision("inside")
    if policy == "blocking":
        return Decision("blocking")
    if hasattr(op, "staged"):
        return _of_custom(op, operands, attributes)
    if op.effect or op.nondeterministic:
        return Decision("effect")
    if any(map(delivery.is_pending, operands)):
        return Decision("pending")
    return _by_work(op, operands, attributes)


def explain(op, operands, attributes):
    """The decision about a call, as a sentence."""
    decision = decide(op, operands, attributes)
    if decision.reason == "custom" and op.declared_cost:
        decision = _as_declared(op, operands, attributes)
    return decision.sentence(op.name)


def _of_custom(op, operands, attributes):
    if not (events.on and op.declared_cost):
        return Decision("custom")
    return _as_declared(op, operands, attributes)


def _as_declared(op, operands, attributes):
    try:
        return Decision("declared", *_work(op, operands, attributes))
    except errors.MsExtError:
        return Decision("custom")  # it will be refused there


def _by_work(op, operands, attributes):
    try:
        flops, size = _work(op, operands, attributes)
    except errors.MsExtError:
        return Decision("policy" if policy == "stages" else "small")  # it will be refused there
    if policy == "stages":
        may_share = flops == 0 and not op.elementwise
        return Decision("view" if may_share else "policy", flops, size)
    if flops < WORTHWHILE:
        return Decision("small", flops, size)
    return Decision("large" if flops >= PER_BYTE * size else "copies", flops, size)


def _work(op, operands, attributes):
    """FLOPs of a call, and bytes of its operands."""
    types = tuple(map(abstract_of, operands))
    out = infer(op, types, attributes)
    size = sum(t.nbytes for t in types if not t.weak)
    spent = op.cost(out, *types, **attributes)
    return spent if type(spent) is tuple else (int(spent), size)


def _send(op, operands, attributes):
    ending.prepare()
    own = hasattr(op, "staged")
    count = op.staged if own else None if op.outputs == 1 else op.outputs
    result, known = delivery.send(op, operands, attributes, count)
    core.asynchronous(True)  # from now on calls may have pending operands
    if count == delivery.ASK:
        op.staged = known
    return result


def _blocking(op, operands, attributes):
    delivery.drain()
    begin = events.now()
    task = Task(op, operands, attributes, calling_place())
    task.number = delivery.pipeline.pass_by()
    core.asynchronous(False)  # what the op itself calls is part of it
    try:
        run_here(task)
    finally:
        core.asynchronous(True)
        if events.on:
            announce(task, begin, events.now(), 0)
    return task.results if task.packed else task.results[0]


core.set_waiter(delivery.wait_for)
core.set_dispatcher(dispatch)
events.on_switch(_attend)
