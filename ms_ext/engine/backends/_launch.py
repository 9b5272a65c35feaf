"""How is a planned graph called? Results lie in memory of their own, warnings are off.

While events are recorded it is run in another way, which tells of every step (``_watching``).
"""

import numpy as np

from .. import errors, events
from ..infer import AbstractTensor
from ..quiet import quietly
from ._executable import finished, root
from ._frames import SEVERAL, execute, execute_deep
from ._watching import watch


class Launch:
    """What a launcher must know of a planned graph.

    ``fresh``: its outputs are new arrays; ``constants``: ids of the arrays it holds; ``quiet``: no
    step can warn; ``labels()``: by plan, (kind, name, bytes, node) of each step.
    """

    __slots__ = ("constants", "fresh", "inputs", "labels", "plan", "quiet", "tensors", "types")

    def __init__(self, graph, plan, fresh, constants, quiet, labels):
        self.plan, self.constants, self.quiet, self.labels = plan, constants, quiet, labels
        self.inputs = [p.abstract for p in graph.parameters]
        self.types = [n.abstract for n in graph.outputs]
        self.tensors = [
            (index, a.shape, a.dtype.numpy)
            for index, a in enumerate(self.inputs)
            if isinstance(a, AbstractTensor) and not a.weak
        ]
        self.fresh = fresh.issuperset(graph.outputs) and len(set(graph.outputs)) == len(self.types)

    def fits(self, arrays):
        """Whether these are arrays that the graph was built for."""
        if len(arrays) != len(self.inputs):
            return False
        for index, shape, dtype in self.tensors:
            array = arrays[index]
            if type(array) is not np.ndarray or array.shape != shape or array.dtype != dtype:
                return False
        return True

    def is_one_kernel(self):
        """Whether the graph is one kernel on its parameters: then that is all there is to call."""
        if len(self.plan.code) != 1 or not self.fresh:
            return False
        kind, _, places, results, _ = self.plan.code[0]
        return (
            kind == SEVERAL
            and places == list(range(len(self.inputs)))
            and results == self.plan.results
        )


def launcher(launch):
    """``run(*arrays)`` for a planned graph."""
    attempt = _attempt(launch)

    def run(*arrays):
        try:
            return _recorded(launch, arrays) if events.on else attempt(*arrays)
        except Exception:
            _check(arrays, launch)
            raise

    if launch.is_one_kernel():
        run.kernel = attempt  # for who has looked at the inputs, and records nothing
    return run


def _attempt(launch):
    if launch.is_one_kernel():
        return launch.plan.code[0][1]  # it looks at its operands itself
    body, plan = execute_deep if launch.plan.deep else execute, launch.plan

    def attempt(*arrays):
        if not launch.fits(arrays):
            _check(arrays, launch)
        if launch.quiet:
            return _results(launch, body(plan, arrays), arrays)
        return _results(launch, quietly(body, plan, arrays), arrays)

    return attempt


def _recorded(launch, arrays):
    if not launch.fits(arrays):
        _check(arrays, launch)
    return _results(launch, quietly(watch, launch.plan, arrays, launch.labels()), arrays)


def _check(arrays, launch):
    """Say which input is not what the graph was built for, if one is not."""
    if len(arrays) != len(launch.inputs):
        count = len(launch.inputs)
        raise errors.InvalidType(
            f"The graph takes {count} {'input' if count == 1 else 'inputs'}.",
            given=f"{len(arrays)}",
        ) from None
    for index, shape, dtype in launch.tensors:
        array = np.asarray(arrays[index])
        if array.shape != shape or array.dtype != dtype:
            raise errors.InvalidValue(
                f"Input {index} of the graph must be {launch.inputs[index]}.",
                given=f"{array.dtype}{list(array.shape)}",
                hint="A graph is built for one dtype and shape of each input.",
            ) from None


def _results(launch, values, arrays):
    if launch.fresh:
        return tuple(values)
    taken = {*launch.constants, *[id(root(a)) for a in arrays]}
    return tuple([finished(v, t, taken) for v, t in zip(values, launch.types, strict=True)])
