"""What stands between the two phases of a call? An executor; and the cache that saves phase one.

Phase one checks the arguments and works out how much workspace is needed. That depends on dtypes,
shapes and attributes only, so it is remembered under a key of them. The executor adds the addresses
of one call, and is used up by it unless it was made repeatable.
"""

import threading
from collections import OrderedDict
from typing import NamedTuple

from ... import errors
from ..announcing import announced

CAPACITY = 10_000  # as many as MindSpore keeps


class Counters(NamedTuple):
    """How often a cache had what was asked for, had it not, and how many it keeps."""

    hits: int
    misses: int
    size: int


class Prepared(NamedTuple):
    """What phase one found out: the kernel, the forms it was asked for, bytes of workspace."""

    kernel: object
    forms: dict
    bytes: int


class Executor:
    """One call that is ready to be launched: what phase one found, and where the tensors are."""

    def __init__(self, prepared, bound):
        self.prepared, self.bound = prepared, bound
        self.repeatable = self.launched = False

    @property
    def name(self):
        """The function that launches it."""
        return f"aclnn{self.prepared.kernel.name}"

    def __repr__(self):
        forms = ", ".join(f"{n}={v}" for n, v in self.prepared.forms.items())
        return f"Executor({self.name}({forms}), {self.prepared.bytes} bytes of workspace)"


def key_of(kernel, forms):
    """The key of a call: the kernel's name, and dtype and shape or type and value by name.

    >>> from .declared import KERNELS
    >>> key_of(KERNELS["Softmax"], {"dim": -1})
    ('Softmax', (('dim', 'int', -1),))
    """
    return kernel.name, tuple([(n, type(v).__name__, v) for n, v in forms.items()])


class ExecutorCache:
    """What phase one found out, by key; the one that was not asked for longest is forgotten."""

    def __init__(self, capacity=CAPACITY, key=key_of):
        self.capacity, self.key = capacity, key
        self._kept, self._lock = OrderedDict(), threading.Lock()
        self._hits = self._misses = 0

    def prepared(self, kernel, forms):
        """(what phase one finds for these forms, whether it was kept)."""
        key = self.key(kernel, forms)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._hits += 1
                self._kept.move_to_end(key)
                return found, True
            self._misses += 1
        kernel.checked(forms)
        found = Prepared(kernel, forms, sum(form.bytes for form in kernel.wanted(forms)))
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > self.capacity:
                self._kept.popitem(last=False)
        return found, False

    def counters(self):
        """How often it was asked, and how many it keeps.

        >>> ExecutorCache().counters()
        Counters(hits=0, misses=0, size=0)
        """
        return Counters(self._hits, self._misses, len(self._kept))

    def clear(self):
        """Forget everything, and count from 0."""
        with self._lock:
            self._kept.clear()
            self._hits = self._misses = 0


def prepare(cache, kernel, arguments, named):
    """Phase one: (bytes of workspace, an executor for these arguments)."""
    with announced(f"aclnn{kernel.name}GetWorkspaceSize", "workspace") as told:
        bound = kernel.bind(arguments, named)
        prepared, known = cache.prepared(kernel, kernel.forms(bound))
        told.bytes, told.cache = prepared.bytes, "hit" if known else "miss"
    return prepared.bytes, Executor(prepared, bound)


def launch(kernel, workspace, size, executor):
    """Phase two: run the executor in that workspace; 0, as the real library says."""
    name = f"aclnn{kernel.name}"
    _check_executor(name, kernel, executor)
    workspace = _checked_workspace(name, workspace, size, executor)
    executor.launched = True
    with announced(name, "launch") as told:
        told.bytes = size
        kernel.run(executor.bound, workspace)
    if not executor.repeatable:
        executor.bound = None
    return 0


def _check_executor(name, kernel, executor):
    if not isinstance(executor, Executor):
        raise errors.InvalidType(
            f"{name} launches an executor.",
            given=f"{executor!r:.60}",
            hint=f"size, executor = {name}GetWorkspaceSize(...) makes one.",
        )
    if executor.prepared.kernel is not kernel:
        raise errors.InvalidValue(
            f"{name} was given the executor of another function.",
            given=f"an executor of {executor.name}",
            hint=f"Launch it with {executor.name}.",
        )
    if executor.launched and not executor.repeatable:
        raise errors.NotRunnable(
            f"This executor of {name} was launched already, and is used up.",
            hint=f"Ask {name}GetWorkspaceSize for another one, or say "
            "aclSetAclOpExecutorRepeatable(executor) before the first launch.",
        )


def _checked_workspace(name, workspace, size, executor):
    needed = executor.prepared.bytes
    has = 0 if workspace is None else workspace.nbytes
    if size < needed or has < needed:
        raise errors.InvalidValue(
            f"{name} needs a workspace of {needed} bytes.",
            given="no workspace"
            if workspace is None
            else f"{has} bytes, of which it may use {size}",
            hint=f"Allocate what {name}GetWorkspaceSize answers, and pass both on.",
        )
    return workspace
