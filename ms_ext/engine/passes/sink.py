"""If(c, x, 2.0; f(x, k), g)  ->  If(c, x, 2.0; f(x, 2.0), g): a region holds its constants."""

from ..ir import WITH_REGIONS
from ..ir.layout import layout
from . import graph_pass


@graph_pass
def run(graph, editor):
    """Replace parameters by constants; the operands nobody reads any more are dce's business."""
    for node in graph.order():
        if node.primitive in WITH_REGIONS:
            _sink(node, editor)


def _sink(node, editor):
    plan = layout(node)
    for position in range(plan.invariant, len(node.inputs) - plan.offset):
        operand = node.inputs[plan.offset + position]
        if operand.kind == "constant":
            for region in node.graphs:
                _hold(region, region.parameters[position], operand, node, editor)


def _hold(region, parameter, operand, node, editor):
    if not parameter.users:
        return
    if parameter.abstract is not operand.abstract:
        editor.refuse(
            node, f"'{parameter.name}' is {parameter.abstract}, the constant {operand.abstract}."
        )
        return
    region.replace(parameter, region.constant(operand.value, operand.abstract))
    editor.matched(None, node, {parameter.name: operand})
