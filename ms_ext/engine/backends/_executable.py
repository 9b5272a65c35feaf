"""What comes out of a backend: something to call, and an account of how it runs.

``kernels`` lists what is launched, ``fallbacks`` the nodes that NumPy computes because the backend
has nothing better, ``notes`` what else a reader should know.
"""

from typing import NamedTuple

import numpy as np

from .. import errors, events
from ..infer import AbstractTensor, AbstractTuple


class Kernel(NamedTuple):
    """One launch: "fused", "row" or "compute"; ops and node ids, bytes moved, its graph's id."""

    kind: str
    ops: tuple
    nodes: tuple
    bytes: int
    graph: int


class Fallback(NamedTuple):
    """A node that ``compute`` runs for want of something better, and why."""

    node: int
    op: str
    reason: str


class Listed(NamedTuple):
    """One line of what a backend runs, and the ids of the nodes it computes.

    ``kind`` is said where a block begins: "fused", "row", "compute" (NumPy), "python" (an op that
    a learner declared) or "control" (a branch, a loop, a call). A block's first node is in no other
    block.
    """

    text: str
    nodes: tuple = ()
    kind: str = ""


class Executable:
    """A graph ready to run: ``executable(*arrays)`` gives a tuple, one value for each output.

    ``account()`` gives (kernels, fallbacks, peak), ``listing()`` the Listed lines of what runs;
    they are asked when somebody looks.
    """

    __slots__ = ("_account", "_listing", "backend", "graph", "notes", "run")

    def __init__(self, graph, run, account=None, notes=(), listing=None):
        self.graph, self.run, self.backend = graph.name, run, ""
        self._account, self.notes = account or (lambda: ((), (), None)), tuple(notes)
        self._listing = listing or (lambda: ())

    def __call__(self, *arrays):
        return self.run(*arrays)

    @property
    def kernels(self):
        """What is launched: a Kernel for each, those of a loop or branch once."""
        return self._looked_at()[0]

    @property
    def fallbacks(self):
        """The nodes that NumPy computes because the backend has nothing better."""
        return self._looked_at()[1]

    @property
    def peak(self):
        """Most bytes alive at once in the outermost graph, inputs included; None if not known."""
        return self._looked_at()[2]

    def listing(self):
        """What runs, line by line in order; empty if the backend does not say.

        A backend says it by a second function: ``run.listing = lambda: [Listed(...), ...]``.
        """
        return [Listed(*line) for line in self._listing()]

    def _looked_at(self):
        if callable(self._account):
            self._account = self._account()
        return self._account

    def __repr__(self):
        lines = [f"Executable({self.graph!r} on {self.backend!r}, {len(self.kernels)} kernels)"]
        lines += [f"  {k.kind}: {', '.join(k.ops)} ({k.bytes} bytes)" for k in self.kernels]
        lines += [f"  falls back: {f.op} (%{f.node}): {f.reason}" for f in self.fallbacks]
        return "\n".join([*lines, *(f"  note: {n}" for n in self.notes)])

    def announce(self, start):
        """Emit what was built, and each node that falls back."""
        end = events.now()
        events.emit("backend", self.backend, start, end, len(self.kernels), len(self.fallbacks))
        for each in self.fallbacks:
            events.emit("fallback", each.op, end, end, each.node)


def checked(name, graph, run):
    """The Executable of somebody's ``run``: what it returns is compared with the outputs."""
    if not callable(run):
        raise errors.InvalidType(
            f"The backend {name!r} must return a function run(*arrays).", given=f"{run!r:.60}"
        )
    wanted = [node.abstract for node in graph.outputs]
    constants = {id(root(n.value)) for each in graph.all_graphs() for n in each.constants.values()}

    def checking(*arrays):
        given = run(*arrays)
        given = tuple(given) if isinstance(given, tuple | list) else (given,)
        if len(given) != len(wanted):
            raise errors.NotRunnable(
                f"The backend {name!r} gave {len(given)} of the graph's {len(wanted)} results.",
                hint="run(*arrays) returns a tuple with one array for each output of the graph.",
            )
        taken = constants | {id(root(a)) for a in arrays}
        return tuple([_fit(name, v, a, taken) for v, a in zip(given, wanted, strict=True)])

    return Executable(graph, checking, listing=getattr(run, "listing", None))


def _fit(name, value, abstract, taken):
    """``value`` as the output of type ``abstract``, in memory of its own."""
    if not isinstance(abstract, AbstractTensor):
        return finished(value, abstract, taken)
    array = np.asarray(value.asnumpy() if hasattr(value, "asnumpy") else value)
    if abstract.weak:
        return finished(array, abstract, taken)
    if array.shape != abstract.shape or array.dtype != abstract.dtype.numpy:
        raise errors.NotRunnable(
            f"The backend {name!r} gave a result of another type.",
            given=f"{array.dtype}{list(array.shape)} for an output of type {abstract}",
        )
    return finished(array, abstract, taken)


def finished(value, abstract, taken):
    """A result as the caller gets it: a number, or an array that shares memory with nothing taken.

    ``taken`` holds the ids of the arrays that own inputs, constants and earlier results; it grows.
    """
    if isinstance(abstract, AbstractTuple):
        return tuple([finished(v, a, taken) for v, a in zip(value, abstract.items, strict=True)])
    if not isinstance(abstract, AbstractTensor):
        return value
    if abstract.weak:
        return abstract.number(value)
    array = np.asarray(value)
    owner = root(array)
    if id(owner) in taken or not array.flags.c_contiguous or not array.flags.writeable:
        array = owner = array.copy()
    taken.add(id(owner))
    return array


def root(array):
    """The array that owns the memory ``array`` looks at."""
    while isinstance(getattr(array, "base", None), np.ndarray):
        array = array.base
    return array
