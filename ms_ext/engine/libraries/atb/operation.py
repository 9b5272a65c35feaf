"""How is an operation used? Create it from a Param, Setup, Execute; and keep it for the next call.

An Operation remembers what Setup worked out until Execute, so it can serve one call at a time. The
cache hands a free one out, marks it used, and makes another one while all are busy.
"""

import threading
from typing import NamedTuple

from ... import errors
from ..announcing import announced
from .declared import INVALID_PARAM, NO_ERROR, NO_WORKSPACE, NOT_SET_UP, OPERATIONS, Refused
from .params import compute_hash


class VariantPack(NamedTuple):
    """The inputs and outputs of one call."""

    inTensors: tuple
    outTensors: tuple


class Context:
    """What all operations of one stream share."""

    def __init__(self, stream):
        self.stream = stream

    def __repr__(self):
        return f"Context(stream={self.stream})"


class Operation:
    """What CreateOperation makes of a Param; ``why``: of the last status that was not 0."""

    def __init__(self, param):
        self.param, self.why, self._ready = param, "", None
        self.declared = OPERATIONS[type(param)]

    def Setup(self, pack, context):
        """(status, bytes of workspace) for these tensors."""
        with announced(f"{self.declared.name}.Setup", "workspace") as told:
            try:
                forms = self.declared.set_up(self.param, pack.inTensors, pack.outTensors)
            except Refused as refused:
                self.why = refused.why
                return refused.status, 0
            self._ready = told.bytes = sum(form.bytes for form in forms)
        return NO_ERROR, self._ready

    def Execute(self, pack, workspace, size, context):
        """The status of running it, in a workspace of as many bytes as Setup said."""
        needed, self._ready = self._ready, None
        if needed is None:
            self.why = "Setup comes before each Execute"
            return NOT_SET_UP
        if size < needed or needed and (workspace is None or workspace.nbytes < needed):
            self.why = f"it needs a workspace of {needed} bytes, and has {size}"
            return NO_WORKSPACE
        with announced(f"{self.declared.name}.Execute", "launch") as told:
            told.bytes = needed
            self.declared.run(self.param, pack.inTensors, pack.outTensors, workspace)
        return NO_ERROR

    def __repr__(self):
        return f"Operation({self.param})"


def CreateOperation(param):
    """(status, Operation or None, why not)."""
    declared = OPERATIONS.get(type(param))
    if declared is None:
        return INVALID_PARAM, None, f"no operation is made from a {type(param).__name__}"
    try:
        declared.check(param)
    except Refused as refused:
        return refused.status, None, refused.why
    return NO_ERROR, Operation(param), ""


class OperationHolder:
    """An Operation of the cache; ``used`` while a call holds it."""

    def __init__(self, operation):
        self.operation, self.used = operation, True

    def Free(self):
        """Let another call have it."""
        with announced(f"{self.operation.declared.name}.Free", "free"):
            self.used = False


class Counters(NamedTuple):
    """Found free; made as the first of its Param; made because all others were busy; kept."""

    hits: int
    misses: int
    busy: int
    operations: int


class AtbContextManager:
    """A Context for each stream, and Operations by type and hash of their Params."""

    def __init__(self):
        self._lock, self._contexts, self._holders = threading.Lock(), {}, {}
        self._counts = dict.fromkeys(("hit", "miss", "busy"), 0)

    def GetContext(self, stream):
        """The Context of a stream."""
        with self._lock:
            return self._contexts.setdefault(stream, Context(stream))

    def GetOperation(self, param, name, hashed=None):
        """A holder of an Operation that nobody else uses; ``hashed``: the hash, if it is known."""
        with announced(f"CreateOperation({type(param).__name__})", "create") as told:
            key = type(param), compute_hash(param) if hashed is None else hashed
            with self._lock:
                holders = self._holders.setdefault(key, [])
                free = next((holder for holder in holders if not holder.used), None)
                told.cache = "hit" if free else "busy" if holders else "miss"
                self._counts[told.cache] += 1
                if free is None:
                    status, operation, why = CreateOperation(param)
                    check(status, "CreateOperation", name, why)
                    free = OperationHolder(operation)
                    holders.append(free)
                free.used = True
                return free

    def counters(self):
        """What GetOperation found so far.

        >>> AtbContextManager().counters()
        Counters(hits=0, misses=0, busy=0, operations=0)
        """
        kept = sum(map(len, self._holders.values()))
        return Counters(*self._counts.values(), kept)

    def Release(self):
        """Forget all Operations and Contexts, and count from 0."""
        with self._lock:
            self._holders.clear()
            self._contexts.clear()
            self._counts = dict.fromkeys(self._counts, 0)


def check(status, function, name, why):
    """MindSpore's error for a status that is not 0."""
    if status != NO_ERROR:
        raise errors.NotRunnable(
            f"ATB function [{function}] result error. st={status}, op is {name}.",
            given=why or None,
            hint="Compare the Param, the inputs and the outputs with what the operation takes.",
        )
