"""What is a node called beside its line? By the name of the variable, else by a small number."""

import numpy as np

from ...engine.infer import STATE, AbstractTuple, abstract_of
from ...engine.ir import TUPLE_GET_ITEM
from .modes_values import shown


class Names:
    """The nodes of a graph and its regions as code: ``y = Mul(x, 2)``."""

    def __init__(self, graph):
        nodes = [node for each in graph.all_graphs() for node in each.order()]
        plain = [n for n in nodes if n.name is None and n.primitive is not TUPLE_GET_ITEM]
        self.numbers = {node: number for number, node in enumerate(plain, 1)}

    def of(self, node):
        """The name of a value."""
        if node.kind == "constant":
            return _constant(node.value)
        if node.kind == "call" and node.primitive is TUPLE_GET_ITEM and node.name is None:
            whole = node.inputs[0]
            alone = whole.kind == "call" and len(given(whole.abstract)) == 1
            return self.of(whole) if alone else f"{self.of(whole)}[{node.attributes['index']}]"
        return node.name or f"%{self.numbers.get(node, '?')}"

    def call(self, node):
        """The call that made a node; an effect with the words in which it is written."""
        if (asked := node.attributes.get("asked")) is not None:
            made = f"{node.primitive.name}: {asked.text}"
            return f"{self.of(node)} = {made}" if given(node.abstract) else made
        operands = ", ".join(self.of(each) for each in node.inputs if each.abstract is not STATE)
        return f"{self.of(node)} = {node.primitive.name}({operands})"


def given(abstract):
    """The types of what a node gives, without the State."""
    if isinstance(abstract, AbstractTuple):
        return [each for each in abstract.items if each is not STATE]
    return [] if abstract is STATE else [abstract]


def kind(abstract):
    """The same as text."""
    return ", ".join(map(str, given(abstract)))


def _constant(value):
    return (
        f"tensor {abstract_of(value)}"
        if isinstance(value, np.ndarray) and value.ndim
        else shown(value)
    )
