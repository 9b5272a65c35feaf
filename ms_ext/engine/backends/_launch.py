"""How is a planned graph called? With its arrays; results lie in memory of their own, warnings are off."""

import numpy as np

from .. import errors
from ._executable import finished, root
from ._frames import SEVERAL, execute, execute_deep


def launcher(graph, plan, fresh, constants):
    """``run(*arrays)``. ``fresh``: nodes whose values are new arrays; ``constants``: ids of constant arrays."""
    count, types = len(graph.parameters), [n.abstract for n in graph.outputs]
    all_fresh = fresh.issuperset(graph.outputs) and len(set(graph.outputs)) == len(types)
    if all_fresh and _is_one_kernel(plan, count):
        return plan.code[0][1]
    body = execute_deep if plan.deep else execute

    def run(*arrays):
        if len(arrays) != count:
            raise errors.InvalidType(f"The graph takes {count} values.", given=f"{len(arrays)}")
        with np.errstate(all="ignore"):
            results = body(plan, arrays)
        if all_fresh:
            return tuple(results)
        taken = {*constants, *[id(root(a)) for a in arrays]}
        return tuple([finished(v, t, taken) for v, t in zip(results, types, strict=True)])

    return run


def _is_one_kernel(plan, count):
    """Whether the whole graph is one kernel on exactly its parameters: then that is all there is to call."""
    if len(plan.code) != 1:
        return False
    kind, _, places, results, _ = plan.code[0]
    return kind == SEVERAL and places == list(range(count)) and results == plan.results
