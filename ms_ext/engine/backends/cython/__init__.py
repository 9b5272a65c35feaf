"""The default backend: chains of elementwise ops as fused kernels, the rest by rows and NumPy.

No compiler is needed when a program runs: a fused kernel is a list of instructions for the
compiled tile machine (kernels_pyx/fused.pyx). Where that is not built, every node runs on its own
and a note says so.
"""

from .... import kernels
from .. import backend
from .._plan import Group, Planner
from . import rows
from .grouping import groups, why_not
from .program import Program

__all__ = ["build", "rows"]


@backend("cython")
def build(graph):
    """An Executable of ``graph``: fused where the machine can, node by node elsewhere."""
    machine = kernels.get("fused")
    if machine is None:
        note = "the compiled module 'fused' is not there: nothing is fused (./lab build makes it)"
        return Planner(graph, "cython", notes=(note,)).executable()
    parts = lambda each: units(each, machine)  # noqa: E731
    return Planner(graph, "cython", parts, reason=why_not, inside=inside).executable()


def units(graph, machine):
    """The nodes and Groups of one graph, in an order that can be run."""
    found, fusions = groups(graph)
    if not fusions:
        return graph.order()
    reached = {node for nodes in found for node in nodes} | {graph.result}
    return [
        _group(nodes, fusions, reached, machine) if nodes[0] in fusions else nodes[0]
        for nodes in found
    ]


def _group(nodes, fusions, reached, machine):
    program = Program(fusions[nodes[0]].width)
    for node in nodes:
        program.write(node, fusions[node])
    own = frozenset(nodes)
    outputs = [node for node in nodes if any(u in reached and u not in own for u in node.users)]
    kernel = program.kernel(machine.Kernel, nodes[0].abstract.shape, outputs)
    return Group(nodes, program.inputs, outputs, kernel)


def inside(group):
    """The program of a fused kernel, instruction by instruction."""
    from .listing import instructions  # read when somebody looks

    return instructions(group)
