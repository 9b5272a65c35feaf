"""A call of a graph becomes the graph's calls: f(x) where f(a) = a * a  ->  x * x"""

from ..infer import STATE
from ..ir import CALL, inline
from . import graph_pass

LARGEST = 20_000  # calls that one graph may grow to


@graph_pass
def run(graph, editor):
    """Inline until only recursion is left; an inlined graph may call further ones."""
    left = set()
    while calls := [n for n in graph.order() if n.primitive is CALL and n not in left]:
        size = len(graph.order())
        for node in calls:
            size += len(node.graphs[0].order())
            if not _inlined(graph, node, size, editor):
                left.add(node)


def _inlined(graph, node, size, editor):
    """Put the callee's calls in the place of ``node``; whether that could be done."""
    callee = node.graphs[0]
    pairs = zip(node.inputs, callee.parameters, strict=True)
    arguments = [editor.fitting(argument, parameter.abstract) for argument, parameter in pairs]
    if len(node.graphs) > 1:
        editor.refuse(node, f"'{callee.name}' has a gradient of its own.")
    elif node.attributes.get("recompute"):
        editor.refuse(node, f"'{callee.name}' is calculated again on the way back.")
    elif any(c.abstract is STATE and c.users for c in callee.constants.values()):
        editor.refuse(node, f"'{callee.name}' has effects in an order of its own.")
    elif _calls_itself(callee):
        editor.refuse(node, f"'{callee.name}' calls itself.")
    elif size > LARGEST:
        editor.refuse(node, f"'{graph.name}' would have more than {LARGEST} calls.")
    elif None in arguments:
        editor.refuse(node, f"'{callee.name}' was built for other types.")
    else:
        editor.replace_results(node, dict(enumerate(inline(callee, graph, arguments, origin=True))))
        return True
    return False


def _calls_itself(graph):
    """Whether ``graph`` is reached from its own calls."""
    met, waiting = set(), [graph]
    while waiting:
        for node in waiting.pop().order():
            for called in node.graphs:
                if called is graph:
                    return True
                if called not in met:
                    met.add(called)
                    waiting.append(called)
    return False
